package review_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docket/tui"
	"docket/tui/tuitest"
)

// TestPicture keeps the picture that the README shows what the program draws.
func TestPicture(t *testing.T) {
	const width, height = 120, 36
	d := tuitest.Drive(t, newLibrary().screen(t), tui.Options{Width: width, Height: height, Colour: true})
	decideKeys(d, "r", "see INC-304")
	filter(d, "label closed")
	d.Press("A")
	d.Type("the holiday is on the calendar now")
	d.Press("enter", "y", "esc", "g", "n", "K")
	tuitest.Golden(t, "screen.svg", picture(d.View(), width, height))
}

// attributes are how a run of cells looks.
type attributes struct {
	colour                          int // 0: the terminal's own, else 31 to 36
	bold, faint, underline, reverse bool
}

// Sizes of a cell, in pixels.
const (
	cellWidth, cellHeight = 8.4, 17
	margin                = 16
)

// picture draws a frame as an SVG: each run of cells in its place, so that the
// lines of the boxes meet whatever font there is.
func picture(frame string, width, height int) string {
	var b strings.Builder
	w, h := float64(width)*cellWidth+2*margin, height*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" role="img" aria-label="docket review">`+"\n", w, h)
	fmt.Fprintf(&b, `<rect width="%.0f" height="%d" rx="8" fill="#17191f"/>`+"\n", w, h)
	for y, row := range strings.Split(frame, "\n") {
		column := 0
		var look attributes
		for row != "" {
			text, rest, _ := strings.Cut(row, "\x1b[")
			b.WriteString(span(text, column, y, look))
			column += ansi.StringWidth(text)
			if len(text) == len(row) {
				break
			}
			codes, after, _ := strings.Cut(rest, "m")
			look = look.after(codes)
			row = after
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func span(text string, column, y int, look attributes) string {
	start := len(text) - len(strings.TrimLeft(text, " "))
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	x := margin + float64(column+start)*cellWidth
	var style strings.Builder
	fmt.Fprintf(&style, ` fill="%s"`, look.fill())
	if look.bold {
		style.WriteString(` font-weight="bold"`)
	}
	if look.underline {
		style.WriteString(` text-decoration="underline"`)
	}
	return fmt.Sprintf(`<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s>%s</text>`+"\n",
		x, margin+y*cellHeight+13, float64(ansi.StringWidth(text))*cellWidth, style.String(), html.EscapeString(text))
}

func (a attributes) fill() string {
	switch {
	case a.colour != 0:
		return map[int]string{31: "#ff7b85", 32: "#8fd694", 33: "#e6c07a", 34: "#7fb4ff", 35: "#d79bf0", 36: "#5fd7d7"}[a.colour]
	case a.faint:
		return "#868c99"
	case a.bold:
		return "#ffffff"
	}
	return "#d4d8e0"
}

// after returns the attributes behind an escape sequence of the theme.
func (a attributes) after(codes string) attributes {
	for code := range strings.SplitSeq(codes, ";") {
		switch code {
		case "", "0":
			a = attributes{}
		case "1":
			a.bold = true
		case "2":
			a.faint = true
		case "4":
			a.underline = true
		case "7":
			a.reverse = true
		default:
			fmt.Sscan(code, &a.colour)
		}
	}
	return a
}
