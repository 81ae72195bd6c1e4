package baseline

import (
	"bytes"

	"docket/engine/jsonl"
)

const samplesKey = `,"samples":`

// Key returns the part of a line that is compared: the bytes before the key
// samples, from which on the line says only how it was measured. Two lines
// with equal keys hold the same structure. The result shares the line's bytes;
// it is the whole line where there is no such key.
//
// It is exact for every valid line, also where a check, a projection or a
// text within the line is named "samples".
func Key(line []byte) []byte {
	// The text ,"samples": cannot stand inside a JSON string, whose quotes are
	// escaped, but it can stand inside an inner object. Where only a number and
	// plain strings follow, up to one brace that ends the line, it stands in
	// the outermost one.
	for from := max(0, len(line)-200); ; from++ { // samples, captured and outputs take at most 130 bytes
		at := bytes.Index(line[from:], []byte(samplesKey))
		if at < 0 {
			break
		}
		if from += at; plainTail(line[from+len(samplesKey):]) {
			return line[:from]
		}
	}
	return slowKey(line)
}

// Dated returns a line with the day on which it was captured, which goes behind
// its samples and so is no part of its key. A line that names a day already, and
// one that another hand wrote, is returned as it is.
func Dated(line []byte, day string) []byte {
	key := Key(line)
	rest, ok := bytes.CutPrefix(line[len(key):], []byte(samplesKey))
	if !ok || !plainTail(rest) || bytes.Contains(rest, []byte(`,"captured":"`)) {
		return line
	}
	at := len(line) - len(rest)
	for line[at] >= '0' && line[at] <= '9' {
		at++
	}
	dated := append(make([]byte, 0, len(line)+len(`,"captured":""`)+len(day)), line[:at]...)
	return append(appendText(dated, `,"captured":`, day), line[at:]...)
}

// plainTail reports whether b is a whole number, then any of captured and
// outputs with strings that have no escapes, then the closing brace.
func plainTail(b []byte) bool {
	digits := 0
	for digits < len(b) && b[digits] >= '0' && b[digits] <= '9' {
		digits++
	}
	if digits == 0 {
		return false
	}
	b = b[digits:]
	for _, key := range [...]string{`,"captured":"`, `,"outputs":"`} {
		if !bytes.HasPrefix(b, []byte(key)) {
			continue
		}
		b = b[len(key):]
		end := bytes.IndexByte(b, '"')
		if end < 0 || bytes.IndexByte(b[:end], '\\') >= 0 {
			return false
		}
		b = b[end+1:]
	}
	return len(b) == 1 && b[0] == '}'
}

// slowKey finds the key samples of lines that other hands wrote or that carry
// unknown keys. Where a key that is compared stands behind samples, the whole
// line is its key, so that no difference hides there.
func slowKey(line []byte) []byte {
	r := jsonl.NewReader(line)
	before, at := 0, -1 // end of the last value; where the key's comma stands
	hidden := false
	err := r.Object(func(key string) error {
		switch key {
		case "samples":
			at = before
		case "id", "version", "input", "expect", "pass", "score", "checks", "params", "projections", "unstable":
			hidden = hidden || at >= 0
		}
		_, err := r.Skip()
		before = r.Offset()
		return err
	})
	if err != nil || at <= 0 || hidden {
		return line
	}
	return line[:at]
}
