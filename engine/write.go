package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/journal"
	"docket/engine/phrase"
	"docket/engine/run"
	"docket/engine/safetext"
)

// Plan says what Write would write to the baseline as it is on disk now.
func (v *Review) Plan(ctx context.Context) (decision.Plan, error) {
	base, err := v.now()
	if err != nil {
		return decision.Plan{}, err
	}
	items, err := v.items(base)
	if err != nil {
		return decision.Plan{}, err
	}
	latest, err := v.latest(ctx)
	if err != nil {
		return decision.Plan{}, err
	}
	plan, err := decision.MakePlan(base, items, latest)
	if err == nil {
		plan.Stale = append(plan.Stale, v.dropped(base)...)
	}
	return plan, err
}

// dropped are the decisions that held no longer when the journal was opened:
// the baseline's line, or the proposed one, was another by then.
func (v *Review) dropped(base *baseline.File) []decision.Stale {
	items, err := decision.Items(v.Stale(), base)
	if err != nil {
		return nil // what made them stale also keeps them from being read
	}
	stale := make([]decision.Stale, len(items))
	for i, item := range items {
		stale[i] = decision.Stale{Item: item, Why: "its line, in the baseline or in the run, is another by now"}
	}
	return stale
}

// now reads the baseline again: somebody may have written it since.
func (v *Review) now() (*baseline.File, error) {
	base, err := baseline.Open(v.fsys, v.home.root, v.home.suite, v.home.mode)
	if errors.Is(err, fs.ErrNotExist) && v.Pair != nil {
		return v.Base, nil
	}
	return base, err
}

// items are the decisions that stand.
func (v *Review) items(base *baseline.File) ([]decision.Item, error) {
	return itemsOf(v.journal.Decisions(), base)
}

// holds reports whether a decision from before this run, or from before the
// baseline changed, still stands: the run proposes the line that was decided
// on, or says nothing of the case, since it was filtered out or failed; or the
// baseline has already what was asked for, as after a crash between the write
// and the closing of the journal.
func (v *Review) holds(d journal.Decision) bool {
	c, listed := v.cases[d.Row]
	decidable := listed && c.Status.Decidable()
	if decidable && d.Seen == Seen(c) || !listed && v.allowedAlone(d) {
		return true
	}
	items, err := itemsOf([]journal.Decision{d}, v.Base)
	if err != nil {
		return false
	}
	plan, err := decision.MakePlan(v.Base, items, nil)
	switch {
	case err != nil:
		return false
	case plan.Already > 0:
		return true
	default:
		return !decidable && !v.measured(d.Row) && len(plan.Stale) == 0
	}
}

// measured reports whether the run has a line for a case.
func (v *Review) measured(id string) bool {
	r, ok := v.result(id)
	return ok && r.Outcome == run.Measured
}

// result returns what became of a case in the run.
func (v *Review) result(id string) (*run.Result, bool) {
	all := v.Run.Results // sorted by id
	at, ok := slices.BinarySearchFunc(all, id, func(r run.Result, id string) int { return strings.Compare(r.ID, id) })
	if !ok {
		return nil, false
	}
	return &all[at], true
}

// itemsOf returns what decisions ask for. To accept that a case is gone is to
// retire its line.
func itemsOf(decisions []journal.Decision, base *baseline.File) ([]decision.Item, error) {
	items, err := decision.Items(decisions, base)
	for i := range items {
		d := &items[i].Decision
		switch {
		case d.Status != string(diff.Gone):
		case d.Verdict == decision.Accept:
			d.Verdict = decision.Retire
		default:
			d.Lines = nil // nothing goes that would have to be restored
		}
	}
	return items, err
}

// ErrRecorded says that what was reviewed is a record run.
var ErrRecorded = errors.New("a record run is never written to a baseline: run again on the recordings")

// Unwritable says why nothing that a run proposes may be written, whatever is
// decided: it recorded, or another judge than the baseline's had a say in it, so
// that a line would hold what the header denies. nil where it may.
func (v *Review) Unwritable() error {
	if v.Run.Recorded {
		return ErrRecorded
	}
	if others := v.Diff.OtherJudges(); len(others) > 0 && !v.Diff.Rescored {
		return fmt.Errorf("run %s was judged by another judge than the baseline (%s), and nothing of it is written: judge the baseline again first, with `%s --reason TEXT`",
			v.Run.ID, phrase.Series(others, "and"), v.Suite.Command("rescore"))
	}
	return nil
}

// Write records the decisions and writes the baseline, and returns what it
// read back from disk. The journal is then closed.
func (v *Review) Write(ctx context.Context) (decision.Outcome, error) {
	if err := v.Unwritable(); err != nil {
		return decision.Outcome{}, err
	}
	if v.Pair != nil {
		if err := v.Pair.Begin(v.fsys, v.home.root); err != nil {
			return decision.Outcome{}, err
		}
	}
	base, err := v.now()
	if err != nil {
		return decision.Outcome{}, err
	}
	items, err := v.items(base)
	if err != nil {
		return decision.Outcome{}, err
	}
	latest, err := v.latest(ctx)
	if err != nil {
		return decision.Outcome{}, err
	}
	whole, err := v.whole(items)
	if err != nil {
		return decision.Outcome{}, err
	}
	outcome, err := decision.Apply(decision.Request{
		FS: v.fsys, Root: v.home.root, Suite: v.home.suite, Mode: v.home.mode,
		Run: v.Run.ID, Config: v.Run.Config, Items: items, Latest: latest, Whole: whole,
	})
	if err != nil {
		return outcome, err
	}
	outcome.Stale = append(outcome.Stale, v.dropped(base)...)
	if err := v.journal.Written(); err != nil {
		return outcome, fmt.Errorf("the baseline is written; the journal could not be closed, and the next review will offer its decisions again: %w", err)
	}
	outcome.Baseline = v.shown(outcome.Baseline)
	if outcome.File != "" {
		outcome.File = v.shown(outcome.File)
	}
	return outcome, nil
}

// Left counts the cases that still differ in a way that a person can decide on,
// once the baseline is what was written: what the next comparison of the run
// finds.
func (v *Review) Left(ctx context.Context, written *baseline.File) (int, error) {
	compare := func() (*diff.Diff, error) { return v.Suite.Compare(ctx, v.Run, written) }
	if v.Pair != nil {
		compare = func() (*diff.Diff, error) { return v.Pair.Compare(written) }
	}
	d, err := compare()
	if err != nil {
		return 0, err
	}
	return d.Summary.Undecided(), nil
}

// Target is the path of the baseline that Write writes, as people type it.
func (v *Review) Target() string {
	path, err := baseline.Path(v.home.root, v.home.suite, v.home.mode)
	if err != nil {
		return err.Error()
	}
	return v.shown(path)
}

// shown spells a path as people type it: relative to the configuration, or,
// with two files, as the folder was named on the command line.
func (v *Review) shown(path string) string {
	if v.Suite != nil {
		return disk.Relative(v.Suite.Project.Dir, path)
	}
	return filepath.ToSlash(path)
}

// AddLine is the git command that stages what a write changed, for a shell in
// the working directory.
func (v *Review) AddLine(o decision.Outcome) string {
	here := func(shown string) string {
		if v.Suite != nil {
			shown = fromHere(filepath.Join(v.Suite.Project.Dir, filepath.FromSlash(shown)))
		}
		return safetext.Word(filepath.ToSlash(shown))
	}
	line := "git add " + here(o.Baseline)
	if o.File != "" {
		line += " " + here(filepath.Dir(o.File))
	}
	return line
}

// AddLine is the git command that stages a baseline that was calibrated, for a
// shell in the working directory.
func (c *Calibration) AddLine() string {
	return "git add " + safetext.Word(filepath.ToSlash(fromHere(c.Receipt.File.Path)))
}

// fromHere spells an absolute path from the working directory, where that is
// shorter.
func fromHere(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(dir, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}
