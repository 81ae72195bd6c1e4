package pair

import (
	"fmt"
	"strings"

	"docket/engine/canonical"
	"docket/engine/interchange"
	"docket/engine/phrase"
)

// optionsHash is the hash of a file that was read under options: the same bytes
// read in another way are another subject of decisions.
func optionsHash(hash string, o interchange.Options) string {
	if o == (interchange.Options{}) {
		return hash
	}
	return canonical.HashBytes([]byte(hash + "\x00" + o.ID + "\x00" + o.Variant))
}

// readNotes say what was found in a file of another tool besides its outputs.
// They may quote untrusted text.
func readNotes(side string, s *Side) []string {
	r := &s.Report
	var found []string
	if r.Errors > 0 {
		found = append(found, phrase.Count(r.Errors, "error", "errors"))
	}
	if r.Skipped > 0 {
		found = append(found, phrase.Count(r.Skipped, "row", "rows")+" of other variants left out")
	}
	// That only some were judged is worth a word; that none were is the rule
	// in files of outputs.
	if judged := r.Rows - r.Errors - r.Unjudged; judged > 0 && r.Unjudged > 0 {
		found = append(found, phrase.Count(r.Unjudged, "output", "outputs")+" not judged by its tool")
	}
	var absent []string
	for _, c := range r.Absent {
		if c.Rows == r.Rows-r.Errors {
			absent = append(absent, c.Key)
		}
	}
	if len(absent) > 0 && r.Rows > r.Errors {
		found = append(found, "unknown: "+strings.Join(absent, ", "))
	}
	var notes []string
	if len(found) > 0 {
		notes = append(notes, side+": "+strings.Join(found, "; "))
	}
	for _, n := range r.Notes {
		notes = append(notes, side+": "+n)
	}
	return notes
}

// rules say how the rows of files pair that have no id of their own.
func (p *Pair) rules() []string {
	before, after := p.Old.Report.Rule, p.New.Report.Rule
	switch {
	case before == after && before == "":
		return nil
	case before == after:
		return []string{"pairing: " + before}
	}
	var notes []string
	if before != "" {
		notes = append(notes, "pairing, old: "+before)
	}
	if after != "" {
		notes = append(notes, "pairing, new: "+after)
	}
	return notes
}

// Notes say what was read, for the lines above a report.
func (p *Pair) Notes() []string {
	notes := []string{
		fmt.Sprintf("old: %s, %s, %s", p.Old.Path, rows(&p.Old), p.Old.Format),
		fmt.Sprintf("new: %s, %s, %s", p.New.Path, rows(&p.New), p.New.Format),
	}
	notes = append(notes, readNotes("old", &p.Old)...)
	notes = append(notes, readNotes("new", &p.New)...)
	notes = append(notes, p.rules()...)
	if p.Old.Failed > 0 {
		notes = append(notes, phrase.Count(p.Old.Failed, "case", "cases")+" failed on the old side and "+phrase.Form(p.Old.Failed, "counts", "count")+" as new where the new side has an output")
	}
	if said := p.guess.String(); said != "" {
		notes = append(notes, "guessed from the outputs, since no suite says it: "+said)
	} else if p.Old.Format != "baseline" {
		notes = append(notes, "labels and numbers are compared where a suite says which they are, or where outputs in JSON show it; these do not")
	}
	if fields := p.uncompared(); len(fields) > 0 {
		notes = append(notes, "not compared, and different: "+phrase.Few(fields, 5)+"; in a suite, expect: {fields: …} of the cases holds them")
	}
	return notes
}

func rows(s *Side) string {
	if s.Rows == s.Cases {
		return phrase.Count(s.Cases, "case", "cases")
	}
	return phrase.Count(s.Rows, "output", "outputs") + " of " + phrase.Count(s.Cases, "case", "cases")
}
