package tui

import (
	"errors"
	"io"

	"github.com/charmbracelet/x/term"
)

// The least size of a terminal in which a screen takes decisions, in columns
// and rows.
const (
	LeastWidth  = minWidth
	LeastHeight = minHeight
)

// ASCIILocale reports whether the locale says that the terminal does not speak
// UTF-8, so that screens are drawn with ASCII alone.
func ASCIILocale(getenv func(string) string) bool { return asciiLocale(getenv) }

// Size returns the columns and rows of a terminal; an error where out is none.
func Size(out io.Writer) (width, height int, err error) {
	file, ok := out.(interface{ Fd() uintptr })
	if !ok {
		return 0, 0, errors.New("not a terminal")
	}
	return term.GetSize(file.Fd())
}
