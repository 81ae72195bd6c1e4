package interchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/phrase"
)

// Summary says what was read, a sentence each, in an order that does not depend
// on the run. The sentences may quote untrusted text.
func (f *File) Summary() []string {
	r := &f.Report
	samples := phrase.Count(r.Most, "sample", "samples") + " each"
	if r.Fewest != r.Most {
		samples = fmt.Sprintf("%d to %d samples each", r.Fewest, r.Most)
	}
	said := []string{
		fmt.Sprintf("read: %s, %s: %s, %s, %s", f.Name, f.Format, phrase.Count(r.Rows, "row", "rows"), phrase.Count(r.Cases, "case", "cases"), samples),
		"duplicates: none", // the same sample twice is an error
		fmt.Sprintf("errors: %d of %d rows", r.Errors, r.Rows),
	}
	if r.Ordered > 0 && r.Most > 1 {
		said = append(said, phrase.Count(r.Ordered, "row has", "rows have")+" no number of its sample: numbered in the order of the file")
	}
	if r.Skipped > 0 {
		said = append(said, phrase.Count(r.Skipped, "row", "rows")+" of other variants left out")
	}
	if r.Rule != "" {
		said = append(said, "pairing: "+r.Rule)
	}
	said = append(said, f.verdicts()...)
	if r.Unjudged > 0 && r.Unjudged < r.Rows-r.Errors {
		said = append(said, "not judged by its tool: "+phrase.Count(r.Unjudged, "output", "outputs"))
	}
	for _, of := range []struct {
		what string
		keys []Count
	}{{"absent, so unknown", r.Absent}, {"not known to docket, kept with the raw output", r.Unread}} {
		var list []string
		for _, c := range of.keys {
			list = append(list, fmt.Sprintf("%s (%d)", c.Key, c.Rows))
		}
		if len(list) > 0 {
			said = append(said, of.what+": "+phrase.Few(list, 12))
		}
	}
	return append(said, r.Notes...)
}

// verdicts count the checks of the tool that made the file, each by its name.
func (f *File) verdicts() []string {
	type tally struct{ pass, fail, other int }
	counts := map[string]*tally{}
	for i := range f.Rows {
		for _, c := range f.Rows[i].Checks {
			t := counts[c.Name]
			if t == nil {
				t = &tally{}
				counts[c.Name] = t
			}
			switch {
			case c.Pass == nil:
				t.other++
			case *c.Pass:
				t.pass++
			default:
				t.fail++
			}
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t := counts[name]
		var parts []string
		for _, p := range []struct {
			n    int
			word string
		}{{t.pass, "pass"}, {t.fail, "fail"}, {t.other, "without a verdict"}} {
			if p.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
			}
		}
		list = append(list, name+" "+strings.Join(parts, ", "))
	}
	if len(list) == 0 {
		return nil
	}
	return []string{"its checks: " + strings.Join(list[:min(len(list), 20)], "; ") + more(len(list)-20)}
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("; and %d more", n)
}
