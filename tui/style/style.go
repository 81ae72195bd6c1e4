// Package style is the theme of docket's screens: what a piece of text is for (a
// Role), and how that looks in one of a few palettes.
//
// The default is the terminal's own 16 colours; every palette leaves the
// background as it is, so that light and dark themes both read, and has one
// accent. No role is told from another by colour alone: each also has a glyph or
// a word where it is used, because without colour all attributes are gone.
// Screens hand over roles and never escape sequences.
package style

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Role is what a piece of text is for.
type Role uint8

// The roles.
const (
	Plain   Role = iota
	Dim          // what the eye may skip: borders, labels, unchanged values
	Strong       // a name, a title
	Accent       // where the cursor is, what can be pressed, the new value
	Bad          // a loss, a refusal, an error
	Good         // a gain, an agreement
	OldMark      // the words of an old value that the new one lacks
	NewMark      // the words of a new value that the old one lacks
	Key          // a key of JSON or YAML
	Text         // a quoted string
	Number       // a number or another bare word
	Cursor       // the cell that the next letter typed will take
	roles
)

// Span is a piece of text in one role. The text may be anything: the frame
// makes it safe to show.
type Span struct {
	Text string
	Role Role
}

// Line is a row of spans.
type Line []Span

// Of returns a line of one span.
func Of(role Role, text string) Line { return Line{{text, role}} }

// String is the text of the line without its roles.
func (l Line) String() string {
	if len(l) == 1 {
		return l[0].Text
	}
	var b strings.Builder
	for _, span := range l {
		b.WriteString(span.Text)
	}
	return b.String()
}

// Theme turns roles into escape sequences, and signs into glyphs. Colour says
// whether it uses any attribute at all.
type Theme struct {
	Colour bool
	Glyphs
	on     [roles]string
	styles [roles]lipgloss.Style
}

// Terminal is what a terminal can draw.
type Terminal struct {
	Colour  bool
	Sixteen bool // it has no colours but its own sixteen: others are drawn as the nearest of them
	ASCII   bool // it draws, or is to draw, ASCII alone
}

// New returns the theme with the terminal's own colours.
func New(colour, ascii bool) *Theme { return Palette{}.Theme(Terminal{Colour: colour, ASCII: ascii}) }

// Theme returns the theme for a terminal. Without colour it uses no attribute
// whatever, bold and reverse included; in ASCII it keeps to the glyphs that
// every font and every locale draws one column wide.
func (p Palette) Theme(on Terminal) *Theme {
	t := &Theme{Colour: on.Colour, Glyphs: unicodeGlyphs}
	if on.ASCII {
		t.Glyphs = asciiGlyphs
	}
	renderer := lipgloss.NewRenderer(nil)
	switch {
	case !on.Colour:
		renderer.SetColorProfile(termenv.Ascii)
		for role := range t.styles {
			t.styles[role] = renderer.NewStyle()
		}
		return t
	case on.Sixteen:
		renderer.SetColorProfile(termenv.ANSI)
	default:
		renderer.SetColorProfile(termenv.ANSI256)
	}
	// Rendering through lipgloss costs microseconds a piece; the sequences
	// are taken from it once.
	for role, look := range p.looks() {
		s := look.style(renderer.NewStyle())
		t.styles[role] = s
		// "x" stands for the text; what lipgloss puts before it is kept.
		t.on[role], _, _ = strings.Cut(s.Render("x"), "x")
	}
	return t
}

// Style is a role as the widgets of others take it. The frame itself uses Write
// and Render, which cost a fiftieth.
func (t *Theme) Style(role Role) lipgloss.Style { return t.styles[role] }

// Write appends text in a role to b.
func (t *Theme) Write(b *strings.Builder, role Role, text string) {
	if text == "" {
		return
	}
	on := t.on[role]
	if on == "" {
		b.WriteString(text)
		return
	}
	b.WriteString(on)
	b.WriteString(text)
	b.WriteString("\x1b[0m")
}

// Render returns text in a role.
func (t *Theme) Render(role Role, text string) string {
	on := t.on[role]
	if on == "" || text == "" {
		return text
	}
	return on + text + "\x1b[0m"
}
