package diff

import (
	"reflect"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/projection"
)

// A judgement is the comparison of one case's two lines.
type judgement struct {
	status  Status
	edited  bool
	blind   bool // some check does not compare, see Options.Blind
	changes []Change
	apart   []Change
}

// judge compares the two lines of a case that both sides measured.
func judge(old, new *baseline.Line, o *Options) judgement {
	comparer, tolerance := o.Comparer, o.Tolerance
	sameInput := old.Input == new.Input
	sameExpect := old.Expect == new.Expect && len(Reasked(old.Params, new.Params)) == 0
	j := judgement{edited: !sameInput || !sameExpect}
	redefined := j.edited && !o.Rescored
	compared := false

	var few [16]string // enough for nearly every case, without an allocation
	for _, name := range checkNames(few[:0], old.Checks, nil) {
		before := old.Checks[name]
		after, both := new.Checks[name]
		switch {
		case redefined && (!both || !sameExpect && old.Params[name] != new.Params[name]):
			j.apart = append(j.apart, apartCheck(name, &before, present(after, both)))
			continue
		case o.blind(name, old, new):
			j.blind = true
			continue
		case !both:
			j.changes = append(j.changes, vanished(name, before, o.strict(name)))
			continue
		}
		compared = true
		c, differs := compareCheck(name, before, after, tolerance)
		if differs && c.Effect == Unclear && before.All() && o.strict(name) {
			c.Effect = Lost // one failure counts, and no further sample takes it back
		}
		if differs {
			j.changes = append(j.changes, c)
		}
	}
	for _, name := range checkNames(few[:0], new.Checks, old.Checks) {
		after := new.Checks[name]
		if redefined {
			j.apart = append(j.apart, apartCheck(name, nil, &after))
		} else if o.blind(name, old, new) {
			j.blind = true
		} else if c, differs := appeared(name, after, o.strict(name)); differs {
			j.changes = append(j.changes, c)
		}
	}

	for _, name := range names(few[:0], old) {
		before, after := Measured(old, name), Measured(new, name)
		if !sameInput {
			if before.HasStable || after.HasStable {
				j.apart = append(j.apart, Change{Kind: OfProjection, Of: name, Effect: Differs, Old: before.Stable, New: after.Stable})
			}
			continue
		}
		if before.HasStable && (after.HasStable || len(after.Unstable) > 0) {
			compared = true
		}
		if before.HasStable && after.HasStable && len(before.Unstable)+len(after.Unstable) == 0 && equal(before.Stable, after.Stable) {
			continue
		}
		differences := comparer.Compare(name, before, after)
		if name == "shape" {
			var retyped []Change
			retyped, differences = retype(differences)
			j.changes = append(j.changes, retyped...)
		}
		for _, d := range differences {
			if effect := effectOf(d.Kind); effect != "" {
				j.changes = append(j.changes, Change{
					Kind: OfProjection, Of: name, Member: d.Member, Effect: effect, Old: d.Old, New: d.New,
					Counts: counts(effect, d, after.Unstable),
				})
			}
		}
	}
	j.status = statusOf(j.changes, redefined, compared)
	return j
}

// counts picks from what the new samples disagreed on the values that an
// unsettled difference is about.
func counts(effect Effect, d projection.Difference, unstable map[string]int) map[string]int {
	if effect != Unclear || len(unstable) == 0 {
		return nil
	}
	if d.Member == "" {
		return unstable
	}
	picked := map[string]int{}
	for value, n := range unstable {
		if rest, ok := strings.CutPrefix(value, d.Member+":"); ok {
			picked[rest] = n // a number: "amount:1180"
		} else if value == d.Member {
			picked[value] = n
		}
	}
	return picked
}

// retype takes the fields out of a shape's differences that are there on both
// sides and have another type: one change each, instead of a loss and a gain.
func retype(differences []projection.Difference) (changes []Change, rest []projection.Difference) {
	lost := map[string]string{} // path to type
	for _, d := range differences {
		if path, kind, ok := field(d.Old); ok && d.Kind == projection.Lost {
			if _, twice := lost[path]; twice {
				return nil, differences // a field of several types: tell them as they are
			}
			lost[path] = kind
		}
	}
	paired := map[string]bool{}
	for _, d := range differences {
		path, kind, ok := field(d.New)
		if old, both := lost[path]; ok && both && d.Kind == projection.Added && !paired[path] {
			paired[path] = true
			changes = append(changes, Change{Kind: OfProjection, Of: "shape", Member: path, Effect: Differs, Old: old, New: kind})
		}
	}
	for _, d := range differences {
		member := d.Old
		if d.Kind == projection.Added {
			member = d.New
		}
		if path, _, ok := field(member); ok && paired[path] && (d.Kind == projection.Lost || d.Kind == projection.Added) {
			continue
		}
		rest = append(rest, d)
	}
	return changes, rest
}

// field splits a member of a shape, "path:type".
func field(member any) (path, kind string, ok bool) {
	s, isString := member.(string)
	if !isString {
		return "", "", false
	}
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// statusOf returns the first status that holds for a case which both sides
// measured.
func statusOf(changes []Change, redefined, compared bool) Status {
	var lost, differs, unclear, gained bool
	for _, c := range changes {
		switch c.Effect {
		case Lost, Fell:
			lost = true
		case Gained, Rose:
			gained = true
		case Unclear:
			unclear = true
		default:
			differs = true
		}
	}
	switch {
	case lost:
		return Regressed
	case redefined:
		return Redefined
	case differs:
		return Changed
	case unclear:
		return Unsettled
	case gained:
		return Improved
	case !compared:
		return Unmeasured
	default:
		return Same
	}
}

// effectOf maps a projection's difference to an effect; "" for what is noise.
func effectOf(k projection.DiffKind) Effect {
	switch k {
	case projection.Changed:
		return Differs
	case projection.Lost:
		return Removed
	case projection.Added:
		return Added
	case projection.Unsettled:
		return Unclear
	default:
		return ""
	}
}

// checkNames appends to all the names of the checks that besides does not have, in
// order.
func checkNames(all []string, checks, besides map[string]baseline.Check) []string {
	for name := range checks {
		if _, has := besides[name]; !has {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// names appends to all the projections that the old side measured, stable or not,
// in the order of their names. One that only the new side has was added later
// and is no change.
func names(all []string, old *baseline.Line) []string {
	for name := range old.Projections {
		all = append(all, name)
	}
	for name := range old.Unstable {
		if _, stable := old.Projections[name]; !stable {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// Measured returns what a line holds of one projection.
func Measured(l *baseline.Line, name string) projection.Measured {
	value, stable := l.Projections[name]
	return projection.Measured{Stable: value, HasStable: stable, Unstable: l.Unstable[name], Samples: l.Samples}
}

func apartCheck(name string, old, new *baseline.Check) Change {
	c := Change{Kind: OfCheck, Of: name, Effect: Differs}
	if old != nil {
		c.Old = verdict(old.Tally)
	}
	if new != nil {
		c.New = verdict(new.Tally)
	}
	return c
}

func present(c baseline.Check, ok bool) *baseline.Check {
	if !ok {
		return nil
	}
	return &c
}

// carry puts into the new line what the old one knows better: what is unstable
// and the new line has too few samples to deny, and the sets that a person
// allowed and the new samples keep to. It reports whether the line changed.
func carry(old, new *baseline.Line, comparer Comparer) bool {
	if old.Input != new.Input || !carries(old) {
		return false
	}
	changed := false
	for _, name := range names(nil, old) {
		if len(old.Unstable[name]) == 0 && !projection.IsAllowed(old.Projections[name]) {
			continue
		}
		before, after := Measured(old, name), Measured(new, name)
		if !after.HasStable && len(after.Unstable) == 0 {
			continue
		}
		carried := comparer.Carry(name, before, after)
		if reflect.DeepEqual(carried, after) {
			continue
		}
		changed = true
		put(new, name, carried)
	}
	return changed
}

// carries reports whether a line holds anything that carry looks at. Most do
// not.
func carries(l *baseline.Line) bool {
	for _, v := range l.Projections {
		if projection.IsAllowed(v) {
			return true
		}
	}
	return len(l.Unstable) > 0
}

func put(l *baseline.Line, name string, m projection.Measured) {
	delete(l.Projections, name)
	delete(l.Unstable, name)
	if m.HasStable {
		if l.Projections == nil {
			l.Projections = map[string]any{}
		}
		l.Projections[name] = m.Stable
	}
	if len(m.Unstable) > 0 {
		if l.Unstable == nil {
			l.Unstable = map[string]map[string]int{}
		}
		l.Unstable[name] = m.Unstable
	}
}

// equal compares the values that most projections have, strings and lists of
// strings; it says false of what it does not know.
func equal(a, b any) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a == b
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	default:
		return false
	}
}
