package interchange

import (
	"bytes"
	"fmt"

	"docket/engine/canonical"
)

// maxDepth is how many lists and objects may lie in one another, in what is
// skipped as well as in what is read.
const maxDepth = 1000

// A scanner finds the end of a value that comes in pieces.
type scanner struct {
	open    []byte // closing brackets that are due
	quoted  bool   // within a string
	escaped bool   // after a backslash in one
	bare    bool   // within a number or a word
}

// over looks at a piece of the value and returns how many of its bytes belong
// to it, and whether it ends there; or what is wrong at the byte after these.
func (sc *scanner) over(b []byte) (n int, done bool, wrong string) {
	for i := 0; i < len(b); {
		if sc.quoted {
			if sc.escaped {
				sc.escaped = false
				i++
				continue
			}
			for i < len(b) && b[i] != '"' && b[i] != '\\' {
				i++
			}
			if i == len(b) {
				break
			}
			if b[i] == '\\' {
				sc.escaped = true
				i++
				continue
			}
			sc.quoted = false
			if i++; len(sc.open) == 0 {
				return i, true, ""
			}
			continue
		}
		c := b[i]
		switch c {
		case '"':
			sc.quoted = true
		case '{', '[':
			if len(sc.open) == maxDepth {
				return i, false, fmt.Sprintf("lists and objects are nested more than %d deep", maxDepth)
			}
			sc.open = append(sc.open, c+2) // '}' and ']' stand two after their openings
		case '}', ']':
			last := len(sc.open) - 1
			switch {
			case last < 0 && sc.bare:
				return i, true, ""
			case last < 0 || sc.open[last] != c:
				return i, false, fmt.Sprintf("%q closes nothing that is open here", rune(c))
			}
			if sc.open = sc.open[:last]; last == 0 {
				return i + 1, true, ""
			}
		case ',', ' ', '\t', '\r', '\n':
			if len(sc.open) == 0 {
				if sc.bare {
					return i, true, ""
				}
				return i, false, fmt.Sprintf("expected a value, got %q", rune(c))
			}
		default:
			sc.bare = true
		}
		i++
	}
	return len(b), false, ""
}

// parseLoose reads the text as one JSON value like parse, but takes the bare
// words NaN, Infinity and -Infinity, which Python writes, for null: a number
// that no one can have meant is no number.
func (t text) parseLoose() (any, error) {
	v, err := canonical.Parse(t.data)
	if err == nil {
		return v, nil
	}
	if mended, some := withoutNaN(t.data); some {
		t.data = mended
	}
	return t.parse()
}

// withoutNaN returns a copy of JSON in which such a word is null.
func withoutNaN(data []byte) (mended []byte, some bool) {
	for i := 0; i < len(data); {
		switch data[i] {
		case '"':
			from := i
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(data))
			mended = append(mended, data[from:i]...)
			continue
		case 'N', 'I', '-':
			word := ""
			for _, w := range []string{"NaN", "Infinity", "-Infinity"} {
				if bytes.HasPrefix(data[i:], []byte(w)) {
					word = w
				}
			}
			if word != "" {
				mended = append(mended, "null"...)
				i += len(word)
				some = true
				continue
			}
		}
		mended = append(mended, data[i])
		i++
	}
	return mended, some
}
