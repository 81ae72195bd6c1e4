package check

import (
	"strconv"

	"docket/engine/source"
)

// boolean reads true or false.
func (c *compiler) boolean(v source.Value, key string) bool {
	b, ok := v.Bool()
	if !ok {
		c.problem(v, "%s: expected true or false, got %s", key, v.Describe())
	}
	return b
}

// str reads one string that is not blank. A number is taken as it is written.
func (c *compiler) str(v source.Value, what string) (string, bool) {
	if v.Kind() != source.String && v.Kind() != source.Number {
		c.problem(v, "expected %s, got %s", what, v.Describe())
		return "", false
	}
	s := v.Scalar()
	if fold(s, false) == "" {
		c.problem(v, "expected %s, got a blank one", what)
		return "", false
	}
	return s, true
}

// list reads a list that is not empty.
func (c *compiler) list(v source.Value, key, example string) []source.Value {
	switch {
	case v.Kind() != source.List:
		c.problem(v, "%s: expected a list such as %s, got %s", key, example, v.Describe())
	case len(v.Items()) == 0:
		c.problem(v, "%s: the list is empty; leave the key out, or list something", key)
	}
	return v.Items()
}

// strings reads a list of strings, none blank and none twice.
func (c *compiler) strings(v source.Value, key, example string) []string {
	var all []string
	seen := map[string]bool{}
	for _, it := range c.list(v, key, example) {
		s, ok := c.str(it, "a string")
		if !ok {
			continue
		}
		if seen[s] {
			c.problem(it, "%s: %s is listed twice", key, quote(s))
			continue
		}
		seen[s] = true
		all = append(all, s)
	}
	return all
}

// known checks a mapping's keys and reports whether it is one.
func (c *compiler) known(v source.Value, what string, keys ...string) bool {
	problems := source.Known(v, what, keys...)
	c.add(problems...)
	return v.Kind() == source.Map
}

// wholeNumber reads a whole number from 0.
func wholeNumber(v source.Value) (int, bool) {
	n, ok := v.Number()
	if !ok {
		return 0, false
	}
	whole, err := strconv.ParseInt(n.String(), 10, 32)
	return int(whole), err == nil && whole >= 0
}

// texts gives strings in the JSON model.
func texts(list []string) []any {
	items := make([]any, len(list))
	for i, s := range list {
		items[i] = s
	}
	return items
}
