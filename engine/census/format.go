package census

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"docket/engine/phrase"
	"docket/engine/safetext"
)

// A Format writes a census.
type Format struct {
	Name  string
	Write func(w io.Writer, c *Census) error
}

// Formats returns the formats that a census can be written in, the default
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

// Most rows of a table, and ids of a list, that are for reading; JSON has all.
const (
	mostRows = 15
	mostIDs  = 30
)

func writeText(out io.Writer, c *Census) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s: %s, weight %s\n", safetext.Line(c.Suite), phrase.Count(c.All.Cases, "case", "cases"), number(c.All.Weight))
	fmt.Fprintf(w, "%s of the weight comes from incidents: %s, %s of %s\n", percent(c.FromIncident.Weight, c.All.Weight),
		phrase.Count(c.FromIncident.Cases, "case", "cases"), number(c.FromIncident.Weight), number(c.All.Weight))
	if n := c.Unasked.Cases; n > 0 {
		fmt.Fprintf(w, "%s no expectation, and can neither pass nor fail\n", phrase.Count(n, "case has", "cases have"))
	}
	tags := c.Tags
	if c.Untagged.Cases > 0 {
		tags = append(tags[:len(tags):len(tags)], Share{"(none)", c.Untagged.Cases, c.Untagged.Weight})
	}
	c.table(w, "tag", tags)
	c.table(w, "incident", c.Incidents)
	c.table(w, "age", c.Ages)
	c.table(w, "weight", c.Weights)
	fmt.Fprintln(w)
	if !c.Stored {
		fmt.Fprintln(w, "No run is stored on this machine, so which cases have run or failed is not known.")
		return w.Flush()
	}
	list(w, "never ran", c.NeverRan, fmt.Sprintf("none: all %d have results on this machine", c.All.Cases))
	judged := fmt.Sprintf("none of the %d that runs have judged", c.Judged)
	if c.Judged == 0 {
		judged = "not known: no run but in mock has judged a case"
	}
	list(w, "never failed", c.NeverFailed, judged)
	return w.Flush()
}

// table writes shares under a heading, numbers below one another.
func (c *Census) table(w io.Writer, heading string, shares []Share) {
	if len(shares) == 0 {
		return
	}
	rest := 0
	if over := len(shares) - mostRows; over > 1 {
		rest, shares = over, shares[:mostRows]
	}
	wide := uniseg.StringWidth(heading)
	for _, s := range shares {
		wide = max(wide, uniseg.StringWidth(label(s.Name)))
	}
	fmt.Fprintf(w, "\n%s  %6s       %8s\n", pad(heading, wide), "cases", "weight")
	for _, s := range shares {
		fmt.Fprintf(w, "%s  %6d %4s  %8s %4s\n", pad(label(s.Name), wide), s.Cases, percent(float64(s.Cases), float64(c.All.Cases)), number(s.Weight), percent(s.Weight, c.All.Weight))
	}
	if rest > 0 {
		fmt.Fprintf(w, "and %d more, see --format json\n", rest)
	}
}

// label is a name that fits into a column.
func label(name string) string { return phrase.Abridge(safetext.Line(name), 40) }

func pad(s string, wide int) string {
	return s + strings.Repeat(" ", max(wide-uniseg.StringWidth(s), 0))
}

// list writes ids, which stand in quotes where they hold spaces or commas.
func list(w io.Writer, heading string, ids []string, none string) {
	if len(ids) == 0 {
		fmt.Fprintf(w, "%-13s %s\n", heading, none)
		return
	}
	names := make([]string, 0, len(ids))
	for _, id := range ids {
		id = safetext.Line(id)
		if strings.ContainsAny(id, " ,") {
			id = strconv.Quote(id)
		}
		names = append(names, id)
	}
	rest := ""
	if over := len(names) - mostIDs; over > 1 {
		names, rest = names[:mostIDs], fmt.Sprintf(" and %d more, see --format json", over)
	}
	const margin, width = 14, 80
	head := fmt.Sprintf("%-13s %s: ", heading, phrase.Count(len(ids), "case", "cases"))
	io.WriteString(w, head)
	column := len(head)
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		wide := uniseg.StringWidth(name)
		switch {
		case i > 0 && column+1+wide > width:
			io.WriteString(w, "\n"+strings.Repeat(" ", margin))
			column = margin
		case i > 0:
			io.WriteString(w, " ")
			column++
		}
		io.WriteString(w, name)
		column += wide
	}
	io.WriteString(w, rest+"\n")
}

func number(f float64) string { return strconv.FormatFloat(math.Round(f*1000)/1000, 'f', -1, 64) }

func percent(part, of float64) string {
	if of == 0 {
		return "0%"
	}
	return strconv.Itoa(int(math.Round(100*part/of))) + "%"
}

// writeJSON writes the census as one object on one line, format 1.
func writeJSON(w io.Writer, c *Census) error {
	out := map[string]any{
		"format": 1, "suite": c.Suite, "cases": c.All.Cases, "weight": c.All.Weight,
		"tags": shares(c.Tags), "untagged": share(c.Untagged), "incidents": shares(c.Incidents), "from_incidents": share(c.FromIncident),
		"ages": shares(c.Ages), "weights": shares(c.Weights), "without_expectation": share(c.Unasked),
		"never_ran": nil, "never_failed": nil, "judged": nil,
	}
	if c.Stored {
		out["never_ran"], out["never_failed"], out["judged"] = orEmpty(c.NeverRan), orEmpty(c.NeverFailed), c.Judged
	}
	return safetext.JSON(w, out)
}

func share(s Share) map[string]any { return map[string]any{"cases": s.Cases, "weight": s.Weight} }

func shares(all []Share) []any {
	out := make([]any, len(all))
	for i, s := range all {
		named := share(s)
		named["name"] = s.Name
		out[i] = named
	}
	return out
}

func orEmpty(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}
