package tui

import (
	"errors"
	"strings"
	"testing"

	"docket/tui/list"
)

// FuzzFilter: each word that is typed narrows the list in one way, or the error
// says why not; a word that is no condition is looked for as it is.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"", "refund 10:30", "of:label STATUS:", "of: of:x x", "of:of:of", "tag:\x1b[31m", ":", "\u00a0of:\u2003x", "İ\xff"} {
		f.Add(seed)
	}
	spec := Spec{Terms: []string{"of", "status"}, Term: func(key, value string) (func(*list.Row) bool, error) {
		if value == "" || strings.EqualFold(key, "status") {
			return nil, errors.New("nothing has it")
		}
		return func(*list.Row) bool { return true }, nil
	}}
	f.Fuzz(func(t *testing.T, text string) {
		words, conditions, err := compileFilter(spec, text)
		typed, plain := strings.Fields(text), 0
		for _, word := range typed {
			if key, _, is := strings.Cut(word, ":"); !is || !known(spec, key) {
				plain++
			}
		}
		if len(words) != plain || len(words)+len(conditions) > len(typed) || err == nil && len(words)+len(conditions) != len(typed) {
			t.Fatalf("%q: %d words, %d conditions, %v", text, len(words), len(conditions), err)
		}
		for _, condition := range conditions {
			if condition == nil {
				t.Fatalf("%q: a condition is missing", text)
			}
		}
	})
}
