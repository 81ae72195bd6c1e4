package main

import (
	"encoding/xml"
	"strings"
	"testing"
)

// TestHostileReports puts hostile text into every report that TestHostile does
// not look at: nothing but text is printed, and XML stays XML. CSV is not among
// them, which says what it was given wherever it is no terminal.
func TestHostileReports(t *testing.T) {
	hostileSuite(t)
	must(t, codeOK, "calibrate", "--system", "old")
	if s := invoke(nil, "run", "--across"); s.code == codeWrong {
		t.Fatal(s.err)
	}
	if s := invoke(nil, "reject", "plain", "--reason", hostile); s.code != codeOK {
		t.Fatal(s.err)
	}
	if s := invoke(nil, "write", "--across"); s.code == codeWrong {
		t.Fatal(s.err)
	}
	id := "odd " + hostileID
	write(t, "labels.jsonl", `{"output":"\u001b[31m\u009b","label":"pass","rubric":"\u202ex","verdict":"pass"}`+"\n")
	write(t, "test_old.py", "def test_a():\n    \"\"\"\u202e\u009b31m\u200b\"\"\"\n    assert answer('\x1b[31m') == 'paid'\n")
	for _, args := range [][]string{
		{"diff", "--across", "--format", "junit"},
		{"diff", "--across", "--format", "html"},
		{"diff", "old.jsonl", "new.jsonl", "--format", "junit"},
		{"diff", "old.jsonl", "new.jsonl", "--format", "html"},
		{"why", id},
		{"why", "plain", "--format", "json"},
		{"history", id},
		{"history", id, "--format", "json"},
		{"cases"},
		{"cases", "--format", "json"},
		{"describe"},
		{"compare", "old", "new"},
		{"compare", "old", "new", "--format", "markdown"},
		{"doctor"},
		{"lint"},
		{"prune", "--list"},
		{"prune", "--plain", id},
		{"review", "--plain"},
		{"rekey"},
		{"merge"},
		{"judge", "check", "labels.jsonl"},
		{"migrate", "test_old.py", "--plain"},
		{"migrate", "test_old.py", "--plan"},
		{"export"},
		{"export", "--format", "jsonl"},
		{"export", "--format", "promptfoo"},
		{"export", "--format", "inspect"},
		{"export", "--format", "junit"},
		{"import", "new.jsonl", "--dry-run"},
		{"import", "new.jsonl", "--cases", "cases/else", "--dry-run"},
		{"add", "x", "--output", "new.jsonl", "--case", id, "--provenance", hostile, "--dry-run"},
		{"restore", hostile, "--reason", hostile},
		{"restore", id, "--reason", hostile},
		{"schema"},
		{"why", strings.Repeat("x", 1<<20)},
		{"accept", strings.Repeat("\x1b", 1<<20), "--reason", "x"},
	} {
		s := invoke(nil, args...)
		name := args[0] + " " + clipped(strings.Join(args[1:], " "))
		inertText(t, name+" stdout", s.out)
		inertText(t, name+" stderr", s.err)
		if len(s.err) > 600_000 {
			t.Errorf("%s says %d bytes on stderr", name, len(s.err))
		}
		if strings.HasPrefix(s.out, "<?xml") {
			var any struct{}
			if err := xml.Unmarshal([]byte(s.out), &any); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
