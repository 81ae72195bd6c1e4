//go:build unix

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDataOnATerminal: what has no way to escape, and what is printed as the
// file that it will be, is spelled out on a terminal, which says so. A pipe gets
// it byte for byte.
func TestDataOnATerminal(t *testing.T) {
	dir := copySuite(t)
	t.Chdir(dir)
	const answer = "a\x1b]52;c;cm0gLXJm\x07\u202eb\u200b"
	line, err := json.Marshal(map[string]string{"id": "inv-1", "text": answer})
	if err != nil {
		t.Fatal(err)
	}
	write(t, "outputs/old.jsonl", string(line)+"\n")
	ok(t, finish(t, child(dir, nil, "run", "--system", "old", "--report-only")), codeUnmeasured)
	piped := finish(t, child(dir, nil, "export", "--format", "csv"))
	if !strings.Contains(piped.out, answer) || piped.err != "" {
		t.Errorf("a pipe gets %q, and stderr %q", clipped(piped.out), piped.err)
	}
	header := `{"_config":{"format":1,"suite":"a","mode":"live","captured":"2026-08-11","samples":1}}` + "\n"
	write(t, "base.jsonl", header)
	write(t, "ours.jsonl", header+`{"id":"a","version":1,"input":"x","pass":null,"score":null,"checks":{},"projections":{"label":"`+"\u202e\u009b31m"+`"},"unstable":{},"samples":1}`+"\n")
	merge := []string{"merge", "--base", "base.jsonl", "--ours", "ours.jsonl", "--theirs", "base.jsonl"}
	if s := finish(t, child(dir, nil, merge...)); s.code != codeOK || s.out != read(t, "ours.jsonl") {
		t.Errorf("a pipe gets another baseline than ours, exit code %d: %q %s", s.code, clipped(s.out), s.err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"export", "--format", "csv"}, "a<ESC>]52;c;cm0gLXJm<BEL><U+202E>b<U+200B>"},
		{merge, `"label":"\u202e\u009b31m"`},
	} {
		out, code := onTerminal(t, child(dir, []string{"TERM=xterm"}, c.args...))
		out = strings.ReplaceAll(out, "\r\n", "\n")
		inertText(t, "docket "+c.args[0]+" on a terminal", out)
		if code != codeOK || !strings.Contains(out, c.want) || !strings.Contains(out, "spelled out above") {
			t.Errorf("docket %v shows, exit code %d, %q", c.args, code, clipped(out))
		}
	}
}
