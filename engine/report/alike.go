package report

import (
	"fmt"
	"io"
	"unicode/utf8"

	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// foldFrom is how many cases that changed alike are told as one: two or three
// are read faster than the sentence that they are alike.
const foldFrom = 4

// alikeWidth is where a line of ids is broken, in characters.
const alikeWidth = 76

// A fold is the cases of one status that changed alike and of which a reader
// must know nothing else.
type fold struct {
	first *diff.Case
	rest  []*diff.Case
}

// folded gathers the cases of one status that changed alike, in the order of
// their first case. A case of which there is more to tell than that it changed
// like another, because it weighs more, was decided, was edited or was rejected
// before, stands alone; so does one that shows neither a change nor an error.
func folded(r *Report, status diff.Status) []fold {
	var folds []fold
	at := map[string]int{}
	for i := range r.Diff.Cases {
		c := &r.Diff.Cases[i]
		if c.Status != status {
			continue
		}
		if alone(r, c) {
			folds = append(folds, fold{first: c})
			continue
		}
		alike := c.Signature() + "\x00" + c.Error + "\x00" + caseNotes(r, c)
		if j, ok := at[alike]; ok {
			folds[j].rest = append(folds[j].rest, c)
			continue
		}
		at[alike] = len(folds)
		folds = append(folds, fold{first: c})
	}
	return folds
}

// few reports whether each case is told whole.
func (f fold) few() bool { return 1+len(f.rest) < foldFrom }

func (f fold) all() []*diff.Case { return append([]*diff.Case{f.first}, f.rest...) }

func alone(r *Report, c *diff.Case) bool {
	if _, decided := r.Decided[c.ID]; decided || c.Weight != 1 || c.Edited || (c.Error == "") == (len(c.Changes) == 0) {
		return true
	}
	if r.Past == nil {
		return false
	}
	_, rejected := r.Past(c)
	return rejected
}

// writeFold writes the first case of a fold whole and names the others, each as
// a shell takes it, so that a line of them can be given to `docket accept`.
func writeFold(w io.Writer, p painter, r *Report, f fold) {
	if f.few() {
		for _, c := range f.all() {
			writeCase(w, p, r, c)
		}
		return
	}
	writeCase(w, p, r, f.first)
	alike := " alike: " + safetext.Line(f.first.Signature())
	if f.first.Error != "" {
		alike = " with the same error:"
	}
	fmt.Fprintf(w, "  %s\n", p.strong("and "+phrase.Count(len(f.rest), "case", "cases")+alike))
	const indent = "   "
	width := 0
	for _, c := range f.rest {
		id := safetext.Line(safetext.Word(c.ID))
		n := utf8.RuneCountInString(id) + 1
		switch {
		case width == 0:
			fmt.Fprint(w, indent)
		case width+n > alikeWidth:
			fmt.Fprint(w, "\n"+indent)
			width = 0
		}
		fmt.Fprint(w, " "+id)
		width += n
	}
	fmt.Fprintln(w)
}
