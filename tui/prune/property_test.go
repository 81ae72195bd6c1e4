package prune_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/engine/coverage"
	"docket/engine/decision"
	"docket/engine/provenance"
	"docket/engine/pruning"
	"docket/engine/results"
	"docket/engine/suggestion"
	"docket/engine/suite"
	"docket/tui"
	"docket/tui/prune"
	"docket/tui/tuitest"
)

// babel is a suite of which every text is what somebody made up.
type babel struct {
	cases     map[string]*suite.Case
	proposals map[string]pruning.Proposal
	story     *provenance.Story
}

func (b *babel) Proposal(id string) pruning.Proposal { return b.proposals[id] }
func (b *babel) Case(id string) *suite.Case          { return b.cases[id] }
func (b *babel) Incidents(id string) []string {
	if len(id)%2 == 0 {
		return []string{id}
	}
	return nil
}

func (b *babel) Against(id string) []pruning.Objection {
	return []pruning.Objection{{Word: b.cases[id].Family, Text: b.cases[id].Provenance}}
}

func (b *babel) Lost(id string) []coverage.Loss {
	return []coverage.Loss{{Feature: coverage.Feature{Kind: coverage.Fact, Name: b.cases[id].Provenance}, Going: []string{id}}}
}

func (b *babel) Shared(id string) map[coverage.Feature]int {
	return map[coverage.Feature]int{{Kind: coverage.Tag, Name: b.cases[id].Family}: 2}
}

func (b *babel) Leaves(id string) (files, stay, modes []string) {
	return []string{b.cases[id].Path}, []string{b.cases[id].Family}, []string{"live"}
}

func (b *babel) Past(string) []decision.Past       { return b.story.Decisions }
func (b *babel) Tally(string) results.Tally        { return results.Tally{Judged: 2, Failed: 1} }
func (b *babel) CaseFile(id string) (string, bool) { return id, true }

func (b *babel) CaseText(id string) (path, text string, err error) {
	return b.cases[id].Path, b.cases[id].Provenance, nil
}

func (b *babel) Why(context.Context, string) (*provenance.Story, error) { return b.story, nil }

func TestPropertyFrames(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := func(label string) string { return tuitest.Hostile().Draw(rt, label) }
		b := &babel{cases: map[string]*suite.Case{}, proposals: map[string]pruning.Proposal{}, story: &provenance.Story{
			Past:      provenance.Past{Events: []provenance.Event{{Commit: s("commit"), Author: s("author"), Subject: s("subject"), Body: s("body"), Did: "changed"}}},
			Decisions: []decision.Past{{Decision: decision.Decision{At: time.Unix(0, 0), By: s("by"), Verdict: decision.Keep, Reason: s("reason")}}},
			Caught:    []provenance.Catch{{System: s("system"), Checks: []string{s("check")}}},
		}}
		var proposals []pruning.Proposal
		for i := range rapid.IntRange(1, 6).Draw(rt, "cases") {
			id := fmt.Sprint(i, strings.ToValidUTF8(s("id"), "�"))
			b.cases[id] = &suite.Case{ID: id, Provenance: s("why"), Added: s("added"), Tags: []string{s("tag")}, Family: s("family"), Path: s("path"), Weight: 1, Version: i}
			p := pruning.Proposal{ID: id, Asked: s("asked")}
			if rapid.Bool().Draw(rt, "found") {
				p.Findings = []suggestion.Finding{{Ground: suggestion.Twin, Why: s("ground")}}
			}
			if i > 0 && len(p.Findings) > 0 {
				p.Findings[0].Other = proposals[0].ID
			}
			b.proposals[id] = p
			proposals = append(proposals, p)
		}
		open := tuitest.Ready(prune.New(prune.Options{
			Suite: s("suite"), Cases: 9, Proposals: proposals, Evidence: b, Session: &memory{}, Command: s("command"), Notice: s("notice"),
			Check: func(string, pruning.Verdict, string) error { return nil },
		}))
		tuitest.Storm(t, rt, open, tuitest.Window(rt), "1", "2", "3", "4", "]", "[", "a", "d", "m", "p", "e", "v", "u", "U")
	})
}

// memory is a session that forgets everything when it is gone.
type memory struct{ log, undone []tui.Decision }

func (m *memory) Marks() []tui.Mark {
	var marks []tui.Mark
	for _, d := range m.log {
		marks = append(marks, tui.Mark{Row: d.Rows[0], Verdict: d.Verdict, Text: d.Text})
	}
	return marks
}

func (m *memory) Decide(_ context.Context, d tui.Decision) ([]tui.Mark, error) {
	m.log, m.undone = append(m.log, d), nil
	return []tui.Mark{{Row: d.Rows[0], Verdict: d.Verdict, Text: d.Text}}, nil
}

func (m *memory) Undo(context.Context) ([]tui.Mark, error) {
	if len(m.log) == 0 {
		return nil, nil
	}
	last := m.log[len(m.log)-1]
	m.log, m.undone = m.log[:len(m.log)-1], append(m.undone, last)
	return []tui.Mark{{Row: last.Rows[0]}}, nil
}

func (m *memory) Redo(ctx context.Context) ([]tui.Mark, error) {
	if len(m.undone) == 0 {
		return nil, nil
	}
	last := m.undone[len(m.undone)-1]
	rest := m.undone[:len(m.undone)-1]
	marks, err := m.Decide(ctx, last)
	m.undone = rest
	return marks, err
}

func (m *memory) Plan(context.Context) (tui.Plan, error) {
	return tui.Plan{Lines: []string{fmt.Sprint(len(m.log))}}, nil
}

func (m *memory) Write(context.Context) (tui.Closing, error) {
	return tui.Closing{Lines: []string{"done"}}, nil
}
