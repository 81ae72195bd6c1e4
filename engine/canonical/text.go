package canonical

import "unicode/utf8"

// AppendString appends s as one JSON string.
//
// Characters stand as themselves, in UTF-8, with no escapes for HTML. Escaped
// are the quote, the backslash, and what would not survive a look at the file
// on a terminal or a reader that splits it into lines: the control characters
// (U+0000 to U+001F, U+007F to U+009F) and the separators U+2028 and U+2029.
// Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0 // of what is still to be copied
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, rune(c))
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, s[start:i]...)
			dst = utf8.AppendRune(dst, utf8.RuneError)
			start = i + size
		case r <= 0x9f || r == '\u2028' || r == '\u2029':
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, r)
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscape appends the escape of one character of the basic plane, the
// short form where JSON has one.
func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	const hexDigits = "0123456789abcdef"
	return append(dst, '\\', 'u',
		hexDigits[r>>12&0xf], hexDigits[r>>8&0xf], hexDigits[r>>4&0xf], hexDigits[r&0xf])
}
