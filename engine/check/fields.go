package check

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/field"
	"docket/engine/phrase"
	"docket/engine/prose"
	"docket/engine/safetext"
	"docket/engine/source"
)

// A fieldsCheck passes when every path of the JSON in the text leads to what is
// expected there. The score is the share that holds.
type fieldsCheck struct{ fields []expectedField }

type expectedField struct {
	path field.Path
	want expectation
}

func (f *fieldsCheck) Name() string { return "fields" }

func (f *fieldsCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	if !s.HasDocument {
		return failed("the text holds no JSON"), nil
	}
	held := 0
	var wrong []string
	for _, e := range f.fields {
		found := e.path.Find(s.Document)
		var got any
		switch {
		case len(found) == 0:
			wrong = append(wrong, e.path.String()+" is absent")
			continue
		case !e.path.Multiple():
			got = found[0]
		default:
			got = found // items[].name is the list of all names
		}
		if e.want.holds(got) {
			held++
		} else {
			wrong = append(wrong, fmt.Sprintf("%s is %s, not %s", e.path, quoteJSON(got), e.want))
		}
	}
	return share(float64(held), float64(len(f.fields)), func() string { return strings.Join(wrong, "; ") }), nil
}

// quoteJSON spells a value for a message.
func quoteJSON(v any) string {
	return safetext.Line(phrase.Abridge(string(canonical.Marshal(v)), 60))
}

// An expectation is a value that another must equal, or a number that it must
// lie near to.
type expectation struct {
	value  any // normalized
	near   *float64
	within float64
}

func (e expectation) String() string {
	if e.near != nil {
		return fmt.Sprintf("within %v of %v", e.within, *e.near)
	}
	return quoteJSON(e.value)
}

// holds compares by value: 1.0 equals 1, and strings are compared as
// everywhere, in NFC with runs of white space as one.
func (e expectation) holds(got any) bool {
	if e.near == nil {
		return sameJSON(e.value, got)
	}
	n, ok := got.(json.Number)
	if !ok {
		return false
	}
	f, err := n.Float64()
	if err != nil {
		return false
	}
	// The slack is for decimal fractions, which floats do not hold exactly:
	// 128.41 lies within 0.01 of 128.40.
	slack := 1e-9 * max(math.Abs(f), math.Abs(*e.near), e.within)
	return math.Abs(f-*e.near) <= e.within+slack
}

// sameJSON compares two values of the JSON model. The first is normalized.
func sameJSON(want, got any) bool {
	switch want := want.(type) {
	case string:
		got, ok := got.(string)
		return ok && (want == got || want == prose.Normalize(got))
	case json.Number:
		got, ok := got.(json.Number)
		return ok && (want == got || string(canonical.AppendNumber(nil, want)) == string(canonical.AppendNumber(nil, got)))
	case []any:
		got, ok := got.([]any)
		return ok && slices.EqualFunc(want, got, sameJSON)
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for key, w := range want {
			if g, ok := got[key]; !ok || !sameJSON(w, g) {
				return false
			}
		}
		return true
	}
	return want == got // nil and bool
}

// normalizeJSON brings the strings of a value into the form of comparison.
func normalizeJSON(v any) any {
	switch v := v.(type) {
	case string:
		return prose.Normalize(v)
	case []any:
		for i := range v {
			v[i] = normalizeJSON(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = normalizeJSON(v[key])
		}
	}
	return v
}

func compileFields(c *compiler, v source.Value) []item {
	const example = "{status: overdue, amount: {near: 128.40, within: 0.01}}"
	if v.Kind() != source.Map || len(v.Entries()) == 0 {
		c.problem(v, "fields: expected paths and their values, such as %s, got %s", example, v.Describe())
		return nil
	}
	f := &fieldsCheck{}
	asked := map[string]any{}
	for _, e := range v.Entries() {
		path, err := field.Parse(e.Key)
		if err != nil {
			c.add(e.KeyAt.Problemf("fields: %v", err))
			continue
		}
		want, ok := c.expectation(e.Value)
		if !ok {
			continue
		}
		if _, twice := asked[path.String()]; twice {
			c.add(e.KeyAt.Problemf("fields: %s stands here twice, in two spellings", quote(path.String())))
			continue
		}
		f.fields = append(f.fields, expectedField{path, want})
		asked[path.String()] = e.Value.JSON()
	}
	return []item{{f, asked}}
}

// expectation reads a value, or {near: 128.40, within: 0.01}.
func (c *compiler) expectation(v source.Value) (expectation, bool) {
	near, within := v.Get("near"), v.Get("within")
	if near.IsZero() && within.IsZero() {
		return expectation{value: normalizeJSON(v.JSON())}, true
	}
	before := len(c.problems)
	c.known(v, "a tolerance", "near", "within")
	e := expectation{}
	n, okNear := c.float(near, v, "near")
	e.within, _ = c.float(within, v, "within")
	e.near = &n
	if okNear && e.within < 0 {
		c.problem(within, "within is %v: a tolerance is 0 or more", e.within)
	}
	return e, len(c.problems) == before
}

// float reads a number that a key of the mapping in must have.
func (c *compiler) float(v, in source.Value, key string) (float64, bool) {
	if v.IsZero() {
		c.problem(in, "a tolerance needs both numbers: {near: 128.40, within: 0.01}")
		return 0, false
	}
	n, ok := v.Number()
	if ok {
		if f, err := n.Float64(); err == nil {
			return f, true
		}
	}
	c.problem(v, "%s: expected a number, got %s", key, v.Describe())
	return 0, false
}
