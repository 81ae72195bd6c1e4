package pair

import (
	"strconv"
	"strings"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/style"
)

const (
	// maxValue is how much of one value is shown: more would be read in an
	// editor, and wrapping it would be felt at a key press.
	maxValue = 64 << 10
	headOf   = 48 << 10
)

// rich is a text that is safe to show, in runs of one role each.
type rich struct {
	text  string
	runs  []run
	marks []bracketed
}

// run ends before the byte end.
type run struct {
	end  int
	role style.Role
}

// enrich makes a line safe and joins it. Values that are too long keep their
// start and their end, and say how much is missing.
func enrich(line style.Line, fallback style.Role) rich {
	var b strings.Builder
	var r rich
	add := func(text string, role style.Role) {
		if role == style.Plain {
			role = fallback
		}
		b.WriteString(safetext.Block(text))
		r.runs = append(r.runs, run{b.Len(), role})
	}
	if total := length(line); total > maxValue {
		text := line.String()
		head := strings.ToValidUTF8(text[:headOf], "")
		tail := strings.ToValidUTF8(text[total-(maxValue-headOf):], "")
		add(head, style.Plain)
		add("\n("+strconv.Itoa(total-maxValue)+" more bytes here)\n", style.Dim)
		add(tail, style.Plain)
	} else {
		for _, span := range line {
			add(span.Text, span.Role)
		}
	}
	r.text = b.String()
	return r
}

func length(line style.Line) int {
	n := 0
	for _, span := range line {
		n += len(span.Text)
	}
	return n
}

// mark gives regions a role of their own. Where there is no colour they are
// put into brackets instead, so that they can be told at all.
func (r rich) mark(regions []region, role style.Role, colour bool, open, shut string) rich {
	if len(regions) == 0 {
		return r
	}
	var b strings.Builder
	var runs []run
	emit := func(start, end int, over style.Role, marked bool) {
		from := 0
		for _, old := range r.runs {
			lo, hi := max(start, from), min(end, old.end)
			from = old.end
			if lo >= hi {
				continue
			}
			as := old.role
			if marked {
				as = over
			}
			b.WriteString(r.text[lo:hi])
			runs = append(runs, run{b.Len(), as})
		}
	}
	literal := func(s string) {
		if !colour {
			b.WriteString(s)
			runs = append(runs, run{b.Len(), role})
		}
	}
	at := 0
	var marks []bracketed
	for _, g := range regions {
		emit(at, g.start, 0, false)
		from := b.Len()
		literal(open)
		emit(g.start, g.end, role, true)
		literal(shut)
		if !colour {
			marks = append(marks, bracketed{from, b.Len(), open, shut, role})
		}
		at = g.end
	}
	emit(at, len(r.text), 0, false)
	return rich{b.String(), runs, marks}
}

// part is one row of a wrapped value, padded to the width of its column.
type part struct {
	styled string
	goesOn bool // it continues the row above
}

// lay wraps the value into rows of width columns, or cuts each line off.
func (r rich) lay(t *style.Theme, width int, wrap bool) []part {
	var parts []part
	start := 0
	for {
		end := strings.IndexByte(r.text[start:], '\n')
		last := end < 0
		if last {
			end = len(r.text)
		} else {
			end += start
		}
		line := r.text[start:end]
		switch {
		case wrap && len(r.marks) > 0 && width >= bracketRoom:
			parts = append(parts, r.layMarked(t, start, end, width)...)
		case wrap:
			for i, row := range cells.Wrap(line, width) {
				styled := r.style(t, start+row.Start, start+row.End)
				parts = append(parts, part{styled + cells.Spaces(width-row.Width), i > 0})
			}
		default:
			parts = append(parts, part{r.cut(t, start, end, width), false})
		}
		if last {
			return parts
		}
		start = end + 1
	}
}

// cut returns a line in exactly width columns.
func (r rich) cut(t *style.Theme, start, end, width int) string {
	head, taken := cells.Cut(r.text[start:end], width)
	if start+len(head) == end {
		return r.style(t, start, end) + cells.Spaces(width-taken)
	}
	head, taken = cells.Cut(head, width-1)
	return r.style(t, start, start+len(head)) + t.Render(style.Accent, t.More) + cells.Spaces(width-taken-1)
}

// style renders the bytes from start up to end.
func (r rich) style(t *style.Theme, start, end int) string {
	var b strings.Builder
	from := 0
	for _, run := range r.runs {
		lo, hi := max(start, from), min(end, run.end)
		from = run.end
		if lo < hi {
			t.Write(&b, run.role, r.text[lo:hi])
		}
		if from >= end {
			break
		}
	}
	return b.String()
}
