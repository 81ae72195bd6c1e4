package review

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/tui"
	"docket/tui/list"
	"docket/tui/pair"
)

// The names of the tabs; an action works in one of them.
const (
	projectionsTab = "projections"
	outputTab      = "output"
	historyTab     = "history"
	caseTab        = "case"
)

// Detail implements tui.Screen.
func (s *Screen) Detail(row list.Row) tui.Detail {
	c, e := s.of(&row)
	// Tabs are filled outside the loop that draws, where the screen may be one
	// over more samples by then.
	frozen := *s
	s = &frozen
	return tui.Detail{
		Title: title(c),
		Facts: s.facts(c, e, s.abouts.at(row.Index)),
		Tabs: []tui.Tab{
			s.changesTab(c),
			{Name: outputTab, Slow: !s.laidOut(c.ID), Content: func(ctx context.Context) (pair.Content, error) { return s.outputs(ctx, c.ID) }},
			{Name: historyTab, Slow: true, Content: func(ctx context.Context) (pair.Content, error) { return s.history(ctx, c) }},
			{Name: caseTab, Slow: true, Content: func(context.Context) (pair.Content, error) { return s.caseText(c.ID) }},
		},
	}
}

// title names the case, its version and weight where they say something, and
// what became of it over how many samples.
func title(c *diff.Case) []string {
	parts := []string{c.ID}
	if c.Version > 1 {
		parts = append(parts, "v"+strconv.Itoa(c.Version))
	}
	if c.Weight != 1 && c.Weight != 0 {
		parts = append(parts, "weight "+strconv.FormatFloat(c.Weight, 'g', -1, 64))
	}
	status := word(c.Status)
	if c.Edited && c.Status != diff.Redefined {
		status += ", case edited too"
	}
	if samples := samples(c); samples != "" {
		status += ", " + samples
	}
	return append(parts, status)
}

// samples says how many samples stand behind each side.
func samples(c *diff.Case) string {
	switch {
	case c.OldSamples > 0 && c.NewSamples > 0:
		return fmt.Sprintf("%d → %s", c.OldSamples, phrase.Count(c.NewSamples, "sample", "samples"))
	case c.NewSamples > 0:
		return phrase.Count(c.NewSamples, "sample", "samples")
	case c.OldSamples > 0:
		return "had " + phrase.Count(c.OldSamples, "sample", "samples")
	default:
		return ""
	}
}

// facts say why the case exists, where to read on, and that the same change was
// rejected before.
func (s *Screen) facts(c *diff.Case, e *entry, about *engine.About) []tui.Fact {
	var facts []tui.Fact
	if about.Provenance != "" {
		facts = append(facts, tui.Fact{Label: "why", Text: about.Provenance, Aside: s.aside(c, about)})
	} else if c.Status == diff.Gone && s.Files != "" {
		facts = append(facts, tui.Fact{Label: "why", Text: "the new file has no line for this case: it was left out there, or its id is another"})
	} else if c.Status == diff.Gone {
		facts = append(facts, tui.Fact{Label: "why", Text: "the case file is gone: tab 1 tells what git and the decisions remember of it, tab 4 how to get it back"})
	} else if past := s.Evidence.Past(c.ID); len(past) > 0 {
		last := past[len(past)-1]
		facts = append(facts, tui.Fact{Label: "why", Text: orNot(last.Provenance), Aside: s.aside(c, about)})
	}
	if len(about.Links) > 0 {
		facts = append(facts, tui.Fact{Label: "see", Text: strings.Join(about.Links, "  ")})
	}
	if e.rejected != nil {
		facts = append(facts, tui.Fact{
			Label: "before", Text: "the same change was rejected: " + e.rejected.Reason,
			Aside: e.rejected.At.Format(time.DateOnly) + ", " + e.rejected.By,
		})
	}
	if c.Error != "" && c.NewLine != nil { // else it is told where the changes would stand
		facts = append(facts, tui.Fact{Label: word(c.Status), Text: c.Error})
	}
	return facts
}

func orNot(provenance string) string {
	if provenance == "" {
		return "not known"
	}
	return provenance
}

// aside says how old the case is and how often it was decided on.
func (s *Screen) aside(c *diff.Case, about *engine.About) string {
	var parts []string
	if about.Added != "" {
		parts = append(parts, "added "+about.Added)
	}
	if n := len(s.Evidence.Past(c.ID)); n > 0 {
		parts = append(parts, phrase.Count(n, "decision", "decisions"))
	}
	return strings.Join(parts, ", ")
}

// part is the key under which a change can be decided alone; "" where the case
// is decided whole.
func part(c *diff.Case, change *diff.Change) string {
	if c.Edited || c.Status == diff.New || c.Status == diff.Gone || !c.Status.Decidable() {
		return ""
	}
	return decision.Change{Kind: string(change.Kind), Of: change.Of}.Part()
}
