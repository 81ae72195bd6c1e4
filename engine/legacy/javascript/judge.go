package javascript

import (
	"slices"
	"strconv"
	"strings"

	"docket/engine/field"
	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// member says what a member of a value is.
func (r *reader) member(v *value, name string) *value {
	switch {
	case v == nil || v.absent:
		return undefined()
	case v.chain != nil:
		return v.chain.propertyOf(name)
	case name == "should" && (v.judged != nil || v.double || v.holds != nil):
		return &value{chain: &chain{actual: v}}
	case v.judged != nil:
		return judgedMember(v, name)
	case v.fields != nil:
		if f, ok := v.fields[name]; ok {
			if f.fn != nil && f.bound == nil {
				c := *f
				c.bound = v
				return &c
			}
			return f
		}
		if v.instance != "" || v.double {
			return &value{outside: v.instance + "." + name, bound: v, double: v.double}
		}
		return undefined()
	case v.namespace != nil:
		return r.exported(v.namespace, name, 0)
	case v.double:
		return v
	case v.known:
		if m, ok := v.data.(map[string]any); ok {
			if x, ok := m[name]; ok {
				return data(x)
			}
			return undefined()
		}
		if name == "length" {
			return length(v)
		}
		return unknown("the member " + name + " of a constant")
	case v.items != nil:
		if name == "length" {
			return number(float64(len(v.items)))
		}
		return unknown("the member " + name + " of a list")
	case v.assert:
		return &value{assert: true, outside: v.outside + "." + name}
	case v.instance != "" || v.outside != "":
		at := v.outside
		if at == "" {
			at = v.instance
		}
		if name == "assert" && (at == "chai" || strings.HasSuffix(at, "assert")) || strings.HasSuffix(at, "assert") && name == "strict" {
			return &value{assert: true, outside: "assert"}
		}
		return &value{outside: at + "." + name, instance: v.instance}
	}
	return unknown(v.reason())
}

func length(v *value) *value {
	switch x := v.data.(type) {
	case string:
		n := 0
		for _, c := range x {
			n++
			if c > 0xffff {
				n++
			}
		}
		return number(float64(n))
	case []any:
		return number(float64(len(x)))
	}
	return undefined()
}

// at says what an item of a list is.
func (r *reader) at(v *value, i int) *value {
	if items, ok := v.list(); ok {
		if i < 0 {
			i += len(items)
		}
		if i >= 0 && i < len(items) {
			return items[i]
		}
		return undefined()
	}
	if v == nil || v.judged == nil {
		if v != nil && v.double {
			return v
		}
		if v != nil && v.why != "" {
			return unknown(v.why)
		}
		return unknown("an item of what is computed at run time")
	}
	j := *v.judged
	switch {
	case j.subject == legacy.Document || j.whole:
		j.subject, j.whole = legacy.Document, false
		j.path += "[" + strconv.Itoa(max(i, 0)) + "]"
	case j.subject == legacy.Response:
		j.path += "[" + strconv.Itoa(max(i, 0)) + "]"
	case j.subject == legacy.Tools && j.call == nil:
		j.call = &toolCall{}
	case j.subject == legacy.Answer && j.part == "lines":
		j.part = "line " + strconv.Itoa(i)
	}
	return about(j)
}

// textMembers are what the members of a result are called in which a text is
// kept.
func textMembers() []string {
	return []string{"text", "content", "output", "output_text", "outputText", "completion", "raw", "rawText", "markdown", "generated_text", "response_text"}
}

// toolMembers are what those are called in which tool calls are kept.
func toolMembers() []string {
	return []string{"tool_calls", "toolCalls", "tools", "toolUses", "tool_use", "function_call", "functionCalls", "calls", "steps"}
}

func judgedMember(v *value, name string) *value {
	j := *v.judged
	if name == "length" || name == "size" {
		return counted(j)
	}
	switch j.subject {
	case legacy.Document:
		j.path = string(field.AppendKey([]byte(j.path), name))
		return about(j)
	case legacy.Tools:
		return toolMember(j, name)
	case legacy.Answer:
		if !j.whole {
			return about(j)
		}
		return wholeMember(j, name)
	case legacy.Response:
		return responseMember(j, name)
	}
	j.path = dotted(j.path, name)
	return about(j)
}

func dotted(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// machineMembers are what those are called that only say how an answer came.
func machineMembers() []string {
	return []string{"usage", "model", "stop_reason", "stopReason", "finish_reason", "finishReason", "latency", "latencyMs", "latency_ms", "cost", "tokenUsage", "headers", "requestId", "choices", "logprobs", "duration", "durationMs", "response"}
}

// wholeMember is a member of what a call of the suite's own gave.
func wholeMember(j judged, name string) *value {
	j.whole = false
	switch {
	case slices.Contains(toolMembers(), name):
		j.subject = legacy.Tools
	case slices.Contains(machineMembers(), name):
		j.subject, j.path, j.vendor = legacy.Response, name, true
	case name == "json" || name == "parsed" || name == "data" || name == "result" || name == "object" || name == "structured":
		j.subject = legacy.Document
	case slices.Contains(textMembers(), name):
	default:
		j.subject, j.path = legacy.Document, string(field.AppendKey(nil, name))
	}
	return about(j)
}

// responseMember goes down a vendor's response object to the text, the tool
// calls or the JSON in it.
func responseMember(j judged, name string) *value {
	last := j.path[strings.LastIndexAny(j.path, ".")+1:]
	path := dotted(j.path, name)
	inText := strings.HasSuffix(j.path, "message") || strings.HasPrefix(last, "content[") || strings.HasPrefix(last, "parts[") || strings.HasPrefix(last, "output[") || j.path == ""
	switch {
	case slices.Contains(toolMembers(), name):
		return about(judged{subject: legacy.Tools, asked: j.asked})
	case name == "output_text", name == "text" && (inText || last == "response"), name == "content" && strings.HasSuffix(j.path, "message"), name == "completion",
		name == "text" && strings.HasPrefix(last, "choices["):
		return about(judged{subject: legacy.Answer, asked: j.asked})
	case name == "parsed" || name == "object" && j.path == "" || name == "output_parsed":
		return about(judged{subject: legacy.Document, asked: j.asked})
	case (name == "input" || name == "name") && strings.HasPrefix(last, "content["):
		return toolMember(judged{subject: legacy.Tools, asked: j.asked, call: &toolCall{}}, name)
	}
	j.path = path
	return about(j)
}

// toolMember is a member of the list of tool calls, or of one call.
func toolMember(j judged, name string) *value {
	switch name {
	case "name", "toolName", "tool_name":
		j.path = "name"
	case "function":
	case "input", "arguments", "args":
		j.path = "input"
	case "id", "type", "toolCallId":
		return about(judged{subject: legacy.Response, path: dotted("tool_calls", name), asked: j.asked})
	default:
		if j.path == "input" || strings.HasPrefix(j.path, "input.") {
			j.path += "." + name
		}
	}
	return about(j)
}

// counted is how many of something there are.
func counted(j judged) *value {
	j.count = true
	if j.subject == legacy.Answer && j.part == "" {
		j.part, j.whole = "characters", false
	}
	return about(j)
}

// compared is a comparison: of known values, or what it holds of a judged one.
func (r *reader) compared(op string, a, b *value, n *syntax.Node) *value {
	x, ok := a.json()
	y, also := b.json()
	if ok && also && op != "in" && op != "instanceof" {
		return known(op, a, b, x, y)
	}
	if p := r.comparison(op, a, b); p != nil {
		return holds(*p)
	}
	return unknown("computed at run time: " + clip(r.module.text(n)))
}

func known(op string, a, b *value, x, y any) *value {
	switch op {
	case "===", "==", "!==", "!=":
		if _, list := x.([]any); list {
			return data(op[0] == '!')
		}
		if _, m := x.(map[string]any); m {
			return data(op[0] == '!')
		}
		return data(equal(x, y) == (op[0] == '='))
	}
	f, ok := a.num()
	g, also := b.num()
	if !ok || !also {
		return unknown("computed at run time")
	}
	switch op {
	case "<":
		return data(f < g)
	case ">":
		return data(f > g)
	case "<=":
		return data(f <= g)
	}
	return data(f >= g)
}

func equal(x, y any) bool {
	switch x := x.(type) {
	case nil, bool, string:
		return x == y
	}
	f, ok := data(x).num()
	g, also := data(y).num()
	return ok && also && f == g
}

// comparison is what a comparison says of a judged value.
func (r *reader) comparison(op string, a, b *value) *pending {
	switch op {
	case "in":
		if b.judged == nil {
			return nil
		}
		return claimOn(b, legacy.HasKey, a)
	case "instanceof":
		return claimOn(a, legacy.IsA, data(b.describe()))
	}
	if a.judged == nil && !a.double {
		if b.judged == nil && !b.double {
			return nil
		}
		a, b = b, a
		op = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}[op] + map[string]string{"==": "==", "===": "==", "!=": "!=", "!==": "!="}[op]
	}
	if p := found(op, a, b); p != nil {
		return p
	}
	var p *pending
	switch op {
	case "===", "==":
		p = claimOn(a, legacy.Equals, b)
	case "!==", "!=":
		p = claimOn(a, legacy.Equals, b)
		p.not = true
	case "<":
		p = claimOn(a, legacy.AtLeast, b)
		p.not = true
	case "<=":
		p = claimOn(a, legacy.AtMost, b)
	case ">":
		p = claimOn(a, legacy.AtMost, b)
		p.not = true
	case ">=":
		p = claimOn(a, legacy.AtLeast, b)
	}
	return p
}

// found reads x.indexOf(y) !== -1 and x.search(y) >= 0.
func found(op string, a, b *value) *pending {
	f, ok := b.num()
	if !ok || a.judged == nil || a.like == nil {
		return nil
	}
	p := *a.like
	switch {
	case f == -1 && (op == "!==" || op == "!=" || op == ">"), f == 0 && op == ">=":
	case f == -1 && (op == "===" || op == "=="), f == 0 && op == "<":
		p.not = !p.not
	case f == 0 && (op == "===" || op == "=="):
		p.op = legacy.StartsWith
	default:
		return nil
	}
	return &p
}

// describe names what a value is, for a type or an exception.
func (v *value) describe() string {
	switch {
	case v.instance != "":
		return v.instance
	case v.outside != "":
		return strings.TrimSuffix(v.outside[strings.LastIndexByte(v.outside, '/')+1:], ".default")
	}
	return "a class"
}
