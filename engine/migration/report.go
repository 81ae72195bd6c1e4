package migration

import (
	"fmt"
	"strings"

	"docket/engine/canonical"
	"docket/engine/legacy"
	"docket/engine/markdown"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// Counts are what became of the tests and claims of a log.
type Counts struct {
	Tests, Lines       int
	Situations, Merged int // tests that became cases, or went into one
	Contracts, Dropped int
	Cases              int
	Kept               int // lines of tests that survived as a case or a contract
	Claims             map[legacy.Pile]int
	Left               int
	SurvivedTests      int
}

// Count counts a log.
func (l Log) Count() Counts {
	c := Counts{Claims: map[legacy.Pile]int{}}
	cases := map[string]bool{}
	for i := range l {
		r := &l[i]
		c.Tests++
		c.Lines += r.Lines
		c.Left += len(r.Left)
		switch r.Verdict {
		case Situation, Split:
			c.Situations++
		case Merge:
			c.Merged++
		case Contract:
			c.Contracts++
		default:
			c.Dropped++
		}
		if r.Verdict != Drop {
			c.Kept += r.Lines
			c.SurvivedTests++
		}
		for _, id := range r.Cases {
			cases[id] = true
		}
		for _, claim := range r.Claims {
			c.Claims[claim.Pile]++
		}
	}
	c.Cases = len(cases)
	return c
}

// Summary says the counts in sentences, for the end of a migration.
func (c Counts) Summary() []string {
	lines := []string{
		fmt.Sprintf("%s: %s, %s, %d dropped", phrase.Count(c.Tests, "test", "tests"), c.situations(), phrase.Count(c.Contracts, "contract", "contracts"), c.Dropped),
		fmt.Sprintf("%s of tests and %s of lines survived: %d of %d tests, %d of %d lines", percent(c.SurvivedTests, c.Tests), percent(c.Kept, c.Lines), c.SurvivedTests, c.Tests, c.Kept, c.Lines),
	}
	if c.Left > 0 {
		lines = append(lines, phrase.Count(c.Left, "assertion was", "assertions were")+" not translated: they stand as comments in their cases, and in the report")
	}
	return lines
}

func (c Counts) situations() string {
	s := phrase.Count(c.Situations, "situation", "situations")
	if c.Merged > 0 {
		s += fmt.Sprintf(" (and %d merged into them)", c.Merged)
	}
	return s
}

func percent(part, of int) string {
	if of == 0 {
		return "0%"
	}
	return fmt.Sprintf("%d%%", (100*part+of/2)/of)
}

// seam begins the line by which a report that nobody edited is known.
const seam = "<!-- docket migrate: "

// Report writes migration.md: for a person who was not there, and who wonders
// what became of a test that is gone.
func (l Log) Report(suite string) []byte {
	var b strings.Builder
	c := l.Count()
	fmt.Fprintf(&b, "# What became of the old tests of %s\n\n", cell(suite))
	fmt.Fprintf(&b, "`docket migrate` read these tests, without running them, and a person decided on each. What a test knew of a situation became a case; what it held the format of every answer to went to a contract; what only held the SDK of its day was dropped.\n\n")
	fmt.Fprintf(&b, "- %s: %s, %d for the contract alone, %d dropped.\n", phrase.Count(c.Tests, "test", "tests"), c.situations(), c.Contracts, c.Dropped)
	fmt.Fprintf(&b, "- Survived: %d of %d tests (%s), %d of their %d lines (%s).\n", c.SurvivedTests, c.Tests, percent(c.SurvivedTests, c.Tests), c.Kept, c.Lines, percent(c.Kept, c.Lines))
	fmt.Fprintf(&b, "- Assertions: %d on the situation, %d on the format, %d on the SDK", c.Claims[legacy.Situation], c.Claims[legacy.Contract], c.Claims[legacy.SDK])
	if n := c.Claims[legacy.Unsorted]; n > 0 {
		fmt.Fprintf(&b, ", %d that could not be told", n)
	}
	if b.WriteString(".\n"); c.Left > 0 {
		fmt.Fprintf(&b, "- Left for a person: %s, listed below.\n", phrase.Count(c.Left, "assertion", "assertions"))
	}
	b.WriteString("\n| old test | where it stood | became | why it exists |\n| --- | --- | --- | --- |\n")
	for i := range l {
		r := &l[i]
		fmt.Fprintf(&b, "| %s | %s, line %d, %s | %s | %s |\n", markdown.Code(r.Test), cell(r.File), r.Line, phrase.Count(r.Lines, "line", "lines"), r.became(), cell(r.Provenance))
	}
	b.WriteString("\n## Left for a person\n\n")
	if c.Left == 0 {
		b.WriteString("Nothing: every assertion that was kept is a check.\n")
	} else {
		b.WriteString("No check says these assertions as they stood. Each is a comment in its case or contract, too.\n")
	}
	for i := range l {
		if len(l[i].Left) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n\n", markdown.Code(l[i].Test))
		for _, left := range l[i].Left {
			fmt.Fprintf(&b, "- line %d, %s: %s\n", left.Line, markdown.Code(left.Text), cell(left.Why))
		}
	}
	return seal(b.String())
}

func (r *Record) became() string {
	ids := make([]string, len(r.Cases))
	for i, id := range r.Cases {
		ids[i] = markdown.Code(id)
	}
	switch r.Verdict {
	case Situation:
		return "case " + strings.Join(ids, ", ")
	case Split:
		return "cases " + strings.Join(ids, ", ")
	case Merge:
		return "merged into " + strings.Join(ids, ", ")
	case Contract:
		return "contract"
	}
	return "dropped"
}

// seal puts a hash of the report at its head, by which one that a person edited
// is told from one that may be replaced.
func seal(body string) []byte {
	return []byte(seam + canonical.HashBytes([]byte(body)) + " -->\n" + body)
}

// Sealed reports whether a report is as docket wrote it.
func Sealed(report []byte) bool {
	head, body, found := strings.Cut(string(report), "\n")
	return found && string(seal(body)) == head+"\n"+body
}

// cell makes a text inert in a cell of a table, and cuts it where it is long.
func cell(s string) string { return markdown.Text(safetext.Line(phrase.Abridge(s, 300))) }
