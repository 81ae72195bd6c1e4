package engine

import (
	"encoding/json"

	"docket/engine/describe"
)

// Describe says what the suite's baseline says that the prompt does.
func (s *Suite) Describe() (*describe.Description, error) {
	base, err := s.Baseline()
	if err != nil {
		return nil, err
	}
	o := describe.Options{Tags: make(map[string][]string, len(s.data.Cases))}
	for _, c := range s.data.Cases {
		if len(c.Tags) > 0 {
			o.Tags[c.ID] = c.Tags
		}
	}
	// The limits of lengths stand in the configuration and not in the baseline;
	// they are told only where the configuration is still the one it was
	// measured with.
	if s.ruler() == base.Header.Ruler {
		o.Short, o.Medium = s.lengths()
	}
	return describe.Describe(base, o)
}

// lengths returns the most words of a short and of a medium output, 0 where
// the suite measures no length.
func (s *Suite) lengths() (short, medium int) {
	settings, _ := s.instrument.Projections.Settings().(map[string]any)
	length, _ := settings["length"].(map[string]any)
	limit := func(name string) int {
		n, _ := length[name].(json.Number)
		words, _ := n.Int64() // 0 for none
		return int(words)
	}
	return limit("short"), limit("medium")
}
