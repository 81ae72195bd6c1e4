package migrate

import (
	"slices"
	"strings"
	"unicode"

	"docket/engine/legacy"
	"docket/engine/migration"
)

// similar finds the test that is most like another: by the words of their names
// and by what they are given.
type similar struct {
	words map[string][]string // by key, sorted
}

func newSimilar(tests []migration.Test) similar {
	s := similar{words: make(map[string][]string, len(tests))}
	for i := range tests {
		t := &tests[i]
		words := strings.FieldsFunc(strings.ToLower(t.Name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for key, v := range t.Draft.Input {
			if text, ok := v.(string); ok {
				words = append(words, key+"="+text)
			}
		}
		slices.Sort(words)
		s.words[t.Key] = slices.Compact(words)
	}
	return s
}

// to names the test that shares most with another, as a person would type it;
// "" where none shares more than the word test.
func (s similar) to(tests []migration.Test, key string) string {
	mine := s.words[key]
	best, name := 1.0, ""
	for i := range tests {
		t := &tests[i]
		if t.Key == key || t.Pile != legacy.Situation {
			continue
		}
		if n := shared(mine, s.words[t.Key]); n > best {
			best, name = n, t.Name
		}
	}
	return name
}

// shared counts the words that two lists have in common; what both are given
// counts three times.
func shared(a, b []string) (n float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch strings.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			if n++; strings.ContainsRune(a[i], '=') {
				n += 2
			}
			i++
			j++
		}
	}
	return n
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
