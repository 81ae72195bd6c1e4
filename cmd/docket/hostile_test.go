package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostile is text that would drive a terminal, hide, or turn round: escape
// sequences, a hyperlink and a clipboard write, a carriage return, C1 controls
// in UTF-8, direction overrides, invisible characters; and what markdown would
// take for HTML, a mention, an issue, a link, the end of code or of a cell.
const hostile = "x\\| <b> @all #1 [x](http://e.example) `t` | \x1b[31mred\x1b[2J\x1b]8;;http://evil.example/\x07link\x1b]8;;\x07\x1b]52;c;cm0gLXJm\x07" +
	"\rover\b\x7f\x00\u009b31m\u0085\u202eevil\u2066x\u2069\u200b\u2060\ufeff\u00ad\u2028" +
	"<img src=x onerror=alert(1)> @channel #1 [x](http://evil.example) `tick` \\| pipe | http://evil.example"

// hostileName is hostile text without what a name cannot hold.
var hostileName = strings.NewReplacer("\x00", "", "/", "", "\u2028", "", "\u0085", "").Replace(hostile)

// hostileID is hostile text without control characters, which no id may hold.
var hostileID = strings.Map(func(r rune) rune {
	if unicode.Is(unicode.Cc, r) || r == 0x2028 {
		return -1
	}
	return r
}, hostile)

// inertText fails unless a terminal can do nothing with a text but show it.
func inertText(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8: %q", what, clipped(text))
	}
	for i, r := range text {
		if r == '\n' || !unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.Cf, r) && r != 0x2028 && r != 0x2029 {
			continue
		}
		t.Errorf("%s holds U+%04X near %q", what, r, text[max(0, i-40):min(len(text), i+40)])
		return
	}
}

func clipped(s string) string { return s[:min(len(s), 400)] }

// hostileSuite writes a suite into which hostile text was put wherever docket
// reads text.
func hostileSuite(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GIT_AUTHOR_NAME", "Mallory "+hostileName)
	// quoted is text as YAML and JSON both read it, in ASCII.
	quoted := func(s string) string {
		var b strings.Builder
		b.WriteByte('"')
		for _, r := range s {
			if r < ' ' || r > '~' || r == '"' || r == '\\' {
				fmt.Fprintf(&b, "\\u%04x", r)
			} else {
				b.WriteRune(r)
			}
		}
		b.WriteByte('"')
		return b.String()
	}
	write(t, ".docket.yaml", fmt.Sprintf(`
version: 1
suites:
  desk:
    cases: cases
    system: new
    labels: [paid, %s]
    expires: never
systems:
  old: {kind: outputs, file: old.jsonl, model: %[1]s, environment: %[1]s}
  new: {kind: outputs, file: new.jsonl, model: acorn, environment: %[1]s}
  crash: {kind: exec, command: [fakesystem, crash], environment: %[1]s}
  reports: {kind: exec, command: [fakesystem, reports]}
`, quoted(hostile)))
	ids := []string{"plain", "odd " + hostileID, "zz-odd"}
	var old, new strings.Builder
	for i, id := range ids {
		name := fmt.Sprintf("cases/%d.yaml", i)
		if i == 1 {
			name = "cases/" + strings.ReplaceAll(hostileName, "\\", "")[:60] + ".yaml"
		}
		write(t, name, fmt.Sprintf(`
id: %s
added: 2026-01-01
provenance: %s
input: {mail: %[2]s, order: A-4417}
expect:
  must_contain_fact:
    - {key: %[2]s, value: paid}
tags: [%[2]s]
`, quoted(id), quoted(hostile)))
		line := func(text string, tool string) string {
			b, err := json.Marshal(map[string]any{
				"id": id, "text": text, "model": hostile,
				"tool_calls": []any{map[string]any{"name": tool, "arguments": map[string]any{hostile: 1}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			return string(b) + "\n"
		}
		old.WriteString(line(`{"a": "paid", "order": "A-4417"}`, "look"))
		long := "x\x1b[5m"
		if i == 1 {
			long = strings.Repeat(long, 200_000)
		}
		body, err := json.Marshal(map[string]any{hostile: hostile, "long": long})
		if err != nil {
			t.Fatal(err)
		}
		new.WriteString(line(string(body), hostile))
	}
	new.WriteString(`{"id": ` + quoted("stranger "+hostileID) + `, "text": "x"}` + "\n")
	write(t, "old.jsonl", old.String())
	write(t, "new.jsonl", new.String())
}

// TestHostile puts hostile text wherever docket reads text, and looks at every
// byte that any command prints.
func TestHostile(t *testing.T) {
	hostileSuite(t)
	id := "odd " + hostileID
	names := []string{"e" + hostileName + ".jsonl", "f" + hostileName + ".jsonl"}
	for i, from := range []string{"old.jsonl", "new.jsonl"} {
		names[i] = strings.ReplaceAll(names[i], "\\", "")
		names[i] = names[i][:80] + ".jsonl"
		for !utf8.ValidString(names[i]) {
			names[i] = names[i][:len(names[i])-7] + ".jsonl"
		}
		write(t, names[i], read(t, from))
	}
	commands := []struct {
		code int
		args []string
	}{
		{2, []string{"diff"}},
		{0, []string{"run"}},
		{0, []string{"run", "--format", "json"}},
		{0, []string{"run", "--format", "markdown"}},
		{0, []string{"calibrate", "--system", "old"}},
		{0, []string{"lint"}},
		{3, []string{"run"}},
		{3, []string{"diff"}},
		{3, []string{"diff", "--format", "json"}},
		{3, []string{"diff", "--format", "markdown"}},
		{1, []string{"diff", "--across", "--format", "markdown"}},
		{0, []string{"reject", id, "--reason", hostile}},
		{0, []string{"accept", "plain", "--across", "--reason", hostile}},
		{0, []string{"write", "--across", "--dry-run"}},
		{3, []string{"diff", "--format", "markdown"}},
		{3, []string{"diff", "--format", "json"}},
		{3, []string{"diff"}},
		{0, []string{"write", "--across"}},
		{3, []string{"diff"}},
		{4, []string{"run", "--system", "crash", "--across", "--case", "zz-odd"}},
		{4, []string{"run", "--system", "reports", "--across", "--case", "zz-odd"}},
		{4, []string{"diff", "--report-only", "--system", "reports", "--format", "json"}},
		{1, []string{"diff", names[0], names[1]}},
		{1, []string{"diff", names[0], names[1], "--format", "json"}},
		{1, []string{"diff", names[0], names[1], "--format", "markdown"}},
		// Errors quote what was typed.
		{2, []string{"diff", "old.jsonl", hostile}},
		{2, []string{"diff", hostile}},
		{2, []string{hostile}},
		{2, []string{"run", "--" + hostileName}},
		{2, []string{"run", "--samples", hostile}},
		{2, []string{"run", "--case", hostile}},
		{2, []string{"run", "--tag", "x" + hostile}},
		{2, []string{"run", "--system", hostile}},
		{2, []string{"run", "--mode", hostile}},
		{2, []string{"diff", "--format", hostile}},
		{2, []string{"diff", "--run", hostile}},
		{2, []string{"diff", "--config", hostileName}},
		{2, []string{"accept", hostile, "--reason", "x"}},
		{2, []string{"accept", id, "--suite", hostile, "--reason", "x"}},
		{2, []string{"accept", id, "--seen", hostile, "--reason", "x"}},
		{2, []string{"accept", id, id, "--reason", "x"}},
		{2, []string{"completion", hostile}},
	}
	shown := 0
	for _, c := range commands {
		s := invoke(nil, c.args...)
		what := fmt.Sprintf("docket %.60q", c.args)
		if s.code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s%s", what, s.code, c.code, clipped(s.out), clipped(s.err))
		}
		inertText(t, what+" stdout", s.out)
		inertText(t, what+" stderr", s.err)
		shown += strings.Count(s.out+s.err, "<ESC>")
		for line := range strings.Lines(s.out) {
			if len(line) > 20_000 && !strings.HasPrefix(line, "{") {
				t.Errorf("%s prints a line of %d bytes", what, len(line))
			}
		}
		switch {
		case strings.HasPrefix(s.out, "{"):
			var any map[string]any
			if err := json.Unmarshal([]byte(s.out), &any); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case strings.HasPrefix(s.out, "## docket"):
			safeMarkdown(t, what, s.out)
		}
	}
	if shown < 100 {
		t.Errorf("escapes were shown %d times; they should be legible", shown)
	}

	// What is written keeps the bytes, escaped as JSON, so that review sees them.
	for _, file := range []string{"baselines/desk/live.jsonl"} {
		if text := read(t, file); strings.ContainsAny(text, "\x1b\x00\x7f\r") {
			t.Errorf("%s holds control bytes", file)
		}
	}

	// Files that do not load are told with names and contents that are hostile.
	write(t, "cases/"+strings.ReplaceAll(hostileName, "\\", "")[:40]+"2.yaml", "id: [\"\\e[31m\"\n\x1b[31m")
	for _, args := range [][]string{{"lint"}, {"diff"}, {"run"}} {
		s := invoke(nil, args...)
		inertText(t, "broken: stdout", s.out)
		inertText(t, "broken: stderr", s.err)
		if s.code != codeWrong {
			t.Errorf("%v: exit code %d", args, s.code)
		}
	}
}

var (
	codeSpan = regexp.MustCompile("`[^`\n]*`")
	escaped  = regexp.MustCompile("\\\\[\\\\`*_\\[\\]!|~>$]")
)

// safeMarkdown fails where text of an output could be taken for markup. The
// cells of a table are told apart first, as a forge does, since a bar that is
// not escaped ends a cell even inside code.
func safeMarkdown(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		for _, cell := range cells(line) {
			rest := codeSpan.ReplaceAllString(cell, "")
			rest = strings.ReplaceAll(rest, "<br>", "")
			rest = escaped.ReplaceAllString(rest, "")
			if strings.ContainsAny(rest, "<>@[`&") || strings.Contains(rest, "://") || strings.Contains(rest, "#1") {
				t.Errorf("%s: markup may get through in %q", what, clipped(cell))
			}
		}
	}
}

// cells splits a line at each bar with an even number of backslashes before it.
func cells(line string) []string {
	if !strings.HasPrefix(line, "|") {
		return []string{line}
	}
	var all []string
	start, slashes := 0, 0
	for i := range len(line) {
		switch line[i] {
		case '\\':
			slashes++
			continue
		case '|':
			if slashes%2 == 0 {
				all = append(all, line[start:i])
				start = i + 1
			}
		}
		slashes = 0
	}
	return append(all, line[start:])
}
