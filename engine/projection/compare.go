package projection

// A DiffKind says what a difference means.
type DiffKind string

// The kinds of differences. Changed, Lost and Added are changes: no new sample
// has what all old ones had, or all have what no old one had. Unsettled is
// neither a change nor the same: some new samples differ, or what was unstable
// took a value that was never seen. Noise is no change and calls for no
// decision: it tells that what was unstable settled on something seen before,
// over at least as many samples.
const (
	Changed   DiffKind = "changed"
	Lost      DiffKind = "lost"
	Added     DiffKind = "added"
	Unsettled DiffKind = "unsettled"
	Noise     DiffKind = "noise"
)

// A Difference is one difference between two sides of one projection.
type Difference struct {
	// Member is the member that differs, for the projections that are compared
	// member by member, or the name of a number; "" for the whole value.
	Member string
	// Old and New are the smallest values that tell the difference: the whole
	// values, the member on the side that has it, or the two numbers. Where a
	// side has several they are in the form {"any": [...]}. Nil is null, or a
	// side that does not have the member.
	Old, New any
	Kind     DiffKind
}

// Compare compares two sides of one projection. The differences come in the
// order of their members, the whole first. A side that did not measure the
// projection differs in nothing, so that adding a projection, or turning one
// off, never reads as a change.
//
// Against an old value that all samples agreed on, the new side is the same
// where all its samples have it, Unsettled where some do, and Changed (a
// member: Lost) where none does; a member that no old sample had is Added
// where all new ones have it and Unsettled where some do. What was unstable in
// the old is never changed; Unsettled says that every new sample lies outside
// the values seen. An old value {"any": [...]} is the same as each of its
// values.
func (s *Set) Compare(name string, old, new Measured) []Difference {
	return compare(s.rule(name), old, new)
}

// Compare compares two sides of one projection where there is no suite. The
// tolerances are those of the projection `numbers`, by name; a number without
// one must be equal.
func Compare(name string, old, new Measured, tolerances map[string]float64) []Difference {
	r := Default().rule(name)
	if name == "numbers" {
		r = numeric{within: tolerances}
	}
	return compare(r, old, new)
}

func compare(r rule, old, new Measured) []Difference {
	if !old.known() || !new.known() {
		return nil
	}
	return r.compare(old, new)
}

// settled reports whether new has samples enough to call stable what was not.
func settled(old, new Measured) bool { return new.Samples >= old.Samples }
