package engine_test

import (
	"context"
	"strings"
	"testing"

	"docket/engine"
	"docket/engine/run"
)

// outcomes joins what became of each case.
func outcomes(r *run.Run) string {
	var all []string
	for _, result := range r.Results {
		all = append(all, string(result.Outcome))
	}
	return strings.Join(all, " ")
}

// TestResume goes on with a run that its cost stopped, and with one that was
// interrupted, and pays for no case twice.
func TestResume(t *testing.T) {
	m := newModelled(t)
	first := m.run("live", engine.RunOptions{MaxCost: 0.00003}).Run
	if got := outcomes(first); got != "measured not_run not_run" {
		t.Fatalf("the run is %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := engine.RunOptions{Progress: func(done, _ int) {
		if done == 1 {
			cancel()
		}
	}}
	second, err := m.in("live").Resume(ctx, o, engine.Unreached)
	if err != nil {
		t.Fatal(err)
	}
	if got := outcomes(second.Run); got != "measured measured not_run" && got != "measured measured measured" {
		t.Errorf("resumed and interrupted, the run is %s", got)
	}
	third, err := m.in("live").Resume(t.Context(), engine.RunOptions{}, engine.Unreached)
	if err != nil && !strings.Contains(err.Error(), "reached every case") {
		t.Fatal(err)
	}
	if err == nil && (third.Run.ID != first.ID || !third.Run.Whole || third.Run.Interrupted) {
		t.Errorf("resumed to its end, the run is %+v", third.Run)
	}
	stored, err := m.in("live").StoredRun(t.Context(), first.ID)
	if err != nil || outcomes(stored) != "measured measured measured" || !stored.Whole || stored.Interrupted || m.asked.Load() > 4 { // the interrupt may have met a call under way
		t.Errorf("after %d calls the store has %s, %v", m.asked.Load(), outcomes(stored), err)
	}
	if _, err := m.in("live").Resume(t.Context(), engine.RunOptions{}, engine.Unreached); err == nil || !strings.Contains(err.Error(), "there is nothing to go on with") {
		t.Errorf("a whole run is resumed with %v", err)
	}
	m.write("prompts/p.md", []byte("Another: {{.mail}}"))
	if _, err := m.in("live").Resume(t.Context(), engine.RunOptions{}, engine.Unreached); err == nil || !strings.Contains(err.Error(), "prompt changed since run") {
		t.Errorf("under another prompt: %v", err)
	}
}

// TestFailedCasesAreAskedAgain asks for what failed and for nothing else.
func TestFailedCasesAreAskedAgain(t *testing.T) {
	m := newModelled(t)
	t.Setenv("OPENAI_API_KEY", "sk-wrong-key-of-this-machine")
	first := m.run("live", engine.RunOptions{Cases: []string{"b"}}).Run
	if got := outcomes(first); got != "not_run error not_run" {
		t.Fatalf("without a key the run is %s", got)
	}
	t.Setenv("OPENAI_API_KEY", "sk-secret-of-this-machine")
	again, err := m.in("live").Resume(t.Context(), engine.RunOptions{}, engine.Failures)
	if err != nil {
		t.Fatal(err)
	}
	if got := outcomes(again.Run); got != "not_run measured not_run" || again.Run.Whole || m.asked.Load() != 2 {
		t.Errorf("after %d calls the run is %s", m.asked.Load(), got)
	}
	s := m.in("live")
	store, err := s.Project.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	samples, err := store.Samples(t.Context(), first.ID, "b")
	if err != nil || len(samples) != 1 || samples[0].Error != "" || samples[0].Output.Text == "" {
		t.Errorf("the store has %+v, %v", samples, err)
	}
	if _, err := s.Resume(t.Context(), engine.RunOptions{}, engine.Failures); err == nil || !strings.Contains(err.Error(), "has no case that failed") {
		t.Errorf("without failures: %v", err)
	}
}
