package javascript

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// iterated goes through a list that a model gave: its items are judged alike.
func (r *reader) iterated(of *value, name string, n *syntax.Node, s *scope) *value {
	j := *of.judged
	args := n.Args()
	f := r.eval(head(args), s)
	switch name {
	case "at", "pop", "shift":
		i := 0
		if x, ok := f.num(); ok && name == "at" {
			i = int(x)
		} else if name == "pop" {
			i = -1
		}
		if i < 0 && j.subject == legacy.Answer && j.part == "lines" {
			j.part = "line -1"
			return about(j)
		}
		return r.at(of, max(i, 0))
	}
	if f.fn == nil {
		if f.outside == "Boolean" {
			return of
		}
		return unknown("computed at run time: " + clip(r.module.text(n)))
	}
	source := r.module.text(args[0])
	switch name {
	case "filter", "find", "findLast", "findIndex":
		if toolFilter(source) && (j.subject == legacy.Response || j.whole || j.subject == legacy.Tools) {
			t := judged{subject: legacy.Tools, asked: j.asked}
			if name != "filter" {
				t.call = &toolCall{}
			}
			return about(t)
		}
		if j.subject == legacy.Tools {
			t := j
			if name != "filter" {
				t.call = &toolCall{}
				if got := r.follow(f, []*value{about(t)}, nil); got != nil {
					for _, p := range got.holds {
						if tool, ok := first(p.values).(string); ok && p.op == legacy.Called {
							t.call.name = tool
						}
					}
				}
			}
			return about(t)
		}
		if j.subject == legacy.Response && strings.Contains(source, "text") {
			j.path += "[0]"
			return about(j)
		}
		if j.subject == legacy.Answer && j.part == "lines" && name == "filter" {
			j.part = filteredLines(source)
			return about(j)
		}
		if j.subject == legacy.Answer && name == "filter" {
			return about(j)
		}
		if name != "filter" {
			return r.at(of, 0)
		}
		return about(j)
	case "map", "reduce":
		return r.mapped(of, n, s)
	case "some", "every":
		item := r.at(of, 0)
		if j.subject == legacy.Document || j.whole {
			j.subject, j.whole = legacy.Document, false
			j.path += "[]"
			item = about(j)
		}
		if j.subject == legacy.Tools {
			item = about(judged{subject: legacy.Tools, asked: j.asked, call: &toolCall{}})
		}
		got := r.follow(f, []*value{item}, nil)
		if got != nil && got.holds != nil && j.subject == legacy.Tools {
			return got
		}
		return unknown("said of the items of a list: " + clip(r.module.text(n)))
	case "forEach":
		if j.subject == legacy.Document || j.whole {
			j.subject, j.whole = legacy.Document, false
			j.path += "[]"
			r.follow(f, []*value{about(j)}, nil)
		} else {
			r.follow(f, []*value{r.at(of, 0)}, nil)
		}
		return undefined()
	}
	return unknown("computed at run time: " + clip(r.module.text(n)))
}

// mapped is a list of which each item was made something else.
// listMethod reads a method of a list of the suite.
func (r *reader) mapped(of *value, n *syntax.Node, s *scope) *value {
	f := r.eval(head(n.Args()), s)
	if f.fn == nil {
		return of
	}
	j := *of.judged
	item := r.at(of, 0)
	if j.subject == legacy.Document || j.whole {
		j.subject, j.whole = legacy.Document, false
		j.path += "[]"
		item = about(j)
	}
	if j.subject == legacy.Tools {
		item = about(judged{subject: legacy.Tools, asked: j.asked})
	}
	got := r.follow(f, []*value{item}, nil)
	if got != nil && got.judged != nil {
		return got
	}
	return unknown("computed at run time: " + clip(r.module.text(n)))
}

func toolFilter(source string) bool {
	return strings.Contains(source, "tool_use") || strings.Contains(source, "tool_call") || strings.Contains(source, "tool-call") || strings.Contains(source, "function_call") || strings.Contains(source, "functionCall")
}

func filteredLines(source string) string {
	switch {
	case strings.Contains(source, "'-") || strings.Contains(source, `"-`) || strings.Contains(source, "'*") || strings.Contains(source, `"*`) || strings.Contains(source, "[-*") || strings.Contains(source, "^- ") || strings.Contains(source, "•"):
		return "bullets"
	case strings.Contains(source, "#"):
		return "sections"
	}
	return "lines"
}

// each calls a function of the suite for the items of a list.
// merged leaves what was said of each item as it is.
func (r *reader) each(items []*value, f *value, name string, n *syntax.Node) *value {
	if len(items) > maxItems {
		return unknown("too long a list to go through")
	}
	if name == "forEach" {
		r.loops = append(r.loops, loop{r.claims()})
		defer func() { r.loops = r.loops[:len(r.loops)-1] }()
	}
	out := &value{items: []*value{}}
	var held []pending
	for i, it := range items {
		got := r.follow(f, []*value{it, number(float64(i))}, nil)
		switch name {
		case "map", "flatMap":
			if more, ok := got.list(); ok && name == "flatMap" {
				out.items = append(out.items, more...)
				continue
			}
			out.items = append(out.items, got)
		case "some", "every":
			if got == nil || got.holds == nil || len(got.holds) != 1 {
				return unknown("computed at run time: " + clip(r.module.text(n)))
			}
			held = append(held, got.holds...)
		case "filter", "find":
			yes, ok := got.json()
			if !ok {
				return unknown("computed at run time: " + clip(r.module.text(n)))
			}
			if truth(yes) {
				if name == "find" {
					return it
				}
				out.items = append(out.items, it)
			}
		}
	}
	if held != nil {
		return &value{holds: held, either: name == "some" && len(held) > 1}
	}
	if name == "find" {
		return undefined()
	}
	return out
}
