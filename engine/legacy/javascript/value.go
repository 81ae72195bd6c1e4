package javascript

import (
	"encoding/json"
	"math"
	"strconv"

	"docket/engine/canonical"
	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// A value is what is known of a value of the suite without running it. At most
// one of its groups is filled.
type value struct {
	// Known: data in the JSON model; absent for undefined.
	known  bool
	data   any
	absent bool
	regexp bool // data is a pattern
	fold   bool // of a pattern: it ignores case

	// Partly known: an object or a list of which each member is a value.
	fields map[string]*value
	keys   []string // of fields, in order
	items  []*value

	// A function of the suite, or a method of one's own.
	fn    *syntax.Node
	scope *scope
	bound *value // what this is

	namespace *module
	outside   string // the name under which something of a package is known, such as "vitest.vi"
	instance  string // the class of which it is an instance

	judged *judged // a piece of what a model gave
	holds  []pending
	either bool     // one of holds is enough
	chain  *chain   // expect(…) and its like
	like   *pending // expect.stringContaining(…) and its like
	assert bool     // assert, or a test's t
	double bool

	why  string // why nothing is known
	from string // the constant that holds it
}

// A judged is what a claim can be about.
type judged struct {
	subject legacy.Subject
	path    string
	fold    bool   // brought to lower case
	part    string // words, lines, …: the parts of a text, or their number
	count   bool   // the number of the parts
	whole   bool   // as it came from a call of the suite's own: text or object
	vendor  bool   // as it came from a vendor's client
	kind    bool   // typeof it
	keyed   bool   // its keys
	call    *toolCall
	asked   *asking
}

// A toolCall is shared by the pieces of one call of a tool.
type toolCall struct{ name string }

// An asking is a call that asks a model.
type asking struct {
	text   string
	inputs []legacy.Input
	line   int
}

func data(v any) *value         { return &value{known: true, data: v} }
func unknown(why string) *value { return &value{why: why} }
func undefined() *value         { return &value{known: true, absent: true} }
func about(j judged) *value     { return &value{judged: &j} }
func number(f float64) *value   { return data(spell(f)) }
func holds(p ...pending) *value { return &value{holds: p} }
func (v *value) str() (string, bool) {
	if v == nil || !v.known || v.regexp {
		return "", false
	}
	s, ok := v.data.(string)
	return s, ok
}

func (v *value) num() (float64, bool) {
	if v == nil || !v.known {
		return 0, false
	}
	n, ok := v.data.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// spell writes a number as JSON does; what JSON has no number for is nil.
func spell(f float64) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// list returns the items of a list, known or partly so.
func (v *value) list() ([]*value, bool) {
	switch {
	case v == nil:
		return nil, false
	case v.items != nil:
		return v.items, true
	case v.known:
		items, ok := v.data.([]any)
		if !ok {
			return nil, false
		}
		list := make([]*value, len(items))
		for i, it := range items {
			list[i] = data(it)
		}
		return list, true
	}
	return nil, false
}

// Limits on what is put together of a value that may hold itself.
const (
	maxDeep = 60
	maxSize = 50_000 // values
)

// json returns the value where all of it is known.
func (v *value) json() (any, bool) {
	left := maxSize
	return v.whole(0, &left)
}

// whole is json below a depth, for so many values as are left.
func (v *value) whole(depth int, left *int) (any, bool) {
	if *left--; v == nil || v.absent || depth > maxDeep || *left < 0 {
		return nil, false
	}
	switch {
	case v.known && !v.regexp:
		return v.data, true
	case v.items != nil:
		out := make([]any, len(v.items))
		for i, it := range v.items {
			x, ok := it.whole(depth+1, left)
			if !ok {
				return nil, false
			}
			out[i] = x
		}
		return out, true
	case v.fields != nil:
		out := make(map[string]any, len(v.fields))
		for k, f := range v.fields {
			if f.absent {
				continue
			}
			x, ok := f.whole(depth+1, left)
			if !ok {
				return nil, false
			}
			out[k] = x
		}
		return out, true
	}
	return nil, false
}

// reason says why a value is not known.
func (v *value) reason() string { return v.because(0) }

func (v *value) because(depth int) string {
	switch {
	case v == nil:
		return "not found in the source"
	case v.why != "":
		return v.why
	case v.judged != nil:
		return "part of what a call gives"
	case v.fn != nil:
		return "a function"
	case v.outside != "":
		return "from another package"
	case depth > maxDeep:
		return "a value that holds itself"
	}
	for _, f := range v.items {
		if !f.known {
			return f.because(depth + 1)
		}
	}
	for _, k := range v.keys {
		if f := v.fields[k]; !f.known {
			return f.because(depth + 1)
		}
	}
	return "computed at run time"
}

func object() *value { return &value{fields: map[string]*value{}} }

func (v *value) set(key string, to *value) {
	if _, ok := v.fields[key]; !ok {
		v.keys = append(v.keys, key)
	}
	v.fields[key] = to
}

func parseJSON(b []byte) (any, error) { return canonical.Parse(b) }

// truth tells whether a known value counts as true.
func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f, _ := v.Float64()
		return f != 0
	}
	return true
}
