package review_test

import (
	"slices"
	"strings"
	"testing"

	"docket/engine/diff"
	"docket/tui/list"
	"docket/tui/review"
)

// FuzzTerm: a term of the filter holds for rows or says in a sentence why none
// can; in other letters it means the same, and with a letter more it holds for no
// row that it did not hold for.
func FuzzTerm(f *testing.F) {
	for _, key := range []string{"of", "STATUS", "is", "tag"} {
		for _, value := range []string{"", "label", "REGR", "u", "unstable", "opening_hours", "\x1b[31m", "\u202e", "İ\xff", "K"} {
			f.Add(key, value)
		}
	}
	l := newLibrary()
	d := l.diff(f)
	screen := review.New(review.Options{Diff: d, Evidence: l, Session: &memory{}, Command: "docket review desk"})
	spec := screen.Spec()
	holdsFor := func(key, value string) ([]int, error) {
		holds, err := spec.Term(key, value)
		var rows []int
		for i := range d.Cases {
			if err == nil && holds(&list.Row{ID: d.Cases[i].ID, Index: i}) {
				rows = append(rows, i)
			}
		}
		return rows, err
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		if !slices.Contains(spec.Terms, strings.ToLower(key)) {
			return // the frame asks for its terms alone
		}
		rows, err := holdsFor(key, value)
		if err != nil && (rows != nil || err.Error() == "") {
			t.Errorf("%s:%s holds for %v and fails: %v", key, value, rows, err)
		}
		if lower, _ := holdsFor(strings.ToLower(key), value); !slices.Equal(lower, rows) {
			t.Errorf("%s:%s holds for %v, in small letters for %v", key, value, rows, lower)
		}
		if strings.EqualFold(key, "status") && err == nil && value == "" {
			t.Error("status: alone holds for something")
		}
		for _, more := range "aers" {
			narrow, err := holdsFor(key, value+string(more))
			for _, row := range narrow {
				if err == nil && value != "" && !slices.Contains(rows, row) {
					t.Errorf("%s:%s%c holds for %s, %s:%s does not", key, value, more, d.Cases[row].ID, key, value)
				}
			}
		}
		for _, status := range diff.InReadingOrder() {
			if strings.EqualFold(key, "status") && value == string(status) && err == nil {
				for _, row := range rows {
					if d.Cases[row].Status != status {
						t.Errorf("status:%s holds for %s", status, d.Cases[row].Status)
					}
				}
			}
		}
	})
}
