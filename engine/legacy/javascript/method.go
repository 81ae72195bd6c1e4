package javascript

import (
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// method reads a method of a value of the language itself; false where the name
// is none, so that the call is looked at as any other.
func (r *reader) method(of *value, name string, n *syntax.Node, s *scope) (*value, bool) {
	switch {
	case of == nil || of.chain != nil || of.assert || of.double || of.fields != nil && of.fields[name] != nil:
		return nil, false
	case name == "then" || name == "finally" || name == "catch":
		if of.judged != nil && name == "then" {
			if f := r.eval(head(n.Args()), s); f.fn != nil {
				return r.follow(f, []*value{of}, nil), true
			}
		}
		return of, of.judged != nil
	case of.regexp:
		return r.tested(of, name, n, s)
	case of.judged != nil:
		return r.judgedMethod(of, name, n, s)
	}
	if items, ok := of.list(); ok {
		return r.listMethod(of, items, name, n, s)
	}
	if text, ok := of.str(); ok {
		return textMethod(text, name, r.args(n, s))
	}
	return nil, false
}

func head(nodes []*syntax.Node) *syntax.Node {
	if len(nodes) == 0 {
		return nil
	}
	return nodes[0]
}

// tested reads /x/.test(y) and /x/.exec(y).
func (r *reader) tested(of *value, name string, n *syntax.Node, s *scope) (*value, bool) {
	if name != "test" && name != "exec" {
		return nil, false
	}
	a := arg(r.args(n, s), 0)
	if a.judged == nil {
		return unknown("computed at run time: " + clip(r.module.text(n))), true
	}
	return holds(*claimOn(a, legacy.Matches, of)), true
}

// judgedMethod reads a method of a text, a list or an object that a model gave.
func (r *reader) judgedMethod(of *value, name string, n *syntax.Node, s *scope) (*value, bool) {
	j := *of.judged
	if j.subject == legacy.Response && (j.path == "" || j.path == "response") && !j.count {
		switch name {
		case "text":
			return about(judged{subject: legacy.Answer, asked: j.asked}), true
		case "json":
			return about(judged{subject: legacy.Document, asked: j.asked}), true
		}
	}
	text := func(fold bool) (*value, bool) {
		j.whole, j.fold = false, j.fold || fold
		return about(j), true
	}
	switch name {
	case "toLowerCase", "toUpperCase", "toLocaleLowerCase":
		return text(true)
	case "trim", "trimEnd", "trimStart", "normalize", "replace", "replaceAll", "toString", "slice", "substring", "concat", "toFixed":
		return text(false)
	case "flat", "sort", "reverse", "values", "flatMap", "toSorted", "join", "entries":
		if name == "join" && j.part != "" {
			j.part = ""
		}
		if name == "flatMap" || name == "entries" {
			return r.mapped(of, n, s), true
		}
		return about(j), true
	case "includes", "has", "contains":
		return holds(*claimOn(of, legacy.Contains, arg(r.args(n, s), 0))), true
	case "startsWith":
		return holds(*claimOn(of, legacy.StartsWith, arg(r.args(n, s), 0))), true
	case "endsWith":
		return holds(*claimOn(of, legacy.EndsWith, arg(r.args(n, s), 0))), true
	case "match", "matchAll":
		a := arg(r.args(n, s), 0)
		j.whole = false
		v := about(j)
		v.holds = []pending{*claimOn(about(j), legacy.Matches, a)}
		if a.regexp {
			if part := matchedPart(a.data.(string)); part != "" {
				j.part = part
				v.judged = &j
			} else {
				j.part = "matches"
				v.judged = &j
			}
		}
		return v, true
	case "indexOf", "search":
		op := legacy.Contains
		a := arg(r.args(n, s), 0)
		v := about(j)
		v.like = claimOn(of, op, a)
		return v, true
	case "split":
		return split(j, arg(r.args(n, s), 0)), true
	case "hasOwnProperty":
		return holds(*claimOn(of, legacy.HasKey, arg(r.args(n, s), 0))), true
	case "filter", "map", "find", "findLast", "some", "every", "forEach", "at", "pop", "shift", "reduce", "findIndex":
		return r.iterated(of, name, n, s), true
	}
	return nil, false
}

// matchedPart names what a pattern counts that people count with patterns.
func matchedPart(pattern string) string {
	switch strings.TrimPrefix(pattern, "(?m)") {
	case `\S+`, `\w+`, `\b\w+\b`, `[^\s]+`:
		return "words"
	case `\n`:
		return ""
	case `^[-*] `, `^- `, `^\s*[-*] `, `^\s*- `, `^- .*$`, `^[-*•] `, `^\* `, `^-\s`, `^[-*]\s`, `^\s*[-*]\s`:
		return "bullets"
	}
	return ""
}

// split names the parts of a text that is split.
func split(j judged, at *value) *value {
	j.whole = false
	sep, _ := at.data.(string)
	switch {
	case at.regexp && (sep == `\s+` || sep == `\s`), !at.regexp && sep == " ":
		j.part = "words"
	case at.regexp && (sep == `\r?\n` || sep == `\n+` || sep == `\n`), !at.regexp && sep == "\n":
		j.part = "lines"
	case !at.regexp && sep == "\n\n", at.regexp && (sep == `\n\n+` || sep == `\n{2,}` || sep == `\n\s*\n`):
		j.part = "paragraphs"
	case at.regexp && strings.Contains(sep, ".!?"), sep == ". ":
		j.part = "sentences"
	default:
		j.part = "pieces"
	}
	return about(j)
}

func (r *reader) listMethod(of *value, items []*value, name string, n *syntax.Node, s *scope) (*value, bool) {
	switch name {
	case "map", "forEach", "some", "every", "filter", "find", "flatMap":
		f := r.eval(head(n.Args()), s)
		if f.fn == nil {
			return unknown("computed at run time: " + clip(r.module.text(n))), true
		}
		return r.each(items, f, name, n), true
	}
	args := r.args(n, s)
	switch name {
	case "join":
		sep := ","
		if t, ok := arg(args, 0).str(); ok {
			sep = t
		}
		var parts []string
		size := 0
		for _, it := range items {
			t, ok := plain(it)
			if !ok {
				return unknown("computed at run time: " + it.reason()), true
			}
			if size += len(t) + len(sep); size > maxText {
				return unknown("too long a text is put together"), true
			}
			parts = append(parts, t)
		}
		return data(strings.Join(parts, sep)), true
	case "includes", "indexOf", "has":
		if a := arg(args, 0); a.judged != nil {
			return holds(*oneOf(a, of)), true
		}
	case "concat":
		all := append([]*value{}, items...)
		for _, a := range args {
			if more, ok := a.list(); ok {
				all = append(all, more...)
				continue
			}
			all = append(all, a)
		}
		return &value{items: all}, true
	case "sort", "reverse", "slice", "values", "flat":
		if name == "slice" && len(args) > 0 {
			return unknown("a part of a list"), true
		}
		return &value{items: items}, true
	case "at":
		if f, ok := arg(args, 0).num(); ok {
			return r.at(of, int(f)), true
		}
	case "push":
		if of.items != nil && len(items)+len(args) < maxSteps {
			of.items = append(of.items, args...)
			return undefined(), true
		}
	}
	return unknown("computed at run time: " + clip(r.module.text(n))), true
}

func (r *reader) claims() int {
	if r.test == nil {
		return 0
	}
	return len(r.test.Claims)
}

// oneOf says that a judged value is one of a list.
func oneOf(v, list *value) *pending {
	p := claimOn(v, legacy.OneOf, list)
	p.values = flat(p.values)
	return p
}

// textMethod computes a method of a known text.
func textMethod(text, name string, args []*value) (*value, bool) {
	a, b := arg(args, 0), arg(args, 1)
	s, isText := a.str()
	t, both := b.str()
	switch name {
	case "trim":
		return data(strings.TrimSpace(text)), true
	case "trimEnd":
		return data(strings.TrimRight(text, " \t\r\n")), true
	case "trimStart":
		return data(strings.TrimLeft(text, " \t\r\n")), true
	case "toLowerCase":
		return data(strings.ToLower(text)), true
	case "toUpperCase":
		return data(strings.ToUpper(text)), true
	case "toString", "normalize":
		return data(text), true
	case "repeat":
		if f, ok := a.num(); ok && f >= 0 && f*float64(len(text)) <= maxText {
			return data(strings.Repeat(text, int(f))), true
		}
		return unknown("a text that is repeated too often to keep"), true
	case "replaceAll":
		if isText && both && len(text)*max(1, len(t)) < maxText {
			return data(strings.ReplaceAll(text, s, t)), true
		}
	case "replace":
		if isText && both && !strings.Contains(t, "$") {
			return data(strings.Replace(text, s, t, 1)), true
		}
	case "concat":
		v := data(text)
		for _, more := range args {
			v = plus(v, more)
		}
		return v, true
	case "split":
		if isText && s != "" {
			v := &value{items: []*value{}}
			for _, piece := range strings.Split(text, s) {
				v.items = append(v.items, data(piece))
			}
			return v, true
		}
	case "includes":
		if isText {
			return data(strings.Contains(text, s)), true
		}
		if a.judged != nil {
			return unknown("the other way round: a text of the suite holds the answer"), true
		}
	}
	return unknown("computed at run time by ." + name + "() of a constant"), true
}

// stringified is JSON.stringify of a known value.
func stringified(v *value) *value {
	x, ok := v.json()
	if !ok {
		return unknown("computed at run time: " + v.reason())
	}
	return data(string(canonical.Marshal(x)))
}

// construct follows new: an instance of a class of the suite or of another.
func (r *reader) construct(n *syntax.Node, s *scope) *value {
	name := r.module.text(n.Kids[0])
	args := r.args(n, s)
	switch name {
	case "RegExp":
		text, ok := arg(args, 0).str()
		if arg(args, 0).regexp {
			text, ok = arg(args, 0).data.(string), true
		}
		if !ok {
			return unknown("a pattern that is put together at run time")
		}
		flags, _ := arg(args, 1).str()
		return pattern(&syntax.Node{Kind: syntax.Regexp, Text: text, Op: flags})
	case "Set", "Map", "Promise":
		if a := arg(args, 0); name == "Set" && (a.judged != nil || a.items != nil) {
			return a
		}
		return unknown("computed at run time by new " + name)
	case "Error", "TypeError":
		return &value{instance: name}
	}
	class := r.eval(n.Kids[0], s)
	v := &value{outside: class.outside, instance: name, why: ""}
	if class.fields != nil {
		o := object()
		o.instance = name
		for _, k := range class.keys {
			m := *class.fields[k]
			o.set(k, &m)
		}
		if c, ok := o.fields["constructor"]; ok && c.fn != nil {
			c.bound = o
			r.follow(c, args, n.Kids[0])
		}
		return o
	}
	if slices.ContainsFunc(args, func(a *value) bool { return a.judged != nil }) {
		return unknown("computed at run time by new " + clip(name))
	}
	return v
}
