package style

import (
	"strconv"

	"github.com/charmbracelet/lipgloss"
)

// The names of the palettes.
const (
	Default    = "default"
	BlueOrange = "blue-orange"
	RedTeal    = "red-teal"
)

// Palette is what each role looks like where there are colours. A colour is a
// number of the terminal's: 0 to 15 are its own, as its theme has them, 16 to
// 255 the same everywhere. The zero Palette is that of the sixteen colours.
type Palette struct {
	Name string
	For  string // whom it is for, in a few words
	own  map[Role]int
}

// look is a role in a palette: a colour, or none, and attributes.
type look struct {
	colour                          int // none where it is negative
	bold, faint, underlined, turned bool
}

// none stands for the terminal's own colour of text.
const none = -1

// base are the looks of the default palette. Bold, underlined and faint stay
// what they are in every palette, so that a role never hangs on its colour.
func base() [roles]look {
	const red, green, yellow, blue, magenta, cyan = 1, 2, 3, 4, 5, 6
	return [roles]look{
		Plain:   {colour: none},
		Dim:     {colour: none, faint: true},
		Strong:  {colour: none, bold: true},
		Accent:  {colour: cyan, bold: true},
		Bad:     {colour: red, bold: true},
		Good:    {colour: green},
		OldMark: {colour: yellow, underlined: true},
		NewMark: {colour: cyan, bold: true, underlined: true},
		Key:     {colour: blue},
		Text:    {colour: none},
		Number:  {colour: magenta},
		Cursor:  {colour: none, turned: true},
	}
}

// Palettes is the table of palettes. The two that are not the terminal's own
// have the same colours everywhere, in a middle lightness that can be read on
// black and on white; a test holds their pairs (good and bad, new and old) apart
// for the eyes that they are for.
func Palettes() []Palette {
	const orange, blue, azure, ochre, violet, grey = 166, 26, 32, 136, 97, 243
	const crimson, teal, rose, slate = 161, 30, 168, 66
	return []Palette{
		{Name: Default, For: "the terminal's own 16 colours"},
		{Name: BlueOrange, For: "told apart where red and green are not", own: map[Role]int{
			Accent: azure, Bad: orange, Good: azure, OldMark: ochre, NewMark: azure, Key: grey, Number: violet,
		}},
		{Name: RedTeal, For: "told apart where blue and yellow are not", own: map[Role]int{
			Accent: teal, Bad: crimson, Good: teal, OldMark: rose, NewMark: teal, Key: slate, Number: grey,
		}},
	}
}

// PaletteNames are the names of the palettes, the default first.
func PaletteNames() []string {
	var names []string
	for _, p := range Palettes() {
		names = append(names, p.Name)
	}
	return names
}

// Named returns a palette by its name.
func Named(name string) (Palette, bool) {
	for _, p := range Palettes() {
		if p.Name == name {
			return p, true
		}
	}
	return Palette{}, false
}

// With returns the palette with another colour for a role. A role that is faint
// in the default is no longer so: who picks a colour means that one.
func (p Palette) With(role Role, colour int) Palette {
	own := map[Role]int{role: colour}
	for r, c := range p.own {
		if r != role {
			own[r] = c
		}
	}
	p.own = own
	return p
}

// Colour returns the colour of a role, and whether it has one.
func (p Palette) Colour(role Role) (int, bool) {
	l := p.looks()[role]
	return l.colour, l.colour != none
}

func (p Palette) looks() [roles]look {
	looks := base()
	for role, colour := range p.own {
		looks[role].colour = colour
		looks[role].faint = false
	}
	return looks
}

// style is the look as lipgloss takes it.
func (l look) style(s lipgloss.Style) lipgloss.Style {
	if l.colour != none {
		s = s.Foreground(lipgloss.Color(strconv.Itoa(l.colour)))
	}
	if l.bold {
		s = s.Bold(true)
	}
	if l.faint {
		s = s.Faint(true)
	}
	if l.underlined {
		s = s.Underline(true).UnderlineSpaces(true)
	}
	if l.turned {
		s = s.Reverse(true)
	}
	return s
}

// Roles returns the roles whose colour can be chosen, by the names that a
// person calls them by.
func Roles() map[string]Role {
	return map[string]Role{
		"dim": Dim, "strong": Strong, "accent": Accent, "bad": Bad, "good": Good, "old": OldMark, "new": NewMark,
		"key": Key, "text": Text, "number": Number, "cursor": Cursor,
	}
}
