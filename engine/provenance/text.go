package provenance

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/suite"
)

// margin is where texts begin under a date.
const margin = 12

func writeText(out io.Writer, s *Story, width int, links bool) error {
	w := &page{w: bufio.NewWriter(out), width: max(width, 40), links: links, rules: s.Rules}
	title := safetext.Line(s.ID)
	about := []string{"suite " + safetext.Line(s.Suite)}
	switch {
	case s.Renamed != "":
		about = append(about, "the id is now "+safetext.Line(s.Renamed), safetext.Line(s.File))
	case s.Gone && s.File != "":
		about = append(about, "gone, was "+safetext.Line(s.File))
	case s.Gone:
		about = append(about, "gone")
	default:
		about = append(about, safetext.Line(s.File))
	}
	w.line(title)
	w.line(strings.Repeat("=", min(uniseg.StringWidth(title), w.width)))
	w.line(strings.Join(about, " · "))
	w.line("")
	w.text("why", provenanceOr(s.Provenance))
	if !links {
		for _, r := range s.References() {
			if r.Address != "" && r.Address != r.Text {
				w.text("", r.Text+"  "+r.Address)
			}
		}
	}
	w.text("added", s.origin())
	if facts := s.facts(); facts != "" {
		w.text("case", facts)
	}
	for _, section := range s.Sections() {
		w.line("")
		w.text(section.Name, section.Note)
		for _, row := range section.Rows {
			w.text(row.When, row.Did+row.Who()+": "+row.Text)
			for _, more := range row.More {
				w.text("", more)
			}
		}
	}
	return w.w.Flush()
}

func provenanceOr(provenance string) string {
	if provenance == "" {
		return "not known: no file of the case is left that says it"
	}
	return provenance
}

// origin says when the case was added and by whom, as git knows it and as the
// case says it.
func (s *Story) origin() string {
	e, known := s.Past.Added()
	switch {
	case known && s.Added != "" && s.Added != day(e.Date):
		return day(e.Date) + " by " + e.Author + ": " + e.Subject + " (the case says " + s.Added + ")"
	case known:
		return day(e.Date) + " by " + e.Author + ": " + e.Subject
	case s.Added != "":
		return s.Added + ", as the case says; git does not know by whom"
	}
	return "not known"
}

// Origin is when the case was added, by whom and with which words, in one
// sentence.
func (s *Story) Origin() string { return s.origin() }

// facts are what the case says of itself besides.
func (s *Story) facts() string {
	var facts []string
	if s.Version > 1 {
		facts = append(facts, "version "+strconv.Itoa(s.Version))
	}
	if s.Weight != 0 && s.Weight != 1 {
		facts = append(facts, "weight "+strconv.FormatFloat(s.Weight, 'g', -1, 64))
	}
	if len(s.Tags) > 0 {
		facts = append(facts, "tagged "+phrase.Series(s.Tags, "and"))
	}
	if s.Family != "" {
		facts = append(facts, "family "+s.Family)
	}
	return strings.Join(facts, ", ")
}

// A page is lines of a width, with labels at their left. It makes every text
// inert.
type page struct {
	w     *bufio.Writer
	width int
	links bool
	rules []suite.Link
}

func (p *page) line(s string) {
	p.w.WriteString(s)
	p.w.WriteByte('\n')
}

// text writes a text beside a label, wrapped at spaces. A word that is longer
// than a line stands whole, so that it can be copied.
func (p *page) text(label, text string) {
	label = safetext.Line(label)
	lead := label + strings.Repeat(" ", max(margin-uniseg.StringWidth(label), 1))
	if label == "" {
		lead = strings.Repeat(" ", margin)
	}
	for line := range strings.SplitSeq(safetext.Line(strings.TrimRight(text, " \t\n")), "<LF>") {
		// The addresses are found before the text is broken into lines, and no
		// reference holds a space.
		var found []Reference
		if p.links {
			found = References(line, p.rules)
		}
		column := margin
		p.w.WriteString(lead)
		for i, word := range strings.Fields(line) {
			wide := uniseg.StringWidth(word)
			switch {
			case i == 0:
			case column+1+wide > p.width:
				p.w.WriteString("\n" + strings.Repeat(" ", margin))
				column = margin
			default:
				p.w.WriteByte(' ')
				column++
			}
			p.w.WriteString(linked(word, found))
			column += wide
		}
		p.w.WriteByte('\n')
		lead = strings.Repeat(" ", margin)
	}
}

// linked makes a hyperlink of the first reference in a word. Both the word and
// the address are inert: References spells addresses in printable ASCII.
func linked(word string, found []Reference) string {
	for _, r := range found {
		if before, after, ok := strings.Cut(word, r.Text); ok && r.Address != "" {
			return before + "\x1b]8;;" + r.Address + "\x1b\\" + r.Text + "\x1b]8;;\x1b\\" + after
		}
	}
	return word
}
