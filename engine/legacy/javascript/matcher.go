package javascript

import (
	"strings"

	"docket/engine/legacy"
)

// matchers of jest and chai that compare what is judged with their argument.
// method reads a matcher: the claim of a chain.
func matchers() map[string]legacy.Op {
	return map[string]legacy.Op{
		"toBe": legacy.Equals, "toEqual": legacy.Equals, "toStrictEqual": legacy.Equals, "equal": legacy.Equals, "equals": legacy.Equals, "eq": legacy.Equals,
		"eql": legacy.Equals, "eqls": legacy.Equals, "deepEqual": legacy.Equals, "exactly": legacy.Equals,
		"toContain": legacy.Contains, "toContainEqual": legacy.Contains, "include": legacy.Contains, "contain": legacy.Contains, "includes": legacy.Contains,
		"contains": legacy.Contains, "string": legacy.Contains, "members": legacy.Contains, "toInclude": legacy.Contains,
		"toMatch": legacy.Matches, "match": legacy.Matches, "matches": legacy.Matches,
		"toStartWith": legacy.StartsWith, "startWith": legacy.StartsWith, "startsWith": legacy.StartsWith, "toEndWith": legacy.EndsWith, "endWith": legacy.EndsWith, "endsWith": legacy.EndsWith,
		"toBeGreaterThanOrEqual": legacy.AtLeast, "least": legacy.AtLeast, "gte": legacy.AtLeast, "toBeLessThanOrEqual": legacy.AtMost, "most": legacy.AtMost, "lte": legacy.AtMost,
		"toHaveProperty": legacy.HasKey, "property": legacy.HasKey, "key": legacy.HasKey, "keys": legacy.HasKey, "toContainKey": legacy.HasKey, "toContainKeys": legacy.HasKey, "toHaveKeys": legacy.HasKey,
		"toBeOneOf": legacy.OneOf, "oneOf": legacy.OneOf,
		"toBeInstanceOf": legacy.IsA, "instanceof": legacy.IsA, "instanceOf": legacy.IsA, "a": legacy.IsA, "an": legacy.IsA, "toBeTypeOf": legacy.IsA,
	}
}

// near says a number and how far from it is allowed. Jest takes digits.
func near(actual, a, b *value, digits bool) *pending {
	p := claimOn(actual, legacy.Near, a)
	f, ok := b.num()
	switch {
	case digits && !ok:
		f = 2
		fallthrough
	case digits:
		within := 0.5
		for range min(int(f), 15) {
			within /= 10
		}
		p.values = append(p.values, spell(within))
	case ok:
		p.values = append(p.values, spell(f))
	}
	return p
}

// raised says that a call throws, or that it does not: JSON.parse of an answer
// that must not throw is the claim that the answer is JSON.
func (r *reader) raised(actual *value, name string, args []*value) *pending {
	p := &pending{subject: legacy.Raised, op: legacy.Raises}
	if name == "fulfilled" {
		p.not = true
	}
	if actual != nil && actual.fn != nil {
		before := r.asked
		got := r.follow(actual, nil, nil)
		if got != nil && got.judged != nil && got.judged.subject == legacy.Document {
			p.subject, p.op, p.not, p.asked = legacy.Answer, legacy.Parses, true, got.judged.asked
			return p
		}
		if r.asked != before && r.asked != nil {
			p.asked = r.asked
		}
	}
	if actual != nil && actual.judged != nil {
		p.asked = actual.judged.asked
	}
	a := arg(args, 0)
	switch {
	case a.known && !a.absent && !a.regexp:
		p.values = []any{a.data}
	case a.regexp:
		p.values = []any{a.data}
	case a.outside != "" || a.instance != "":
		p.values = []any{a.describe()}
	}
	return p
}

// spied reads claims on how a double was called.
func (r *reader) spied(actual *value, name string, args []*value) (*pending, bool) {
	called := strings.HasPrefix(name, "toHaveBeenCalled") || strings.HasPrefix(name, "toBeCalled") || strings.HasPrefix(name, "toHaveBeenNthCalled") || strings.HasPrefix(name, "toHaveBeenLastCalled") ||
		strings.HasPrefix(name, "called") || strings.HasPrefix(name, "toHaveReturned") || strings.HasPrefix(name, "toHaveLastReturned") || strings.HasPrefix(name, "toHaveResolved") || name == "callCount" || name == "alwaysCalledWith"
	if !called && (actual == nil || !actual.double) {
		return nil, false
	}
	p := &pending{subject: legacy.Double, op: legacy.Called}
	if actual != nil {
		p.path = actual.outside
	}
	if !called {
		p.op = legacy.Unknown
		op, ok := matchers()[name]
		switch {
		case ok:
			p.op = op
		case name == "true" || name == "ok" || name == "exist" || name == "toBeTruthy" || name == "toBeDefined":
			p.op = legacy.Truthy
		}
	}
	for _, a := range args {
		if x, ok := a.json(); ok {
			p.values = append(p.values, x)
		}
	}
	return p, true
}

// matcherLike is what expect.stringContaining and its like stand for.
func matcherLike(name string, not bool, args []*value) *value {
	a := arg(args, 0)
	p := &pending{not: not}
	switch name {
	case "stringContaining", "arrayContaining":
		p.op = legacy.Contains
	case "stringMatching":
		p.op = legacy.Matches
	case "objectContaining":
		if a.fields != nil {
			return a
		}
		p.op = legacy.Equals
	case "closeTo":
		p.op = legacy.Near
	case "any":
		return &value{like: &pending{op: legacy.IsA, values: []any{strings.ToLower(a.describe())}, not: not}}
	case "anything":
		return &value{like: &pending{op: legacy.Truthy, not: not}}
	default:
		return unknown("docket does not know expect." + clip(name))
	}
	p.operand(a)
	p.values = flat(p.values)
	return &value{like: p}
}

// printed takes off what jest puts around a string that it prints.
func printed(text string) string {
	text = dedent(text)
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = strings.ReplaceAll(text[1:len(text)-1], `\"`, `"`)
	}
	return text
}

// place reads expect(x.indexOf(y)).toBeGreaterThan(-1) and its like.
func place(matcher string, actual, a *value) *pending {
	op := ""
	switch matcher {
	case "toBeGreaterThan", "above", "gt":
		op = ">"
	case "toBeGreaterThanOrEqual", "least", "gte":
		op = ">="
	case "toBe", "toEqual", "equal", "eq":
		op = "==="
	case "toBeLessThan", "below", "lt":
		op = "<"
	}
	return found(op, actual, a)
}
