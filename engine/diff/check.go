package diff

import (
	"fmt"
	"math"
	"slices"

	"docket/engine/baseline"
	"docket/engine/stats"
)

// enough is the number of new samples from which a check that was split in the
// baseline may be called lost or gained.
const enough = 3

// compareCheck compares one check's verdicts over the samples of both sides.
// It returns false where nothing differs.
//
// Against a verdict that all old samples shared, the new side is the same
// where all samples share it, unsettled where some do, and flipped where none
// does. A check that mostly passed is lost when it passes in none of at least
// three new samples, and that would be rare at its old rate; it is unsettled when
// it passes in none of fewer. The mirror image holds for one that mostly failed. A score moved without a flip where the two
// ranges do not touch, by more than tolerance.
func compareCheck(name string, old, new baseline.Check, tolerance float64) (Change, bool) {
	c := Change{Kind: OfCheck, Of: name, Old: verdict(old.Tally), New: verdict(new.Tally)}
	c.Effect = flip(old.Tally, new.Tally)
	if c.Effect != "" {
		return c, true
	}
	switch {
	case new.High < old.Low-tolerance:
		c.Effect = Fell
	case new.Low > old.High+tolerance:
		c.Effect = Rose
	default:
		return Change{}, false
	}
	c.Old, c.New = scores(old), scores(new)
	return c, true
}

func flip(old, new baseline.Tally) Effect {
	if old.Of == 0 || new.Of == 0 {
		return ""
	}
	switch {
	case old.All() && new.None():
		return Lost
	case old.None() && new.All():
		return Gained
	case old.All() != new.All() && old.All(), old.None() != new.None() && old.None():
		return Unclear
	case old.All(), old.None():
		return ""
	}
	// The old samples are split: only a unanimous new side can say anything.
	mostly := 2*old.Passed > old.Of
	rarely := 2*old.Passed < old.Of
	switch {
	case new.None() && mostly:
		if new.Of >= enough && surprising(old.Passed, old.Of, new.Of) {
			return Lost
		}
		return Unclear
	case new.All() && rarely:
		if new.Of >= enough && surprising(old.Of-old.Passed, old.Of, new.Of) {
			return Gained
		}
		return Unclear
	case !mostly && !rarely && (new.None() || new.All()) && new.Of >= enough:
		return Unclear
	}
	return ""
}

// surprising reports whether a verdict that seen of old samples had would be
// missing from so many new ones in at most one run of twenty if nothing had
// changed: 4/5 against three is, 3/5 against three is not (6.4%).
func surprising(seen, of, samples int) bool {
	return math.Pow(1-float64(seen)/float64(of), float64(samples)) <= stats.Alpha
}

// Reasked returns the names of the checks, sorted, of which two sides asked
// another thing, by the Params of their lines. Where the text of a case's
// expectation is the same, a file that it names was edited. What only one side
// has is not among them.
func Reasked(old, new map[string]string) []string {
	var names []string
	for name, params := range old {
		if now, both := new[name]; both && now != params {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// appeared is what a check means that the baseline did not make of a case that
// nobody edited: a schema that was declared since, an assertion that another
// tool's file has now. Like a projection that was added later it is no change
// where every sample passes. Where it fails there is nothing that the failure
// could have been before, and it must not stay unseen for that.
func appeared(name string, new baseline.Check, strict bool) (Change, bool) {
	c := Change{Kind: OfCheck, Of: name, New: verdict(new.Tally)}
	switch {
	case new.All():
		return Change{}, false
	case new.None(), strict:
		c.Effect = Lost
	default:
		c.Effect = Unclear
	}
	return c, true
}

// vanished is the change of a check that the run no longer makes of a case that
// nobody edited. A check of which one failure counts is lost with it, whatever
// it said: what it guarded is not guarded any more.
func vanished(name string, old baseline.Check, strict bool) Change {
	c := Change{Kind: OfCheck, Of: name, Effect: Removed, Old: verdict(old.Tally)}
	if strict {
		c.Effect = Lost
	}
	return c
}

// verdict spells a tally as the baseline does: true, false, or "4/5".
func verdict(t baseline.Tally) any {
	switch {
	case t.All():
		return true
	case t.None():
		return false
	default:
		return fmt.Sprintf("%d/%d", t.Passed, t.Of)
	}
}

// scores spells a range of scores as the baseline does: one number where the
// samples agree, else the lowest and the highest.
func scores(c baseline.Check) any {
	if c.Low == c.High {
		return c.Low
	}
	return []any{c.Low, c.High}
}
