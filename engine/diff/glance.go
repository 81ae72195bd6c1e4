package diff

import (
	"bytes"
	"strconv"
	"strings"

	"docket/engine/baseline"
)

// A glance is what the summary needs of a line that is the same on both sides.
// Reading it costs a fraction of parsing the line, which matters where 99,000
// lines of 100,000 are the same.
type glance struct {
	pass        bool
	hasPass     bool
	score       float64
	hasScore    bool
	checks      [][]byte // names, JSON-escaped
	projections [][]byte
}

// look reads a canonical line. It returns false for a line that is not written
// as docket writes it, which must then be parsed.
func (g *glance) look(line []byte) bool {
	g.checks, g.projections = g.checks[:0], g.projections[:0]
	g.hasPass, g.hasScore, g.pass = false, false, false

	rest, ok := after(line, `,"pass":`)
	if !ok {
		return false
	}
	switch {
	case bytes.HasPrefix(rest, []byte("true,")):
		g.hasPass, g.pass, rest = true, true, rest[4:]
	case bytes.HasPrefix(rest, []byte("false,")):
		g.hasPass, rest = true, rest[5:]
	case bytes.HasPrefix(rest, []byte("null,")):
		rest = rest[4:]
	case bytes.HasPrefix(rest, []byte(`"`)):
		end := bytes.IndexByte(rest[1:], '"')
		if end < 0 {
			return false
		}
		passed, of, ok := bytes.Cut(rest[1:end+1], []byte("/"))
		if !ok {
			return false
		}
		p, errPassed := strconv.Atoi(string(passed))
		n, errOf := strconv.Atoi(string(of))
		if errPassed != nil || errOf != nil {
			return false
		}
		g.hasPass, g.pass = true, majority(baseline.Tally{Passed: p, Of: n})
		rest = rest[end+2:]
	default:
		return false
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"score":`))
	if !ok {
		return false
	}
	end := bytes.IndexByte(rest, ',')
	if end < 0 {
		return false
	}
	if string(rest[:end]) != "null" {
		score, err := strconv.ParseFloat(string(rest[:end]), 64)
		if err != nil {
			return false
		}
		g.score, g.hasScore = score, true
	}
	rest = rest[end:]
	if g.checks, rest, ok = object(rest, `,"checks":`, g.checks); !ok {
		return false
	}
	if p, has := bytes.CutPrefix(rest, []byte(`,"params":`)); has {
		skipped, ok := skipObject(p)
		if !ok {
			return false
		}
		rest = skipped
	}
	g.projections, _, ok = object(rest, `,"projections":`, g.projections)
	return ok
}

// after finds the first top-level occurrence of a key: the marker begins with
// an unescaped quote, which cannot stand inside a JSON string, and the keys
// before "pass" hold strings and numbers only.
func after(line []byte, marker string) ([]byte, bool) {
	i := bytes.Index(line, []byte(marker))
	if i < 0 {
		return nil, false
	}
	return line[i+len(marker):], true
}

// object reads the keys of the object behind a marker, if it is there.
func object(rest []byte, marker string, keys [][]byte) ([][]byte, []byte, bool) {
	rest, ok := bytes.CutPrefix(rest, []byte(marker))
	if !ok || len(rest) == 0 || rest[0] != '{' {
		return keys, rest, false
	}
	rest = rest[1:]
	if len(rest) > 0 && rest[0] == '}' {
		return keys, rest[1:], true
	}
	for {
		if len(rest) == 0 || rest[0] != '"' {
			return keys, rest, false
		}
		end := stringEnd(rest)
		if end < 0 || end >= len(rest) || rest[end] != ':' {
			return keys, rest, false
		}
		keys = append(keys, rest[1:end-1])
		rest = skipValue(rest[end+1:])
		if len(rest) == 0 {
			return keys, rest, false
		}
		switch rest[0] {
		case ',':
			rest = rest[1:]
		case '}':
			return keys, rest[1:], true
		default:
			return keys, rest, false
		}
	}
}

func skipObject(b []byte) ([]byte, bool) {
	if len(b) == 0 || b[0] != '{' {
		return b, false
	}
	return skipValue(b), true
}

// skipValue returns what stands behind the JSON value at the start of b.
func skipValue(b []byte) []byte {
	depth := 0
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			end := stringEnd(b[i:])
			if end < 0 {
				return nil
			}
			i += end
			if depth == 0 {
				return b[i:]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return b[i:]
			}
			depth--
			if depth == 0 {
				return b[i+1:]
			}
		case ',':
			if depth == 0 {
				return b[i:]
			}
		}
		i++
	}
	return nil
}

// stringEnd returns the index behind the closing quote of the JSON string at
// the start of b, or -1.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return -1
		}
		i += j
		slashes := 0
		for k := i - 1; k > 0 && b[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
		i++
	}
	return -1
}

// unescape resolves the escapes of a JSON string without its quotes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	unquoted, err := strconv.Unquote(`"` + s + `"`)
	if err != nil {
		return s
	}
	return unquoted
}
