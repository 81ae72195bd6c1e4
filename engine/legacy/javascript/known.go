package javascript

import (
	"path"
	"strings"

	"docket/engine/legacy"
)

// wellKnown computes what the language's own functions give.
func (r *reader) wellKnown(outside string, args []*value) (*value, bool) {
	a := arg(args, 0)
	switch outside {
	case "JSON.parse":
		if a.judged != nil {
			j := *a.judged
			if j.subject == legacy.Answer || j.whole {
				return about(judged{subject: legacy.Document, asked: j.asked}), true
			}
			return about(j), true
		}
		if text, ok := a.str(); ok {
			if v, err := parseJSON([]byte(text)); err == nil {
				return data(v), true
			}
		}
		return unknown("parsed at run time"), true
	case "JSON.stringify":
		if a.judged != nil {
			return a, true
		}
		return stringified(a), true
	case "Object.freeze", "structuredClone", "Promise.resolve", "Object.values", "Promise.all", "Promise.allSettled", "Array.from", "Object.entries":
		if a.judged != nil || outside == "Object.freeze" || outside == "structuredClone" || outside == "Promise.resolve" || outside == "Promise.all" {
			return a, true
		}
		if outside == "Object.values" && a.fields != nil {
			v := &value{items: []*value{}}
			for _, k := range a.keys {
				v.items = append(v.items, a.fields[k])
			}
			return v, true
		}
		if items, ok := a.list(); ok && outside == "Array.from" && len(args) == 1 {
			return &value{items: items}, true
		}
		return unknown("computed at run time by " + outside), true
	case "Object.keys", "Object.getOwnPropertyNames":
		if a.judged != nil {
			j := *a.judged
			j.keyed, j.whole = true, false
			return about(j), true
		}
		if a.fields != nil {
			v := &value{items: []*value{}}
			for _, k := range a.keys {
				v.items = append(v.items, data(k))
			}
			return v, true
		}
	case "String", "Number", "Boolean", "parseInt", "parseFloat", "Number.parseFloat", "Number.parseInt", "Math.round", "Math.abs":
		if a.judged != nil || outside == "String" && a.known {
			return a, true
		}
	case "Array.isArray":
		if a.judged != nil {
			p := claimOn(a, legacy.IsA, data("array"))
			return holds(*p), true
		}
	case "Number.isInteger", "Number.isFinite", "isNaN", "Number.isNaN":
		if a.judged != nil {
			return holds(*claimOn(a, legacy.IsA, data("number"))), true
		}
	case "fs.readFileSync", "readFileSync", "node:fs.readFileSync", "fs/promises.readFile", "fs.promises.readFile", "node:fs/promises.readFile", "fs.default.readFileSync":
		return r.fixture(a), true
	case "path.join", "path.resolve", "join", "resolve", "node:path.join", "node:path.resolve":
		return joined(args), true
	}
	return nil, false
}

// joined puts a path together; __dirname and import.meta.dirname are the
// folder of the suite.
func joined(args []*value) *value {
	var parts []string
	for _, a := range args {
		if a.outside == "__dirname" || strings.HasPrefix(a.outside, "import.meta") || strings.HasPrefix(a.outside, "import.") {
			continue
		}
		text, ok := a.str()
		if !ok {
			return unknown("a path that is put together at run time")
		}
		parts = append(parts, text)
	}
	return data(path.Join(parts...))
}

// fixture reads a file beside the suite.
// vendorCall matches the calls of the clients of vendors.
func (r *reader) fixture(name *value) *value {
	text, ok := name.str()
	if !ok {
		return unknown("read at run time from a file whose name is computed")
	}
	text = path.Join(path.Dir(r.module.name), path.Clean(text))
	content, err := r.read(text)
	if err != nil || len(content) > maxText {
		return unknown("read at run time from " + clip(text) + ", which cannot be had")
	}
	v := data(string(content))
	v.from = text
	return v
}
