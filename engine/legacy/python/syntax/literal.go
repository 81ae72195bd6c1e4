package syntax

import (
	"strings"
	"unicode/utf8"
)

// literal reads the string token that begins at start and ends at end. It gives
// a *String, or a *Format for an f-string.
func (p *parser) literal(start, end int) Expr {
	quote := start
	for p.src[quote] != '"' && p.src[quote] != '\'' {
		quote++
	}
	prefix := strings.ToLower(p.src[start:quote])
	body, close := quote+1, end-1
	if q := p.src[quote]; end >= quote+6 && p.src[quote+1] == q && p.src[quote+2] == q {
		body, close = quote+3, end-3
	}
	if close < body || p.src[close] != p.src[quote] {
		close = max(body, end) // not closed: what there is
	}
	raw := strings.Contains(prefix, "r")
	span := Span{start, end}
	if !strings.ContainsAny(prefix, "ft") {
		text := p.src[body:close]
		if raw {
			return &String{Span: span, Value: text, Bytes: strings.Contains(prefix, "b")}
		}
		value, why := unescape(text, strings.Contains(prefix, "b"))
		return &String{Span: span, Value: value, Why: why, Bytes: strings.Contains(prefix, "b")}
	}
	triple := body-quote == 3
	return &Format{Span: span, Parts: p.formatParts(body, close, p.src[quote], triple, raw, false, 0)}
}

// formatParts reads the inside of an f-string, or of a format within one.
func (p *parser) formatParts(start, end int, q byte, triple, raw, inFormat bool, depth int) []FormatPart {
	var parts []FormatPart
	var text strings.Builder
	var why string
	flush := func() {
		if text.Len() > 0 || why != "" {
			parts = append(parts, FormatPart{Text: text.String(), Why: why})
			text.Reset()
			why = ""
		}
	}
	add := func(s string) {
		if raw {
			text.WriteString(s)
			return
		}
		v, w := unescape(s, false)
		text.WriteString(v)
		if w != "" {
			why = w
		}
	}
	i, from := start, start
	for i < end {
		switch c := p.src[i]; {
		case c == '\\' && i+1 < end && !raw:
			if strings.HasPrefix(p.src[i:end], "\\N{") {
				if n := strings.IndexByte(p.src[i:end], '}'); n > 0 {
					i += n + 1
					continue
				}
			}
			if p.src[i+1] == '{' || p.src[i+1] == '}' {
				i++
				continue
			}
			i += 2
		case c == '\\' && raw && i+1 < end && p.src[i+1] != '{' && p.src[i+1] != '}':
			i += 2
		case (c == '{' || c == '}') && i+1 < end && p.src[i+1] == c && !inFormat:
			add(p.src[from : i+1])
			i += 2
			from = i
		case c == '{':
			f, ok := scanField(p.src, i, q, triple, depth+1)
			if !ok || f.end > end {
				p.problem(i, "a field of a string cannot be read")
				add(p.src[from:i])
				flush()
				return append(parts, FormatPart{X: &BadExpr{Span{i, end}}})
			}
			add(p.src[from:i])
			if f.debug {
				text.WriteString(p.src[f.exprStart:f.endOfDebug(p.src)])
				if f.conversion == "" && f.format < 0 {
					f.conversion = "r"
				}
			}
			flush()
			part := FormatPart{X: p.inner(f.exprStart, f.exprEnd), Conversion: f.conversion}
			if f.format >= 0 {
				part.Format = p.formatParts(f.format, f.end-1, q, triple, raw, true, depth+1)
			}
			parts = append(parts, part)
			i = f.end
			from = i
		default:
			i++
		}
	}
	add(p.src[from:end])
	flush()
	return parts
}

// endOfDebug gives the offset after "=" and the white space behind it.
func (f fieldSpan) endOfDebug(src string) int {
	i := f.exprEnd + 1
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n') {
		i++
	}
	return i
}

// unescape decodes the escapes of a literal. Where Python's string could not be
// had, it says why.
func unescape(s string, bytes bool) (value, why string) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, ""
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		c := s[i+1]
		i += 2
		switch c {
		case '\n':
		case '\\', '\'', '"':
			b.WriteByte(c)
		case 'a':
			b.WriteByte('\a')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'v':
			b.WriteByte('\v')
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := rune(c - '0')
			for k := 0; k < 2 && i < len(s) && '0' <= s[i] && s[i] <= '7'; k++ {
				n = n*8 + rune(s[i]-'0')
				i++
			}
			writeCode(&b, n, bytes)
		case 'x', 'u', 'U':
			size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if bytes && c != 'x' {
				b.WriteByte('\\')
				b.WriteByte(c)
				continue
			}
			n, ok := hexCode(s[i:], size)
			if !ok {
				return s, "an escape that cannot be read"
			}
			i += size
			if 0xd800 <= n && n < 0xe000 {
				why = "half a surrogate pair"
				continue
			}
			writeCode(&b, n, bytes)
		case 'N':
			end := strings.IndexByte(s[i:], '}')
			if bytes || end < 0 || s[i] != '{' {
				b.WriteString(`\N`)
				continue
			}
			r, ok := namedRune(s[i+1 : i+end])
			if !ok {
				why = "a character that is given by its name"
			}
			b.WriteRune(r)
			i += end + 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String(), why
}

func writeCode(b *strings.Builder, n rune, bytes bool) {
	if bytes {
		b.WriteByte(byte(n))
		return
	}
	b.WriteRune(n)
}

func hexCode(s string, size int) (rune, bool) {
	if len(s) < size {
		return 0, false
	}
	var n rune
	for i := range size {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			n = n<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return n, 0 <= n && n <= utf8.MaxRune
}

// namedRune knows the few names that texts pasted into tests use; the whole
// table of Unicode would outweigh the program.
func namedRune(name string) (rune, bool) {
	switch strings.ToUpper(name) {
	case "NO-BREAK SPACE":
		return '\u00a0', true
	case "EN DASH":
		return '–', true
	case "EM DASH":
		return '—', true
	case "BULLET":
		return '•', true
	case "EURO SIGN":
		return '€', true
	case "POUND SIGN":
		return '£', true
	case "DEGREE SIGN":
		return '°', true
	case "HORIZONTAL ELLIPSIS":
		return '…', true
	case "ZERO WIDTH SPACE":
		return '\u200b', true
	case "SNOWMAN":
		return '☃', true
	}
	return utf8.RuneError, false
}
