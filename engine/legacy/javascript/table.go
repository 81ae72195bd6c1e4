package javascript

import (
	"fmt"
	"strings"

	"docket/engine/legacy/javascript/syntax"
)

// bindRow gives the parameters of a function the values of a row.
func (r *reader) bindRow(fn *syntax.Node, row *value, s *scope) {
	params := fn.Params()
	items, list := row.list()
	for i, p := range params {
		switch {
		case list && p.Kind == syntax.Spread:
			r.assign(p.Kids[0], rest(row, i), s, true)
		case list:
			r.assign(p, arg(items, i), s, true)
		case i == 0 && row.known:
			if _, m := row.data.(map[string]any); m {
				r.assign(p, opened(row), s, true)
				continue
			}
			r.assign(p, row, s, true)
		case i == 0:
			r.assign(p, row, s, true)
		}
	}
}

// rows reads the table of each: a list, or a template.
func (r *reader) rows(c *syntax.Node, s *scope) []*value {
	unread := func(why string) []*value {
		r.problem(r.module.line(c), "the table of the test is not read: %s", why)
		return []*value{unknown(why)}
	}
	r.steps = 0
	n := c.Kids[0]
	var rows []*value
	switch {
	case n.Kind == syntax.Tagged:
		rows = r.templateRows(n.Kids[1], s)
	case n.Kind == syntax.Call && len(n.Args()) > 0:
		items, ok := r.eval(n.Args()[0], s).list()
		if !ok {
			return unread("it is computed at run time")
		}
		rows = items
	}
	if len(rows) == 0 {
		return unread("it has no rows")
	}
	if len(rows) > maxRows {
		r.problem(r.module.line(c), "the table has more than %d rows: the rest was not read", maxRows)
		rows = rows[:maxRows]
	}
	return rows
}

// templateRows reads a table between backquotes: a head of names, then values.
func (r *reader) templateRows(n *syntax.Node, s *scope) []*value {
	head, _, _ := strings.Cut(strings.TrimLeft(n.Kids[0].Text, " \t\n"), "\n")
	var names []string
	for name := range strings.SplitSeq(head, "|") {
		names = append(names, strings.TrimSpace(name))
	}
	var rows []*value
	for i := 1; i < len(n.Kids); i += 2 {
		k := (i / 2) % len(names)
		if k == 0 {
			rows = append(rows, object())
		}
		rows[len(rows)-1].set(names[k], r.eval(n.Kids[i], s))
	}
	return rows
}

// fill puts the values of a row into a title, as jest and vitest print it.
func fill(title string, row *value, i int) string {
	items, list := row.list()
	if !list {
		items = []*value{row}
	}
	var b strings.Builder
	next := 0
	for k := 0; k < len(title); k++ {
		c := title[k]
		switch {
		case c == '%' && k+1 < len(title) && strings.IndexByte("sdifjopc", title[k+1]) >= 0:
			if next < len(items) {
				b.WriteString(shown(items[next]))
				next++
			}
			k++
		case c == '%' && k+1 < len(title) && (title[k+1] == '#' || title[k+1] == '$'):
			n := i
			if title[k+1] == '$' {
				n++
			}
			fmt.Fprint(&b, n)
			k++
		case c == '%' && k+1 < len(title) && title[k+1] == '%':
			b.WriteByte('%')
			k++
		case c == '$' && row.fields != nil || c == '$' && row.known && !list:
			end := k + 1
			for end < len(title) && (title[end] == '_' || '0' <= title[end] && title[end] <= '9' || 'a' <= title[end] && title[end] <= 'z' || 'A' <= title[end] && title[end] <= 'Z') {
				end++
			}
			at := row
			if row.known {
				at = opened(row)
			}
			f, ok := at.fields[title[k+1:end]]
			if !ok {
				b.WriteByte('$')
				continue
			}
			b.WriteString(shown(f))
			k = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func shown(v *value) string {
	if t, ok := plain(v); ok {
		return clip(t)
	}
	if x, ok := v.json(); ok {
		return clip(fmt.Sprint(x))
	}
	return "…"
}
