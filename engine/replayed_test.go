package engine_test

import (
	"testing"

	"docket/engine"
)

// TestAReplayIsNoFurtherSample counts what was recorded once, however often it is
// replayed.
func TestAReplayIsNoFurtherSample(t *testing.T) {
	m := newModelled(t)
	m.run("record", engine.RunOptions{Samples: 3})
	if _, err := m.in("replay").Calibrate(t.Context(), engine.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		m.run("replay", engine.RunOptions{})
	}
	found, err := m.in("replay").Evidence(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	if a := found["length"]; a.Agree != 3 || a.Of != 3 {
		t.Errorf("three samples that were replayed four times are told as %s", a)
	}
}
