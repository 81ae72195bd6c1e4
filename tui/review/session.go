package review

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/journal"
	"docket/engine/phrase"
	"docket/engine/report"
	"docket/tui"
)

// mixed is how the frame is told that the parts of a case were decided alone
// and not alike.
const mixed = "mixed"

// Session keeps the frame's decisions in an engine's review.
type Session struct {
	review atomic.Pointer[engine.Review] // another once samples were added
	taking sync.Mutex
	across bool
	// Outcome is what Write wrote, once it has.
	Outcome *decision.Outcome
	left    int // see Remaining, once it has
}

// NewSession returns a session over a review. across says that what is not
// comparable may be written all the same.
func NewSession(v *engine.Review, across bool) *Session {
	s := &Session{across: across}
	s.review.Store(v)
	return s
}

// now is the review as it is after the samples that were added.
func (s *Session) now() *engine.Review { return s.review.Load() }

// Diff is what is reviewed now.
func (s *Session) Diff() *diff.Diff { return s.now().Diff }

// Marks implements tui.Session.
func (s *Session) Marks() []tui.Mark {
	var marks []tui.Mark
	seen := map[string]bool{}
	for _, d := range s.now().Decisions() {
		if !seen[d.Row] {
			seen[d.Row] = true
			marks = append(marks, s.marks(d.Row)...)
		}
	}
	return marks
}

// marks says how a case stands: as a whole, and each part that was decided
// alone. Parts that were not are said to be undecided, so that a mark which
// the frame still has goes.
func (s *Session) marks(id string) []tui.Mark {
	c, ok := s.now().Case(id)
	if !ok {
		return nil
	}
	stands := s.now().Of(id)
	whole := tui.Mark{Row: id}
	marks := []tui.Mark{whole}
	if stands.Whole != nil {
		whole.Verdict, whole.Text = stands.Whole.Verdict, stands.Whole.Reason
	}
	decided, alike := true, true
	first := ""
	names := parts(c)
	for i, name := range names {
		mark := tui.Mark{Row: id, Part: name}
		verdict := whole.Verdict
		if d := stands.Parts[name]; d != nil {
			mark.Verdict, mark.Text = d.Verdict, d.Reason
			verdict = d.Verdict
			if whole.Text == "" {
				whole.Text = d.Reason
			}
		}
		marks = append(marks, mark)
		decided = decided && verdict != ""
		if i == 0 {
			first = verdict
		}
		alike = alike && verdict == first
	}
	switch {
	case len(names) == 0:
	case !decided:
		whole.Verdict, whole.Text = "", ""
	case alike:
		whole.Verdict = first
	default:
		whole.Verdict = mixed
	}
	marks[0] = whole
	return marks
}

// parts are the keys under which the changes of a case can be decided alone.
func parts(c *diff.Case) []string {
	var names []string
	seen := map[string]bool{}
	for _, change := range engine.Changes(c) {
		if name := change.Part(); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// Decide implements tui.Session.
func (s *Session) Decide(_ context.Context, d tui.Decision) ([]tui.Mark, error) {
	if err := s.now().Decide(d.Rows, d.Part, decision.Verdict(d.Verdict), d.Text); err != nil {
		return nil, err
	}
	var marks []tui.Mark
	for _, id := range d.Rows {
		marks = append(marks, s.marks(id)...)
	}
	return marks, nil
}

// Undo implements tui.Session.
func (s *Session) Undo(context.Context) ([]tui.Mark, error) { return s.step(s.now().Undo) }

// Redo implements tui.Session.
func (s *Session) Redo(context.Context) ([]tui.Mark, error) { return s.step(s.now().Redo) }

func (s *Session) step(do func() (journal.Group, bool, error)) ([]tui.Mark, error) {
	group, ok, err := do()
	if err != nil || !ok {
		return nil, err
	}
	var marks []tui.Mark
	for _, e := range group.Entries {
		marks = append(marks, s.marks(e.Row)...)
	}
	return marks, nil
}

// Plan implements tui.Session.
func (s *Session) Plan(ctx context.Context) (tui.Plan, error) {
	plan, err := s.now().Plan(ctx)
	if err != nil {
		return tui.Plan{}, err
	}
	p := tui.Plan{Lines: report.Planned(s.now().Target(), &plan)}
	d := s.now().Diff
	if left := s.undecided(); left > 0 {
		p.Lines = append(p.Lines, phrase.Count(left, "case is undecided and keeps its line.", "cases are undecided and keep their lines."))
	}
	if s.now().Pair != nil {
		p.Lines = append(p.Lines, "Neither of the two files is touched.")
	}
	if d.Recapture != "" {
		p.Lines = append(p.Lines, "A recapture: the header, and the lines of all other cases, as run "+s.now().Run.ID+" captured them.")
		if err := s.now().Unready(); err != nil {
			p.Refusal = upper(err.Error()) + "."
		}
		return p, nil
	}
	switch {
	case len(plan.Record) == 0 && len(plan.Stale) > 0:
		p.Refusal = "Only stale decisions are left: leave with q and review again."
	case len(plan.Record) == 0:
		p.Refusal = "Nothing is decided yet: accept or reject the case under the cursor first."
	case s.now().Unwritable() != nil:
		p.Refusal = upper(s.now().Unwritable().Error()) + "."
	case !d.Comparable() && !s.across:
		p.Refusal = "The two sides are not comparable, so no line goes into this baseline: " + s.recapture() + "open this with --across to write all the same. Decisions are kept."
	}
	return p, nil
}

// recapture names the command that proposes a whole new baseline of this suite,
// by this system and in this mode; two files have none.
func (s *Session) recapture() string {
	v := s.now()
	if v.Suite == nil {
		return ""
	}
	return "propose a recapture with `" + v.Suite.Command("calibrate") + " --recapture --reason TEXT`, or "
}

// undecided counts the cases on which nothing stands, neither on the whole nor
// on a part.
func (s *Session) undecided() int {
	v, n := s.now(), 0
	for i := range v.Diff.Cases {
		c := &v.Diff.Cases[i]
		if stands := v.Of(c.ID); c.Status.Decidable() && stands.Whole == nil && len(stands.Parts) == 0 {
			n++
		}
	}
	return n
}

// Write implements tui.Session.
func (s *Session) Write(ctx context.Context) (tui.Closing, error) {
	outcome, err := s.now().Write(ctx)
	if err != nil {
		return tui.Closing{}, err
	}
	s.Outcome = &outcome
	if s.left, err = s.now().Left(ctx, outcome.Receipt.File); err != nil {
		s.left = s.now().Diff.Summary.Undecided() // the write went well; the next diff says what is wrong
	}
	lines := report.Wrote(&outcome)
	if left := s.Remaining(); left > 0 {
		lines = append(lines, fmt.Sprintf("%s from the baseline still: rejected, undecided, or decided in part", phrase.Count(left, "case differs", "cases differ")))
	}
	switch {
	case s.now().Pair != nil:
		lines = append(lines, "neither of the two files was touched", "next: "+s.now().DiffLine(outcome))
	case outcome.File != "":
		lines = append(lines, "next: "+s.now().AddLine(outcome))
	}
	return tui.Closing{Lines: lines}, nil
}

// Remaining counts the cases whose change is not in the written baseline.
func (s *Session) Remaining() int {
	if s.Outcome == nil {
		return s.now().Diff.Summary.Undecided()
	}
	return s.left
}

// Notice is what a person should know of the opening, in one line: that a
// session goes on, and what did not survive.
func Notice(v *engine.Review) string {
	notes := v.Notes()
	stale := v.Stale()
	if n := len(stale); n > 0 {
		notes = append(notes[:len(notes)-n:len(notes)-n], phrase.Count(n, "decision is stale", "decisions are stale")+", since the lines are others by now: what would be written lists them")
	}
	return strings.Join(notes, "; ")
}

// Open makes the screen over a review.
func Open(v *engine.Review, command string, across bool) (*Screen, *Session) {
	session := NewSession(v, across)
	var options func(v *engine.Review) Options
	options = func(v *engine.Review) Options {
		o := Options{
			Diff: v.Diff, Evidence: v, Session: session, Command: command,
			ReadOnly: readOnly(v), Files: files(v.Pair), Sources: v.Run.Sources, Now: time.Now(), Across: across,
		}
		if v.Pair == nil {
			o.More = func(ctx context.Context, ids []string) (Options, error) { return session.more(ctx, ids, options) }
		}
		return o
	}
	o := options(v)
	o.Notice = Notice(v)
	return New(o), session
}

// files names the two files, without their folders where the names differ.
func files(p *engine.Pair) string {
	if p == nil {
		return ""
	}
	before, after := filepath.Base(p.Old.Path), filepath.Base(p.New.Path)
	if before == after {
		before, after = p.Old.Path, p.New.Path
	}
	return before + " → " + after
}

// readOnly says why nothing can be decided.
func readOnly(v *engine.Review) string {
	if held := v.ReadOnly(); held != "" {
		return "for reading only: " + held
	}
	return ""
}
