package javascript

import (
	"strconv"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// eval says what is known of an expression.
func (r *reader) eval(n *syntax.Node, s *scope) *value {
	if n == nil {
		return undefined()
	}
	if r.steps++; r.steps > maxSteps {
		return unknown("too much is computed here to follow")
	}
	if r.depth++; r.depth > 4*maxCalls*10 {
		r.depth--
		return unknown("this nests too deep to follow")
	}
	defer func() { r.depth-- }()
	switch n.Kind {
	case syntax.String:
		if n.Lossy {
			return unknown("a string that no UTF-8 can spell")
		}
		return data(n.Text)
	case syntax.Number:
		return numeral(n.Text)
	case syntax.Literal:
		switch n.Text {
		case "true":
			return data(true)
		case "false":
			return data(false)
		}
		return data(nil)
	case syntax.Regexp:
		return pattern(n)
	case syntax.Template:
		return r.template(n, s)
	case syntax.Tagged:
		return r.tagged(n, s)
	case syntax.Ident:
		if n.Text == "this" {
			if s.this == nil {
				s.this = object()
			}
			return s.this
		}
		return r.lookup(n.Text, s)
	case syntax.Array:
		return r.array(n, s)
	case syntax.Object:
		return r.object(n, s)
	case syntax.Function:
		return &value{fn: n, scope: s}
	case syntax.Class:
		return classValue(n, s)
	case syntax.Member:
		v := r.member(r.eval(n.Kids[0], s), n.Text)
		if _, text := v.str(); text {
			v = named(v, clip(r.module.text(n)))
		}
		return v
	case syntax.Index:
		o := r.eval(n.Kids[0], s)
		i := r.eval(n.Kids[1], s)
		if key, ok := i.str(); ok {
			return r.member(o, key)
		}
		if f, ok := i.num(); ok && f >= 0 && f < 1e6 {
			return r.at(o, int(f))
		}
		if o.judged != nil {
			return r.at(o, 0)
		}
		return unknown("taken from a place that is computed at run time")
	case syntax.Call:
		return r.call(n, s)
	case syntax.New:
		return r.construct(n, s)
	case syntax.Unary:
		return r.unary(n, s)
	case syntax.Binary:
		return r.binary(n, s)
	case syntax.Assign:
		v := r.eval(n.Kids[1], s)
		if n.Op == "+=" {
			v = plus(r.eval(n.Kids[0], s), v)
		} else if n.Op != "=" {
			v = unknown("computed step by step")
		}
		r.assign(n.Kids[0], v, s, false)
		return v
	case syntax.Cond:
		return r.conditional(n, s)
	case syntax.Sequence:
		var v *value
		for _, k := range n.Kids {
			v = r.eval(k, s)
		}
		return v
	case syntax.Spread:
		return r.eval(n.Kids[0], s)
	}
	return unknown("not read: " + clip(r.module.text(n)))
}

func numeral(text string) *value {
	t := strings.TrimSuffix(strings.ReplaceAll(text, "_", ""), "n")
	if len(t) > 1 && t[0] == '0' && '0' <= t[1] && t[1] <= '9' {
		t = "0o" + t[1:]
	}
	if i, err := strconv.ParseInt(t, 0, 64); err == nil {
		return number(float64(i))
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil {
		return unknown("a number that cannot be read")
	}
	return number(f)
}

// pattern is a regular expression with its flags in its own spelling.
func pattern(n *syntax.Node) *value {
	v := &value{known: true, regexp: true}
	flags := ""
	if strings.Contains(n.Op, "m") {
		flags += "m"
	}
	if strings.Contains(n.Op, "s") {
		flags += "s"
	}
	text := n.Text
	if flags != "" {
		text = "(?" + flags + ")" + text
	}
	v.data = text
	v.fold = strings.Contains(n.Op, "i")
	return v
}

func (r *reader) template(n *syntax.Node, s *scope) *value {
	var b strings.Builder
	for i, k := range n.Kids {
		v := r.eval(k, s)
		text, ok := plain(v)
		if !ok {
			if len(n.Kids) == 3 && i == 1 && n.Kids[0].Text == "" && n.Kids[2].Text == "" {
				return v
			}
			return unknown("computed at run time: " + v.reason())
		}
		b.WriteString(text)
		if b.Len() > maxText {
			return unknown("too long a text is put together")
		}
	}
	return data(b.String())
}

// plain is what a value looks like in a template.
func plain(v *value) (string, bool) {
	x, ok := v.json()
	if !ok {
		return "", false
	}
	switch x := x.(type) {
	case string:
		return x, true
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(x), true
	case interface{ String() string }:
		return x.String(), true
	}
	return "", false
}

func (r *reader) tagged(n *syntax.Node, s *scope) *value {
	v := r.template(n.Kids[1], s)
	tag := r.module.text(n.Kids[0])
	text, ok := v.str()
	switch {
	case !ok:
		return v
	case tag == "dedent" || tag == "outdent" || tag == "stripIndent" || strings.HasSuffix(tag, ".dedent"):
		return data(dedent(text))
	case tag == "String.raw":
		if len(n.Kids[1].Kids) == 1 {
			raw := n.Kids[1]
			return data(string(r.module.tree.Source[raw.Start+1 : raw.End-1]))
		}
	case tag == "html" || tag == "markdown" || tag == "sql" || tag == "text":
		return v
	}
	return unknown("made of a template by " + clip(tag))
}

// dedent takes the indent that all lines share, and a blank first and last line.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	least := -1
	for _, l := range lines[1:] {
		if trimmed := strings.TrimLeft(l, " \t"); trimmed != "" && (least < 0 || len(l)-len(trimmed) < least) {
			least = len(l) - len(trimmed)
		}
	}
	for i := 1; i < len(lines) && least > 0; i++ {
		lines[i] = lines[i][min(least, len(lines[i])):]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (r *reader) array(n *syntax.Node, s *scope) *value {
	v := &value{items: []*value{}}
	for _, k := range n.Kids {
		if k.Kind == syntax.Spread {
			inner := r.eval(k.Kids[0], s)
			items, ok := inner.list()
			if !ok {
				if inner.judged != nil && len(n.Kids) == 1 {
					return inner
				}
				return unknown("a list that is put together at run time")
			}
			v.items = append(v.items, items...)
			continue
		}
		v.items = append(v.items, r.eval(k, s))
		if len(v.items) > maxSteps {
			return unknown("too long a list")
		}
	}
	return v
}

func (r *reader) object(n *syntax.Node, s *scope) *value {
	v := object()
	for _, k := range n.Kids {
		switch {
		case k.Kind == syntax.Spread:
			inner := r.eval(k.Kids[0], s)
			if m, ok := inner.data.(map[string]any); inner.known && ok {
				for key, x := range m {
					v.set(key, data(x))
				}
			}
			for _, key := range inner.keys {
				v.set(key, inner.fields[key])
			}
		case k.Kind == syntax.Property && k.Computed:
			if key, ok := plain(r.eval(k.Kids[1], s)); ok {
				v.set(key, r.eval(k.Kids[0], s))
			}
		case k.Kind == syntax.Property:
			v.set(k.Text, r.eval(k.Kids[0], s))
		}
	}
	return v
}

func (r *reader) unary(n *syntax.Node, s *scope) *value {
	v := r.eval(n.Kids[0], s)
	switch n.Op {
	case "await", "yield":
		return v
	case "!":
		if v.known {
			return data(!truth(v.data) || v.absent)
		}
		if p := v.truthy(); p != nil {
			return denied(p, v.either)
		}
	case "-":
		if f, ok := v.num(); ok {
			return number(-f)
		}
	case "+":
		if v.judged != nil {
			return v
		}
		if _, ok := v.num(); ok {
			return v
		}
	case "typeof":
		if v.judged != nil {
			j := *v.judged
			j.kind = true
			return about(j)
		}
	case "void":
		return undefined()
	}
	return unknown("computed at run time")
}

// denied turns what a value holds round: not (a and b) is not a or not b.
func denied(p []pending, either bool) *value {
	out := make([]pending, len(p))
	for i := range p {
		out[i] = p[i]
		out[i].not = !p[i].not
	}
	return &value{holds: out, either: !either && len(out) > 1}
}

func (r *reader) conditional(n *syntax.Node, s *scope) *value {
	test := r.eval(n.Kids[0], s)
	if test.known {
		if truth(test.data) && !test.absent {
			return r.eval(n.Kids[1], s)
		}
		return r.eval(n.Kids[2], s)
	}
	yes, no := r.eval(n.Kids[1], s), r.eval(n.Kids[2], s)
	return better(yes, no)
}

// better chooses of two that a value may be the one that a claim can be about.
func better(a, b *value) *value {
	switch {
	case a == nil:
		return b
	case b == nil, a.judged != nil && a.judged.subject != legacy.Response:
		return a
	case b.judged != nil:
		return b
	case a.judged != nil, a.fn != nil:
		return a
	}
	return unknown("it depends on a condition")
}

func (r *reader) binary(n *syntax.Node, s *scope) *value {
	a := r.eval(n.Kids[0], s)
	switch n.Op {
	case "&&", "||", "??":
		if a.known {
			if yes := truth(a.data) && !a.absent; yes == (n.Op == "&&") && (n.Op != "??" || a.data == nil) {
				return r.eval(n.Kids[1], s)
			}
			return a
		}
		return logical(n.Op, a, r.eval(n.Kids[1], s))
	}
	b := r.eval(n.Kids[1], s)
	switch n.Op {
	case "+":
		return plus(a, b)
	case "===", "==", "!==", "!=", "<", ">", "<=", ">=", "in", "instanceof":
		return r.compared(n.Op, a, b, n)
	}
	x, ok := a.num()
	y, also := b.num()
	if !ok || !also {
		return unknown("computed at run time")
	}
	switch n.Op {
	case "-":
		return number(x - y)
	case "*":
		return number(x * y)
	case "/":
		return number(x / y)
	}
	return unknown("computed at run time")
}

func logical(op string, a, b *value) *value {
	left, right := a.holds, b.holds
	if op == "&&" && a.judged != nil && right == nil {
		return better(b, a)
	}
	if left == nil || right == nil {
		return better(a, b)
	}
	either := op != "&&"
	if a.either != either && len(left) > 1 || b.either != either && len(right) > 1 {
		return unknown("a condition with and and or")
	}
	return &value{holds: append(append([]pending{}, left...), right...), either: either}
}

func plus(a, b *value) *value {
	if x, ok := a.num(); ok {
		if y, also := b.num(); also {
			return number(x + y)
		}
	}
	x, ok := plain(a)
	y, also := plain(b)
	switch {
	case !ok && a.judged != nil && b.known:
		return a
	case !ok:
		return unknown("computed at run time: " + a.reason())
	case !also:
		return unknown("computed at run time: " + b.reason())
	case len(x)+len(y) > maxText:
		return unknown("too long a text is put together")
	}
	return data(x + y)
}

// clip shortens a piece of source for a sentence.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return text
}
