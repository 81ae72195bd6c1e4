package main

import (
	"strings"
	"testing"

	"docket/engine/git/gittest"
)

// TestHostileHistory: subjects and bodies of commits, authors and the names of
// what a history deleted are other people's text, wherever a command repeats it.
func TestHostileHistory(t *testing.T) {
	// Git takes neither NUL nor a line end in a name, and no angle brackets.
	name := strings.NewReplacer("\x00", "", "\n", "", "<", "", ">", "").Replace(hostile)
	long := strings.Repeat("\x1b]52;c;cm0gLXJm\x07\u202e", 20_000)
	message := func(subject string) string {
		return subject + " " + strings.ReplaceAll(hostile, "\x00", "") + "\n\nINC-7 " + strings.ReplaceAll(hostile, "\x00", "") + "\r\n\x1b[2J\n" + long
	}
	r := gittest.New(t)
	t.Chdir(r.Dir)
	author := "Mallory " + name
	r.Write(".docket.yaml", "version: 1\nsuites:\n  desk: {cases: cases, system: s}\nsystems:\n  s: {kind: canned}\n")
	for _, id := range []string{"a", "b"} {
		r.Write("cases/"+id+".yaml", "id: "+id+"\nadded: 2020-01-01\nprovenance: ticket INC-7\ninput: {q: x}\nexpect: {max_words: 9}\nmock: yes\n")
	}
	r.Write("tests/test_old.py", "def test_a():\n    assert answer('x') == 'paid'\n")
	r.Commit(author, message("first"))
	must(t, codeOK, "calibrate")
	r.Write("cases/a.yaml", "id: a\nadded: 2020-01-01\nprovenance: ticket INC-7\ninput: {q: y}\nexpect: {max_words: 9}\nversion: 2\nmock: yes\n")
	r.Commit(author, message("second"))
	r.Git("rm", "-q", "tests/test_old.py", "cases/b.yaml")
	r.Commit(author, message("third"))
	for _, c := range []struct {
		code int
		args []string
	}{
		{codeOK, []string{"why", "a"}},
		{codeOK, []string{"why", "a", "--format", "json"}},
		{codeOK, []string{"why", "b"}},
		{codeOK, []string{"why", "b", "--format", "json"}},
		{codeOK, []string{"prune", "--list"}},
		{codeOK, []string{"prune", "--list", "a"}},
		{codeOK, []string{"cases"}},
		{codeOK, []string{"cases", "--format", "json"}},
		{codeOK, []string{"migrate", "--deleted"}},
		{codeOK, []string{"migrate", "--deleted", "1", "--plan"}},
		{codeOK, []string{"migrate", "HEAD~1:tests/test_old.py", "--plan"}},
		{codeOK, []string{"history", "a"}},
		{codeWrong, []string{"restore", "b", "--reason", "x"}},
		{codeChange, []string{"lint"}},
		{codeChange, []string{"diff"}},
	} {
		s := invoke(nil, c.args...)
		what := "docket " + strings.Join(c.args, " ")
		if s.code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s%s", what, s.code, c.code, clipped(s.out), clipped(s.err))
		}
		inertText(t, what+" stdout", s.out)
		inertText(t, what+" stderr", s.err)
	}
}
