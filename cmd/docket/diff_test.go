package main

import (
	"errors"
	"testing"

	"docket/engine/diff"
)

// TestCodeOfDiff gives the exit code of each kind of diff, the first that holds.
func TestCodeOfDiff(t *testing.T) {
	type counts = map[diff.Status]int
	for _, tt := range []struct {
		name     string
		statuses counts
		grounds  bool
		options  reportOptions
		want     int
	}{
		{"nothing differs", counts{diff.Same: 2}, false, reportOptions{}, codeOK},
		{"a change", counts{diff.Same: 1, diff.Changed: 1}, false, reportOptions{}, codeChange},
		{"a change and a failure", counts{diff.Error: 1, diff.Changed: 1}, false, reportOptions{}, codeChange},
		{"a change, reported only", counts{diff.Same: 1, diff.Changed: 1}, false, reportOptions{reportOnly: true}, codeOK},
		{"a failure", counts{diff.Same: 1, diff.Missed: 1}, false, reportOptions{}, codeUnmeasured},
		{"all failed", counts{diff.Error: 2}, false, reportOptions{reportOnly: true}, codeUnmeasured},
		{"filtered", counts{diff.Same: 1, diff.NotRun: 9}, false, reportOptions{}, codeOK},
		{"interrupted before anything was measured", counts{diff.NotRun: 2}, false, reportOptions{}, codeUnmeasured},
		{"grounds", counts{diff.Changed: 2}, true, reportOptions{}, codeGrounds},
		{"grounds, compared across", counts{diff.Changed: 2}, true, reportOptions{across: true}, codeChange},
	} {
		d := &diff.Diff{Summary: diff.Summary{Statuses: tt.statuses}}
		for _, n := range tt.statuses {
			d.Summary.Cases += n
		}
		if tt.grounds {
			d.Grounds = []diff.Ground{{Field: "model", Old: "m-1", New: "m-2"}}
		}
		got := codeOK
		if e := (exit{}); errors.As(codeOf(d, tt.options), &e) {
			got = e.code
		}
		if got != tt.want {
			t.Errorf("%s: exit %d, want %d", tt.name, got, tt.want)
		}
	}
}
