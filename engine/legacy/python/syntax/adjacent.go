package syntax

import "strings"

// strings reads adjacent literals, which are one string.
func (p *parser) strings() Expr {
	start := p.start()
	t := p.tokens[p.i]
	p.i++
	first := p.literal(t.start, t.end)
	if p.tokens[p.i].kind != stringToken {
		return first
	}
	var parts []FormatPart
	var format bool
	var text strings.Builder
	var why string
	bytes := false
	flush := func() {
		if text.Len() > 0 || why != "" {
			parts = append(parts, FormatPart{Text: text.String(), Why: why})
			text.Reset()
			why = ""
		}
	}
	add := func(x Expr) {
		switch x := x.(type) {
		case *String:
			text.WriteString(x.Value)
			bytes = bytes || x.Bytes
			if x.Why != "" {
				why = x.Why
			}
		case *Format:
			format = true
			for _, part := range x.Parts {
				if part.X != nil {
					flush()
					parts = append(parts, part)
					continue
				}
				text.WriteString(part.Text)
				if part.Why != "" {
					why = part.Why
				}
			}
		}
	}
	add(first)
	for p.tokens[p.i].kind == stringToken {
		t := p.tokens[p.i]
		p.i++
		add(p.literal(t.start, t.end))
	}
	if !format {
		return &String{Span: p.from(start), Value: text.String(), Why: why, Bytes: bytes}
	}
	flush()
	return &Format{Span: p.from(start), Parts: parts}
}
