package check

import (
	"context"
	"slices"
	"strings"

	"docket/engine/source"
)

// A containsFact passes when any of its values is in the text.
type containsFact struct {
	name       string
	values     []string // as written
	folded     []string
	ignoreCase bool
}

func (f *containsFact) Name() string { return f.name }

func (f *containsFact) Judge(_ context.Context, s *Subject) (Verdict, error) {
	text := s.text(f.ignoreCase)
	for _, v := range f.folded {
		if strings.Contains(text, v) {
			return passed(), nil
		}
	}
	if len(f.values) == 1 {
		return failed("%s is not in the text", quote(f.values[0])), nil
	}
	quoted := make([]string, len(f.values))
	for i, v := range f.values {
		quoted[i] = quote(v)
	}
	return failed("none of %s is in the text", strings.Join(quoted, ", ")), nil
}

const factExample = `[{key: refund_window, value: "30 days"}]`

func compileFacts(c *compiler, v source.Value) []item {
	var items []item
	for _, fact := range c.list(v, "must_contain_fact", factExample) {
		before := len(c.problems)
		if c.known(fact, "a fact", "key", "value", "any", ignoreCase); len(c.problems) > before {
			continue
		}
		f := &containsFact{ignoreCase: c.ignoreCase}
		if own := fact.Get(ignoreCase); !own.IsZero() {
			f.ignoreCase = c.boolean(own, ignoreCase)
		}
		ok := c.factName(f, fact)
		if !c.factValues(f, fact) || !ok {
			continue
		}
		for _, value := range f.values {
			f.folded = append(f.folded, fold(value, f.ignoreCase))
		}
		asked := slices.Clone(f.folded)
		slices.Sort(asked) // any of them will do, in whatever order
		items = append(items, item{f, map[string]any{"any": texts(asked), ignoreCase: f.ignoreCase}})
	}
	return items
}

func (c *compiler) factName(f *containsFact, fact source.Value) bool {
	key := fact.Get("key")
	if key.IsZero() {
		c.problem(fact, "a fact needs a key, which names the check: {key: refund_window, value: \"30 days\"}")
		return false
	}
	name, ok := c.str(key, "a name for the fact")
	if !ok {
		return false
	}
	if name == SchemaName || isKey(name, c.table) {
		c.problem(key, "a fact cannot be called %s, since that is the name of another check: give it a key of its own", quote(name))
		return false
	}
	f.name = name
	return c.claim(name, key)
}

func (c *compiler) factValues(f *containsFact, fact source.Value) bool {
	value, anyOf := fact.Get("value"), fact.Get("any")
	switch {
	case value.IsZero() == anyOf.IsZero():
		c.problem(fact, "a fact needs either value, a string, or any, a list of strings")
		return false
	case !value.IsZero():
		s, ok := c.str(value, "the fact as a string")
		f.values = []string{s}
		return ok
	}
	f.values = c.strings(anyOf, "any", `["30 days", "one month"]`)
	return len(f.values) > 0
}

// An absentString passes when a string is not in the text.
type absentString struct {
	name, value, folded string
	ignoreCase          bool
}

func (a *absentString) Name() string { return a.name }

func (a *absentString) Judge(_ context.Context, s *Subject) (Verdict, error) {
	if strings.Contains(s.text(a.ignoreCase), a.folded) {
		return failed("%s is in the text", quote(a.value)), nil
	}
	return passed(), nil
}

func compileForbidden(c *compiler, v source.Value) []item {
	var items []item
	for _, it := range c.list(v, "must_not_contain", `["as an AI", "14 days"]`) {
		value, ok := c.str(it, "a string")
		if !ok {
			continue
		}
		a := &absentString{name: "must_not_contain:" + value, value: value, folded: fold(value, c.ignoreCase), ignoreCase: c.ignoreCase}
		if c.claim(a.name, it) {
			items = append(items, item{a, map[string]any{"text": a.folded, ignoreCase: a.ignoreCase}})
		}
	}
	return items
}
