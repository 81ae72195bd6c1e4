package syntax

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// name returns a name with its escapes read.
func (p *parser) name(t token) string {
	raw := p.source[t.start:t.end]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	s, _ := unquote(raw)
	return s
}

// textual reads a string, a template without a tag, or a regular expression.
func (p *parser) textual() *Node {
	t := p.toks[p.i]
	switch t.kind {
	case js.StringToken:
		p.next()
		n := p.node(String, t.start)
		s, whole := unquote(p.source[t.start+1 : t.end-1])
		n.Text, n.Lossy = s, !whole
		return n
	case js.RegExpToken:
		p.next()
		n := p.node(Regexp, t.start)
		raw := string(p.source[t.start:t.end])
		slash := strings.LastIndexByte(raw, '/')
		n.Text, n.Op = raw[1:slash], raw[slash+1:]
		return n
	case js.TemplateToken, js.TemplateStartToken:
		return p.template()
	}
	p.fail("a string was expected here")
	return nil
}

func (p *parser) template() *Node {
	defer p.deeper()()
	t := p.toks[p.i]
	piece := func(t token, tail int) *Node {
		raw := bytes.ReplaceAll(p.source[t.start+1:t.end-tail], []byte("\r\n"), []byte("\n"))
		s, whole := unquote(bytes.ReplaceAll(raw, []byte("\r"), []byte("\n")))
		return &Node{Kind: String, Start: t.start, End: t.end, Text: s, Lossy: !whole}
	}
	p.next()
	if t.kind == js.TemplateToken {
		return p.node(Template, t.start, piece(t, 1))
	}
	kids := []*Node{piece(t, 2)}
	for {
		kids = append(kids, p.inside())
		t := p.toks[p.i]
		switch t.kind {
		case js.TemplateMiddleToken:
			p.next()
			kids = append(kids, piece(t, 2))
		case js.TemplateEndToken:
			p.next()
			kids = append(kids, piece(t, 1))
			return p.node(Template, kids[0].Start, kids...)
		default:
			p.fail("the template's value should end here")
		}
	}
}

// unquote reads the escapes of a string without its quotation marks. Whole is
// false where an escape is none, or half a surrogate pair is left, which no
// UTF-8 can spell: U+FFFD stands in its place.
func unquote(raw []byte) (s string, whole bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return strings.ToValidUTF8(string(raw), "\ufffd"), utf8.Valid(raw)
	}
	whole = utf8.Valid(raw)
	var b strings.Builder
	var high rune // the first half of a surrogate pair that waits for its second
	put := func(r rune) {
		if high != 0 {
			if pair := utf16.DecodeRune(high, r); pair != utf8.RuneError {
				b.WriteRune(pair)
				high = 0
				return
			}
			b.WriteRune(utf8.RuneError)
			high, whole = 0, false
		}
		switch {
		case 0xd800 <= r && r < 0xdc00:
			high = r
		case utf16.IsSurrogate(r):
			b.WriteRune(utf8.RuneError)
			whole = false
		default:
			b.WriteRune(r)
		}
	}
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			r, n := utf8.DecodeRune(raw[i:])
			put(r)
			i += n
			continue
		}
		r, n, ok := escape(raw[i+1:])
		i += 1 + n
		if !ok {
			whole = false
		}
		if r >= 0 {
			put(r)
		}
	}
	if high != 0 {
		b.WriteRune(utf8.RuneError)
		whole = false
	}
	return b.String(), whole
}

// escape reads what stands behind a backslash: the character, -1 for none, and
// how many bytes it took.
func escape(b []byte) (r rune, n int, ok bool) {
	if len(b) == 0 {
		return '\\', 0, false
	}
	switch c := b[0]; c {
	case 'n':
		return '\n', 1, true
	case 't':
		return '\t', 1, true
	case 'r':
		return '\r', 1, true
	case 'b':
		return '\b', 1, true
	case 'f':
		return '\f', 1, true
	case 'v':
		return '\v', 1, true
	case '\n':
		return -1, 1, true
	case '\r':
		if len(b) > 1 && b[1] == '\n' {
			return -1, 2, true
		}
		return -1, 1, true
	case 'x':
		return hex(b, 1, 3)
	case 'u':
		if len(b) > 1 && b[1] == '{' {
			end := bytes.IndexByte(b, '}')
			if end < 3 || end > 16 {
				return 'u', 1, false
			}
			r, _, ok := hex(b, 2, end)
			return r, end + 1, ok && r <= utf8.MaxRune
		}
		return hex(b, 1, 5)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		// Old sources have octal escapes of up to three digits, below 256.
		v, n := rune(0), 0
		for n < len(b) && n < 3 && '0' <= b[n] && b[n] <= '7' && v*8+rune(b[n]-'0') < 256 {
			v = v*8 + rune(b[n]-'0')
			n++
		}
		return v, n, true
	}
	r, n = utf8.DecodeRune(b)
	if r == '\u2028' || r == '\u2029' {
		return -1, n, true
	}
	return r, n, true
}

// hex reads the digits between two places behind the letter of an escape; where
// they are none, the letter stands for itself.
func hex(b []byte, from, to int) (r rune, n int, ok bool) {
	if to > len(b) {
		return rune(b[0]), 1, false
	}
	v, err := strconv.ParseUint(string(b[from:to]), 16, 32)
	if err != nil || v > utf8.MaxRune {
		return rune(b[0]), 1, false
	}
	return rune(v), to, true
}
