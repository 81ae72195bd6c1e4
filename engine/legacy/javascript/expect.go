package javascript

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// A chain is expect(x) and what follows it, of jest as of chai.
type chain struct {
	actual   *value
	not      bool
	rejects  bool
	length   bool   // .length, .lengthOf
	deep     int    // how far into an object its parts are compared
	property string // what stands last and makes a claim without a call
}

// next is the chain with one more word.
func (c *chain) next(word string) *chain {
	n := *c
	n.property = ""
	switch word {
	case "not", "never":
		n.not = !n.not
	case "rejects", "rejected":
		n.rejects = true
		if word == "rejected" {
			n.property = word
		}
	case "length", "lengthOf":
		n.length = true
	case "true", "false", "null", "undefined", "ok", "empty", "exist", "called", "calledOnce", "calledTwice", "NaN", "fulfilled", "truthy", "falsy":
		n.property = word
	}
	return &n
}

func (c *chain) propertyOf(word string) *value { return &value{chain: c.next(word)} }

// finish claims what a chain says that ends without a call.
func (c *chain) finish(r *reader, n *syntax.Node) {
	word := c.property
	if word == "" {
		return
	}
	c.property = ""
	c.method(r, word, nil, n)
}

func (c *chain) method(r *reader, name string, args []*value, n *syntax.Node) *value {
	a := arg(args, 0)
	actual := c.actual
	result := &value{chain: &chain{actual: actual, not: c.not}}
	emit := func(p *pending) *value {
		p.not = p.not != c.not
		r.claim(*p, n)
		return result
	}
	if c.length && actual.judged != nil {
		j := *actual.judged
		actual = counted(j)
	}
	if actual.like != nil && actual.judged != nil {
		if p := place(name, actual, a); p != nil {
			return emit(p)
		}
	}
	if c.rejects || strings.HasPrefix(name, "toThrow") || name == "throw" || name == "throws" || strings.HasPrefix(name, "reject") || name == "fulfilled" {
		return emit(r.raised(actual, name, args))
	}
	if p, ok := r.spied(actual, name, args); ok {
		return emit(p)
	}
	if actual.holds != nil && actual.judged == nil {
		return c.onCondition(r, name, a, n, result)
	}
	op, ok := matchers()[name]
	switch {
	case name == "toHaveLength" || name == "lengthOf" || name == "length":
		if actual.judged != nil && !actual.judged.count {
			j := *actual.judged
			actual = counted(j)
		}
		return emit(claimOn(actual, legacy.Equals, a))
	case name == "toBeLessThan" || name == "below" || name == "lt" || name == "lessThan":
		p := claimOn(actual, legacy.AtLeast, a)
		p.not = !p.not
		return emit(p)
	case name == "toBeGreaterThan" || name == "above" || name == "gt" || name == "greaterThan":
		p := claimOn(actual, legacy.AtMost, a)
		p.not = !p.not
		return emit(p)
	case name == "within":
		emit(claimOn(actual, legacy.AtLeast, a))
		return emit(claimOn(actual, legacy.AtMost, arg(args, 1)))
	case name == "toBeCloseTo" || name == "closeTo" || name == "approximately":
		return emit(near(actual, a, arg(args, 1), name == "toBeCloseTo"))
	case name == "toMatchObject":
		return c.partsOf(r, actual, a, n, result)
	case strings.HasPrefix(name, "toMatch") && strings.Contains(name, "Snapshot"), name == "matchSnapshot", name == "toMatchFileSnapshot":
		p := claimOn(actual, legacy.Snapshot, nil)
		if text, ok := a.str(); ok && strings.Contains(name, "Inline") {
			p.values = []any{printed(text)}
		}
		return emit(p)
	case !ok:
		return c.word(r, name, n, emit)
	case op == legacy.Contains && actual.judged == nil && a.judged != nil:
		return emit(oneOf(a, actual))
	case op == legacy.OneOf:
		return emit(oneOf(actual, a))
	case op == legacy.HasKey:
		return c.keyed(r, actual, args, n, strings.Contains(strings.ToLower(name), "property"), result)
	case op == legacy.IsA:
		kind := a
		if _, known := a.json(); !known {
			kind = data(a.describe())
			if nodes := n.Args(); len(nodes) > 0 && a.outside != "" {
				kind = data(clip(r.module.text(nodes[0])))
			}
		}
		p := claimOn(actual, legacy.IsA, kind)
		if actual.judged == nil && !actual.double {
			p.subject = legacy.Type
		}
		return emit(p)
	case op == legacy.Matches && a.known && !a.regexp:
		return emit(claimOn(actual, legacy.Contains, a)) // a string here is looked for as it stands
	case op == legacy.Equals && a.fields != nil && actual.judged != nil && partly(a):
		return c.partsOf(r, actual, a, n, result)
	}
	for i, x := range args {
		if i == 0 || op == legacy.Contains && name != "toContain" {
			if op == legacy.Equals && actual.judged != nil && actual.judged.subject == legacy.Tools && strings.HasPrefix(actual.judged.path, "input") && x.fields != nil {
				c.partsOf(r, actual, x, n, result)
				continue
			}
			p := claimOn(actual, op, x)
			if strings.Contains(strings.ToLower(name), "members") {
				p.values = flat(p.values)
			}
			if op == legacy.Equals && x.absent {
				p = claimOn(actual, legacy.Truthy, nil)
				p.not = true
			}
			if c.actual.judged == nil && c.actual.instance != "" && p.subject == legacy.Other {
				p.subject = legacy.Response
			}
			emit(p)
		}
	}
	return result
}

// partly reports whether an object holds matchers such as expect.any().
func partly(v *value) bool { return partlyBelow(v, 0) }

func partlyBelow(v *value, depth int) bool {
	if depth > 6 {
		return false
	}
	for _, k := range v.keys {
		if f := v.fields[k]; f.like != nil || f.fields != nil && partlyBelow(f, depth+1) {
			return true
		}
	}
	return false
}

// partsOf makes a claim of each member of an object.
func (c *chain) partsOf(r *reader, actual, a *value, n *syntax.Node, result *value) *value {
	if a.known {
		a = opened(a)
	}
	if r.steps++; len(a.keys) == 0 || r.steps > maxSteps || c.deep > maxCalls {
		p := claimOn(actual, legacy.Equals, a)
		p.not = p.not != c.not
		r.claim(*p, n)
		return result
	}
	for _, k := range a.keys {
		inner := &chain{actual: r.member(actual, k), not: c.not, deep: c.deep + 1}
		if inner.actual.judged == nil && actual.judged == nil {
			inner.actual = actual
		}
		inner.method(r, "toEqual", []*value{a.fields[k]}, n)
	}
	return result
}

// keyed reads toHaveProperty, keys and their like; of the first a second
// argument is the value.
func (c *chain) keyed(r *reader, actual *value, args []*value, n *syntax.Node, valued bool, result *value) *value {
	emit := func(p *pending) {
		p.not = p.not != c.not
		r.claim(*p, n)
	}
	a := arg(args, 0)
	path, ok := a.str()
	if valued && len(args) == 2 && ok && actual.judged != nil && actual.judged.subject != legacy.Tools {
		{
			at := actual
			for _, part := range strings.Split(path, ".") {
				at = r.member(at, part)
			}
			emit(claimOn(at, legacy.Equals, args[1]))
			return result
		}
	}
	if last := strings.LastIndexByte(path, '.'); ok && last > 0 && actual.judged != nil {
		at := actual
		for _, part := range strings.Split(path[:last], ".") {
			at = r.member(at, part)
		}
		emit(claimOn(at, legacy.HasKey, data(path[last+1:])))
		return result
	}
	p := claimOn(actual, legacy.HasKey, a)
	p.values = flat(p.values)
	for _, more := range args[min(1, len(args)):] {
		if s, ok := more.str(); ok {
			p.values = append(p.values, s)
		}
	}
	if p.subject == legacy.Answer {
		p.subject = legacy.Document
	}
	emit(p)
	return result
}

// word reads matchers that take nothing.
func (c *chain) word(r *reader, name string, n *syntax.Node, emit func(*pending) *value) *value {
	actual := c.actual
	switch name {
	case "toBeTruthy", "ok", "toBeDefined", "exist", "exists", "toExist", "truthy", "true", "beTrue":
		return emit(c.truth(legacy.Truthy, actual, false))
	case "toBeFalsy", "toBeNull", "toBeUndefined", "null", "undefined", "false", "falsy", "empty", "toBeEmpty", "toBeNullish", "toBeNil":
		return emit(c.truth(legacy.Truthy, actual, true))
	case "toBeNaN", "NaN", "toBeString", "toBeArray", "toBeNumber", "toBeBoolean", "toBeObject":
		kind := strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(name, "toBe"), "be"))
		return emit(claimOn(actual, legacy.IsA, data(kind)))
	case "then", "catch", "finally", "and", "with", "to", "be":
		return &value{chain: c}
	}
	p := claimOn(actual, legacy.Unknown, nil)
	p.why = "docket does not know the matcher " + clip(name)
	return emit(p)
}

func (c *chain) truth(op legacy.Op, actual *value, not bool) *pending {
	p := claimOn(actual, op, nil)
	p.not = not
	if actual.judged == nil && !actual.double {
		switch {
		case actual.instance != "" || actual.outside != "":
			p.subject = legacy.Response
		case !actual.known:
			p.op, p.why = legacy.Unknown, "computed at run time: "+actual.reason()
		}
	}
	return p
}

// onCondition reads expect(a.includes(b)).toBe(true).
func (c *chain) onCondition(r *reader, name string, a *value, n *syntax.Node, result *value) *value {
	yes := true
	switch name {
	case "toBe", "toEqual", "toStrictEqual", "equal", "equals", "eq", "eql":
		b, ok := a.data.(bool)
		if !ok && !a.absent && (!a.known || a.data != nil) {
			u := pending{subject: c.actual.holds[0].subject, op: legacy.Unknown, why: "compared with what is no condition", asked: c.actual.holds[0].asked}
			r.claim(u, n)
			return result
		}
		yes = b
	case "toBeFalsy", "false", "null", "toBeNull", "toBeUndefined", "falsy", "undefined":
		yes = false
	case "toBeTruthy", "true", "ok", "toBeDefined", "exist", "truthy":
	default:
		u := pending{subject: c.actual.holds[0].subject, op: legacy.Unknown, why: "docket does not know the matcher " + clip(name) + " on a condition", asked: c.actual.holds[0].asked}
		r.claim(u, n)
		return result
	}
	r.assertTrue(c.actual, yes != c.not, n)
	return result
}
