package describe

import (
	"maps"
	"slices"
	"strings"

	"docket/engine/baseline"
)

// A Wobble is a projection, a member of one, or a check, that the samples of
// some cases disagree on.
type Wobble struct {
	Of     string
	Member string // "" for a projection that is compared as a whole, and for a check
	Check  bool
	Cases  []Seen // in the order of the baseline
}

// A Seen is what the samples of one case had.
type Seen struct {
	ID      string
	Samples int
	Values  []Times // the most frequent first; of a member only how often it was there
}

// A Times is a value and in how many samples it was.
type Times struct {
	Value string
	Times int
}

type wobbleKey struct {
	of, member string
	check      bool
}

func (g *gatherer) wobble(k wobbleKey) *Wobble {
	if g.wobbles[k] == nil {
		g.wobbles[k] = &Wobble{Of: k.of, Member: k.member, Check: k.check}
	}
	return g.wobbles[k]
}

// addWobble notes what the samples of a case disagree on in one projection.
func (g *gatherer) addWobble(l *baseline.Line, name string, unstable map[string]int) {
	if len(unstable) == 0 {
		return
	}
	if memberwise(name) || name == "entities" {
		for member, times := range unstable {
			key := wobbleKey{of: name, member: readMember(member)}
			if member == "null" {
				key.member = ""
			}
			if name == "entities" {
				key.member = "" // each case has identifiers of its own
			}
			w := g.wobble(key)
			seen := Seen{ID: l.ID, Samples: l.Samples, Values: []Times{{readMember(member), times}}}
			if n := len(w.Cases); n > 0 && w.Cases[n-1].ID == l.ID {
				w.Cases[n-1].Values = append(w.Cases[n-1].Values, seen.Values...)
				sortTimes(w.Cases[n-1].Values)
				continue
			}
			w.Cases = append(w.Cases, seen)
		}
		return
	}
	seen := Seen{ID: l.ID, Samples: l.Samples}
	for _, value := range slices.Sorted(maps.Keys(unstable)) {
		seen.Values = append(seen.Values, Times{value, unstable[value]})
	}
	sortTimes(seen.Values)
	w := g.wobble(wobbleKey{of: name})
	w.Cases = append(w.Cases, seen)
}

func sortTimes(values []Times) {
	slices.SortFunc(values, func(a, b Times) int {
		if a.Times != b.Times {
			return b.Times - a.Times
		}
		return strings.Compare(a.Value, b.Value)
	})
}

// compareWobbles puts checks first, then what is compared as a whole, then
// members; within each what wobbles in the most cases.
func compareWobbles(a, b Wobble) int {
	kind := func(w Wobble) int {
		switch {
		case w.Check:
			return 0
		case w.Member == "":
			return 1
		default:
			return 2
		}
	}
	if c := kind(a) - kind(b); c != 0 {
		return c
	}
	if c := len(b.Cases) - len(a.Cases); c != 0 {
		return c
	}
	if c := strings.Compare(a.Of, b.Of); c != 0 {
		return c
	}
	return strings.Compare(a.Member, b.Member)
}
