// Package pruning takes decisions on cases that are proposed for deletion: to
// keep one, to retire it, to merge it into another, to mend its provenance. It
// keeps them in a journal, and lets them take effect in one step.
//
// The package refuses to retire a case whose file, fixtures or lines are others
// than when it was decided on, a case of an incident without the incident's
// name, and a case that another one of the same step is merged into. It
// proposes nothing itself, and deletes nothing but through package decision.
package pruning

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/coverage"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/journal"
	"docket/engine/phrase"
	"docket/engine/provenance"
	"docket/engine/results"
	"docket/engine/suggestion"
	"docket/engine/suite"
)

// A Verdict is what becomes of a proposed case.
type Verdict string

// The verdicts.
const (
	Keep   Verdict = "keep"
	Retire Verdict = "retire"
	Merge  Verdict = "merge"
	Mend   Verdict = "mend" // the provenance is written anew
)

// A Proposal is a case that somebody, or docket, would delete.
type Proposal struct {
	ID       string
	Findings []suggestion.Finding
	Asked    string // how a person asked for it, such as "named"; "" where docket proposes it
}

// A Config is what there is to decide on, and who decides.
type Config struct {
	FS   disk.FS
	Root string // the folder of .docket.yaml
	By   string
	// Suite is the suite whose expectations were not released, Others are all
	// the others of the configuration; Unread names those that do not load, so
	// that nobody knows which fixtures they need.
	Suite     *suite.Suite
	Others    []*suite.Suite
	Unread    []string
	Rules     []suite.Link
	History   *decision.History
	Tallies   map[string]results.Tally // by case, what runs said of it
	Proposals []Proposal
	Now       func() time.Time // nil is time.Now
}

// A Pruning is a queue of proposals with the decisions on them. Each decision is
// on disk before a method returns. Its methods may be called from several
// goroutines.
type Pruning struct {
	Config
	cover    *coverage.Index
	bases    map[string]*baseline.File // by mode
	journal  *journal.Journal
	proposed map[string]*Proposal
}

// Open opens the decisions on proposals. Cases that were decided on in an
// earlier sitting, which nobody closed, join the queue.
func Open(c Config) (*Pruning, error) {
	p := &Pruning{Config: c, cover: coverage.New(c.Suite.Cases, c.Rules), bases: map[string]*baseline.File{}, proposed: map[string]*Proposal{}}
	for _, mode := range baseline.Modes() {
		f, err := baseline.Open(c.FS, c.Root, c.Suite.Name, mode)
		switch {
		case err == nil:
			p.bases[mode] = f
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	if p.taken() { // a crash came between the step and the closing of the journal
		if err := p.journal.Written(); err != nil {
			return nil, err
		}
		if err := p.open(); err != nil {
			return nil, err
		}
	}
	for i := range p.Proposals {
		p.proposed[p.Proposals[i].ID] = &p.Proposals[i]
	}
	for _, d := range p.journal.Decisions() {
		if p.proposed[d.Row] == nil && p.Suite.Case(d.Row) != nil {
			joined := &Proposal{ID: d.Row, Asked: "decided before"}
			p.Proposals = append(p.Proposals, *joined)
			p.proposed[d.Row] = joined
		}
	}
	return p, nil
}

func (p *Pruning) open() (err error) {
	subject := sha256.New()
	for _, c := range p.Suite.Cases {
		data, err := p.read(c.Path)
		if err != nil {
			return err
		}
		fmt.Fprintf(subject, "%s\x00%s\x00%d\x00", c.ID, c.InputHash, len(data))
		subject.Write(data)
	}
	for _, mode := range baseline.Modes() {
		if f := p.bases[mode]; f != nil {
			fmt.Fprintf(subject, "%s\x00%s\x00", mode, f.Hash())
		}
	}
	p.journal, err = journal.Open(journal.Config{
		FS: p.FS, Root: p.Root, Name: journal.Name(p.Suite.Name, "prune"),
		Subject: "sha256:" + hex.EncodeToString(subject.Sum(nil)), Now: p.Now,
		Holds: func(d journal.Decision) bool {
			seen, err := p.seen(d.Row)
			return err == nil && seen == d.Seen
		},
	})
	return err
}

// taken reports whether what the journal holds has taken effect: all of it goes
// in one step, so one decision on record tells of all.
func (p *Pruning) taken() bool {
	for _, d := range slices.Concat(p.journal.Decisions(), p.journal.Stale()) {
		for _, past := range p.History.Of(d.Row) {
			if past.At.Equal(d.At) && (past.Verdict == decision.Retire || past.Verdict == decision.Keep) {
				return true
			}
		}
		if c := p.Suite.Case(d.Row); c != nil && Verdict(d.Verdict) == Mend && c.Provenance == d.Reason {
			return true
		}
	}
	return false
}

// seen binds a decision to what was looked at: the case's file, its input files
// and its lines.
func (p *Pruning) seen(id string) (string, error) {
	c := p.Suite.Case(id)
	if c == nil {
		return "", fmt.Errorf("the suite %s has no case %q", p.Suite.Name, id)
	}
	h := sha256.New()
	for _, name := range append([]string{c.Path}, c.Files...) {
		data, err := p.read(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s\x00%d\x00", name, len(data))
		h.Write(data)
	}
	for _, mode := range baseline.Modes() {
		if f := p.bases[mode]; f != nil {
			if at, ok := f.Find(id); ok {
				fmt.Fprintf(h, "%s\x00%s\x00", mode, f.Lines[at].Bytes)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

func (p *Pruning) read(name string) ([]byte, error) {
	return disk.Read(p.FS, filepath.Join(p.Root, filepath.FromSlash(name)), suite.MaxInputBytes)
}

// Check says why a verdict on a case cannot be taken with a text, nil where it
// can.
func (p *Pruning) Check(id string, v Verdict, text string) error {
	c := p.Suite.Case(id)
	text = strings.TrimSpace(text)
	switch {
	case c == nil:
		return fmt.Errorf("the suite %s has no case %q", p.Suite.Name, id)
	case v == Keep && text == "":
		return errors.New("a decision needs a reason")
	case v == Mend:
		return p.checkProvenance(c, text)
	case v == Merge:
		_, _, err := p.target(id, text)
		return err
	case v != Retire:
		return nil
	}
	if words := strings.Fields(text); len(words) < 2 {
		return errors.New("say in a few words why the case can go")
	}
	for _, name := range p.Incidents(id) {
		if !mentions(text, name) {
			return fmt.Errorf("the case stems from %s: type its name in the reason", name)
		}
	}
	for _, row := range p.Going() {
		if into, _, err := p.target(row, p.textOf(row)); p.verdict(row) == Merge && err == nil && into == id {
			return fmt.Errorf("the case %q is merged into this one: undo that first", row)
		}
	}
	return nil
}

// mentions reports whether a text names something as a word of its own, whatever
// the case of its letters.
func mentions(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(name)
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		end := at + i + len(name)
		if end == len(text) || text[end] < '0' || text[end] > '9' {
			return true
		}
		at = end
	}
}

func (p *Pruning) checkProvenance(c *suite.Case, text string) error {
	written := *c
	written.Provenance = text
	if why := provenance.Boilerplate(&written, p.Rules); why != "" {
		return fmt.Errorf("a provenance that %s: name the incident, the ticket or the commit", why)
	}
	if text == c.Provenance {
		return errors.New("that is the provenance that it has")
	}
	return nil
}

// target reads the case to merge into, and the reason behind it, from a text.
// Ids may hold blanks: the longest that the text begins with is meant.
func (p *Pruning) target(id, text string) (into, reason string, err error) {
	for _, c := range p.Suite.Cases {
		rest, ok := strings.CutPrefix(text, c.ID)
		if ok && len(c.ID) > len(into) && (rest == "" || strings.TrimLeft(rest, " \t\n") != rest) {
			into, reason = c.ID, strings.TrimSpace(rest)
		}
	}
	switch {
	case into == "":
		return "", "", errors.New("begin with the id of the case to merge into, and say why behind it")
	case into == id:
		return "", "", errors.New("a case cannot be merged into itself")
	case reason == "":
		return "", "", fmt.Errorf("say behind %s why", into)
	}
	if v := p.verdict(into); v == Retire || v == Merge {
		return "", "", fmt.Errorf("the case %q goes itself: undo that, or merge into another", into)
	}
	return into, reason, nil
}

// Decide puts a verdict on a case. The text is the reason; behind the id of the
// other case where this one is merged; the new provenance where that is mended.
func (p *Pruning) Decide(id string, v Verdict, text string) error {
	if err := p.Check(id, v, text); err != nil {
		return err
	}
	seen, err := p.seen(id)
	if err != nil {
		return err
	}
	_, err = p.journal.Decide(journal.Group{Verdict: string(v), Reason: strings.TrimSpace(text), Entries: []journal.Entry{{Row: id, Seen: seen}}})
	return err
}

// Undo takes the last decision back and returns its case; "" where there is
// none. Redo is its opposite.
func (p *Pruning) Undo() (string, error) { return rowOf(p.journal.Undo()) }

// Redo is the opposite of Undo.
func (p *Pruning) Redo() (string, error) { return rowOf(p.journal.Redo()) }

func rowOf(g journal.Group, ok bool, err error) (string, error) {
	if err != nil || !ok || len(g.Entries) == 0 {
		return "", err
	}
	return g.Entries[0].Row, nil
}

// Of returns what was decided on a case, nil for nothing.
func (p *Pruning) Of(id string) *journal.Decision { return p.journal.Of(id).Whole }

func (p *Pruning) verdict(id string) Verdict {
	if d := p.Of(id); d != nil {
		return Verdict(d.Verdict)
	}
	return ""
}

func (p *Pruning) textOf(id string) string {
	if d := p.Of(id); d != nil {
		return d.Reason
	}
	return ""
}

// Decided returns the ids of cases that are decided on, in the order of the
// decisions.
func (p *Pruning) Decided() []string {
	var ids []string
	for _, d := range p.journal.Decisions() {
		ids = append(ids, d.Row)
	}
	return ids
}

// Going returns the cases that are to be retired or merged.
func (p *Pruning) Going() []string {
	return slices.DeleteFunc(p.Decided(), func(id string) bool { v := p.verdict(id); return v != Retire && v != Merge })
}

// Incidents names the incidents that a case stems from; the word alone where
// its provenance, or a tag, says incident and names none.
func (p *Pruning) Incidents(id string) []string {
	c := p.Suite.Case(id)
	if c == nil || !provenance.StemsFromIncident(c) {
		return nil
	}
	if names := provenance.Incidents(c.Provenance, p.Rules); len(names) > 0 {
		return names
	}
	return []string{"incident"}
}

// Lost returns what the suite would lose with a case, beside the others that
// are to be retired. What a merged case covers goes on in another.
func (p *Pruning) Lost(id string) []coverage.Loss {
	return p.cover.Lost(id, func(other string) bool { return p.verdict(other) == Retire })
}

// Shared returns what a case covers that others cover too, and how many do.
func (p *Pruning) Shared(id string) map[coverage.Feature]int {
	return p.cover.Shared(id, func(other string) bool { return p.verdict(other) == Retire })
}

// Proposal returns why a case is in the queue.
func (p *Pruning) Proposal(id string) Proposal {
	if q := p.proposed[id]; q != nil {
		return *q
	}
	return Proposal{ID: id}
}

// ReadOnly says who else decides, "" where this process does.
func (p *Pruning) ReadOnly() string {
	if held := p.journal.ReadOnly(); held != nil {
		return held.Error()
	}
	return ""
}

// Notes say what a person should know of the opening.
func (p *Pruning) Notes() []string {
	notes := p.journal.Notes()
	if n := p.journal.Resumed(); n > 0 {
		notes = append(notes, fmt.Sprintf("resumed: %s from before", phrase.Count(n, "decision", "decisions")))
	}
	for _, d := range p.journal.Stale() {
		if p.Of(d.Row) == nil {
			notes = append(notes, fmt.Sprintf("stale, not counted: %s of case %q, which is another by now", d.Verdict, d.Row))
		}
	}
	return notes
}

// Close lets go of the journal. What is decided stays on disk.
func (p *Pruning) Close() error { return p.journal.Close() }
