package diff

import (
	"cmp"
	"slices"
	"strings"
)

// Signature describes what changed in a case in one short phrase, such as
// "label overdue → paid" or "tools − lookup_invoice"; cases with one signature
// changed alike. It leaves out what differs from case to case by nature, such
// as the very identifiers that an answer lost. The phrase may quote the output
// and is untrusted text.
func (c *Case) Signature() string {
	switch c.Status {
	case New, Gone, Error, Missed:
		return string(c.Status)
	}
	tools := slices.ContainsFunc(c.Changes, func(c Change) bool { return c.Of == "tools" && c.Effect != Unclear })
	var parts []string
	for _, change := range inOrder(c.Changes) {
		if tools && change.Of == "toolset" {
			continue // the sequence says it already
		}
		if part := change.signature(); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return string(c.Status)
	}
	return strings.Join(parts, ", ")
}

func (c Change) signature() string {
	if c.Effect == Unclear {
		return c.subject() + " unsettled"
	}
	if c.Kind == OfCheck {
		switch {
		case c.New == nil:
			return c.Of + " no longer measured"
		case c.Effect == Fell:
			return c.Of + " score fell"
		case c.Effect == Rose:
			return c.Of + " score rose"
		default:
			return c.Of + " " + string(c.Effect)
		}
	}
	switch c.Of {
	case "entities":
		if c.Effect == Removed {
			return "entities lost"
		}
		return "entities added"
	case "numbers":
		return "numbers " + c.Member + " moved"
	case "tools":
		return "tools " + sequenceChange(c.Old, c.New)
	}
	switch c.Effect {
	case Removed:
		return c.subject() + " − " + Spell(c.Old)
	case Added:
		return c.subject() + " + " + Spell(c.New)
	default:
		return c.subject() + " " + Spell(c.Old) + " → " + Spell(c.New)
	}
}

// subject names what the change is of, with the member of a numbers mapping.
func (c Change) subject() string {
	switch {
	case c.Of == "numbers" && c.Member != "":
		return c.Of + "." + c.Member
	case c.Of == "shape" && c.Effect == Differs && c.Member != "":
		return c.Of + " " + c.Member
	default:
		return c.Of
	}
}

// inOrder returns the changes in the order in which a signature names them:
// what was lost before what else changed, then by name and by their words.
func inOrder(changes []Change) []Change {
	sorted := slices.Clone(changes)
	rank := func(c Change) int {
		switch c.Effect {
		case Lost, Fell:
			return 0
		case Unclear:
			return 2
		default:
			return 1
		}
	}
	slices.SortStableFunc(sorted, func(a, b Change) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Of, b.Of), cmp.Compare(a.signature(), b.signature()))
	})
	return sorted
}

// sequenceChange says which names a sequence of calls lost and gained, or that
// only its order or the arguments differ.
func sequenceChange(old, new any) string {
	before, okBefore := calls(old)
	after, okAfter := calls(new)
	if !okBefore || !okAfter {
		return Spell(old) + " → " + Spell(new)
	}
	lost, gained := subtract(toolNames(before), toolNames(after)), subtract(toolNames(after), toolNames(before))
	var parts []string
	for _, name := range lost {
		parts = append(parts, "− "+name)
	}
	for _, name := range gained {
		parts = append(parts, "+ "+name)
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, " ")
	case slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(after))):
		return "in another order"
	default:
		return "with other arguments"
	}
}

func calls(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	all := make([]string, 0, len(list))
	for _, item := range list {
		s, ok := item.(string)
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// toolNames strips the argument keys from calls spelled name(keys).
func toolNames(calls []string) []string {
	all := make([]string, len(calls))
	for i, call := range calls {
		name, _, _ := strings.Cut(call, "(")
		all[i] = name
	}
	return all
}

// subtract returns what is left of a when each item of b is taken out once,
// each name once and in order.
func subtract(a, b []string) []string {
	rest := slices.Clone(b)
	var left []string
	for _, name := range a {
		if i := slices.Index(rest, name); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		if !slices.Contains(left, name) {
			left = append(left, name)
		}
	}
	return left
}
