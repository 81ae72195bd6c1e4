package engine

import (
	"fmt"
	"maps"
	"slices"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/journal"
	"docket/engine/projection"
)

// Allowing returns what a verdict of allow on a case, or on one part of it,
// would write: by projection the value that the line gets, mostly a set
// {"any": [...]} of all that will do from then on. The error is a sentence where
// there is nothing to allow, or where a check was lost, which nobody can allow.
func (v *Review) Allowing(id, part string) (map[string]any, error) {
	item, err := v.item(id, decision.Allow, part)
	return item.Allowed, err
}

// Unallowable says, before anything is asked, why a case, or one part of it, has
// nothing that could be allowed beside what was; nil where it may have.
func Unallowable(c *diff.Case, part string) error {
	if c.Status == diff.New || c.Status == diff.Gone || c.Edited {
		return fmt.Errorf("case %q is %s, so there is no old value to allow another beside: accept or reject it", c.ID, told(c))
	}
	for _, change := range Changes(c) {
		if (part == "" || change.Part() == part) && change.Kind == string(diff.OfCheck) {
			return fmt.Errorf("case %q differs in the check %s, and a check is never allowed to fail as well: accept or reject the case, or allow a projection of it alone", c.ID, change.Of)
		}
	}
	return nil
}

// allowing computes the sets of a case: of the projections that changed, or of
// the one that the part names.
func (v *Review) allowing(c *diff.Case, part string) (map[string]any, error) {
	if err := Unallowable(c, part); err != nil {
		return nil, err
	}
	old, err := baseline.ParseLine(c.OldLine)
	if err != nil {
		return nil, fmt.Errorf("the baseline's line of case %q: %w", c.ID, err)
	}
	new, err := baseline.ParseLine(c.NewLine)
	if err != nil {
		return nil, fmt.Errorf("the proposed line of case %q: %w", c.ID, err)
	}
	sets := map[string]any{}
	for _, change := range Changes(c) {
		if part != "" && change.Part() != part {
			continue
		}
		if sets[change.Of], err = v.set().Allow(change.Of, diff.Measured(&old, change.Of), diff.Measured(&new, change.Of)); err != nil {
			return nil, fmt.Errorf("case %q: %w", c.ID, err)
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%w on case %q: nothing of that name differs", ErrNotDecidable, c.ID)
	}
	return sets, nil
}

func told(c *diff.Case) string {
	if c.Edited {
		return string(diff.Redefined)
	}
	return string(c.Status)
}

// set is what the projections of the review are compared by.
func (v *Review) set() *projection.Set {
	if v.Pair != nil {
		return v.Pair.Comparer
	}
	return v.Suite.instrument.Projections
}

// wavering returns a case that does not differ from the baseline, and of which
// the baseline knows that its samples disagree: what they took may be allowed.
// Each such projection stands as a change from what was seen to the set of it.
func (v *Review) wavering(id string) (*diff.Case, bool) {
	at, ok := v.Base.Find(id)
	if !ok {
		return nil, false
	}
	line, err := v.Base.Line(at)
	if err != nil || len(line.Unstable) == 0 {
		return nil, false
	}
	raw := v.Base.Lines[at].Bytes
	c := &diff.Case{
		ID: id, Status: diff.Same, Version: line.Version, Weight: 1,
		OldSamples: line.Samples, NewSamples: line.Samples, OldLine: raw, NewLine: raw,
	}
	for _, name := range slices.Sorted(maps.Keys(line.Unstable)) {
		c.Changes = append(c.Changes, diff.Change{Kind: diff.OfProjection, Of: name, Effect: diff.Differs, Old: line.Projections[name], Counts: line.Unstable[name]})
	}
	return c, true
}

// allowedAlone reports whether a decision allows what a case that does not
// differ took, and the baseline's line is the one of then.
func (v *Review) allowedAlone(d journal.Decision) bool {
	at, ok := v.Base.Find(d.Row)
	if !ok || d.Verdict != string(decision.Allow) {
		return false
	}
	line := v.Base.Lines[at].Bytes
	return d.Seen == decision.Seen(line, line)
}
