package source

import (
	"fmt"
	"slices"
	"strings"

	"docket/engine/phrase"
)

// Known checks the keys of a mapping. An unknown one is a problem that names
// the nearest known key, or all of them where none is near; a value that is no
// mapping is a problem, too. What says what the mapping is, with its article:
// "a case". An absent value has no problem.
func Known(v Value, what string, keys ...string) Problems {
	if v.IsZero() {
		return nil
	}
	if v.Kind() != Map {
		return Problems{v.Problemf("expected %s, which is a mapping, got %s", what, v.Describe())}
	}
	var problems Problems
	for _, e := range v.Entries() {
		if !slices.Contains(keys, e.Key) {
			if len(problems) == mostUnknown {
				return append(problems, e.KeyAt.Problemf("more than %d unknown keys in %s; the rest is not listed", mostUnknown, what))
			}
			problems = append(problems, e.KeyAt.Problemf("unknown key %q in %s; %s", phrase.Abridge(e.Key, mostShown), what, Suggest(e.Key, keys)))
		}
	}
	return problems
}

// mostUnknown is how many unknown keys of a mapping are listed.
const mostUnknown = 100

// Suggest ends a sentence about a name that is not known: "did you mean …?"
// where one is near, else the names that are.
func Suggest(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	switch len(known) {
	case 0:
		return "none is known here"
	case 1:
		return "expected " + known[0]
	}
	return "expected one of " + strings.Join(known, ", ")
}

// Nearest returns the known key that is the fewest typing mistakes away from
// key, the first of several; "" when nothing is near, which means within one
// mistake for each three characters. Case, and - for _, count for nothing.
func Nearest(key string, known []string) string {
	const longest = 64 // no key of docket's is as long, and the work grows with the square
	if len(key) > longest {
		return ""
	}
	best, least := "", -1
	folded := fold(key)
	for _, k := range known {
		if len(k) > longest {
			continue
		}
		d := distance(folded, fold(k))
		if d > (max(len(folded), len(k))+1)/3 || d >= len(folded) {
			continue
		}
		if least < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}

func fold(s string) []rune {
	return []rune(strings.ReplaceAll(strings.ToLower(s), "-", "_"))
}

// distance is the optimal string alignment distance: insertions, deletions,
// substitutions and exchanges of neighbours.
func distance(a, b []rune) int {
	previous, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], previous[j-2]+1)
			}
		}
		previous, above, row = above, row, previous
	}
	return above[len(b)]
}
