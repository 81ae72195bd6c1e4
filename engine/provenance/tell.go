package provenance

import (
	"strconv"
	"strings"
	"time"

	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/phrase"
)

// Who says who did it, or under which system it happened, as words that follow
// Did; "" where that is not known.
func (r *Row) Who() string {
	switch {
	case r.At != "":
		return " under " + r.At
	case r.By != "":
		return " by " + r.By
	}
	return ""
}

// A Section is a part of a story under a heading.
type Section struct {
	Name string
	Note string // what there is to say of it as a whole
	Rows []Row
}

// A Row is one thing that happened. Its texts are as people wrote them, and have
// to be made inert before a terminal shows them.
type Row struct {
	When string // a date; "" for none
	Did  string // such as "changed" or "rejected"
	Bad  bool   // it is a failure or a rejection
	By   string
	At   string // the system under which it happened, in the place of By
	Text string // what was said, or what failed; lines are those of its author
	More []string
}

// Sections returns the story after its first sentence: how the case came here
// and changed, what was decided on it, what it caught. Every section is there,
// and says so where it has nothing.
func (s *Story) Sections() []Section {
	return []Section{s.history(), s.decided(), s.caught()}
}

// mostBody is how many lines of a commit message are told after the first.
const mostBody = 12

func (s *Story) history() Section {
	section := Section{Name: "history"}
	var notes []string
	switch p := &s.Past; {
	case p.Blind != "":
		notes = append(notes, p.Blind+", so who added the case and who changed it is not known")
	case len(p.Events) == 0 && p.State == Untracked:
		notes = append(notes, "the case is not committed yet")
	case len(p.Events) == 0:
		notes = append(notes, "git knows nothing of this case")
	default:
		notes = append(notes, phrase.Count(len(p.Events), "commit", "commits")+", the last one first")
	}
	if s.Past.State == Modified {
		notes = append(notes, "the file holds changes that are not committed")
	}
	if s.Past.State == Untracked && len(s.Past.Events) > 0 {
		notes = append(notes, "the file is not committed yet")
	}
	if s.Past.Shallow {
		notes = append(notes, "the clone is shallow: what was before is not known; `git fetch --unshallow` gets it")
	}
	section.Note = strings.Join(notes, "; ")
	for i := range s.Past.Events {
		e := &s.Past.Events[i]
		row := Row{When: day(e.Date), Did: e.Did, Bad: e.Did == Removed, By: e.Author, Text: e.Subject}
		row.More = append(row.More, body(e.Body)...)
		switch {
		case e.From != "" && e.From != e.Path:
			row.More = append(row.More, "was "+e.From)
		case e.Fixture:
			row.More = append(row.More, "in "+e.Path+", which the case reads")
		}
		row.More = append(row.More, "commit "+e.Commit[:min(len(e.Commit), 12)])
		section.Rows = append(section.Rows, row)
	}
	return section
}

func body(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if over := len(lines) - mostBody; over > 0 {
		lines = append(lines[:mostBody:mostBody], "… "+phrase.Count(over, "more line", "more lines"))
	}
	return lines
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

func (s *Story) decided() Section {
	section := Section{Name: "decisions", Note: "none on this case yet"}
	if n := len(s.Decisions); n > 0 {
		section.Note = phrase.Count(n, "decision", "decisions") + ", the last one first"
	}
	for i := len(s.Decisions) - 1; i >= 0; i-- {
		section.Rows = append(section.Rows, verdict(&s.Decisions[i]))
	}
	return section
}

// verdict says who decided what and why.
func verdict(p *decision.Past) Row {
	row := Row{When: day(p.At), Did: done(p.Verdict), Bad: p.Verdict == decision.Reject || p.Verdict == decision.Retire, By: p.By, Text: "“" + p.Reason + "”"}
	for _, c := range p.Changes {
		name := c.Of
		if c.Member != "" {
			name += " " + c.Member
		}
		row.More = append(row.More, name+"  "+phrase.Clip(diff.SpellDecided(c.Old), 200)+" → "+phrase.Clip(diff.SpellDecided(c.New), 200))
	}
	return row
}

// done is the past participle of a verdict.
func done(v decision.Verdict) string {
	switch v {
	case decision.Allow:
		return "allowed"
	case decision.Keep:
		return "kept"
	}
	return strings.TrimSuffix(string(v), "e") + "ed"
}

func (s *Story) caught() Section {
	section := Section{Name: "caught"}
	switch {
	case len(s.Caught) > 0:
		section.Note = phrase.Count(len(s.Caught), "time", "times") + ", the last one first"
	case s.Results == 0:
		section.Note = "nothing that is known here: no run of this machine has judged the case"
	default:
		section.Note = "nothing in " + phrase.Count(s.Results, "result", "results") + " of this machine"
	}
	for i := range s.Caught {
		section.Rows = append(section.Rows, s.Caught[i].row())
	}
	return section
}

// row says what failed, under which system, how long, and what was done.
func (c *Catch) row() Row {
	row := Row{When: day(c.First), Did: "failed", Bad: true, At: c.System, Text: strings.Join(c.Checks, ", ")}
	if len(c.Checks) == 0 {
		row.Did, row.Text = "changed", "no check failed"
	}
	where := make([]string, 0, 3)
	if c.Model != "" {
		where = append(where, "model "+c.Model)
	}
	if c.Mode != "" {
		where = append(where, c.Mode)
	}
	if n := len(c.Runs); n == 1 {
		where = append(where, "run "+c.Runs[0])
	} else if n > 1 {
		where = append(where, strconv.Itoa(n)+" runs until "+day(c.Last)+", the first "+c.Runs[0])
	}
	row.More = append(row.More, strings.Join(where, ", "))
	for i := range c.Decisions {
		p := &c.Decisions[i]
		row.More = append(row.More, done(p.Verdict)+" by "+p.By+" on "+day(p.At)+": “"+p.Reason+"”")
	}
	switch {
	case !c.Passed.IsZero():
		row.More = append(row.More, "passed again on "+day(c.Passed))
	case len(c.Decisions) == 0:
		row.More = append(row.More, "nothing was decided on it, and it has not passed since")
	}
	return row
}
