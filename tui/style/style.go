// Package style is the one theme of docket's screens: what a piece of text is
// for (a Role), and how that looks.
//
// It uses the terminal's own 16 colours and default background, so that light
// and dark themes both read, and one accent. No role is told from another by
// colour alone: each also has a glyph or a word where it is used, because
// without colour all attributes are gone. Screens hand over roles and never
// escape sequences.
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

// New returns the theme for a terminal. Without colour it uses no attribute
// whatever, bold and reverse included; ascii keeps to the glyphs that every
// font and every locale draws one column wide.
func New(colour, ascii bool) *Theme {
	t := &Theme{Colour: colour, Glyphs: unicodeGlyphs}
	if ascii {
		t.Glyphs = asciiGlyphs
	}
	if !colour {
		renderer := lipgloss.NewRenderer(nil)
		renderer.SetColorProfile(termenv.Ascii)
		for role := range t.styles {
			t.styles[role] = renderer.NewStyle()
		}
		return t
	}
	// Rendering through lipgloss costs microseconds a piece; the sequences
	// are taken from it once.
	renderer := lipgloss.NewRenderer(nil)
	renderer.SetColorProfile(termenv.ANSI)
	base := renderer.NewStyle()
	colourOf := func(number string) lipgloss.Style { return base.Foreground(lipgloss.Color(number)) }
	const red, green, yellow, blue, magenta, cyan = "1", "2", "3", "4", "5", "6"
	t.styles = [roles]lipgloss.Style{
		Plain:   base,
		Dim:     base.Faint(true),
		Strong:  base.Bold(true),
		Accent:  colourOf(cyan).Bold(true),
		Bad:     colourOf(red).Bold(true),
		Good:    colourOf(green),
		OldMark: colourOf(yellow).Underline(true).UnderlineSpaces(true),
		NewMark: colourOf(cyan).Bold(true).Underline(true).UnderlineSpaces(true),
		Key:     colourOf(blue),
		Text:    base,
		Number:  colourOf(magenta),
		Cursor:  base.Reverse(true),
	}
	for role, s := range t.styles {
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
