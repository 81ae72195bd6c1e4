package migrate

import (
	"slices"
	"strings"
	"unicode"

	"docket/engine/legacy"
	"docket/engine/migration"
)

// similar finds the test that is most like another: by the words of their names
// and by what they are given. It asks the tests that share a word, and not all.
type similar struct {
	words [][]int // by test, which words it has
	tests [][]int // by word, which tests have it, as far as one may be merged into them
	given []bool  // by word, whether it is something that a test was given, which says more
	names []string
}

func newSimilar(tests []migration.Test) similar {
	s := similar{words: make([][]int, len(tests)), names: make([]string, len(tests))}
	number := map[string]int{}
	for i := range tests {
		t := &tests[i]
		s.names[i] = t.Name
		words := strings.FieldsFunc(strings.ToLower(t.Name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, key := range sortedKeys(t.Draft.Input) {
			if text, ok := t.Draft.Input[key].(string); ok {
				words = append(words, "="+key+"="+text)
			}
		}
		for _, w := range words {
			n, known := number[w]
			if !known {
				n = len(s.tests)
				number[w] = n
				s.tests, s.given = append(s.tests, nil), append(s.given, w[0] == '=')
			}
			if slices.Contains(s.words[i], n) {
				continue
			}
			s.words[i] = append(s.words[i], n)
			if t.Pile == legacy.Situation {
				s.tests[n] = append(s.tests[n], i)
			}
		}
	}
	return s
}

// to names the test that shares most with another, as a person would type it;
// "" where none shares more than the word test.
func (s *similar) to(i int) string {
	counts := make([]int, len(s.words))
	for _, w := range s.words[i] {
		weight := 1
		if s.given[w] {
			weight = 3
		}
		for _, other := range s.tests[w] {
			counts[other] += weight
		}
	}
	counts[i] = 0
	best := 0
	for other, n := range counts {
		if n > counts[best] {
			best = other
		}
	}
	if counts[best] < 2 {
		return ""
	}
	return s.names[best]
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
