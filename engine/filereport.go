package engine

import (
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
