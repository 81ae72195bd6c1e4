package pair

import (
	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/style"
)

const (
	// gutter is the pointer, the sign and a space.
	gutter = 3
	// gap is between columns; its last column holds the mark of a value
	// that goes on.
	gap = 2
	// narrow is the width under which the sides are stacked whatever was
	// chosen: columns of a dozen letters are no help.
	narrow = 48
)

// Look gives the sign of a part that was decided alone; ok is false for the
// others, which keep the sign of their kind.
type Look func(key string) (sign string, role style.Role, ok bool)

// Draw returns exactly height rows of width columns.
func (p *Pane) Draw(t *style.Theme, width, height int, focused bool, look Look) []string {
	if width != p.width || height != p.height || t != p.theme {
		if width != p.width || t != p.theme {
			p.blocks = nil
		}
		p.width, p.height, p.theme = width, height, t
		p.clamp()
		if p.content.Parts {
			p.reveal()
		}
	}
	rows := append(make([]string, 0, height), p.lead()...)
	for at, skip := p.top, p.skip; at < len(p.items) && len(rows) < height; at++ {
		for i, b := range p.block(at) {
			if i < skip {
				continue
			}
			if len(rows) == height {
				break
			}
			rows = append(rows, p.gutter(at, i, b, focused, look)+b.body)
		}
		skip = 0
	}
	for len(rows) < height {
		rows = append(rows, cells.Spaces(width))
	}
	return rows[:height]
}

// gutter draws the pointer and the sign of a row.
func (p *Pane) gutter(at, row int, b block, focused bool, look Look) string {
	pointer, sign, role := " ", b.sign, b.role
	if row > 0 {
		last := " "
		if b.goesOn {
			last = p.theme.Render(style.Dim, p.theme.Wrapped)
		}
		if sign == "" {
			return cells.Spaces(gutter-1) + last
		}
		return " " + p.theme.Render(role, sign) + last
	}
	if p.content.Parts && at == p.cursor && focused {
		pointer = p.theme.Render(style.Accent, p.theme.Pointer)
	}
	if it := p.items[at]; look != nil && p.content.Parts && it.count == 0 {
		if key := p.content.Row(it.first).Key; key != "" {
			if s, r, ok := look(key); ok {
				sign, role = s, r
			}
		}
	}
	return pointer + p.theme.Render(role, sign) + " "
}

// stacked reports whether the sides go above each other.
func (p *Pane) stacked() bool { return p.options.Stacked || p.width < narrow+p.nameWidth() }

// nameWidth is the width of the column of names, gap included.
func (p *Pane) nameWidth() int {
	if p.content.NameWidth == 0 {
		return 0
	}
	return min(max(p.content.NameWidth, 8), max(p.width/4, 8)) + gap
}

// column is the width of one of two equal columns.
func (p *Pane) column() int { return max((p.width-gutter-p.nameWidth()-gap)/2, 2) }

// lead draws the note and the headings.
func (p *Pane) lead() []string {
	if p.theme == nil {
		return nil
	}
	t := p.theme
	var rows []string
	if p.content.Note != "" {
		note := enrich(style.Of(style.Dim, p.content.Note), style.Dim)
		for _, part := range note.lay(t, max(p.width-gutter, 2), true) {
			rows = append(rows, cells.Spaces(gutter)+part.styled)
		}
		if len(rows) > p.height/2 {
			rows = rows[:max(p.height/2, 1)]
		}
	}
	if p.content.Old == "" && p.content.New == "" || p.stacked() {
		return rows
	}
	w := p.column()
	side := func(s string) string {
		return cells.Pad(cells.Fit(safetext.Line(s), w, t.More), w)
	}
	rest := p.width - gutter - p.nameWidth() - 2*w - gap
	return append(rows, cells.Spaces(gutter+p.nameWidth())+t.Render(style.Dim, side(p.content.Old)+cells.Spaces(gap)+side(p.content.New))+cells.Spaces(rest))
}

// draw lays out one row of the content.
func (p *Pane) draw(row Row) []block {
	t := p.theme
	sign, role := p.sign(row)
	if row.Kind == Wide {
		value := enrich(row.Old, style.Plain)
		name := p.name(row)
		width := p.width - gutter - p.nameWidth()
		return p.join(sign, role, name, value.lay(t, max(width, 2), !p.options.Cut))
	}
	before, after := p.values(row)
	if p.stacked() {
		return p.drawStacked(row, before, after, sign, role)
	}
	w := p.column()
	rest := p.width - gutter - p.nameWidth() - 2*w - gap
	left, right := before.lay(t, w, !p.options.Cut), after.lay(t, w, !p.options.Cut)
	parts := make([]part, max(len(left), len(right)))
	for i := range parts {
		l, r := part{styled: cells.Spaces(w)}, part{styled: cells.Spaces(w)}
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		parts[i] = part{l.styled + p.gap(r.goesOn) + r.styled + cells.Spaces(rest), l.goesOn}
	}
	return p.join(sign, role, p.name(row), parts)
}

// values gives both sides their roles and marks what differs inside them.
func (p *Pane) values(row Row) (before, after rich) {
	t := p.theme
	none := rich{text: "(none)", runs: []run{{6, style.Dim}}}
	if row.Name == "" {
		none = rich{} // the lines of a text are simply not there
	}
	switch row.Kind {
	case Same:
		return enrich(row.Old, style.Dim), enrich(row.New, style.Dim)
	case Apart:
		return enrich(row.Old, style.Plain), enrich(row.New, style.Plain)
	case Lost:
		return enrich(row.Old, style.Plain), none
	case Added:
		return none, enrich(row.New, style.Accent)
	}
	if row.Unmarked {
		return enrich(row.Old, style.Plain), enrich(row.New, style.Accent)
	}
	before, after = enrich(row.Old, style.Plain), enrich(row.New, style.Plain)
	lost, gained := differences(before.text, after.text)
	if len(lost)+len(gained) == 0 {
		return before, enrich(row.New, style.Accent)
	}
	return before.mark(lost, style.OldMark, t.Colour, "[-", "-]"), after.mark(gained, style.NewMark, t.Colour, "{+", "+}")
}

// drawStacked puts the old value above the new one, each under its heading
// where there are headings.
func (p *Pane) drawStacked(row Row, before, after rich, sign string, role style.Role) []block {
	t := p.theme
	label := 0
	if row.Name != "" {
		label = min(max(cells.Width(p.content.Old), cells.Width(p.content.New)), p.width/4)
		if label > 0 {
			label += gap
		}
		if p.width-gutter-p.nameWidth()-label < 12 {
			label = 0 // the value needs the room more
		}
	}
	w := max(p.width-gutter-p.nameWidth()-label, 2)
	side := func(head string, value rich) []part {
		parts := value.lay(t, w, !p.options.Cut)
		for i := range parts {
			text := ""
			if i == 0 && label > 0 {
				text = cells.Fit(safetext.Line(head), label-gap, t.More)
			}
			if label > 0 {
				parts[i].styled = t.Render(style.Dim, text) + cells.Spaces(label-gap-cells.Width(text)) + p.gap(parts[i].goesOn) + parts[i].styled
				parts[i].goesOn = false
			}
		}
		return parts
	}
	if row.Kind == Same {
		return p.join(sign, role, p.name(row), side("", before))
	}
	if row.Name != "" {
		return p.join(sign, role, p.name(row), append(side(p.content.Old, before), side(p.content.New, after)...))
	}
	var blocks []block
	if row.Kind != Added {
		blocks = p.join("-", style.OldMark, nil, side(p.content.Old, before))
	}
	if row.Kind != Lost {
		blocks = append(blocks, p.join("+", style.Accent, nil, side(p.content.New, after))...)
	}
	return blocks
}

// name wraps the name of a row into its column.
func (p *Pane) name(row Row) []part {
	if p.nameWidth() == 0 {
		return nil
	}
	role := style.Strong
	if row.Kind == Same || row.Kind == Wide {
		role = style.Dim
	}
	return enrich(style.Of(role, safetext.Line(row.Name)), role).lay(p.theme, p.nameWidth()-gap, true)
}

// join sets names beside values, as many rows as the longer needs.
func (p *Pane) join(sign string, role style.Role, names, values []part) []block {
	nameWidth := p.nameWidth()
	rows := make([]block, max(len(names), len(values)))
	for i := range rows {
		body := ""
		rows[i].goesOn = nameWidth == 0 && i < len(values) && values[i].goesOn
		if nameWidth > 0 {
			name := cells.Spaces(nameWidth - gap)
			if i < len(names) {
				name = names[i].styled
			}
			goesOn := i < len(values) && values[i].goesOn
			body += name + p.gap(goesOn)
		}
		if i < len(values) {
			body += values[i].styled
		} else {
			body += cells.Spaces(p.width - gutter - nameWidth)
		}
		rows[i].body = body
	}
	rows[0].sign, rows[0].role = sign, role
	return rows
}

// gap is the space before a value, with a mark where the value goes on from
// the row above.
func (p *Pane) gap(goesOn bool) string {
	if goesOn {
		return cells.Spaces(gap-1) + p.theme.Render(style.Dim, p.theme.Wrapped)
	}
	return cells.Spaces(gap)
}

// sign tells the kind of a row in one character.
func (p *Pane) sign(row Row) (string, style.Role) {
	if row.Sign != "" {
		return cells.Fit(safetext.Line(row.Sign), 1, "?"), row.SignRole
	}
	switch row.Kind {
	case Changed:
		return "~", style.Accent
	case Lost:
		return "-", style.OldMark
	case Added:
		return "+", style.Accent
	default:
		return " ", style.Plain
	}
}
