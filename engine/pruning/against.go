package pruning

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"docket/engine/coverage"
	"docket/engine/decision"
	"docket/engine/phrase"
)

// An Objection is what speaks against deleting a case.
type Objection struct {
	Word string // one word or two, for a list
	Text string // a clause, such as "stems from INC-219"
}

// Against returns what speaks against deleting a case, the weightiest first: an
// incident, what only it covers, what it caught, its weight.
func (p *Pruning) Against(id string) []Objection {
	c := p.Suite.Case(id)
	if c == nil {
		return nil
	}
	var all []Objection
	if names := p.Incidents(id); len(names) > 0 {
		text := "stems from " + phrase.Series(names, "and")
		if names[0] == "incident" {
			text = "stems from an incident"
		}
		all = append(all, Objection{"incident", text})
	}
	for _, past := range slices.Backward(p.History.Of(id)) {
		if past.Verdict == decision.Reject {
			all = append(all, Objection{"caught", fmt.Sprintf("on %s %s rejected what it showed: “%s”", past.At.Format(time.DateOnly), past.By, past.Reason)})
			break
		}
	}
	if t := p.Tallies[id]; t.Failed > 0 {
		all = append(all, Objection{"caught", fmt.Sprintf("failed in %d of %s, last on %s", t.Failed, phrase.Count(t.Judged, "run", "runs"), t.LastFailed.Format(time.DateOnly))})
	}
	for _, loss := range p.Lost(id) {
		if !loss.Slight() && loss.Kind != coverage.Incident {
			all = append(all, Objection{"only " + string(loss.Kind), "the only case " + Only(loss)})
		}
	}
	if c.Weight > 1 {
		all = append(all, Objection{"weight", "weighs " + strconv.FormatFloat(c.Weight, 'g', -1, 64)})
	}
	return all
}

// Only says of what a case is the only one, as the end of a sentence.
func Only(l coverage.Loss) string {
	var text string
	switch l.Kind {
	case coverage.Incident, coverage.Ticket:
		text = "of " + l.Name
	case coverage.Fact:
		text = "with the fact " + l.Name
	case coverage.Value:
		text = "that asks for " + l.Name
	case coverage.Label:
		text = "with the label " + l.Name
	case coverage.Tool:
		text = "with the tool " + l.Name
	case coverage.Tag:
		text = "tagged " + l.Name
	case coverage.Family:
		text = "of the family " + l.Name
	default:
		text = "that checks " + l.Name
	}
	if len(l.Going) > 0 {
		text += ", once " + phrase.Few(l.Going, 3) + " " + phrase.Form(len(l.Going), "goes", "go")
	}
	return text
}

// Leaves names what goes with a case: its file, the input files that no case
// reads that stays, and the modes in whose baselines it has a line.
func (p *Pruning) Leaves(id string) (files, stay, modes []string) {
	c := p.Suite.Case(id)
	if c == nil {
		return nil, nil, nil
	}
	going := map[string]bool{id: true}
	for _, other := range p.Going() {
		going[other] = true
	}
	files = append(files, c.Path)
	for _, name := range c.Files {
		if p.needed(name, going) {
			stay = append(stay, name)
		} else {
			files = append(files, name)
		}
	}
	for mode, f := range p.bases {
		if _, ok := f.Find(id); ok {
			modes = append(modes, mode)
		}
	}
	slices.Sort(modes)
	return files, stay, modes
}
