// Package newcase drafts a case from what a system was asked and answered.
//
// It refuses to take an answer for the right one: what was answered becomes an
// expectation where a person asks for that, and else a comment to think about.
// It never writes the answer's prose into a case.
package newcase

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/legacy/draft"
	"docket/engine/source"
)

// Input reads the input of a case from a file: a mapping in YAML or JSON, or a
// whole case, of which the input is taken.
func Input(name string, data []byte) (map[string]any, error) {
	v, problems := source.Parse(name, data)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if inner := v.Get("input"); inner.Kind() == source.Map && !v.Get("id").IsZero() {
		v = inner
	}
	input, ok := v.JSON().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%q must hold the input as a mapping in YAML or JSON, such as {ticket: \"…\"}, got %s", name, v.Describe())
	}
	return input, nil
}

// Suggest returns the expectation that what a system answered, as it was
// projected over all samples, would meet: the label where the suite lists it,
// the tools called, the language, whether it refused. It is empty where nothing
// is to be said.
func Suggest(projections map[string]any, labels []string) map[string]any {
	expect := map[string]any{}
	if label, ok := projections["label"].(string); ok && slices.Contains(labels, label) {
		expect["label"] = label
	}
	if calls, ok := projections["tools"].([]any); ok && len(calls) > 0 {
		var names []any
		for _, call := range calls {
			name, _, _ := strings.Cut(fmt.Sprint(call), "(")
			names = append(names, name)
		}
		expect["tool_calls"] = map[string]any{"sequence": names}
	}
	if language, ok := projections["language"].(string); ok && language != "unknown" {
		expect["language"] = language
	}
	if refused, ok := projections["refusal"].(bool); ok {
		expect["refusal"] = refused
	}
	return expect
}

// A Draft is a case that is to be written.
type Draft struct {
	ID, Added, Provenance, Family string
	Tags                          []string
	Input                         map[string]any
	Suggested                     map[string]any
	Expect                        bool   // what is suggested becomes the expectation
	Origin                        string // where input and answer come from, for a comment; "" for none
}

// File returns the name of the case's file, without its folder, and its text.
func (d *Draft) File() (name string, text []byte, err error) {
	if d.Input == nil {
		return "", nil, errors.New("nothing says what the case asks")
	}
	c := draft.Case{ID: d.ID, Added: d.Added, Provenance: d.Provenance, Family: d.Family, Tags: d.Tags, Input: d.Input}
	if d.Origin != "" {
		c.Notes = append(c.Notes, d.Origin)
	}
	switch {
	case len(d.Suggested) == 0:
	case d.Expect:
		c.Expect = d.Suggested
		c.Notes = append(c.Notes, "The expectation is what was answered: look whether it is right.")
	default:
		c.Notes = append(c.Notes, "What was answered would meet, in expect:")
		for _, key := range slices.Sorted(maps.Keys(d.Suggested)) {
			c.Notes = append(c.Notes, key+": "+string(canonical.Marshal(d.Suggested[key])))
		}
	}
	return draft.FileName(d.ID), c.YAML(), nil
}
