package python

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// dumped is what json.dumps gives of a constant without options: spaces after
// commas and colons, keys in their order, and all but ASCII escaped.
func dumped(pos []value, args []argument) (string, bool) {
	if len(pos) != 1 || len(args) != 1 {
		return "", false
	}
	var b strings.Builder
	if !dump(&b, pos[0], 0) {
		return "", false
	}
	return b.String(), true
}

func dump(b *strings.Builder, v value, depth int) bool {
	switch v := v.(type) {
	case text:
		quote(b, string(v))
	case number:
		b.WriteString(string(v))
	case truth:
		b.WriteString(strconv.FormatBool(bool(v)))
	case none:
		b.WriteString("null")
	case *sequence:
		if v.open == '{' || depth > 50 {
			return false // a set, which is no JSON
		}
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			if !dump(b, item, depth+1) {
				return false
			}
		}
		b.WriteByte(']')
	case *dict:
		if depth > 50 {
			return false
		}
		b.WriteByte('{')
		for i, key := range v.keys {
			k, ok := key.(text)
			if !ok {
				return false
			}
			if i > 0 {
				b.WriteString(", ")
			}
			quote(b, string(k))
			b.WriteString(": ")
			if !dump(b, v.values[i], depth+1) {
				return false
			}
		}
		b.WriteByte('}')
	default:
		return false
	}
	return true
}

// quote writes a string as Python's json does.
func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < ' ' || r > '~' && r < 0x10000:
			fmt.Fprintf(b, `\u%04x`, r)
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
