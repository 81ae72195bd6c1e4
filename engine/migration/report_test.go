package migration

import (
	"strings"
	"testing"
)

// TestReportIsInert: what old tests hold ends no cell, calls nobody and loads
// nothing where the report is shown.
func TestReportIsInert(t *testing.T) {
	hostile := "a\\|b `c` ![x](https://e.example/x.png) @team\x1b[2J"
	report := string(Log{{Test: hostile, File: hostile, Line: 3, Lines: 4, Verdict: Drop, Provenance: hostile}}.Report("letters"))
	for line := range strings.Lines(report) {
		if !strings.Contains(line, "team") {
			continue
		}
		if cells := cellsOf(strings.TrimSuffix(line, "\n")); cells != 4 {
			t.Errorf("%d cells in %q", cells, line)
		}
		outside := ""
		for i, part := range strings.Split(line, "`") {
			if i%2 == 0 {
				outside += part
			}
		}
		if strings.ContainsAny(outside, "@!\x1b") {
			t.Errorf("something is alive in %q", line)
		}
	}
	if !Sealed([]byte(report)) {
		t.Error("a report that nobody touched is taken for an edited one")
	}
}

// cellsOf counts the cells of a table's row as a forge does that looks at the
// one backslash before a bar.
func cellsOf(row string) int {
	bars := 0
	for i := range len(row) {
		if row[i] == '|' && (i == 0 || row[i-1] != '\\') {
			bars++
		}
	}
	return bars - 1
}
