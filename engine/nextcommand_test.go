package engine_test

import (
	"path/filepath"
	"testing"

	"docket/engine"
)

// TestTheNextCommandMeansTheSame spells the flags that are needed to mean the
// same system and mode, and no others.
func TestTheNextCommandMeansTheSame(t *testing.T) {
	m := newModelled(t)
	m.write("outputs/new.jsonl", []byte("{\"id\":\"b\",\"text\":\"paid\"}\n"))
	m.write(".docket.yaml", append([]byte(m.config()), "  new: {kind: outputs, file: outputs/new.jsonl}\n"...))
	for _, tt := range []struct{ system, mode, want string }{
		{"", "", "docket diff s"},
		{"", "mock", "docket diff s"},
		{"", "live", "docket diff s --mode live"},
		{"", "record", "docket diff s --mode live"},
		{"new", "", "docket diff s --system new"},
		{"new", "live", "docket diff s --system new"},
		{"prod", "replay", "docket diff s --system prod --mode replay"},
	} {
		p, err := engine.Load(filepath.Join(m.dir, ".docket.yaml"))
		must(t, err)
		s, err := p.Open("s", tt.system, tt.mode)
		must(t, err)
		if got := s.Command("diff"); got != tt.want {
			t.Errorf("system %q, mode %q: %s, want %s", tt.system, tt.mode, got, tt.want)
		}
		if _, err := s.Baseline(); tt.mode == "replay" {
			fails(t, err, "make it with `docket calibrate s --system prod --mode replay`")
		}
	}
}
