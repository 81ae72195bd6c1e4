package recording

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"docket/engine/field"
	"docket/engine/source"
)

// Rules say what of a request to one service or provider does not count when
// recordings are looked up. The zero Rules count everything.
//
// A rule is a path into a JSON body as checks and projections write it, such as
// meta.trace or items[].id. One that is a single key also names a parameter of
// the query, or of a form.
type Rules struct {
	// Ignore leaves values out: present, absent and different are the same.
	Ignore []string
	// Volatile leaves out what the value is, but not whether it is there.
	Volatile []string

	ignore, volatile []rule
}

type rule struct {
	path field.Path
	name string // the parameter it names; "" for none
}

// volatileMark stands in a hash for a value that may be any.
const volatileMark = "[volatile]"

// NewRules compiles rules. They are sorted, and spelled in the one way in which
// recordings write them.
func NewRules(ignore, volatile []string) (Rules, error) {
	var r Rules
	var err error
	if r.Ignore, r.ignore, err = compileRules(ignore); err != nil {
		return Rules{}, err
	}
	if r.Volatile, r.volatile, err = compileRules(volatile); err != nil {
		return Rules{}, err
	}
	return r, nil
}

func compileRules(texts []string) (spelled []string, rules []rule, err error) {
	for _, text := range texts {
		path, err := field.Parse(text)
		if err != nil {
			return nil, nil, err
		}
		spelled = append(spelled, path.String())
	}
	slices.Sort(spelled)
	spelled = slices.Compact(spelled)
	for _, text := range spelled {
		path, err := field.Parse(text)
		if err != nil {
			return nil, nil, err
		}
		r := rule{path: path}
		if field.Bare(text) {
			r.name = text
		} else if strings.HasPrefix(text, `"`) {
			_ = json.Unmarshal([]byte(text), &r.name) // a longer path is none
		}
		rules = append(rules, r)
	}
	return spelled, rules, nil
}

// RuleKeys are the keys of a service's configuration that [CompileRules] reads.
func RuleKeys() []string { return []string{"ignore", "volatile"} }

// CompileRules reads the rules in a service's configuration, which has other
// keys, too. Each key takes a list of paths, or one.
func CompileRules(service source.Value) (Rules, source.Problems) {
	var problems source.Problems
	read := func(key string) []string {
		v := service.Get(key)
		items := v.Items()
		if _, ok := v.Text(); ok {
			items = []source.Value{v}
		} else if !v.IsZero() && v.Kind() != source.List {
			problems = append(problems, v.Problemf("%s must be a list of paths such as [request_id, meta.trace], got %s", key, v.Describe()))
		}
		var paths []string
		for _, item := range items {
			s, ok := item.Text()
			if !ok {
				problems = append(problems, item.Problemf("%s must hold paths such as request_id, got %s", key, item.Describe()))
				continue
			}
			if _, err := field.Parse(s); err != nil {
				problems = append(problems, item.Problemf("%s: %v", key, err))
				continue
			}
			paths = append(paths, s)
		}
		return paths
	}
	ignore, volatile := read("ignore"), read("volatile")
	rules, err := NewRules(ignore, volatile)
	if err != nil {
		problems = append(problems, service.Problemf("%v", err))
	}
	return rules, problems
}

// value applies the rules to a JSON body.
func (r *Rules) value(v any) any {
	for _, rule := range r.ignore {
		v = rule.path.Edit(v, func(any) (any, bool) { return nil, false })
	}
	for _, rule := range r.volatile {
		v = rule.path.Edit(v, func(any) (any, bool) { return volatileMark, true })
	}
	return v
}

// parameters applies the rules to a query or a form.
func (r *Rules) parameters(list parameters) parameters {
	if len(r.ignore) == 0 && len(r.volatile) == 0 {
		return list
	}
	var kept parameters
	for _, p := range list {
		named := func(rule rule) bool { return rule.name != "" && rule.name == p.name }
		if slices.ContainsFunc(r.ignore, named) {
			continue
		}
		if slices.ContainsFunc(r.volatile, named) {
			p.value = volatileMark
		}
		kept = append(kept, p)
	}
	return kept
}

func (r *Rules) same(other *Rules) bool {
	return slices.Equal(r.Ignore, other.Ignore) && slices.Equal(r.Volatile, other.Volatile)
}

// describe names the rules in a message.
func (r *Rules) describe() string {
	var parts []string
	if len(r.Ignore) > 0 {
		parts = append(parts, fmt.Sprintf("ignore %q", r.Ignore))
	}
	if len(r.Volatile) > 0 {
		parts = append(parts, fmt.Sprintf("volatile %q", r.Volatile))
	}
	if len(parts) == 0 {
		return "no rules"
	}
	return strings.Join(parts, ", ")
}
