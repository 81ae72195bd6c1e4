package comparison

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"docket/engine/markdown"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// A Format writes a comparison.
type Format struct {
	Name  string
	Write func(w io.Writer, c *Comparison) error
}

// Formats returns the formats that a comparison can be written in, the default
// first.
func Formats() []Format {
	return []Format{{"text", writeText}, {"markdown", writeMarkdown}, {"json", writeJSON}, {"html", writeHTML}}
}

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}

// title says what is compared, and that nobody was asked for it.
func title(c *Comparison) string {
	var names []string
	for _, s := range c.Systems {
		names = append(names, safetext.Line(s.Name))
	}
	return safetext.Line(c.Suite) + " · " + strings.Join(names, ", ") + " · from stored runs, nothing was asked"
}

// mixed says in what the systems were not measured alike.
func mixed(c *Comparison) string {
	if len(c.Mixed) == 0 {
		return ""
	}
	return "not measured alike, and compared all the same: " + safetext.Line(strings.Join(c.Mixed, "; "))
}

func writeText(out io.Writer, c *Comparison) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, title(c))
	if m := mixed(c); m != "" {
		fmt.Fprintln(w, m)
	}
	fmt.Fprintln(w)
	head := fact{}
	for _, s := range c.Systems {
		head.values = append(head.values, safetext.Line(s.Name))
	}
	rows := append([]fact{head}, facts(c)...)
	widths := make([]int, len(c.Systems))
	for _, row := range rows {
		for i, v := range row.values {
			widths[i] = max(widths[i], len([]rune(v)))
		}
	}
	for _, row := range rows {
		line := fmt.Sprintf("%-20s", row.name)
		for i, v := range row.values {
			line += "  " + v + strings.Repeat(" ", widths[i]-len([]rune(v)))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		fmt.Fprintf(w, "\n%s against %s\n  %s\n  %s\n", safetext.Line(p.Second), safetext.Line(p.First), p.Passing, p.Score)
		for _, l := range lists(p) {
			fmt.Fprintf(w, "\n%s: %s\n", safetext.Line(l.Name), phrase.Count(len(l.IDs), "case", "cases"))
			for _, id := range l.IDs {
				fmt.Fprintf(w, "  %s\n", safetext.Line(id))
			}
		}
	}
	return w.Flush()
}

// mostListed is how many cases a list has in markdown, which people paste into
// comments.
const mostListed = 50

func writeMarkdown(out io.Writer, c *Comparison) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "## %s\n\n", markdown.Code(title(c)))
	if m := mixed(c); m != "" {
		fmt.Fprintf(w, "**%s**\n\n", markdown.Code(m))
	}
	fmt.Fprint(w, "| |")
	for _, s := range c.Systems {
		fmt.Fprintf(w, " %s |", markdown.Code(s.Name))
	}
	fmt.Fprintf(w, "\n| --- |%s\n", strings.Repeat(" --- |", len(c.Systems)))
	for _, row := range facts(c) {
		fmt.Fprintf(w, "| %s |", row.name)
		for _, v := range row.values {
			fmt.Fprintf(w, " %s |", markdown.Code(v))
		}
		fmt.Fprintln(w)
	}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		fmt.Fprintf(w, "\n%s against %s\n\n- %s\n- %s\n", markdown.Code(p.Second), markdown.Code(p.First), p.Passing, p.Score)
		for _, l := range lists(p) {
			fmt.Fprintf(w, "- %s:", markdown.Code(l.Name))
			for _, id := range l.IDs[:min(mostListed, len(l.IDs))] {
				fmt.Fprintf(w, " %s", markdown.Code(id))
			}
			if left := len(l.IDs) - mostListed; left > 0 {
				fmt.Fprintf(w, " and %d more", left)
			}
			fmt.Fprintln(w)
		}
	}
	return w.Flush()
}
