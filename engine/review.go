package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/journal"
	"docket/engine/report"
	"docket/engine/run"
)

// A Review is a diff with the decisions on it. Each decision is on disk before
// a method returns; the baseline changes by Write alone.
type Review struct {
	Suite   *Suite
	Diff    *diff.Diff
	Run     *run.Run
	Base    *baseline.File
	History *decision.History

	fsys    disk.FS
	by      string
	journal *journal.Journal
	cases   map[string]*diff.Case
}

// Review opens the decisions on a diff of the suite. Where another process
// decides already, the review is for reading and ReadOnly says who.
func (s *Suite) Review(d *diff.Diff, r *run.Run, base *baseline.File) (*Review, error) {
	v, err := s.review(d, r, base)
	if err != nil {
		return nil, err
	}
	v.journal, err = journal.Open(v.config())
	return v, err
}

// Peek is Review for a command that only reports: it takes no lock and no
// decisions.
func (s *Suite) Peek(d *diff.Diff, r *run.Run, base *baseline.File) (*Review, error) {
	v, err := s.review(d, r, base)
	if err != nil {
		return nil, err
	}
	v.journal, err = journal.Peek(v.config())
	return v, err
}

func (s *Suite) review(d *diff.Diff, r *run.Run, base *baseline.File) (*Review, error) {
	history, err := decision.Read(disk.OS{}, s.Project.Dir, s.Name)
	if err != nil {
		return nil, err
	}
	v := &Review{Suite: s, Diff: d, Run: r, Base: base, History: history, fsys: disk.OS{}, by: author(s.Project.Dir), cases: map[string]*diff.Case{}}
	for i := range d.Cases {
		v.cases[d.Cases[i].ID] = &d.Cases[i]
	}
	return v, nil
}

// config binds the journal to what is on the screen: the baseline's bytes and
// the line that is proposed for each case, so that a rerun with the same
// structure leaves every decision valid.
func (v *Review) config() journal.Config {
	var subject strings.Builder
	subject.WriteString(v.Base.Hash())
	for i := range v.Diff.Cases {
		c := &v.Diff.Cases[i]
		subject.WriteString("\x00" + c.ID + "\x00" + Seen(c))
	}
	return journal.Config{
		FS: v.fsys, Root: v.Suite.Project.Dir, Name: journal.Name(v.Suite.Name, v.Suite.Mode),
		Subject: canonical.HashBytes([]byte(subject.String())),
		Holds: func(d journal.Decision) bool {
			c, ok := v.cases[d.Row]
			return ok && c.Status.Decidable() && d.Seen == Seen(c)
		},
	}
}

// Seen is the hash that binds a decision on a case to what was looked at.
func Seen(c *diff.Case) string { return decision.Seen(c.OldLine, c.NewLine) }

// ErrNotDecidable says that there is nothing to decide on a case.
var ErrNotDecidable = errors.New("nothing to decide")

// Decide puts one verdict, with its reason, on whole cases, or on one part of
// one case (the part of a change, see decision.Change.Part). All are decided
// or none. An empty verdict takes earlier ones back.
func (v *Review) Decide(ids []string, part string, verdict decision.Verdict, reason string) error {
	if strings.TrimSpace(reason) == "" && verdict != "" {
		return errors.New("a decision needs a reason")
	}
	group := journal.Group{Verdict: string(verdict), Reason: strings.TrimSpace(reason)}
	for _, id := range ids {
		item, err := v.item(id, verdict, part)
		if err != nil {
			return err
		}
		group.Entries = append(group.Entries, item.Entry(part))
	}
	_, err := v.journal.Decide(group)
	return err
}

// item is a case as a decision on it is kept.
func (v *Review) item(id string, verdict decision.Verdict, part string) (decision.Item, error) {
	c, ok := v.cases[id]
	switch {
	case !ok:
		return decision.Item{}, v.unknown(id)
	case !c.Status.Decidable():
		return decision.Item{}, fmt.Errorf("%w on case %q: its status is %s (%s)", ErrNotDecidable, id, c.Status, c.Error)
	case part != "" && (c.Status == diff.New || c.Status == diff.Gone || c.Edited):
		return decision.Item{}, fmt.Errorf("case %q is %s and is decided whole", id, c.Status)
	}
	d := decision.Decision{
		By: v.by, Mode: v.Suite.Mode, Case: id, Version: c.Version, Verdict: verdict, Status: string(c.Status),
		Seen: Seen(c), Changes: Changes(c), Samples: decision.Samples(c.OldSamples, c.NewSamples),
	}
	if file, ok := v.Suite.Case(id); ok {
		d.Provenance = file.Provenance
	}
	return decision.Item{Decision: d, Proposed: c.NewLine}, nil
}

// unknown says why a case that was named is not in the diff.
func (v *Review) unknown(id string) error {
	if _, ok := v.Suite.Case(id); ok {
		return fmt.Errorf("%w on case %q: it is the same as in the baseline", ErrNotDecidable, id)
	}
	ids := make([]string, 0, len(v.cases))
	for known := range v.cases {
		ids = append(ids, known)
	}
	slices.Sort(ids)
	return fmt.Errorf("no case %q in suite %s%s", id, v.Suite.Name, nearest(id, ids))
}

// Changes converts what changed in a case to the form in which decisions are
// kept.
func Changes(c *diff.Case) []decision.Change {
	changes := make([]decision.Change, 0, len(c.Changes))
	for _, change := range c.Changes {
		tags := change.Tags
		if tags == nil {
			tags = []string{}
		}
		changes = append(changes, decision.Change{Kind: string(change.Kind), Of: change.Of, Old: change.Old, New: change.New, Tags: tags})
	}
	return changes
}

// Undo takes the last decision back, Redo brings it again. They report false
// where there is none.
func (v *Review) Undo() (journal.Group, bool, error) { return v.journal.Undo() }

// Redo is the opposite of Undo.
func (v *Review) Redo() (journal.Group, bool, error) { return v.journal.Redo() }

// Decisions returns what stands, in the order in which it was decided.
func (v *Review) Decisions() []journal.Decision { return v.journal.Decisions() }

// Stale returns decisions that no longer hold, since the baseline's line or
// the proposed one is another by now. They are kept and never written.
func (v *Review) Stale() []journal.Decision { return v.journal.Stale() }

// Of returns the verdicts that stand on a case: on the whole, and on its parts.
func (v *Review) Of(id string) journal.Verdicts { return v.journal.Of(id) }

// ReadOnly says who else decides on this suite, "" where this process does.
func (v *Review) ReadOnly() string {
	if held := v.journal.ReadOnly(); held != nil {
		return held.Error()
	}
	return ""
}

// Notes say what a person should know of the opening: decisions that were
// resumed, a step that a crash cut short, decisions that are stale.
func (v *Review) Notes() []string {
	notes := slices.Clone(v.journal.Notes())
	if n := v.journal.Resumed(); n > 0 {
		notes = append(notes, fmt.Sprintf("resumed: %s from before", count(n, "decision", "decisions")))
	}
	for _, d := range v.journal.Stale() {
		notes = append(notes, staleNote(d))
	}
	return notes
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Rejected finds the last time that the same change of a case was rejected.
func (v *Review) Rejected(c *diff.Case) (decision.Past, bool) {
	return v.History.Rejected(c.ID, Changes(c))
}

// Close lets go of the journal. What is decided stays on disk.
func (v *Review) Close() error { return v.journal.Close() }

// Plan says what Write would write.
func (v *Review) Plan() (decision.Plan, error) {
	items, err := v.items()
	if err != nil {
		return decision.Plan{}, err
	}
	return decision.MakePlan(v.Base, items, v.latest)
}

// items are the decisions that stand. To accept that a case is gone is to
// retire its line.
func (v *Review) items() ([]decision.Item, error) {
	items, err := decision.Items(v.journal.Decisions(), v.Base)
	for i := range items {
		d := &items[i].Decision
		if d.Status == string(diff.Gone) && d.Verdict == decision.Accept {
			d.Verdict = decision.Retire
		}
	}
	return items, err
}

// latest returns the line that the newest run proposes for a case, so that a
// decision on another line is told as stale.
func (v *Review) latest(id string) []byte {
	if c, ok := v.cases[id]; ok {
		return c.NewLine
	}
	return nil
}

// ErrRecorded says that what was reviewed is a record run.
var ErrRecorded = errors.New("a record run is never written to a baseline: run again on the recordings")

// Write records the decisions and writes the baseline, and returns what it
// read back from disk. The journal is then closed.
func (v *Review) Write() (decision.Outcome, error) {
	if v.Run.Recorded {
		return decision.Outcome{}, ErrRecorded
	}
	items, err := v.items()
	if err != nil {
		return decision.Outcome{}, err
	}
	outcome, err := decision.Apply(decision.Request{
		FS: v.fsys, Root: v.Suite.Project.Dir, Suite: v.Suite.Name, Mode: v.Suite.Mode,
		Run: v.Run.ID, Config: v.Run.Config, Items: items, Latest: v.latest,
	})
	if err != nil {
		return outcome, err
	}
	if err := v.journal.Written(); err != nil {
		return outcome, fmt.Errorf("the baseline is written; the journal could not be closed, and the next review will offer its decisions again: %w", err)
	}
	outcome.Baseline = v.Suite.Project.relative(outcome.Baseline)
	if outcome.File != "" {
		outcome.File = v.Suite.Project.relative(outcome.File)
	}
	return outcome, nil
}

// AddLine is the git command that stages what a write changed.
func (v *Review) AddLine(o decision.Outcome) string {
	return "git add " + filepath.ToSlash(o.Baseline) + " " + filepath.ToSlash(filepath.Dir(o.File))
}

// Standing is what a report tells of decisions that are not written yet.
type Standing struct {
	Decided map[string]report.Decision
	Past    func(c *diff.Case) (decision.Decision, bool)
	Notes   []string
}

// Standing returns the decisions on a diff that stand and are not written,
// without opening them for change.
func (s *Suite) Standing(d *diff.Diff, r *run.Run, base *baseline.File) (*Standing, error) {
	v, err := s.Peek(d, r, base)
	if err != nil {
		return nil, err
	}
	standing := &Standing{Decided: map[string]report.Decision{}}
	for _, d := range v.Decisions() {
		if d.Part == "" || standing.Decided[d.Row].Verdict == "" {
			standing.Decided[d.Row] = report.Decision{Verdict: d.Verdict, Reason: d.Reason}
		}
	}
	for _, d := range v.Stale() {
		standing.Notes = append(standing.Notes, staleNote(d))
	}
	standing.Past = func(c *diff.Case) (decision.Decision, bool) {
		past, ok := v.Rejected(c)
		return past.Decision, ok
	}
	return standing, nil
}

func staleNote(d journal.Decision) string {
	return fmt.Sprintf("stale, not counted: %s of case %q (%s), since its line is another by now", d.Verdict, d.Row, d.Reason)
}

// Case returns what became of a case, where the diff lists it.
func (v *Review) Case(id string) (*diff.Case, bool) {
	c, ok := v.cases[id]
	return c, ok
}

// Knows reports whether the suite has a case or a baseline line of each id.
func (s *Suite) Knows(ids []string) bool {
	base, _ := s.Baseline()
	for _, id := range ids {
		_, isCase := s.Case(id)
		if !isCase && base != nil {
			_, isCase = base.Find(id)
		}
		if !isCase {
			return false
		}
	}
	return true
}
