// Package coverage says what only one case of a suite covers: the fact that no
// other case asks for, the tag that none else bears, the incident that nothing
// else guards against. It is what a suite would lose with the case.
//
// It compares what cases ask and never how they did. It refuses to weigh one
// loss against another: that is for the person who decides.
package coverage

import (
	"maps"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/provenance"
	"docket/engine/suite"
)

// A Kind is what sort of thing a case covers.
type Kind string

// The kinds, in the order in which losses are told.
const (
	Incident Kind = "incident" // that the provenance names
	Fact     Kind = "fact"     // a key of must_contain_fact
	Check    Kind = "check"    // a key of expect, or a path below fields
	Label    Kind = "label"    // an expected label
	Tool     Kind = "tool"     // a tool that is expected, or forbidden
	Tag      Kind = "tag"
	Family   Kind = "family"
	Ticket   Kind = "ticket" // any other reference of the provenance
	Value    Kind = "value"  // what a fact must be
)

// kinds returns all of them, in their order.
func kinds() []Kind {
	return []Kind{Incident, Fact, Check, Label, Tool, Tag, Family, Ticket, Value}
}

// A Feature is one thing that a case covers.
type Feature struct {
	Kind Kind
	Name string
}

// Slight reports whether most cases are the only one with a feature of this
// kind, so that its loss says little by itself.
func (f Feature) Slight() bool { return f.Kind == Ticket || f.Kind == Value }

// A Loss is a feature that goes with a case.
type Loss struct {
	Feature
	// Going are other cases that have it and go as well, sorted.
	Going []string
}

// An Index knows which cases of a suite have which features.
type Index struct {
	of map[string][]Feature
	by map[Feature][]string // sorted ids
}

// New indexes the cases of a suite, whose expectations must not have been
// released. The rules are those of `links:` in the configuration.
func New(cases []*suite.Case, rules []suite.Link) *Index {
	x := &Index{of: make(map[string][]Feature, len(cases)), by: map[Feature][]string{}}
	for _, c := range cases {
		features := featuresOf(c, rules)
		x.of[c.ID] = features
		for _, f := range features {
			x.by[f] = append(x.by[f], c.ID)
		}
	}
	for f := range x.by {
		slices.Sort(x.by[f])
	}
	return x
}

// Lost returns what no case but this one covers, among those that do not go
// either: the weightiest kinds first.
func (x *Index) Lost(id string, going func(id string) bool) []Loss {
	var losses []Loss
	for _, f := range x.of[id] {
		loss := Loss{Feature: f}
		stays := false
		for _, other := range x.by[f] {
			switch {
			case other == id:
			case going != nil && going(other):
				loss.Going = append(loss.Going, other)
			default:
				stays = true
			}
		}
		if !stays {
			losses = append(losses, loss)
		}
	}
	order := kinds()
	slices.SortStableFunc(losses, func(a, b Loss) int {
		return slices.Index(order, a.Kind) - slices.Index(order, b.Kind)
	})
	return losses
}

// Shared returns what a case covers that others cover as well, with how many
// others do.
func (x *Index) Shared(id string, going func(id string) bool) map[Feature]int {
	shared := map[Feature]int{}
	for _, f := range x.of[id] {
		n := 0
		for _, other := range x.by[f] {
			if other != id && (going == nil || !going(other)) {
				n++
			}
		}
		if n > 0 {
			shared[f] = n
		}
	}
	return shared
}

// featuresOf returns what a case covers, each once.
func featuresOf(c *suite.Case, rules []suite.Link) []Feature {
	var features []Feature
	seen := map[Feature]bool{}
	add := func(kind Kind, name string) {
		if f := (Feature{kind, name}); name != "" && !seen[f] {
			seen[f] = true
			features = append(features, f)
		}
	}
	for _, name := range provenance.Incidents(c.Provenance, rules) {
		add(Incident, name)
	}
	expect, _ := c.Expect.JSON().(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(expect)) {
		switch key {
		case "must_contain_fact":
			facts(expect[key], add)
		case "fields":
			if fields, ok := expect[key].(map[string]any); ok {
				for _, path := range slices.Sorted(maps.Keys(fields)) {
					add(Check, "fields: "+path)
				}
			}
		case "label":
			if label, ok := expect[key].(string); ok {
				add(Label, label)
			}
		case "tool_calls":
			tools(expect[key], add)
		default:
			add(Check, key)
		}
	}
	for _, tag := range c.Tags {
		add(Tag, tag)
	}
	add(Family, c.Family)
	for _, r := range provenance.References(c.Provenance, rules) {
		if r.Kind == provenance.Ticket && !seen[Feature{Incident, r.Text}] {
			add(Ticket, r.Text)
		}
	}
	return features
}

func facts(v any, add func(Kind, string)) {
	items, _ := v.([]any)
	for _, item := range items {
		fact, _ := item.(map[string]any)
		key, _ := fact["key"].(string)
		add(Fact, key)
		for _, of := range []string{"value", "any"} {
			if value, ok := fact[of]; ok && key != "" {
				add(Value, key+" "+spell(value))
			}
		}
	}
}

func tools(v any, add func(Kind, string)) {
	calls, _ := v.(map[string]any)
	for _, of := range []string{"sequence", "contains", "forbidden"} {
		names, _ := calls[of].([]any)
		for _, name := range names {
			if name, ok := name.(string); ok {
				before, _, _ := strings.Cut(name, "(")
				add(Tool, before)
			}
		}
	}
}

func spell(v any) string {
	if text, ok := v.(string); ok {
		return "“" + text + "”"
	}
	return string(canonical.Marshal(v))
}
