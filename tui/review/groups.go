package review

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"docket/engine/diff"
	"docket/tui/list"
	"docket/tui/style"
)

// The groupings, in the order of Spec.
const (
	bySignature = iota
	byCheck
	flat
)

// inOrder returns the indices of the cases as a person should meet them: what
// regressed first, then by status, then by id.
func inOrder(cases []diff.Case) []int {
	of := map[diff.Status][]int{}
	for i := range cases {
		of[cases[i].Status] = append(of[cases[i].Status], i)
	}
	order := make([]int, 0, len(cases))
	for _, status := range diff.InReadingOrder() {
		order = append(order, of[status]...)
	}
	return order
}

// kind is what a signature is about: the projection or check it begins with,
// or the status.
func kind(c *diff.Case, signature string) string {
	best := ""
	for _, change := range c.Changes {
		if len(change.Of) > len(best) && strings.HasPrefix(signature, change.Of+" ") {
			best = change.Of
		}
	}
	if best == "" {
		return word(c.Status)
	}
	return best
}

// Groups implements tui.Screen.
func (s *Screen) Groups(grouping int) []list.Group {
	if grouping == flat {
		g := list.Group{ID: "all", Find: s.finds(grouping), Rows: make([]list.Row, 0, len(s.order))}
		for _, i := range s.order {
			row := s.row(i)
			if row.Note == "" {
				row.Note = s.cases[i].signature
			}
			g.Rows = append(g.Rows, row)
		}
		return []list.Group{g}
	}
	type key struct{ status, of string }
	at := map[key]int{}
	var groups []list.Group
	var ranks, sizes []int
	type place struct{ group, row int }
	places := make([]place, len(s.order))
	for rank, i := range s.order {
		c, e := &s.Diff.Cases[i], &s.cases[i]
		k := key{string(c.Status), e.signature}
		if grouping == byCheck {
			k = key{"", e.kind}
		}
		n, ok := at[k]
		if !ok {
			n = len(groups)
			at[k] = n
			groups = append(groups, s.group(c, e, grouping, k.status+"\x00"+k.of))
			ranks, sizes = append(ranks, rank), append(sizes, 0)
		}
		places[rank] = place{n, sizes[n]}
		sizes[n]++
	}
	find := s.finds(grouping)
	for n, size := range sizes {
		groups[n].Rows, groups[n].Find = make([]list.Row, size), find
	}
	inChunks(len(s.order), func(rank int) {
		p := places[rank]
		groups[p.group].Rows[p.row] = s.row(s.order[rank])
	})
	sortGroups(groups, func(g int) int { return s.statusRank(groups[g].Rows[0].Index) }, ranks)
	return groups
}

// inChunks calls f with each number below n, on all processors. With few there
// is but one chunk.
func inChunks(n int, f func(i int)) {
	const chunk = 4096
	var workers sync.WaitGroup
	for from := 0; from < n; from += chunk {
		workers.Go(func() {
			for i := from; i < min(from+chunk, n); i++ {
				f(i)
			}
		})
	}
	workers.Wait()
}

// group makes the group that a case is the first of.
func (s *Screen) group(c *diff.Case, e *entry, grouping int, id string) list.Group {
	g := list.Group{ID: id, Kind: e.kind, KindRole: statusRole(c.Status)}
	if grouping == byCheck {
		g.About = []string{"What changed first in these cases."}
		return g
	}
	if label := strings.TrimPrefix(e.signature, e.kind+" "); label != e.signature {
		g.Label = label
	}
	g.About = []string{s.meaning(c.Status)}
	return g
}

// sortGroups puts the larger group first among those of one status.
func sortGroups(groups []list.Group, status func(int) int, ranks []int) {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(status(a), status(b)), cmp.Compare(len(groups[b].Rows), len(groups[a].Rows)), cmp.Compare(ranks[a], ranks[b]))
	})
	sorted := make([]list.Group, len(groups))
	for i, at := range order {
		sorted[i] = groups[at]
	}
	copy(groups, sorted)
}

func (s *Screen) statusRank(i int) int {
	return slices.Index(diff.InReadingOrder(), s.Diff.Cases[i].Status)
}

// row makes the row of a case. Its note says what the group does not: that the
// same change was rejected before, or a status that matters.
func (s *Screen) row(i int) list.Row {
	c, e := &s.Diff.Cases[i], &s.cases[i]
	row := list.Row{ID: c.ID, Index: i, Fixed: !c.Status.Decidable()}
	switch {
	case e.rejected != nil:
		row.Note, row.NoteRole = "✗ before", style.Bad
	case c.Status != diff.Changed && e.kind != word(c.Status):
		row.Note, row.NoteRole = word(c.Status), statusRole(c.Status)
	}
	return row
}

// finds adds what the filter finds in a row beside what it shows: the status,
// why the case exists, its tags and, where no header says it, the signature.
func (s *Screen) finds(grouping int) func(*list.Row, *list.Text) {
	cases, entries, abouts := s.Diff.Cases, s.cases, s.abouts // of this diff, whatever the screen shows meanwhile
	return func(row *list.Row, found *list.Text) {
		about := abouts.at(row.Index)
		c := &cases[row.Index]
		found.Add(word(c.Status))
		found.Add(about.Provenance)
		found.Add(termMark, "status:", string(c.Status))
		for i := range c.Changes {
			if of := c.Changes[i].Of; i == 0 || c.Changes[i-1].Of != of {
				found.Add(termMark, "of:", of)
			}
		}
		if grouping != bySignature {
			found.Add(entries[row.Index].signature)
		}
		for _, tag := range about.Tags {
			found.Add(tag)
			found.Add(termMark, "tag:", tag)
		}
	}
}

// meaning says what a status stands for. With two files there are no case
// files to speak of.
func (s *Screen) meaning(status diff.Status) string {
	switch {
	case s.Files == "":
	case status == diff.Gone:
		return "Gone: in the old file and not in the new one. To accept removes the line."
	case status == diff.New:
		return "New: in the new file and not in the old one. To accept adds the line."
	}
	switch status {
	case diff.Regressed:
		return "Regressed: a check was lost, or a score fell."
	case diff.Error:
		return "Error: the system failed, or the answer could not be judged. The lines stay as they are."
	case diff.Missed:
		return "Missed: a recording was not there. The lines stay as they are."
	case diff.Gone:
		return "Gone: in the baseline, with no case file any more. To accept removes the line."
	case diff.New:
		return "New: a case file without a line in the baseline. To accept adds the line."
	case diff.Redefined:
		return "Redefined: input or expectation was edited since the baseline."
	case diff.Unsettled:
		return "Unsettled: some samples differ, or there are too few to tell."
	case diff.Improved:
		return "Improved: a check was gained, or a score rose."
	default:
		return "Changed: what is projected differs, and no check was lost."
	}
}
