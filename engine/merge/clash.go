package merge

import (
	"fmt"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/diff"
)

// A Clash is a case that both sides changed, with what differs between them.
// Its texts are untrusted.
type Clash struct {
	ID                 string
	Base, Ours, Theirs bool // whether the version has a line of the case
	Parts              []Part
}

// A Part is a projection, a check or another part of a line in the three
// versions, each spelt for people.
type Part struct{ Of, Base, Ours, Theirs string }

// clashes says for people what differs between the sides of each conflict.
func clashes(m *baseline.Merged) ([]Clash, error) {
	var all []Clash
	for _, c := range m.Conflicts {
		clash := Clash{ID: c.ID, Base: c.Base != nil, Ours: c.Ours != nil, Theirs: c.Theirs != nil}
		var said [3]map[string]string
		of := map[string]bool{}
		for i, line := range [][]byte{c.Base, c.Ours, c.Theirs} {
			if line == nil {
				continue
			}
			l, err := baseline.ParseLine(line)
			if err != nil {
				return nil, fmt.Errorf("the line of case %q: %w", c.ID, err)
			}
			said[i] = spelled(&l)
			for name := range said[i] {
				of[name] = true
			}
		}
		for name := range of {
			base, ours, theirs := orAbsent(said[0], name), orAbsent(said[1], name), orAbsent(said[2], name)
			differs := ours != theirs
			switch { // where one side has no line, what matters is what the other changed
			case !clash.Ours:
				differs = base != theirs
			case !clash.Theirs:
				differs = base != ours
			}
			if differs {
				clash.Parts = append(clash.Parts, Part{name, base, ours, theirs})
			}
		}
		slices.SortFunc(clash.Parts, func(a, b Part) int { return strings.Compare(a.Of, b.Of) })
		all = append(all, clash)
	}
	return all, nil
}

func orAbsent(said map[string]string, name string) string {
	if v, ok := said[name]; ok {
		return v
	}
	return "(absent)"
}

// spelled writes the compared parts of a line for people, by name.
func spelled(l *baseline.Line) map[string]string {
	said := map[string]string{
		"version": fmt.Sprint(l.Version),
		"input":   short(l.Input),
	}
	if l.Expect != "" {
		said["expect"] = short(l.Expect)
	}
	for name, c := range l.Checks {
		said["check "+name] = fmt.Sprintf("pass %d/%d", c.Passed, c.Of)
	}
	for name, v := range l.Projections {
		said[name] = diff.Spell(v)
	}
	for name, counts := range l.Unstable {
		said[name+", unstable"] = diff.SpellCounts(counts, l.Samples)
	}
	for _, m := range l.Extra {
		said[m.Key] = string(m.Value)
	}
	return said
}

// short is the part of a hash that people can tell apart.
func short(hash string) string {
	hash = strings.TrimPrefix(hash, "sha256:")
	return hash[:min(len(hash), 8)]
}
