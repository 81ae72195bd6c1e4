package javascript

import (
	"fmt"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// A pending is a claim that a value would make if it were asserted.
type pending struct {
	subject legacy.Subject
	path    string
	op      legacy.Op
	not     bool
	any     bool
	fold    bool
	values  []any
	why     string
	asked   *asking
}

// claimOn says an operation of a judged value, or of a double.
func claimOn(v *value, op legacy.Op, operand *value) *pending {
	p := &pending{op: op, subject: legacy.Other}
	p.operand(operand)
	if v == nil {
		return p
	}
	if v.double {
		p.subject, p.path = legacy.Double, v.outside
		return p
	}
	if v.judged == nil {
		return p
	}
	j := v.judged
	p.subject, p.path, p.asked = j.subject, j.path, j.asked
	p.fold = p.fold || j.fold
	switch {
	case j.kind:
		if p.op == legacy.Equals {
			p.op = legacy.IsA
		}
		if j.whole {
			p.subject = legacy.Answer
		}
		return p
	case j.keyed:
		if p.op == legacy.Equals || p.op == legacy.Contains {
			p.op = legacy.HasKey
			p.values = flat(p.values)
		}
		p.subject = legacy.Document
		return p
	case j.subject == legacy.Tools:
		return p.onTools(j)
	case j.subject == legacy.Answer:
		return p.onAnswer(j)
	case j.count:
		p.path = dotted(p.path, "length")
		if j.subject == legacy.Document {
			p.op = legacy.Unknown
		}
	}
	return p
}

// operand takes what is compared with.
func (p *pending) operand(v *value) {
	switch {
	case v == nil:
	case v.regexp:
		p.values = []any{v.data}
		p.fold = p.fold || v.fold
		if p.op == legacy.Equals || p.op == legacy.Contains {
			p.op = legacy.Matches
		}
	case v.like != nil:
		p.op, p.values, p.why = v.like.op, v.like.values, v.like.why
		p.not = p.not != v.like.not
		p.fold = p.fold || v.like.fold
	case v.absent:
		p.op, p.not = legacy.Truthy, !p.not
	default:
		x, ok := v.json()
		if !ok {
			p.why = "computed at run time: " + v.reason()
			return
		}
		p.values = []any{x}
	}
}

func flat(values []any) []any {
	if len(values) == 1 {
		if list, ok := values[0].([]any); ok {
			return list
		}
	}
	return values
}

func (p *pending) onAnswer(j *judged) *pending {
	switch {
	case j.count:
		p.path = j.part
		return p
	case j.part == "line 0" && (p.op == legacy.Equals || p.op == legacy.StartsWith):
		p.op = legacy.StartsWith
	case j.part == "line -1" && (p.op == legacy.Equals || p.op == legacy.EndsWith):
		p.op = legacy.EndsWith
	case j.part == "lines" && p.op == legacy.Contains:
	case j.part != "":
		p.path = j.part
	case j.whole && len(p.values) == 1 && (p.op == legacy.Equals):
		if _, text := p.values[0].(string); !text {
			p.subject = legacy.Document
		}
	case j.whole && p.op == legacy.HasKey:
		p.subject = legacy.Document
	}
	return p
}

// onTools says a claim of the calls, of the name of one, or of its arguments.
func (p *pending) onTools(j *judged) *pending {
	p.path = ""
	switch {
	case j.count:
		f, ok := data(first(p.values)).num()
		switch {
		case ok && f == 0 && (p.op == legacy.Equals || p.op == legacy.AtMost):
			p.op, p.not, p.values = legacy.Truthy, !p.not, nil // no calls are no list
		default:
			p.path = "length"
		}
	case strings.HasPrefix(j.path, "input"):
		name := "?"
		if j.call != nil && j.call.name != "" {
			name = j.call.name
		}
		p.path = name + strings.TrimPrefix(j.path, "input")
	case p.op == legacy.Equals && j.call != nil:
		p.op = legacy.Called
		if name, ok := first(p.values).(string); ok && !p.not {
			j.call.name = name
		}
	case p.op == legacy.Equals:
		p.values = flat(p.values)
	case p.op == legacy.Truthy && j.call != nil && j.call.name != "":
		p.op, p.values = legacy.Called, []any{j.call.name}
	}
	return p
}

func first(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// truthy is what a value holds where it stands as a condition; nil for a value
// of which nothing is known.
func (v *value) truthy() []pending {
	switch {
	case v == nil:
		return nil
	case v.holds != nil:
		return v.holds
	case v.judged != nil, v.double:
		p := claimOn(v, legacy.Truthy, nil)
		if v.judged != nil && v.judged.count && v.judged.subject == legacy.Answer {
			p.op, p.path = legacy.Truthy, ""
		}
		return []pending{*p}
	}
	return nil
}

// A loop is a list that is gone through: the claims made in it are one for all
// its items.
type loop struct {
	from int // the first of the test's claims that is made in it
}

// claim adds a claim to the test.
func (r *reader) claim(p pending, n *syntax.Node) {
	if r.test == nil || r.hooks {
		return
	}
	c := legacy.Claim{
		Line: r.module.line(n), End: r.module.end(n), Text: r.module.text(n),
		Subject: p.subject, Path: p.path, Op: p.op, Not: p.not, Any: p.any, Values: p.values, IgnoreCase: p.fold, Why: p.why,
	}
	if len(r.helper) > 0 {
		c.Helper = r.helper[len(r.helper)-1]
	}
	if r.module != r.source {
		// A line of another file says nothing of this one: the claim stands where the
		// test does.
		c.Line, c.End = r.test.Line, r.test.End
		if c.Helper == "" {
			c.Helper = r.module.name
		}
	}
	switch {
	case c.Why != "":
		r.unresolved(c.Line, c.Why)
	case c.Subject == legacy.Other:
		r.unresolved(c.Line, "what it is about is computed at run time")
	}
	if p.asked != nil {
		r.ask(p.asked)
	}
	if len(r.loops) > 0 {
		for i := r.loops[0].from; i < len(r.test.Claims); i++ {
			old := &r.test.Claims[i]
			if old.Line == c.Line && old.Text == c.Text && old.Op == c.Op && old.Path == c.Path && old.Not == c.Not && old.Subject == c.Subject && !old.Any && !c.Any && old.Helper == c.Helper &&
				len(c.Values) > 0 && len(old.Values) > 0 {
				if len(old.Values) < maxItems {
					old.Values = append(old.Values[:len(old.Values):len(old.Values)], c.Values...)
				}
				return
			}
		}
	}
	if len(r.test.Claims) < maxSteps/10 {
		r.test.Claims = append(r.test.Claims, c)
	}
}

// assertTrue claims that a value is true, or that it is not.
func (r *reader) assertTrue(v *value, yes bool, n *syntax.Node) {
	p := v.truthy()
	if p == nil {
		u := pending{subject: legacy.Other, op: legacy.Unknown, not: !yes, why: "computed at run time: " + v.reason()}
		if v != nil && v.known {
			u.why = ""
			u.op, u.values = legacy.Truthy, nil
		}
		if v != nil && v.instance != "" {
			u = pending{subject: legacy.Response, op: legacy.Truthy, not: !yes}
		}
		r.claim(u, n)
		return
	}
	either := v.either
	if !yes {
		d := denied(p, either)
		p, either = d.holds, d.either
	}
	if either && len(p) > 1 {
		r.eitherOf(p, n)
		return
	}
	for _, one := range p {
		r.claim(one, n)
	}
}

// eitherOf makes one claim of several of which one is enough, where they say
// the same of the same.
func (r *reader) eitherOf(p []pending, n *syntax.Node) {
	all := p[0]
	all.any = true
	all.values = append([]any{}, all.values...)
	for _, one := range p[1:] {
		if one.subject != all.subject || one.path != all.path || one.op != all.op || one.not != all.not || one.fold != all.fold || one.any != p[0].any {
			r.claim(pending{subject: all.subject, op: legacy.Unknown, why: "one of several things is enough", asked: all.asked}, n)
			return
		}
		all.values = append(all.values, one.values...)
	}
	r.claim(all, n)
}

// ask notes the call that asks the model, with what it is given.
func (r *reader) ask(a *asking) {
	if r.test == nil {
		return
	}
	if r.test.Call == "" {
		r.test.Call = a.text
	}
	for _, in := range a.inputs {
		seen := false
		for i, old := range r.test.Inputs {
			if old.Name == in.Name && old.From == in.From && old.Why == in.Why && fmt.Sprint(old.Value) == fmt.Sprint(in.Value) {
				seen = true
			}
			if old.Name == in.Name && i >= maxItems {
				seen = true
			}
		}
		if seen {
			continue
		}
		r.test.Inputs = append(r.test.Inputs, in)
		if in.Why != "" {
			r.unresolved(a.line, in.Why)
		}
	}
}
