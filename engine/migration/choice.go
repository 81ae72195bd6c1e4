package migration

import (
	"fmt"
	"time"

	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/source"
)

// A Verdict is what a person said of a whole test.
type Verdict string

// The verdicts. No verdict is undecided: such a test becomes nothing.
const (
	Situation Verdict = "situation" // a case
	Split     Verdict = "split"     // a case for each of its claims about the situation
	Contract  Verdict = "contract"  // its checks go to the contract, and no case is made
	Drop      Verdict = "drop"
	Merge     Verdict = "merge" // its claims go to the case of another test
)

// A Choice is all that a person said of a test.
type Choice struct {
	Verdict    Verdict
	Provenance string              // as it was confirmed
	ID         string              // "" for the one that is proposed
	Into       string              // the key of the test that a Merge goes to
	Draft      []byte              // the case's file as it was edited; nil for what is made of the rest
	Claims     map[int]legacy.Pile // of claims that were decided alone, by their number
	At         time.Time
	By         string
}

// Piles returns where each claim of a test goes under a choice: what was said
// of it alone, or what follows from what was said of the test.
func (t *Test) Piles(c Choice) []legacy.Pile {
	piles := make([]legacy.Pile, len(t.Claims))
	situations := 0
	for i := range t.Claims {
		piles[i] = t.Claims[i].Pile
		if own, ok := c.Claims[i]; ok {
			piles[i] = own
		}
		if piles[i] == legacy.Situation {
			situations++
		}
	}
	for i := range piles {
		if _, own := c.Claims[i]; own {
			continue
		}
		switch {
		case c.Verdict == Drop:
			piles[i] = legacy.SDK
		case c.Verdict == Contract && piles[i] != legacy.SDK:
			piles[i] = legacy.Contract
		case c.Verdict != Contract && c.Verdict != "" && situations == 0 && piles[i] != legacy.SDK:
			// Who calls a test a situation says so of the claims that it has.
			piles[i] = legacy.Situation
		}
	}
	return piles
}

// ProvenanceOf is why a case exists as its file says; "" where that cannot be
// read.
func ProvenanceOf(file []byte) string {
	doc, _ := source.Parse("draft.yaml", file)
	why, _ := doc.Get("provenance").Text()
	return why
}

// A Left is a claim that nothing became of although a person did not drop it.
type Left struct {
	Line      int
	Text, Why string
}

// gather joins the checks of a test's claims of one pile.
func (t *Test) gather(e *draft.Expectation, piles []legacy.Pile, pile legacy.Pile) (left []Left) {
	for i := range t.Claims {
		c := &t.Claims[i]
		if piles[i] != pile {
			continue
		}
		why := c.Left
		if why == "" {
			why = e.Add(c.Expect)
		}
		if why != "" {
			left = append(left, Left{c.Line, c.Text, why})
		}
	}
	return left
}

// unsorted are the claims that no pile was found for and nobody decided.
func (t *Test) unsorted(piles []legacy.Pile) (left []Left) {
	for i := range t.Claims {
		if piles[i] == legacy.Unsorted {
			left = append(left, Left{t.Claims[i].Line, t.Claims[i].Text, "no pile was found for it: decide it alone"})
		}
	}
	return left
}

// Case is the case that a test becomes under a choice, with the claims of the
// tests that are merged into it.
func (t *Test) Case(c Choice, merged ...Merged) (made draft.Case, left []Left) {
	made = t.Draft
	made.Notes = append([]string(nil), t.Draft.Notes...)
	if c.ID != "" {
		made.ID = c.ID
	}
	if c.Provenance != "" {
		made.Provenance = c.Provenance
	}
	if made.Added == "" && !c.At.IsZero() {
		made.Added = c.At.Format(time.DateOnly)
	}
	var e draft.Expectation
	piles := t.Piles(c)
	left = append(t.gather(&e, piles, legacy.Situation), t.unsorted(piles)...)
	for _, m := range merged {
		made.Notes = append(made.Notes, "with "+m.Test.Name+", which was merged into it")
		left = append(left, m.Test.gather(&e, m.Test.Piles(m.Choice), legacy.Situation)...)
	}
	made.Expect = e.Values
	made.Notes = append(made.Notes, notes(left)...)
	return made, left
}

// A Merged is a test that was merged into another.
type Merged struct {
	Test   *Test
	Choice Choice
}

// notes words what was left, for the head of a file.
func notes(left []Left) []string {
	var all []string
	for _, l := range left {
		all = append(all, fmt.Sprintf("not translated, line %d: %s: %s", l.Line, l.Text, l.Why))
	}
	return all
}

// Cases are the cases of a test that is split, one for each claim about the
// situation.
func (t *Test) Cases(c Choice) (made []draft.Case, left []Left) {
	whole, left := t.Case(c)
	piles := t.Piles(c)
	for i := range t.Claims {
		if piles[i] != legacy.Situation || t.Claims[i].Expect == nil {
			continue
		}
		one := whole
		one.ID, one.Family = fmt.Sprintf("%s-%d", whole.ID, len(made)+1), whole.ID
		one.Expect = t.Claims[i].Expect
		if len(made) > 0 {
			one.Notes = t.Draft.Notes
		}
		made = append(made, one)
	}
	if len(made) < 2 {
		return []draft.Case{whole}, left
	}
	return made, left
}
