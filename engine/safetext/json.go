package safetext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes v as one line of JSON that a terminal may show: what would move
// its cursor or cannot be seen is spelled as an escape inside its string, so
// that a program reads the same value. HTML's characters stay as they are.
func JSON(w io.Writer, v any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err := w.Write(escapeUnseen(b.Bytes()))
	return err
}

// escapeUnseen escapes what encoding/json leaves in strings but a terminal
// would obey or not show: DEL, C1, direction overrides and invisible
// characters. Between strings JSON holds none of them, so the value is the same.
func escapeUnseen(b []byte) []byte {
	if !bytes.ContainsFunc(b, unseen) {
		return b
	}
	var out []byte
	for _, r := range string(b) {
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

// unseen reports whether a terminal would obey a character, or not show it.
func unseen(r rune) bool {
	return r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029)
}
