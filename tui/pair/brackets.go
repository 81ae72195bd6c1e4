package pair

import (
	"unicode/utf8"

	"docket/tui/cells"
	"docket/tui/style"
)

// bracketRoom is the narrowest column in which brackets are shut and opened
// again: in less they would leave no room for what stands in them.
const bracketRoom = 10

// bracketed is a part of a text that stands in brackets, which are what marks it
// where there is no colour. The bytes from start up to end hold both.
type bracketed struct {
	start, end int
	open, shut string
	role       style.Role
}

// layMarked wraps one line as lay does, and shuts brackets at the end of a row
// and opens them again on the next, so that each row can be read by itself.
func (r rich) layMarked(t *style.Theme, start, end, width int) []part {
	var parts []part
	var within *bracketed // what is open when a row begins
	for at := start; ; {
		before := ""
		if within != nil {
			before = within.open
		}
		to, next := r.row(at, end, width-len(before))
		mark := r.around(to)
		if mark != nil && to < end {
			// The brackets need room of their own. A mark of which the row would
			// hold nothing but a bracket goes to the next.
			to, next = r.row(at, end, width-len(before)-len(mark.shut))
			if back := r.backTo(at, mark.start); to <= mark.start+len(mark.open) && back > at {
				to, next = back, mark.start
			}
			mark = r.around(to)
		}
		after := ""
		if mark != nil && to < end {
			after = mark.shut
		}
		taken := len(before) + cells.Width(r.text[at:to]) + len(after)
		var styled string
		if within != nil {
			styled = t.Render(within.role, before)
		}
		styled += r.style(t, at, to)
		if mark != nil && after != "" {
			styled += t.Render(mark.role, after)
		}
		parts = append(parts, part{styled + cells.Spaces(width-taken), at > start})
		within = nil
		if after != "" {
			within = mark
			if next >= mark.end-len(mark.shut) { // nothing but the bracket is left
				next, within = mark.end, nil
			}
		}
		if to >= end || next >= end || next <= at {
			return parts
		}
		at = next
	}
}

// row finds where a row that begins at a byte ends, and where the next begins.
func (r rich) row(at, end, width int) (to, next int) {
	// A row is rarely longer than this; what is longer is looked at whole.
	near := min(end, at+8*max(width, 2))
	for near < end && !utf8.RuneStart(r.text[near]) {
		near++
	}
	rows := cells.Wrap(r.text[at:near], width)
	if len(rows) < 3 && near < end {
		rows = cells.Wrap(r.text[at:end], width)
	}
	if len(rows) == 1 {
		return at + rows[0].End, end
	}
	return at + rows[0].End, at + rows[1].Start
}

// around returns the mark that a break before a byte would tear.
func (r rich) around(at int) *bracketed {
	for i := range r.marks {
		if m := &r.marks[i]; m.start < at && at < m.end {
			return m
		}
	}
	return nil
}

// backTo is the end of a row that breaks before a mark: without the space.
func (r rich) backTo(at, to int) int {
	for to > at && r.text[to-1] == ' ' {
		to--
	}
	return to
}
