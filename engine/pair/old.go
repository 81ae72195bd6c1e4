package pair

import (
	"encoding/json"
	"fmt"
	"slices"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/projection"
)

// guessKey is the key of a header that says what was guessed of the outputs
// that a baseline was made of, so that later outputs are measured alike.
const guessKey = "guess"

// comparable refuses two files that cannot be laid side by side. Outputs are
// measured as the outputs were that a baseline was made of; a baseline of a
// suite was measured with what that suite says, which no file holds.
func comparable(before, after *Side) error {
	switch {
	case before.samples == nil == (after.samples == nil):
		return nil
	case after.samples == nil:
		return fmt.Errorf("%s and %s are not of one kind: give two files of outputs, two baselines, or a baseline as the old one and outputs as the new", before.Path, after.Path)
	case before.header.Ruler != "":
		return fmt.Errorf("%s is the baseline of the suite %q, whose labels and checks no file holds: compare with `docket diff %s` where that suite is", before.Path, before.header.Suite, before.header.Suite)
	}
	return nil
}

// takeHashes lets outputs be measured beside a baseline, which knows inputs by
// their hashes alone.
func (f *file) takeHashes(before *file) error {
	if before.side.samples != nil || f.side.samples == nil {
		return nil
	}
	f.hashes = make(map[string]string, len(before.side.lines))
	for _, raw := range before.side.lines {
		line, err := baseline.ParseLine(raw.Bytes)
		if err != nil {
			return fmt.Errorf("%s: the line of case %q: %w", before.side.Path, raw.ID, err)
		}
		f.hashes[raw.ID] = line.Input
	}
	return nil
}

// withMember puts a key that docket alone reads into a header, in place of an
// older one.
func withMember(members []baseline.Member, key string, value any) []baseline.Member {
	members = slices.DeleteFunc(slices.Clone(members), func(m baseline.Member) bool { return m.Key == key })
	return append(members, baseline.Member{Key: key, Value: json.RawMessage(canonical.Marshal(value))})
}

// keptGuess reads back what a header says was guessed, and whether it says so.
func keptGuess(h *baseline.Header) (g projection.Guess, kept bool, err error) {
	for _, m := range h.Extra {
		if m.Key != guessKey {
			continue
		}
		if err := json.Unmarshal(m.Value, &g); err != nil {
			return g, false, fmt.Errorf("the header's %q is not what docket writes there: make the baseline anew", guessKey)
		}
		kept = true
	}
	return g, kept, nil
}

// guessMembers is a guess as a header keeps it, in the JSON model.
func guessMembers(g projection.Guess) map[string]any {
	members := map[string]any{}
	if g.Label != "" {
		members["label"] = g.Label
	}
	for key, list := range map[string][]string{"labels": g.Labels, "numbers": g.Numbers} {
		if len(list) == 0 {
			continue
		}
		values := make([]any, len(list))
		for i, s := range list {
			values[i] = s
		}
		members[key] = values
	}
	return members
}
