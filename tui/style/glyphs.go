package style

// Glyphs are the signs that a screen draws with. Those of the Unicode set are
// one column wide in every terminal; the lines and dots among them are wide in
// some East Asian locales, for which there is the ASCII set.
type Glyphs struct {
	TopLeft, TopRight, BottomLeft, BottomRight string
	Horizontal, Vertical                       string

	Pointer string // the row under the cursor
	Resting string // the same in a pane without the focus
	Open    string // a group whose rows show
	Folded  string
	Todo    string // nothing decided yet
	Refused string
	Partly  string // some parts decided
	Pending string // on its way to the disk
	Marked  string
	More    string // text was cut here
	Wrapped string // the row above goes on here
	Full    string // of a progress bar
	Empty   string
	Dot     string // between facts
	Arrow   string
	Minus   string
	Caret   string // where typing goes on, where there is no colour
}

var unicodeGlyphs = Glyphs{
	TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯", Horizontal: "─", Vertical: "│",
	Pointer: "▸", Resting: "▹", Open: "▾", Folded: "▸",
	Todo: "·", Refused: "✗", Partly: "◐", Pending: "…", Marked: "+",
	More: "…", Wrapped: "↳", Full: "▓", Empty: "░", Dot: "·", Arrow: "→", Minus: "−", Caret: "▏",
}

var asciiGlyphs = Glyphs{
	TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+", Horizontal: "-", Vertical: "|",
	Pointer: ">", Resting: "-", Open: "v", Folded: ">",
	Todo: ".", Refused: "x", Partly: "%", Pending: "~", Marked: "+",
	More: "~", Wrapped: "\\", Full: "#", Empty: ".", Dot: "-", Arrow: "->", Minus: "-", Caret: "_",
}
