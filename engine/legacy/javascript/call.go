package javascript

import (
	"regexp"
	"slices"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// call follows a call: an assertion, a method of a known or a judged value, a
// function of the suite, or one that only a run could tell of.
func (r *reader) call(n *syntax.Node, s *scope) *value {
	callee := n.Kids[0]
	name := ""
	var of *value
	if callee.Kind == syntax.Member {
		name = callee.Text
		of = r.eval(callee.Kids[0], s)
		if v, ok := r.method(of, name, n, s); ok {
			return v
		}
	}
	var f *value
	if of != nil {
		f = r.member(of, name)
	} else {
		f = r.eval(callee, s)
	}
	args := r.args(n, s)
	switch {
	case f == nil:
		return unknown("computed at run time")
	case f.chain != nil:
		return f.chain.method(r, name, args, n)
	case f.assert:
		return r.assertion(f.outside, args, n)
	case f.fn != nil:
		return r.follow(f, args, callee)
	case f.double:
		return f
	}
	if v, ok := r.framework(f.outside, callee, args, n, s); ok {
		return v
	}
	if v, ok := r.wellKnown(f.outside, args); ok {
		return v
	}
	return r.ofAnother(f, callee, args, n)
}

func (r *reader) args(n *syntax.Node, s *scope) []*value {
	var list []*value
	for _, a := range n.Args() {
		v := r.eval(a, s)
		if a.Kind == syntax.Spread {
			if items, ok := v.list(); ok {
				list = append(list, items...)
				continue
			}
		}
		list = append(list, v)
	}
	return list
}

func arg(args []*value, i int) *value {
	if i < len(args) {
		return args[i]
	}
	return undefined()
}

// follow goes into a function of the suite.
func (r *reader) follow(f *value, args []*value, callee *syntax.Node) *value {
	if len(r.helper) >= maxCalls {
		return unknown("functions call each other too deep to follow")
	}
	s := newScope(f.scope, nil)
	if f.bound != nil {
		s.this = f.bound
	}
	for i, p := range f.fn.Params() {
		if p.Kind == syntax.Spread {
			r.assign(p.Kids[0], &value{items: append([]*value{}, args[min(i, len(args)):]...)}, s, true)
			continue
		}
		r.assign(p, arg(args, i), s, true)
	}
	name := f.fn.Text
	if name == "" && callee != nil {
		name = clip(r.module.text(callee))
	}
	if callee == nil && len(r.helper) > 0 {
		name = r.helper[len(r.helper)-1]
	}
	if callee != nil || len(r.helper) > 0 {
		r.helper = append(r.helper, name)
		defer func() { r.helper = r.helper[:len(r.helper)-1] }()
	}
	return r.within(f.scope.module, func() *value { return r.body(f.fn, s) })
}

// body goes through the statements of a function, or evaluates its expression.
func (r *reader) body(fn *syntax.Node, s *scope) *value {
	b := fn.Kid(0)
	if b == nil {
		return unknown("a function without a body")
	}
	if b.Kind != syntax.Block {
		return r.statementValue(b, s)
	}
	out := &outcome{}
	r.statements(b.Kids, s, out)
	if out.value == nil {
		return undefined()
	}
	return out.value
}

// doubleMaker matches the functions of test runners that make a double.
var doubleMaker = regexp.MustCompile(`(^|\.)(fn|spyOn|mocked|stub|spy|fake|createStubInstance|mockDeep|mock|replace|createSpyObj)$`)

// runners are packages and names of test runners and of their doubles.
func runners() []string {
	return []string{"jest", "vi", "vitest", "sinon", "mock", "node:test", "td", "testdouble", "jest-mock-extended", "@jest/globals", "bun:test", "nock", "msw", "vitest-mock-extended", "t"}
}

func root(outside string) string {
	if strings.HasPrefix(outside, "@") {
		if a, b, ok := strings.Cut(outside, "/"); ok {
			b, _, _ = strings.Cut(b, ".")
			return a + "/" + b
		}
	}
	before, _, _ := strings.Cut(outside, ".")
	return before
}

// framework reads what test runners and assertion libraries give.
func (r *reader) framework(outside string, callee *syntax.Node, args []*value, n *syntax.Node, s *scope) (*value, bool) {
	last := outside[strings.LastIndexByte(outside, '.')+1:]
	switch {
	case last == "expect" || strings.HasSuffix(outside, "expect.soft"):
		return &value{chain: &chain{actual: arg(args, 0)}}, true
	case strings.HasSuffix(outside, "expect.poll"):
		actual := arg(args, 0)
		if actual.fn != nil {
			actual = r.follow(actual, nil, nil)
		}
		return &value{chain: &chain{actual: actual}}, true
	case strings.Contains("."+outside, ".expect."):
		return matcherLike(last, strings.Contains(outside, "expect.not."), args), true
	case slices.Contains(runners(), root(outside)) && doubleMaker.MatchString(outside):
		return &value{double: true, outside: clip(r.module.text(callee))}, true
	case last == "importActual" || last == "requireActual":
		name, _ := arg(args, 0).str()
		return &value{outside: name}, true
	case strings.HasPrefix(outside, "sinon.assert."):
		p, _ := r.spied(arg(args, 0), "called", args[min(1, len(args)):])
		r.claim(*p, n)
		return undefined(), true
	case slices.Contains(runners(), root(outside)):
		return &value{double: true, outside: clip(r.module.text(callee))}, true
	case last == "require" && outside == "require":
		if name, ok := arg(args, 0).str(); ok {
			return r.required(name), true
		}
	}
	return nil, false
}

// required is what require of a module gives.
func (r *reader) required(name string) *value {
	m := r.require(r.module, name)
	switch {
	case m == nil && (strings.TrimPrefix(name, "node:") == "assert" || strings.TrimPrefix(name, "node:") == "assert/strict"):
		return &value{assert: true, outside: "assert"}
	case m == nil && strings.HasPrefix(name, "."):
		return &value{outside: name, why: "imported from " + clip(name) + ", which is not read"}
	case m == nil:
		return &value{outside: name}
	case m.json:
		return data(m.data)
	}
	if v := r.commonExports(m); v != nil {
		return v
	}
	return &value{namespace: m}
}

var vendorCall = regexp.MustCompile(`\.(messages|completions|responses|chat|models|beta|threads|runs)\.(create|stream|parse|generateContent|send|createAndPoll|complete)$|\.(generateContent|converse|createChatCompletion|createCompletion|invokeModel)$|(^|\.)(generateText|generateObject|streamText|streamObject)$`)

// modelVerb matches the names of functions that likely ask a model.
var modelVerb = regexp.MustCompile(`(?i)(summar|triage|classif|categori|extract|generat|complet|chat|ask|answer|repl[yi]|respond|prompt|llm|gpt|claude|predict|analy[sz]|translat|rewrite|draft|infer|label|route|assist|agent|invoke|bot|query|explain|describe|review|suggest)`)

// ofAnother is what a function outside of the suite gives.
func (r *reader) ofAnother(f *value, callee *syntax.Node, args []*value, n *syntax.Node) *value {
	text := r.module.text(callee)
	plainText := strings.NewReplacer("?.", ".", "!", "", "this.", "").Replace(strings.Join(strings.Fields(text), ""))
	if p := r.derived(plainText, args); p != nil {
		return p
	}
	last := plainText[strings.LastIndexByte(plainText, '.')+1:]
	vendor := vendorCall.MatchString("." + plainText)
	if !vendor && (!modelVerb.MatchString(last) && !r.waits(n) || slices.Contains(machinery(), root(f.outside))) {
		why := "computed at run time by " + clip(text) + "()"
		if f.why != "" && f.outside == "" {
			why = "computed at run time by " + clip(text) + "(), which is " + f.why
		}
		v := unknown(why)
		v.instance = ""
		return v
	}
	a := &asking{text: clip(r.module.text(n)), line: r.module.line(n)}
	a.inputs = inputs(args, n, vendor)
	r.asked = a
	if vendor {
		return about(judged{subject: legacy.Response, vendor: true, asked: a})
	}
	return about(judged{subject: legacy.Answer, whole: true, asked: a})
}

// machinery names packages that surely ask no model.
func machinery() []string {
	return []string{
		"fs", "path", "os", "util", "crypto", "http", "https", "url", "stream", "events", "child_process", "console", "process", "Math", "Date", "Object", "Array", "Promise", "Buffer", "Symbol", "Reflect", "Intl",
		"setTimeout", "setInterval", "clearTimeout", "setImmediate", "node:fs", "node:path", "node:os", "node:util", "node:crypto", "node:url", "node:timers", "lodash", "supertest", "react", "axios", "fetch", "fs/promises", "node:fs/promises",
	}
}

// waits reports whether a call is one that is awaited.
func (r *reader) waits(n *syntax.Node) bool {
	before := strings.TrimRight(string(r.module.tree.Source[max(0, n.Start-12):n.Start]), " \t\r\n(")
	return strings.HasSuffix(before, "await")
}

// derived is what a function outside of the suite makes of a judged value: its
// words counted, its JSON read.
func (r *reader) derived(name string, args []*value) *value {
	if len(args) == 0 || args[0].judged == nil {
		return nil
	}
	j := *args[0].judged
	lower := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if j.vendor && j.subject == legacy.Response && j.path == "" {
		switch {
		case strings.Contains(lower, "text"), strings.Contains(lower, "content"):
			return about(judged{subject: legacy.Answer, asked: j.asked})
		case strings.Contains(lower, "tool"):
			return about(judged{subject: legacy.Tools, asked: j.asked})
		}
	}
	if j.subject != legacy.Answer {
		return unknownAbout(args[0], name)
	}
	for _, part := range []string{"word", "line", "bullet", "sentence", "char", "paragraph"} {
		if strings.Contains(lower, part) {
			j.part, j.whole = part+"s", false
			if part == "char" {
				j.part = "characters"
			}
			j.count = strings.Contains(lower, "count") || strings.HasPrefix(lower, "num") || lower == part+"s"
			return about(j)
		}
	}
	if strings.Contains(lower, "json") || strings.Contains(lower, "parse") {
		return about(judged{subject: legacy.Document, asked: j.asked})
	}
	return unknownAbout(args[0], name)
}

func unknownAbout(v *value, name string) *value {
	if modelVerb.MatchString(name) {
		return nil
	}
	return unknown("computed by " + clip(name) + "() of the answer")
}
