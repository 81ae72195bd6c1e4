package prune_test

import (
	"fmt"
	"testing"
	"time"

	"docket/engine/provenance"
	"docket/engine/pruning"
	"docket/engine/suite"
	"docket/tui"
	"docket/tui/prune"
	"docket/tui/tuitest"
)

// BenchmarkKey measures one key press, Update and View, over a queue of a
// thousand proposals; the goal is a p99 under 4 ms.
func BenchmarkKey(b *testing.B) {
	evidence := &babel{cases: map[string]*suite.Case{}, proposals: map[string]pruning.Proposal{}, story: &provenance.Story{}}
	var proposals []pruning.Proposal
	for i := range 1000 {
		id := fmt.Sprintf("case-%04d", i)
		evidence.cases[id] = &suite.Case{ID: id, Provenance: "ticket LIB-204 — readers stood before a closed door", Family: "hours", Path: "cases/desk/" + id + ".yaml", Weight: 1}
		p := pruning.Proposal{ID: id, Asked: fmt.Sprint("matches ", i%10)}
		evidence.proposals[id] = p
		proposals = append(proposals, p)
	}
	d := tuitest.Drive(b, tuitest.Ready(prune.New(prune.Options{
		Suite: "desk", Cases: 1000, Proposals: proposals, Evidence: evidence, Session: &memory{}, Command: "docket prune",
		Check: func(string, pruning.Verdict, string) error { return nil },
	})), tui.Options{Width: 240, Height: 60, Colour: true})
	keys := []string{"j", "]", "]", "j", "ctrl+d", "k", "n", "J", "G", "g", "N", "tab", "j", "tab", "3", "j", "a", "o", "k", "enter", "u"}
	var took []time.Duration
	for b.Loop() {
		for _, key := range keys {
			took = append(took, d.Time(key))
		}
	}
	tuitest.Report(b, took, "key")
}
