//go:build unix

package main

import (
	"bytes"
	"os"
	"strings"
	"syscall"
)

// hostileKinds are the files that docket reads, each with the commands that read
// it in the suite of hostileFilesSuite. Those that are sound there may be read
// in place of the sound file's shapes: fine lists the shapes that are no damage
// to the kind, whatever a command then ends with.
var hostileKinds = []struct {
	name, path string
	commands   [][]string
	fine       string // of shapes, by name; "*" for all
	light      bool   // another kind is read by the same reader, and tried in heavy shapes
}{
	{"configuration", ".docket.yaml", [][]string{{"diff"}, {"lint"}}, "Windows line ends", false},
	{"case", "cases/mail/inv-1.yaml", [][]string{{"run"}, {"lint"}}, "Windows line ends, million digits, huge exponent, folder", false},
	{"input file", "cases/mail/fixtures/body.txt", [][]string{{"run"}}, "empty, Windows line ends, million digits, 1,000 levels, 10,000 levels, 1,000,000 levels, huge exponent, lone surrogate, ten million bytes, aliases, merge keys, deep blocks, own anchor, long scalar, many keys, many documents, NUL bytes, 10,000 objects", true},
	{"outputs", "outputs/new.jsonl", [][]string{{"run"}, {"import", "outputs/new.jsonl", "--dry-run"}, {"diff", "outputs/old.jsonl", "outputs/new.jsonl"}, {"contract", "contract.yaml", "outputs/new.jsonl"}, {"add", "inv-9", "--output", "outputs/new.jsonl", "--case", "inv-1", "--provenance", "INC-1", "--dry-run"}, {"import", "outputs/new.jsonl", "--cases", "cases/else", "--dry-run"}}, "Windows line ends, million digits, huge exponent, ten million bytes", false},
	{"baseline", "baselines/mail/live.jsonl", [][]string{{"diff"}, {"write", "--dry-run"}, {"describe"}, {"diff", "old.jsonl", "baselines/mail/live.jsonl"}}, "1,000 levels, million digits, huge exponent, ten million bytes", false},
	{"decisions", "baselines/mail/decisions/*.jsonl", [][]string{{"why", "inv-1"}}, "1,000 levels, million digits, huge exponent, ten million bytes", true},
	{"journal", ".docket/journal/mail/live.jsonl", [][]string{{"diff"}, {"accept", "inv-3", "--reason", "ok"}}, "empty, Windows line ends, 1,000 levels, million digits, huge exponent, ten million bytes, 10,000 levels, 1,000,000 levels, 10,000 objects, lone surrogate", false},
	{"results store", ".docket/results.db", [][]string{{"diff"}, {"history", "inv-1"}}, "empty", false},
	{"tools", "schemas/tools.json", [][]string{{"run"}, {"lint"}}, "Windows line ends, 1,000 levels, million digits, huge exponent, ten million bytes", true},
	{"output schema", "schemas/out.json", [][]string{{"run"}}, "Windows line ends, million digits, huge exponent, ten million bytes", true},
	{"schema of a check", "cases/mail/schemas/check.json", [][]string{{"run"}, {"lint"}}, "Windows line ends, million digits, huge exponent, ten million bytes", true},
	{"prompt", "p.md", [][]string{{"lint"}}, "*", true},
	{"recording", "cases/mail/recordings/search/get-find-q-refund-143d33dc3e4f9c55.json", [][]string{{"lint"}}, "Windows line ends", true},
	{"misses", ".docket/misses/mail.jsonl", [][]string{{"rekey"}}, "empty, Windows line ends", true},
	{"settings", "home/docket/settings.yaml", [][]string{{"review", "--plain"}}, "empty, Windows line ends, own anchor", true},
	{"plan", "plan.json", [][]string{{"migrate", "--apply", "plan.json", "--confirm"}}, "Windows line ends", false},
	{"contract", "contract.yaml", [][]string{{"contract", "contract.yaml", "outputs/old.jsonl"}}, "Windows line ends", false},
	{"labels", "labels.jsonl", [][]string{{"judge", "check", "labels.jsonl"}}, "Windows line ends, million digits, huge exponent, ten million bytes", true},
	{"input of a new case", "input.json", [][]string{{"add", "inv-9", "--input", "input.json", "--provenance", "INC-1", "--dry-run"}}, "Windows line ends, lone surrogate, million digits, huge exponent, ten million bytes", true},
	{"old tests in Python", "test_old.py", [][]string{{"migrate", "test_old.py", "--plan"}}, "*", false},
	{"old tests in JavaScript", "old.test.js", [][]string{{"migrate", "old.test.js", "--plan"}}, "*", false},
	{"old snapshots", "old.test.js.snap", [][]string{{"migrate", "old.test.js.snap", "--plan"}}, "*", true},
	{"old tables", "old.csv", [][]string{{"migrate", "old.csv", "--plan"}}, "*", false},
	{"old configuration", "promptfooconfig.yaml", [][]string{{"migrate", "promptfooconfig.yaml", "--plan"}}, "*", true},
	{"results of another tool", "results.json", [][]string{{"import", "results.json", "--dry-run"}}, "*", false},
	// The last, since no command goes on while one is there.
	{"retirement that was cut short", ".docket/retiring/mail.json", [][]string{{"restore", "inv-1", "--reason", "ok"}}, "Windows line ends, 1,000 levels, million digits, huge exponent, ten million bytes, lone surrogate, folder, pipe, device", true},
}

// seeds are the sound files that no command of the suite has written.
var hostileSeeds = map[string]string{
	"p.md": "Read {{.mail}}\n",
	"cases/mail/recordings/search/get-find-q-refund-143d33dc3e4f9c55.json": `{"format":1}`,
	".docket/misses/mail.jsonl":  `{"format":1,"provider":"openai","case":"inv-1","sample":1,"request":{"method":"POST","path":"/v1/chat/completions","headers":{},"body":{}},"nearest":"sha256:f6c5ad371b8f1c5cc86a68e23bd7a597bed4d116b60fd82041864b8a83966ee1"}` + "\n",
	"home/docket/settings.yaml":  "ascii: true\n",
	".docket/retiring/mail.json": `{"format":1,"suite":"mail","edits":[{"path":"cases/mail/gone.yaml","old":"","new":"eA=="}]}`,
	"contract.yaml":              "version: 1\nexpect:\n  max_words: 50\n",
	"labels.jsonl":               `{"output":"x","label":"pass","rubric":"kind","verdict":"pass"}` + "\n",
	"input.json":                 `{"mail":"x"}`,
	"test_old.py":                "def test_a():\n    assert answer('x') == 'paid'\n",
	"old.test.js":                "test('a', () => { expect(answer('x')).toBe('paid') })\n",
	"old.test.js.snap":           "exports[`a 1`] = `paid`;\n",
	"old.csv":                    "input,expected\nx,paid\n",
	"promptfooconfig.yaml":       "prompts: ['{{x}}']\ntests:\n  - vars: {x: y}\n    assert: [{type: equals, value: paid}]\n",
	"results.json":               `{"results":{"version":3,"results":[]}}`,
}

// A shape is what a hostile file looks like: made in place of a file, or out of
// the sound bytes of one.
type shape struct {
	name string
	// alone is set where the command could wait for ever, grow without bound or
	// bring the process down, so that it has a process of its own.
	alone bool
	// heavy is set where the file itself takes a second to read, so that only one
	// kind for each reader is tried in it.
	heavy bool
	// only is the one kind that is tried in it; "" for all.
	only string
	make func(path string, sound []byte) error
}

// content is a shape that only the bytes make.
func content(name string, alone bool, bytes func(sound []byte) []byte) shape {
	return shape{name: name, alone: alone, make: func(path string, sound []byte) error { return os.WriteFile(path, bytes(sound), 0o644) }}
}

// value is a shape in which a value, in what JSON and YAML both read, stands in
// a file that is sound but for it.
func value(name string, alone bool, value string) shape {
	return shape{name: name, alone: alone, make: func(path string, sound []byte) error {
		text := string(sound)
		switch {
		case strings.HasSuffix(path, ".yaml") && strings.Contains(text, "input:\n"):
			text = strings.Replace(text, "input:\n", "input:\n  zz: "+value+"\n", 1)
		case strings.HasSuffix(path, ".yaml"):
			text += "zz: " + value + "\n"
		case strings.HasPrefix(text, "{"):
			at := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n{") + 1
			text = text[:at] + `{"zz":` + value + "," + text[at+1:]
		default:
			text = value
		}
		return os.WriteFile(path, []byte(text), 0o644)
	}}
}

func weighty(s shape) shape {
	s.heavy = true
	return s
}

func nested(open, close string, levels int) string {
	return strings.Repeat(open, levels) + strings.Repeat(close, levels)
}

// hostileShapes makes the shapes; huge is a file of 300 MB in one line.
func hostileShapes(huge string) []shape {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	merged := "a0: &a0 {k: v}\n"
	for i, letter := range "123456789" {
		before := "*a" + string(rune('0'+i))
		bomb += "a" + string(letter) + ": &a" + string(letter) + " [" + strings.Repeat(before+",", 9) + before + "]\n"
		merged += "a" + string(letter) + ": &a" + string(letter) + " {<<: [" + strings.Repeat(before+",", 9) + before + "]}\n"
	}
	return []shape{
		content("empty", false, func([]byte) []byte { return nil }),
		content("NUL bytes", false, func([]byte) []byte { return make([]byte, 64<<10) }),
		content("not UTF-8", false, func(s []byte) []byte { return append(append([]byte("\xc3\x28\xff\n"), s...), 0xfe) }),
		content("UTF-16", false, utf16),
		content("Windows line ends", false, func(s []byte) []byte { return bytes.ReplaceAll(s, []byte("\n"), []byte("\r\n")) }),
		content("packed", false, func([]byte) []byte { return []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c\x4a\x06\x00") }),
		content("aliases", false, func([]byte) []byte { return []byte(bomb) }),
		content("merge keys", false, func([]byte) []byte { return []byte(merged) }),
		content("own anchor", false, func([]byte) []byte { return []byte("a: &a [*a]\nb: &b {<<: *b}\n") }),
		weighty(content("deep blocks", true, func([]byte) []byte { return []byte(strings.Repeat("- ", 200_000) + "x\n") })),
		weighty(content("long scalar", true, func([]byte) []byte { return []byte("a: " + strings.Repeat("x", 10_000_000) + "\n") })),
		weighty(content("many documents", true, func([]byte) []byte { return []byte(strings.Repeat("---\na: b\n", 100_000)) })),
		weighty(content("many keys", true, func([]byte) []byte {
			var b bytes.Buffer
			b.WriteByte('{')
			for i := range 100_000 {
				b.WriteString(`"k` + strings.Repeat("0", i%7) + string(rune('a'+i%26)) + `":1,`)
			}
			b.WriteString("\"z\":1}\n")
			return b.Bytes()
		})),
		value("1,000 levels", false, nested("[", "]", 1000)),
		value("10,000 levels", false, nested("[", "]", 10_000)),
		weighty(value("1,000,000 levels", true, nested("[", "]", 1_000_000))),
		value("10,000 objects", false, nested(`{"a":`, "1}", 1)+","+strings.Repeat(`{"a":`, 10_000)+"1"+strings.Repeat("}", 10_000)),
		weighty(value("million digits", false, strings.Repeat("9", 1_000_000))),
		value("huge exponent", false, "1e999999999999"),
		value("lone surrogate", false, `"\ud800 \udfff"`),
		weighty(value("ten million bytes", true, `"`+strings.Repeat("x", 10_000_000)+`"`)),
		{name: "folder", make: func(path string, _ []byte) error { return os.Mkdir(path, 0o755) }},
		{name: "pipe", alone: true, make: func(path string, _ []byte) error { return syscall.Mkfifo(path, 0o644) }},
		{name: "device", alone: true, make: func(path string, _ []byte) error { return os.Symlink("/dev/zero", path) }},
		{name: "1 GB of nothing", alone: true, heavy: true, make: func(path string, _ []byte) error {
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				return err
			}
			return os.Truncate(path, 1<<30)
		}},
		{name: "300 MB in a line", alone: true, heavy: true, only: "outputs", make: func(path string, _ []byte) error { return os.Link(huge, path) }},
	}
}
