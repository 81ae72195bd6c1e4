package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
)

// SpellDecided writes a value that a decision holds for people: a check's verdict
// as pass or fail, and nothing as (none).
func SpellDecided(v any) string {
	switch v {
	case nil:
		return "(none)"
	case true:
		return "pass"
	case false:
		return "fail"
	}
	return Spell(v)
}

// Spell writes a value of a projection for people: a string as it is, "(none)"
// for an empty list, null as "(null)", an allowed set with "or", JSON for the
// rest. The result may quote an output and is untrusted text.
func Spell(v any) string {
	switch v := v.(type) {
	case nil:
		return "(null)"
	case string:
		return v
	case []any:
		if len(v) == 0 {
			return "(none)"
		}
		return spellList(v, ", ")
	case map[string]any:
		if set, ok := v["any"].([]any); ok && len(v) == 1 {
			return spellList(set, " or ")
		}
		parts := make([]string, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, name+" "+Spell(v[name]))
		}
		return strings.Join(parts, ", ")
	default:
		return string(canonical.Marshal(v))
	}
}

func spellList(list []any, separator string) string {
	parts := make([]string, len(list))
	for i, item := range list {
		parts[i] = Spell(item)
	}
	return strings.Join(parts, separator)
}

// Sides writes both sides of a change for people. A check reads "pass 5/5" and
// "fail 3/3", with the number of samples behind it; the side of a projection
// that does not have the member reads "(absent)".
func (c Change) Sides(oldSamples, newSamples int) (old, new string) {
	if c.Kind == OfCheck && c.Effect != Fell && c.Effect != Rose {
		return SpellVerdict(c.Old, oldSamples), SpellVerdict(c.New, newSamples)
	}
	if c.Kind == OfCheck {
		return "score " + Spell(c.Old), "score " + Spell(c.New)
	}
	if len(c.Counts) > 0 {
		return absent(c.Old, false), SpellCounts(c.Counts, newSamples)
	}
	return absent(c.Old, c.Effect == Added), absent(c.New, c.Effect == Removed)
}

// SpellCounts writes values with how often they were seen, the most frequent
// first: "pending 2, resolved 1 of 3".
func SpellCounts(counts map[string]int, samples int) string {
	const most = 6
	values := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(values, func(a, b string) int { return counts[b] - counts[a] })
	parts := make([]string, 0, len(values))
	for i, v := range values {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(values)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %d", v, counts[v]))
	}
	return fmt.Sprintf("%s of %d", strings.Join(parts, ", "), samples)
}

// Name is the name of what changed, with the member of a numbers mapping.
func (c Change) Name() string { return c.subject() }

func absent(v any, missing bool) string {
	if missing || v == nil {
		return "(absent)"
	}
	return Spell(v)
}

// SpellVerdict writes a check's verdict for people: true, false, or "4/5"; nil
// where the check was not made.
func SpellVerdict(v any, samples int) string {
	switch v := v.(type) {
	case bool:
		if v {
			return fmt.Sprintf("pass %d/%d", samples, samples)
		}
		return fmt.Sprintf("fail %d/%d", samples, samples)
	case string:
		return "pass " + v
	default:
		return "(not measured)"
	}
}

// Unwavering lists the projections, and the checks, that a case's two lines
// share without a difference, by name with their common value, so that a
// screen can show what did not change.
func Unwavering(c *Case, old, new *baseline.Line) []Change {
	differs := map[string]bool{}
	for _, change := range c.Changes {
		differs[string(change.Kind)+change.Of] = true
	}
	for _, change := range c.Apart {
		differs[string(change.Kind)+change.Of] = true
	}
	var same []Change
	for _, name := range slices.Sorted(maps.Keys(old.Checks)) {
		after, both := new.Checks[name]
		if both && !differs[string(OfCheck)+name] {
			same = append(same, Change{Kind: OfCheck, Of: name, Old: verdict(old.Checks[name].Tally), New: verdict(after.Tally)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.Projections)) {
		after, both := new.Projections[name]
		if both && !differs[string(OfProjection)+name] {
			same = append(same, Change{Kind: OfProjection, Of: name, Old: old.Projections[name], New: after})
		}
	}
	return same
}
