package draft

import (
	"strconv"
	"strings"
	"unicode"

	"docket/engine/suite"
)

// longestID keeps ids short enough to be typed.
const longestID = 60

// ID makes the id of a case of the name of its test: TestRefunds.test_window[eu]
// becomes refunds-window-eu. Taken reports ids that are in use; the id that is
// returned is none of them.
func ID(name string, taken func(string) bool) string {
	var words []string
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		words = append(words, camel(part)...)
	}
	var kept []string
	for _, w := range words {
		if w = strings.ToLower(w); w != "test" && w != "tests" {
			kept = append(kept, w)
		}
	}
	id := slug(strings.Join(kept, " "), '-', longestID)
	if id == "" {
		id = "case"
	}
	first := id
	for n := 2; taken(id); n++ {
		id = first + "-" + strconv.Itoa(n)
	}
	return id
}

// camel splits TestRefundWindow into its words.
func camel(s string) []string {
	var words []string
	start := 0
	runes := []rune(s)
	for i := 1; i < len(runes); i++ {
		if unicode.IsUpper(runes[i]) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			words = append(words, string(runes[start:i]))
			start = i
		}
	}
	return append(words, string(runes[start:]))
}

// FileName is the name of a case's file, without its folder: the id itself where
// it is a plain word on any system.
func FileName(id string) string {
	plain := id != "" && len(id) <= longestID+4 && !reserved(id)
	for i, r := range id {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && (r != '-' || i == 0) {
			plain = false
		}
	}
	if plain {
		return id + ".yaml"
	}
	return suite.FileName(id) + ".yaml"
}

// reserved reports names that some system takes for a device.
func reserved(id string) bool {
	switch id {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(id) == 4 && (strings.HasPrefix(id, "com") || strings.HasPrefix(id, "lpt"))
}

// FileStem is FileName without its ending, for files that are named after
// something else than a case.
func FileStem(name string) string { return strings.TrimSuffix(FileName(name), ".yaml") }
