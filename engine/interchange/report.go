package interchange

import (
	"maps"
	"slices"
)

// A Report says what was found in a file, so that a person can see whether it
// was read as it was meant.
type Report struct {
	Rows  int
	Cases int // different ids
	// Fewest and Most are the numbers of samples of the case with the fewest
	// and of the one with the most.
	Fewest, Most int
	Errors       int     // rows that say that the system failed
	Absent       []Count // what rows without an error do not say: it stays unknown
	Unread       []Count // keys that docket does not know; they are kept with the raw output
}

// A Count says on how many rows a key was absent, or was there.
type Count struct {
	Key  string
	Rows int
}

// A tally collects a Report while rows are read.
type tally struct {
	absent, unread map[string]int
}

func newTally() *tally {
	return &tally{absent: map[string]int{}, unread: map[string]int{}}
}

func (t *tally) add(r *record) {
	for _, key := range r.unread {
		t.unread[key]++
	}
	if r.row.Error == "" {
		for _, key := range r.absent {
			t.absent[key]++
		}
	}
}

func (t *tally) report(rows []Row) Report {
	samples := map[string]int{}
	report := Report{Rows: len(rows), Absent: counts(t.absent), Unread: counts(t.unread)}
	for i := range rows {
		samples[rows[i].ID]++
		if rows[i].Error != "" {
			report.Errors++
		}
	}
	report.Cases = len(samples)
	for _, n := range samples {
		report.Most = max(report.Most, n)
		if report.Fewest == 0 || n < report.Fewest {
			report.Fewest = n
		}
	}
	return report
}

func counts(rows map[string]int) []Count {
	var all []Count
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		all = append(all, Count{Key: key, Rows: rows[key]})
	}
	return all
}
