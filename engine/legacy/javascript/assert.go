package javascript

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// A rule says what an assertion of two values claims.
type rule struct {
	op  legacy.Op
	not bool
}

// rules are those of node's assert, of chai's, and of the t of ava and tape.
func rules() map[string]rule {
	return map[string]rule{
		"equal": {legacy.Equals, false}, "strictEqual": {legacy.Equals, false}, "deepEqual": {legacy.Equals, false}, "deepStrictEqual": {legacy.Equals, false},
		"is": {legacy.Equals, false}, "same": {legacy.Equals, false}, "like": {legacy.Equals, false}, "equals": {legacy.Equals, false}, "strictSame": {legacy.Equals, false},
		"looseEqual": {legacy.Equals, false}, "partialDeepStrictEqual": {legacy.Equals, false},
		"notEqual": {legacy.Equals, true}, "notStrictEqual": {legacy.Equals, true}, "notDeepEqual": {legacy.Equals, true}, "notDeepStrictEqual": {legacy.Equals, true}, "not": {legacy.Equals, true},
		"match": {legacy.Matches, false}, "regex": {legacy.Matches, false}, "matches": {legacy.Matches, false},
		"doesNotMatch": {legacy.Matches, true}, "notMatch": {legacy.Matches, true}, "notRegex": {legacy.Matches, true},
		"include": {legacy.Contains, false}, "includes": {legacy.Contains, false}, "contains": {legacy.Contains, false}, "deepInclude": {legacy.Contains, false}, "includeMembers": {legacy.Contains, false},
		"notInclude": {legacy.Contains, true}, "notIncludes": {legacy.Contains, true}, "doesNotInclude": {legacy.Contains, true},
		"isAbove": {legacy.AtMost, true}, "isAtLeast": {legacy.AtLeast, false}, "isBelow": {legacy.AtLeast, true}, "isAtMost": {legacy.AtMost, false},
		"property": {legacy.HasKey, false}, "hasAllKeys": {legacy.HasKey, false}, "containsAllKeys": {legacy.HasKey, false}, "notProperty": {legacy.HasKey, true}, "hasAnyKeys": {legacy.HasKey, false},
		"instanceOf": {legacy.IsA, false}, "typeOf": {legacy.IsA, false}, "oneOf": {legacy.OneOf, false}, "propertyVal": {legacy.HasKey, false},
		"startsWith": {legacy.StartsWith, false}, "endsWith": {legacy.EndsWith, false},
	}
}

// assertion reads assert(…), assert.equal(…), t.is(…).
func (r *reader) assertion(outside string, args []*value, n *syntax.Node) *value {
	name := outside[strings.LastIndexByte(outside, '.')+1:]
	a, b := arg(args, 0), arg(args, 1)
	if b.judged != nil && a.judged == nil {
		a, b = b, a
	}
	switch name {
	case "assert", "ok", "isOk", "true", "isTrue", "truthy", "isDefined", "exists", "isNotNull", "isNotEmpty", "notStrictEmpty":
		r.assertTrue(a, true, n)
		return undefined()
	case "notOk", "isNotOk", "false", "isFalse", "falsy", "isNull", "isUndefined", "isEmpty", "ifError", "error", "notExists":
		r.assertTrue(a, false, n)
		return undefined()
	case "throws", "throwsAsync", "rejects", "isRejected", "rejected":
		r.claim(*r.raised(a, name, args[min(1, len(args)):]), n)
		return undefined()
	case "doesNotThrow", "notThrows", "notThrowsAsync", "doesNotReject", "isFulfilled", "doesNotThrowAsync":
		p := r.raised(a, name, nil)
		p.not = !p.not
		r.claim(*p, n)
		return undefined()
	case "snapshot":
		r.claim(*claimOn(a, legacy.Snapshot, nil), n)
		return undefined()
	case "fail":
		r.claim(pending{subject: legacy.Other, op: legacy.Unknown, why: "it fails where a run gets there"}, n)
		return undefined()
	case "closeTo", "approximately":
		r.claim(*near(a, b, arg(args, 2), false), n)
		return undefined()
	case "lengthOf":
		if a.judged != nil {
			a = counted(*a.judged)
		}
		r.claim(*claimOn(a, legacy.Equals, b), n)
		return undefined()
	case "isString", "isNumber", "isArray", "isObject", "isBoolean", "isFunction":
		r.claim(*claimOn(a, legacy.IsA, data(strings.ToLower(strings.TrimPrefix(name, "is")))), n)
		return undefined()
	case "end", "plan", "pass", "comment", "log", "diagnostic", "timeout", "teardown", "after", "context":
		return undefined()
	case "t": // a callback that says that the test is done
		return undefined()
	case "test", "it", "describe", "suite":
		r.inner(args, n)
		return undefined()
	}
	if strings.HasPrefix(outside, "t.mock") || strings.HasPrefix(outside, "t.context") {
		return &value{double: strings.HasPrefix(outside, "t.mock"), outside: outside, why: "kept by what runs before the test"}
	}
	known, ok := rules()[name]
	if !ok {
		p := claimOn(a, legacy.Unknown, nil)
		p.why = "docket does not know the assertion " + clip(name)
		r.claim(*p, n)
		return undefined()
	}
	if a.holds != nil && a.judged == nil && known.op == legacy.Equals {
		c := &chain{actual: a, not: known.not}
		return c.onCondition(r, "equal", b, n, undefined())
	}
	if known.op == legacy.OneOf {
		r.claim(*oneOf(a, b), n)
		return undefined()
	}
	c := &chain{actual: a, not: known.not}
	if known.op == legacy.HasKey {
		more := args[1:min(len(args), 2)]
		if name == "propertyVal" {
			more = args[1:min(len(args), 3)]
		}
		return c.keyed(r, a, more, n, true, undefined())
	}
	if known.op == legacy.Equals && b.fields != nil && a.judged != nil && partly(b) {
		return c.partsOf(r, a, b, n, undefined())
	}
	if known.op == legacy.IsA {
		if _, ok := b.json(); !ok {
			b = data(b.describe())
		}
	}
	p := claimOn(a, known.op, b)
	p.not = p.not != known.not
	r.claim(*p, n)
	return undefined()
}

// inner reads a test within a test, as node:test and tape have them: it stands
// for itself, with what the outer one has set up.
func (r *reader) inner(args []*value, n *syntax.Node) {
	outer, asked, helper, loops := r.test, r.asked, r.helper, r.loops
	if outer == nil || r.hooks || r.module != r.source || r.full() || len(r.nested) > maxCalls {
		return
	}
	title, ok := plain(arg(args, 0))
	if !ok {
		title = clip(r.module.text(n))
	}
	line, end := r.module.line(n), r.module.end(n)
	test := legacy.Test{Name: outer.Name + " > " + title, Line: line, End: end, Doc: title, Source: r.module.tree.LineSpan(line, end), Comments: r.comments(n)}
	r.test, r.asked, r.helper, r.loops, r.nested = &test, nil, nil, nil, append(r.nested, title)
	for _, a := range args {
		if a.fn != nil {
			r.follow(a, []*value{{assert: true, outside: "t"}}, nil)
		}
	}
	if test.Call == "" && r.asked != nil {
		r.ask(r.asked)
	}
	r.test, r.asked, r.helper, r.loops, r.nested = outer, asked, helper, loops, r.nested[:len(r.nested)-1]
	r.file.Tests = append(r.file.Tests, test)
	r.hasInner[outer] = true
}
