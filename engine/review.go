package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/journal"
	"docket/engine/phrase"
	"docket/engine/report"
	"docket/engine/run"
	"docket/engine/suite"
)

// A Review is a diff with the decisions on it. Each decision is on disk before
// a method returns; the baseline changes by Write alone.
type Review struct {
	Suite   *Suite // nil where two files are reviewed
	Pair    *Pair  // nil where a suite is reviewed
	Diff    *diff.Diff
	Run     *run.Run
	Base    *baseline.File
	History *decision.History

	fsys    disk.FS
	by      string
	home    home
	journal *journal.Journal
	cases   map[string]*diff.Case
	prose   oldProse
	notes   []string // of further samples that were asked for
	partial string   // says that the run did not take every case
}

// A home is where a review keeps its decisions, and which baseline it writes.
type home struct {
	root, suite, mode       string // as baseline.Path takes them
	journalRoot, journalSub string // as journal.Config takes them
}

// Review opens the decisions on a diff of the suite. Where another process
// decides already, the review is for reading and ReadOnly says who.
func (s *Suite) Review(ctx context.Context, d *diff.Diff, r *run.Run, base *baseline.File) (*Review, error) {
	v, err := s.review(ctx, d, r, base)
	if err != nil {
		return nil, err
	}
	v.journal, err = journal.Open(v.config())
	return v, err
}

// Peek is Review for a command that only reports: it takes no lock and no
// decisions.
func (s *Suite) Peek(ctx context.Context, d *diff.Diff, r *run.Run, base *baseline.File) (*Review, error) {
	v, err := s.review(ctx, d, r, base)
	if err != nil {
		return nil, err
	}
	v.journal, err = journal.Peek(v.config())
	return v, err
}

func (s *Suite) review(ctx context.Context, d *diff.Diff, r *run.Run, base *baseline.File) (*Review, error) {
	history, err := decision.Read(disk.OS{}, s.Project.Dir, s.Name)
	if err != nil {
		return nil, err
	}
	partial, err := s.partial(ctx, r)
	if err != nil {
		return nil, err
	}
	return newReview(&Review{
		Suite: s, Diff: d, Run: r, Base: base, History: history, by: git.Author(ctx, s.Project.Dir), partial: partial, fsys: s.Project.fsys,
		home: home{s.Project.Dir, s.Name, s.Mode, s.Project.Dir, journal.Name(s.Name, s.Mode)},
	}), nil
}

// newReview completes a review whose exported fields and home are set.
func newReview(v *Review) *Review {
	if v.fsys == nil {
		v.fsys = disk.OS{}
	}
	v.cases = make(map[string]*diff.Case, len(v.Diff.Cases))
	for i := range v.Diff.Cases {
		v.cases[v.Diff.Cases[i].ID] = &v.Diff.Cases[i]
	}
	return v
}

// caseFile returns the file of a case, where a suite is reviewed and has it.
func (v *Review) caseFile(id string) (*suite.Case, bool) {
	if v.Suite == nil {
		return nil, false
	}
	return v.Suite.Case(id)
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
		FS: v.fsys, Root: v.home.journalRoot, Name: v.home.journalSub,
		Subject: canonical.HashBytes([]byte(subject.String())),
		Holds:   v.holds,
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
	proposed := func() []byte { return v.dated(c.NewLine) }
	if !ok && verdict == decision.Allow {
		c, ok = v.wavering(id)
		proposed = func() []byte { return c.NewLine } // nothing was captured anew
	}
	switch {
	case !ok:
		return decision.Item{}, v.unknown(id)
	case !c.Status.Decidable() && c.Status != diff.Same:
		return decision.Item{}, fmt.Errorf("%w on case %q: its status is %s (%s)", ErrNotDecidable, id, c.Status, c.Error)
	case part != "" && (c.Status == diff.New || c.Status == diff.Gone || c.Edited):
		return decision.Item{}, fmt.Errorf("case %q is %s and is decided whole", id, c.Status)
	}
	d := decision.Decision{
		By: v.by, Mode: v.home.mode, Case: id, Version: c.Version, Verdict: verdict, Status: string(c.Status),
		Seen: Seen(c), Changes: Changes(c), Samples: decision.Samples(c.OldSamples, c.NewSamples),
	}
	if file, ok := v.caseFile(id); ok {
		d.Provenance = file.Provenance
	}
	if c.Status == diff.Gone {
		d.Lines = map[string][]byte{d.Mode: c.OldLine}
	}
	item := decision.Item{Decision: d, Proposed: proposed()}
	if verdict == decision.Allow {
		var err error
		if item.Allowed, err = v.allowing(c, part); err != nil {
			return decision.Item{}, err
		}
		for i := range d.Changes { // shares its changes with the item
			if change := &d.Changes[i]; c.Status == diff.Same {
				change.New = item.Allowed[change.Of]
			}
		}
	}
	return item, nil
}

// dated is a line of the run with the day on which it was captured, where that
// is later than what the baseline's header says once the line is in it.
func (v *Review) dated(line []byte) []byte {
	day := v.Run.Started.UTC().Format(time.DateOnly)
	if line == nil || v.Run.Started.IsZero() || v.Diff.Recapture != "" || day <= v.Base.Header.Captured {
		return line
	}
	return baseline.Dated(line, day)
}

// unknown says why a case that was named is not in the diff.
func (v *Review) unknown(id string) error {
	if r, ok := v.result(id); ok && r.Outcome == run.NotRun {
		return fmt.Errorf("%w on case %q: run %s did not take it; run the suite again", ErrNotDecidable, id, v.Run.ID)
	}
	if _, ok := v.Base.Find(id); ok {
		return fmt.Errorf("%w on case %q: it is the same as in the baseline", ErrNotDecidable, id)
	}
	ids := make([]string, 0, len(v.cases))
	for known := range v.cases {
		ids = append(ids, known)
	}
	slices.Sort(ids)
	return fmt.Errorf("no case %q in %s%s", id, v.subject(), nearest(id, ids))
}

// subject names what is reviewed, inside a sentence.
func (v *Review) subject() string {
	if v.Suite != nil {
		return "suite " + v.Suite.Name
	}
	return v.Diff.Suite
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
		changes = append(changes, decision.Change{Kind: string(change.Kind), Of: change.Of, Member: change.Member, Old: change.Old, New: change.New, Tags: tags})
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
// the proposed one is another by now, less those on cases that were decided
// again. They are kept and never written.
func (v *Review) Stale() []journal.Decision {
	return slices.DeleteFunc(v.journal.Stale(), func(d journal.Decision) bool {
		now := v.journal.Of(d.Row)
		return now.Whole != nil || len(now.Parts) > 0
	})
}

// Of returns the verdicts that stand on a case: on the whole, and on its parts.
func (v *Review) Of(id string) journal.Verdicts { return v.journal.Of(id) }

// ReadOnly says who else decides on this suite, "" where this process does.
func (v *Review) ReadOnly() string {
	if held := v.journal.ReadOnly(); held != nil {
		return held.Error()
	}
	return ""
}

// CutShort says, where a crash cut a decision short before it was saved, which
// one is left out.
func (v *Review) CutShort() []string { return v.journal.Notes() }

// Notes say what a person should know of the opening: decisions that were
// resumed, a step that a crash cut short, decisions that are stale.
func (v *Review) Notes() []string {
	var notes []string
	if v.partial != "" {
		notes = append(notes, v.partial)
	}
	notes = slices.Concat(notes, v.notes, v.journal.Notes())
	if n := v.journal.Resumed(); n > 0 {
		notes = append(notes, fmt.Sprintf("resumed: %s from before", phrase.Count(n, "decision", "decisions")))
	}
	for _, d := range v.Stale() {
		notes = append(notes, staleNote(d))
	}
	return notes
}

// Added says what a person should know of the samples that were added last: of
// which cases there are none.
func (v *Review) Added() []string { return v.notes }

// Rejected finds the last time that the same change of a case was rejected in
// this mode.
func (v *Review) Rejected(c *diff.Case) (decision.Past, bool) {
	return v.History.Rejected(v.home.mode, c.ID, Changes(c))
}

// Close lets go of the journal. What is decided stays on disk.
func (v *Review) Close() error { return v.journal.Close() }

// Standing is what a report tells of decisions that are not written yet.
type Standing struct {
	Decided map[string]report.Decision
	Past    func(c *diff.Case) (decision.Decision, bool)
	Notes   []string
}

// Standing returns the decisions on a diff that stand and are not written,
// without opening them for change.
func (s *Suite) Standing(ctx context.Context, d *diff.Diff, r *run.Run, base *baseline.File) (*Standing, error) {
	v, err := s.Peek(ctx, d, r, base)
	if err != nil {
		return nil, err
	}
	standing := &Standing{Decided: map[string]report.Decision{}}
	if v.partial != "" {
		standing.Notes = append(standing.Notes, v.partial)
	}
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
