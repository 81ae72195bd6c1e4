package safetext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes v as one line of JSON that a terminal may show: what would move
// its cursor or cannot be seen is spelled as an escape inside its string, so
// that a program reads the same value. HTML's characters stay as they are.
func JSON(w io.Writer, v any) error { return writeJSON(w, v, "") }

// IndentedJSON writes v as [JSON] does, a member a line.
func IndentedJSON(w io.Writer, v any) error { return writeJSON(w, v, "  ") }

func writeJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err := w.Write(EscapeJSON(b.Bytes()))
	return err
}

// EscapeJSON spells in text that is JSON, or lines of JSON, what encoders leave
// in strings but a terminal would obey or not show: DEL, C1, direction
// overrides and invisible characters. Between strings JSON holds none of them,
// so the value is the same. What holds none is returned as it is.
func EscapeJSON(text []byte) []byte {
	at := bytes.IndexFunc(text, unseen)
	if at < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)+len(text)/8), text[:at]...)
	for rest := text[at:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		switch {
		case !unseen(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// unseen reports whether a terminal would obey a character, or not show it by
// itself.
func unseen(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' && r != '\n' || r == 0x7f
	case r < 0xa0:
		return true // C1
	}
	class := classify(r)
	return class == hidden || class == joiner || class == selector
}
