package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestEveryCommandHasHelp holds each command to help with examples that name
// it, on stdout.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range newRoot(&app{}).Commands() {
		if c.Hidden {
			continue
		}
		s := invoke(nil, c.Name(), "--help")
		if s.code != codeOK || s.err != "" {
			t.Errorf("docket %s --help: exit code %d, %q", c.Name(), s.code, s.err)
		}
		_, examples, found := strings.Cut(s.out, "Examples:\n")
		if !found || !strings.Contains(examples, "docket "+c.Name()) {
			t.Errorf("docket %s --help shows no example:\n%s", c.Name(), s.out)
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("docket %s says of itself %q", c.Name(), c.Short)
		}
	}
}

// TestDiffOfAnEarlierRun compares a run that is not the last one, by the id
// that run printed.
func TestDiffOfAnEarlierRun(t *testing.T) {
	inSuite(t)
	must(t, codeOK, "calibrate", "--system", "old")
	first := runID(t, must(t, codeChange, "run", "--format", "json"))
	must(t, codeOK, "run", "--system", "old")
	s := must(t, codeChange, "diff", "--run", first)
	if !strings.Contains(s.out, "old → new") || !strings.Contains(s.out, "label  overdue → paid") {
		t.Errorf("diff --run %s:\n%s", first, s.out)
	}
	write(t, "cases/other/o.yaml", "id: o\nadded: 2026-01-01\nprovenance: drawn up for the test\ninput: {}\n")
	write(t, ".docket.yaml", strings.Replace(read(t, ".docket.yaml"), "systems:", "  other: {cases: cases/other, system: new}\nsystems:", 1))
	write(t, "outputs/new.jsonl", read(t, "outputs/new.jsonl")+`{"id": "o", "text": "o"}`+"\n")
	must(t, codeOK, "calibrate", "other")
	s = must(t, codeWrong, "diff", "other", "--run", first)
	if !isOneSentence(s.err) || !strings.Contains(s.err, "is of suite mail, not of other: say `docket diff mail --run "+first+"`") {
		t.Errorf("diff other --run %s: %s", first, s.err)
	}
}

func runID(t *testing.T, s said) string {
	t.Helper()
	var report struct {
		Run string `json:"run"`
	}
	if err := json.Unmarshal([]byte(s.out), &report); err != nil || report.Run == "" {
		t.Fatalf("no run in %s: %v", s.out, err)
	}
	return report.Run
}
