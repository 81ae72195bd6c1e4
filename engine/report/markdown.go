package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"docket/engine/diff"
	"docket/engine/markdown"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// markdownRoom is how much of a pull request's comment the list of cases may
// take, in bytes; forges cut or refuse longer comments.
const markdownRoom = 55_000

// writeMarkdown writes a diff for a pull request: the verdict first, then the
// counts, then the cases, then the command to go on with. It stays under
// 60,000 characters whatever the run, and says what it left out.
func writeMarkdown(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "## docket: %s\n\n", verdictLine(r))
	fmt.Fprintf(w, "%s\n\n", markdown.Text(Title(r)))
	for _, line := range Headlines(r) {
		fmt.Fprintf(w, "- %s\n", markdown.Text(line))
	}
	if r.Cost != "" {
		fmt.Fprintf(w, "- %s\n", markdown.Text(safetext.Line(r.Cost)))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "- %s\n", markdown.Text(safetext.Line(note)))
	}
	var rows strings.Builder
	shown, left := 0, 0
	add := func(row string, cases int) {
		if rows.Len()+len(row) > markdownRoom {
			left += cases
			return
		}
		rows.WriteString(row)
		shown += cases
	}
	for _, status := range diff.InReadingOrder() {
		if !status.Listed() {
			continue
		}
		for _, f := range folded(r, status) {
			if f.few() {
				for _, c := range f.all() {
					add(markdownRow(r, c, nil), 1)
				}
				continue
			}
			add(markdownRow(r, f.first, f.rest), 1+len(f.rest))
		}
	}
	if shown > 0 {
		fmt.Fprint(w, "\n| status | case | changed | decided |\n| --- | --- | --- | --- |\n")
		fmt.Fprint(w, rows.String())
	}
	if left > 0 {
		fmt.Fprintf(w, "\n%s left out for length; `docket diff` lists all.\n", phrase.Count(left, "more case was", "more cases were"))
	}
	for i, next := range r.Next {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "Next: %s\n", markdown.Code(next))
	}
	return w.Flush()
}

func verdictLine(r *Report) string {
	d := r.Diff
	switch n := d.Summary.Undecided(); {
	case r.NoBaseline:
		return "no baseline to compare with yet"
	case !d.Comparable() && !r.Across:
		return "not comparable"
	case n == 0 && d.Summary.Statuses[diff.Error]+d.Summary.Statuses[diff.Missed] > 0:
		return "nothing to decide, but some cases failed to run"
	case n == 0:
		return "nothing to decide"
	default:
		return fmt.Sprintf("%s to decide, %d undecided%s", phrase.Count(n, "change", "changes"), Undecided(r), rejectedBefore(r))
	}
}

// markdownNamed is how many of the cases that changed alike a row names.
const markdownNamed = 20

// markdownRow is the row of a case, and of those that changed alike.
func markdownRow(r *Report, c *diff.Case, alike []*diff.Case) string {
	name := markdown.Code(c.ID)
	if len(alike) > 0 {
		ids := make([]string, len(alike))
		for i, c := range alike {
			ids[i] = markdown.Code(c.ID)
		}
		name += fmt.Sprintf("<br>and %d alike: %s", len(ids), phrase.Few(ids, markdownNamed))
	}
	var parts []string
	messages := r.messages(c)
	for i, change := range c.Changes {
		if i == 6 {
			parts = append(parts, fmt.Sprintf("and %d more", len(c.Changes)-i))
			break
		}
		old, new := change.Sides(c.OldSamples, c.NewSamples)
		part := fmt.Sprintf("%s: %s → %s", markdown.Code(change.Name()), markdown.Code(old), markdown.Code(new))
		if said := why(change, messages); said != "" {
			part += ", " + markdown.Code(said)
		}
		parts = append(parts, part)
	}
	if c.Error != "" {
		parts = append(parts, markdown.Code(c.Error))
	}
	decided := ""
	if v, ok := r.Decided[c.ID]; ok {
		decided = markdown.Text(past(v.Verdict) + ": " + safetext.Line(v.Reason))
	}
	status := string(c.Status)
	if c.Edited && c.Status != diff.Redefined {
		status += ", case edited too"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", status, name, strings.Join(parts, "<br>"), decided)
}
