package describe

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"docket/engine/markdown"
	"docket/engine/phrase"
)

// A Format writes a description.
type Format struct {
	Name  string
	Write func(w io.Writer, d *Description) error
}

// Formats returns the formats that a description can be written in, the
// default first.
func Formats() []Format {
	return []Format{
		{"text", writeText},
		{"markdown", writeMarkdown},
		{"json", writeJSON},
	}
}

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}

// lineWidth is how many columns a line of text takes at most, a name that is
// longer apart.
const lineWidth = 80

func writeText(out io.Writer, d *Description) error {
	w := bufio.NewWriter(out)
	title, sections := d.page()
	title, _ = render(title, plain)
	fmt.Fprintf(w, "%s\n%s\n", title, strings.Repeat("=", uniseg.StringWidth(title)))
	for _, s := range sections {
		if s.heading != "" {
			fmt.Fprintf(w, "\n%s\n%s\n", s.heading, strings.Repeat("-", len(s.heading)))
		}
		for _, p := range s.paragraphs {
			_, words := render(p, plain)
			fmt.Fprintf(w, "\n%s\n", wrap(words))
		}
	}
	return w.Flush()
}

func writeMarkdown(out io.Writer, d *Description) error {
	w := bufio.NewWriter(out)
	title, sections := d.page()
	title, _ = render(title, markdown.Span)
	fmt.Fprintf(w, "# %s\n", title)
	for _, s := range sections {
		if s.heading != "" {
			fmt.Fprintf(w, "\n## %s\n", s.heading)
		}
		for _, p := range s.paragraphs {
			text, _ := render(p, markdown.Span)
			fmt.Fprintf(w, "\n%s\n", text)
		}
	}
	return w.Flush()
}

// render writes the names in a text with a style. It returns the text, and its
// words: a name is part of one word, whatever it holds.
func render(s string, style func(string) string) (text string, words []string) {
	var all, word strings.Builder
	for len(s) > 0 {
		switch {
		case s[0] == nameStart:
			end := strings.IndexByte(s, nameEnd)
			styled := style(s[1:end])
			all.WriteString(styled)
			word.WriteString(styled)
			s = s[end+1:]
			continue
		case s[0] == ' ':
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteByte(s[0])
		}
		all.WriteByte(s[0])
		s = s[1:]
	}
	return all.String(), append(words, word.String())
}

// plain writes a name as it is, in quotes where it would not be seen to be
// one.
func plain(s string) string {
	if strings.ContainsAny(s, " ,;.()") && !identifier(s) {
		return "“" + s + "”"
	}
	return s
}

// identifier reports whether a name with a dot or brackets in it still reads
// as one word: a path, a call, a number.
func identifier(s string) bool {
	return !strings.ContainsAny(s, " ,;") && !strings.HasSuffix(s, ".")
}

// wrap puts words into lines.
func wrap(words []string) string {
	var b strings.Builder
	column := 0
	for i, word := range words {
		width := uniseg.StringWidth(word)
		switch {
		case i == 0:
		case column+1+width > lineWidth:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return b.String()
}
