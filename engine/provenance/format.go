package provenance

import (
	"io"

	"docket/engine/phrase"
)

// A Format writes a story.
type Format struct {
	Name string
	// Write writes to a reader who sees so many columns; links says that the
	// terminal knows hyperlinks (OSC 8).
	Write func(w io.Writer, s *Story, width int, links bool) error
}

// Formats returns the formats that a story can be written in, the default
// first.
func Formats() []Format {
	return []Format{
		{"text", writeText},
		{"json", writeJSON},
	}
}

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}
