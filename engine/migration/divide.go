package migration

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"docket/engine/canonical"
	"docket/engine/legacy/draft"
)

// An argument is what tests give for one parameter.
type argument struct {
	name  string
	value string
	given bool // false for tests that leave the parameter out
}

// words says the argument in a sentence about answers.
func (a argument) words() string {
	if !a.given {
		return fmt.Sprintf(" where %s is not given", a.name)
	}
	return fmt.Sprintf(" where %s is %s", a.name, a.value)
}

// longestChoice is the longest text that could choose a format.
const longestChoice = 32

// arguments are the small constants that a test gives: what could choose a
// format, unlike a text that is to be answered.
func arguments(t *Test) map[string]string {
	all := map[string]string{}
	var put func(name string, v any, depth int)
	put = func(name string, v any, depth int) {
		switch v := v.(type) {
		case bool, json.Number:
			all[name] = string(canonical.Marshal(v))
		case string:
			if word(v) {
				all[name] = v
			}
		case map[string]any:
			for key, inner := range v {
				if depth < 2 {
					put(name+"."+key, inner, depth+1)
				}
			}
		}
	}
	for name, v := range t.Draft.Input {
		put(name, v, 0)
	}
	return all
}

// word reports a text that is one word, as the names of formats are.
func word(s string) bool {
	if s == "" || len(s) > longestChoice {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.' {
			return false
		}
	}
	return true
}

// A demand is claims that ask for the same.
type demand struct {
	expect map[string]any
	claims []asked
}

// demandsOf gathers claims that ask for the same, in the order of the source.
func demandsOf(claims []asked) []demand {
	at := map[string]int{}
	var all []demand
	for _, a := range claims {
		if a.claim.Expect == nil {
			continue
		}
		key := string(canonical.Marshal(a.claim.Expect))
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			all = append(all, demand{expect: a.claim.Expect})
		}
		all[i].claims = append(all[i].claims, a)
	}
	return all
}

// A quarrel is two demands that contradict each other.
type quarrel struct {
	a, b int
	why  string
}

func quarrels(demands []demand) []quarrel {
	var all []quarrel
	for i := range demands {
		for j := i + 1; j < len(demands); j++ {
			if why := draft.Contradiction(demands[i].expect, demands[j].expect); why != "" {
				all = append(all, quarrel{i, j, why})
			}
		}
	}
	return all
}

// divide parts claims by the argument that chooses the format, where some
// contradict each other and there is one whose values tell them apart.
func divide(claims []asked, given []argument) []group {
	demands := demandsOf(claims)
	name := chooser(claims, demands, quarrels(demands), given)
	if name == "" {
		return []group{{claims, given}}
	}
	parts := map[argument][]asked{}
	for _, a := range claims {
		arg := argumentOf(a.test, name)
		parts[arg] = append(parts[arg], a)
	}
	order := slices.SortedFunc(maps.Keys(parts), func(a, b argument) int {
		switch {
		case a.given != b.given && !a.given:
			return -1
		case a.given != b.given:
			return 1
		case a.value < b.value:
			return -1
		}
		return 1
	})
	var all []group
	for _, arg := range order {
		all = append(all, divide(parts[arg], append(slices.Clip(given), arg))...)
	}
	return all
}

func argumentOf(t *Test, name string) argument {
	value, ok := arguments(t)[name]
	return argument{name, value, ok}
}

// chooser is the parameter by whose values most of what contradicts is told
// apart; of several the one with the fewest values. It is "" where none helps. A
// parameter that has another value in most tests names what is answered, and no
// format.
func chooser(claims []asked, demands []demand, fights []quarrel, given []argument) string {
	if len(fights) == 0 {
		return ""
	}
	values := map[string]map[argument]bool{}
	tests := map[*Test]bool{}
	for _, a := range claims {
		tests[a.test] = true
		for name := range arguments(a.test) {
			values[name] = map[argument]bool{}
		}
	}
	for t := range tests {
		for name := range values {
			values[name][argumentOf(t, name)] = true
		}
	}
	best, most := "", 0
	for _, name := range slices.Sorted(maps.Keys(values)) {
		known := slices.ContainsFunc(given, func(a argument) bool { return a.name == name })
		if n := len(values[name]); known || n < 2 || n > max(2, len(tests)/2) {
			continue
		}
		apart := 0
		for _, q := range fights {
			if tellsApart(name, demands[q.a], demands[q.b]) {
				apart++
			}
		}
		if apart > most || apart == most && best != "" && len(values[name]) < len(values[best]) {
			best, most = name, apart
		}
	}
	return best
}

// tellsApart reports that no test of one demand gives what a test of the other
// gives for a parameter.
func tellsApart(name string, a, b demand) bool {
	of := map[argument]bool{}
	for _, c := range a.claims {
		of[argumentOf(c.test, name)] = true
	}
	return !slices.ContainsFunc(b.claims, func(c asked) bool { return of[argumentOf(c.test, name)] })
}

// odd finds the claims that a group has to do without, because they contradict
// others: the one that contradicts the most first, and of two that contradict
// only each other both, since nothing says which of them is right.
func (g *group) odd() (out map[*Claim]bool, left []leftOf) {
	demands := demandsOf(g.claims)
	fights := slices.DeleteFunc(quarrels(demands), func(q quarrel) bool {
		joined := draft.Expectation{Loose: true, Values: demands[q.a].expect}
		return joined.Add(demands[q.b].expect) == "" // limits that differ: the widest will do
	})
	out = map[*Claim]bool{}
	leave := func(i, other int, why string) {
		first := demands[other].claims[0]
		for _, c := range demands[i].claims {
			out[c.claim] = true
			why := fmt.Sprintf("it contradicts %s, line %d: %s", first.test.Name, first.claim.Line, why)
			left = append(left, leftOf{c.record, Left{c.claim.Line, c.claim.Text, why}})
		}
	}
	for len(fights) > 0 {
		degree := map[int]int{}
		for _, q := range fights {
			degree[q.a]++
			degree[q.b]++
		}
		worst := fights[0]
		at := worst.a
		for _, q := range fights {
			for _, i := range []int{q.a, q.b} {
				if degree[i] > degree[at] || degree[i] == degree[at] && len(demands[i].claims) < len(demands[at].claims) {
					worst, at = q, i
				}
			}
		}
		other := worst.a + worst.b - at
		leave(at, other, worst.why)
		if degree[at] == 1 {
			leave(other, at, worst.why)
		}
		fights = slices.DeleteFunc(fights, func(q quarrel) bool {
			return q.a == at || q.b == at || degree[at] == 1 && (q.a == other || q.b == other)
		})
	}
	return out, left
}
