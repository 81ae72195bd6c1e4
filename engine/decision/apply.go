package decision

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"docket/engine/baseline"
	"docket/engine/disk"
)

// An Item is a decision with the lines it was made on.
type Item struct {
	Decision Decision
	// Proposed is the line that the run proposed, which Decision.Seen is bound
	// to together with the baseline's line of that time. It carries the day of
	// the run where that is later than the header's, so that a write that is
	// made again, days later, writes the same line.
	Proposed []byte
	// New is the line to write on an accept, where it is not Proposed: the
	// mixed line of a case of which only a part was accepted, and that of one
	// of which a part was allowed.
	New []byte
	// Allowed holds, for a verdict of allow, the value that the line gets of each
	// projection: the set of what will do from then on.
	Allowed map[string]any
}

// A Stale is a decision that is not written, and why, in one sentence.
type Stale struct {
	Item Item
	Why  string
}

// A Plan says what decisions do to a baseline.
type Plan struct {
	Edit baseline.Edit
	// Record holds the items whose decisions are recorded, in the order given.
	Record []Item
	// Accepted, Allowed, Retired, Already and Rejected count them: lines to write
	// as proposed, or in part; lines that get allowed sets; lines to remove; what
	// the baseline has undergone already; lines that stay.
	Accepted, Allowed, Retired, Already, Rejected int
	Stale                                         []Stale
}

// MakePlan decides over each item against the baseline as it is now. Latest,
// which may be nil, returns the line that the newest run of the mode proposes
// for a case, nil where it says nothing of it: a decision on a line of another
// structure is stale. An item that must not be written at all is an error.
func MakePlan(f *baseline.File, items []Item, latest func(id string) []byte) (Plan, error) {
	p := Plan{Edit: baseline.Edit{Replace: map[string][]byte{}}}
	type once struct {
		id      string
		verdict Verdict
	}
	seen := map[once]bool{}
	for _, item := range items {
		d := &item.Decision
		if err := d.check(); err != nil {
			return Plan{}, err
		}
		key := once{d.Case, d.Verdict}
		if seen[key] {
			return Plan{}, fmt.Errorf("the case %q has two decisions to %s", d.Case, d.Verdict)
		}
		seen[key] = true
		if err := p.add(item, lineOf(f, d.Case), latest); err != nil {
			return Plan{}, err
		}
	}
	return p, nil
}

func (p *Plan) add(item Item, now []byte, latest func(id string) []byte) error {
	d := &item.Decision
	line := item.New
	if line == nil && d.Verdict != Allow {
		line = item.Proposed
	}
	there := (d.Verdict == Accept || d.Verdict == Allow) && line != nil && holds(now, line) || d.Verdict == Retire && removed(&item, now)
	if !there {
		if why := stale(item, now, latest); why != "" {
			p.Stale = append(p.Stale, Stale{item, why})
			return nil
		}
	}
	switch {
	case there:
		p.Already++
	case d.Verdict == Accept:
		p.Edit.Replace[d.Case] = line
		p.Accepted++
	case d.Verdict == Allow && item.New != nil:
		p.Edit.Replace[d.Case] = line
		p.Allowed++
	case d.Verdict == Reject:
		p.Rejected++
	case d.Verdict == Retire && d.Lines[d.Mode] != nil:
		p.Edit.Remove = append(p.Edit.Remove, d.Case)
		p.Retired++
	default:
		return fmt.Errorf("the verdict %q on the case %q is not one that changes a line; it has its own command", d.Verdict, d.Case)
	}
	p.Record = append(p.Record, item)
	return nil
}

// holds reports whether the baseline's line is the new one already, with
// unknown keys of the line before behind it.
func holds(now, line []byte) bool {
	if bytes.Equal(now, line) {
		return true
	}
	body, ok := bytes.CutSuffix(line, []byte("}"))
	return ok && len(now) > len(line) && bytes.HasPrefix(now, body) && now[len(body)] == ','
}

// removed reports whether the line that a retirement was made on is gone
// already, as after a crash behind the write.
func removed(item *Item, now []byte) bool {
	line := item.Decision.Lines[item.Decision.Mode]
	return now == nil && line != nil && item.Decision.Seen == Seen(line, item.Proposed)
}

func stale(item Item, now []byte, latest func(id string) []byte) string {
	d := &item.Decision
	switch {
	case d.Seen == Seen(now, item.Proposed):
	case d.Seen == Seen(nil, item.Proposed):
		return "the case was new when it was decided and has a line in the baseline by now"
	case now == nil:
		return "the case has no line in the baseline any more"
	default:
		return "the baseline's line of the case is another by now"
	}
	if latest != nil {
		if newest := latest(d.Case); newest != nil && !bytes.Equal(baseline.Key(newest), baseline.Key(item.Proposed)) {
			return "a newer run proposes another line for the case"
		}
	}
	return ""
}

// A Request says what to write.
type Request struct {
	FS                disk.FS
	Root, Suite, Mode string
	Run               string          // id of the run that was reviewed
	Config            baseline.Header // the run's whole configuration
	Items             []Item
	// Latest is as for MakePlan; nil is not checked.
	Latest func(id string) []byte
	// Whole is what a recapture writes besides; nil for none.
	Whole *Whole
}

// An Outcome says what was written.
type Outcome struct {
	Plan
	// Receipt counts the baseline's lines as they were read back.
	Receipt baseline.Receipt
	// Baseline is the path of the baseline, File that of the new decision file,
	// "" where every decision was on record already.
	Baseline, File string
}

// Apply records decisions and lets them take effect: see the package's comment
// for the order and for what a crash leaves. Stale decisions are listed and
// not written, the rest is. With nothing to write it writes nothing. Where
// another process writes the same baseline the error is a *disk.HeldError.
func Apply(r Request) (outcome Outcome, err error) {
	path, err := baseline.Path(r.Root, r.Suite, r.Mode)
	if err != nil {
		return Outcome{}, err
	}
	for _, item := range r.Items {
		if item.Decision.Mode != r.Mode {
			return Outcome{}, fmt.Errorf("the decision on the case %q is for the mode %q, not %q", item.Decision.Case, item.Decision.Mode, r.Mode)
		}
	}
	// The lock lies in the baseline's folder; without the folder there is
	// neither a baseline nor anybody else.
	if _, err := r.FS.Lstat(filepath.Dir(path)); err != nil {
		return Outcome{}, noBaseline(path, err)
	}
	w, err := baseline.Lock(r.FS, path)
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if w.File() == nil {
		return Outcome{}, noBaseline(path, fs.ErrNotExist)
	}
	outcome.Baseline = path
	if outcome.Plan, err = MakePlan(w.File(), r.Items, r.Latest); err != nil {
		return Outcome{}, err
	}
	if r.Whole != nil {
		if err := r.Whole.join(&outcome.Plan, w.File()); err != nil {
			return Outcome{}, err
		}
	}
	onRecord, next, err := recorded(r)
	if err != nil {
		return Outcome{}, err
	}
	// The other half of a mixed line: recorded together with it, and bound to
	// the line that it replaced.
	outcome.Stale = slices.DeleteFunc(outcome.Stale, func(s Stale) bool {
		d := &s.Item.Decision
		return d.Verdict == Reject && onRecord[string(AppendLine(nil, d))]
	})
	if outcome.File, err = record(r, outcome.Record, onRecord, next); err != nil {
		return Outcome{}, err
	}
	if outcome.Receipt, err = w.Write(outcome.Edit); err != nil {
		return Outcome{}, fmt.Errorf("the decisions are recorded and the baseline is not written yet; write again to complete it: %w", err)
	}
	return outcome, nil
}

func noBaseline(path string, err error) error {
	return fmt.Errorf("there is no baseline at %s to write to; calibrate makes the first one: %w", path, err)
}

// recorded returns the decisions that are on record, as they are spelt, and the
// number of the run's next file. Those of every run count: where a write seemed
// to fail and did not, a newer run may be reviewed by the time it is tried again.
func recorded(r Request) (map[string]bool, int, error) {
	folder := Folder(r.Root, r.Suite)
	if _, err := FileName(r.Run, 1); err != nil {
		return nil, 0, err
	}
	next, err := nextNumber(r.FS, folder, r.Run)
	if err != nil {
		return nil, 0, err
	}
	history, err := Read(r.FS, r.Root, r.Suite)
	if err != nil {
		return nil, 0, err
	}
	known := make(map[string]bool, len(history.All))
	for i := range history.All {
		known[string(AppendLine(nil, &history.All[i].Decision))] = true
	}
	return known, next, nil
}

// record puts those decisions into a new file that are not on record yet, and
// returns its path, "" where there is none.
func record(r Request, items []Item, onRecord map[string]bool, next int) (string, error) {
	folder := Folder(r.Root, r.Suite)
	data := append(baseline.AppendHeader(nil, &r.Config), '\n')
	fresh := 0
	for _, item := range items {
		if line := AppendLine(nil, &item.Decision); !onRecord[string(line)] {
			data = append(append(data, line...), '\n')
			fresh++
		}
	}
	if fresh == 0 {
		return "", nil
	}
	if err := disk.MakeFolders(r.FS, r.Root, folder, 0o755); err != nil {
		return "", err
	}
	for ; ; next++ {
		name, err := NewName(r.Run, next, data)
		if err != nil {
			return "", err
		}
		path := filepath.Join(folder, name)
		if err := disk.Clean(r.FS, path); err != nil {
			return "", err
		}
		err = disk.Create(r.FS, path, data, 0o644)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("the decisions were not recorded and the baseline was not touched: %w", err)
		}
	}
}
