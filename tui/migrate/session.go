package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"docket/engine/legacy"
	"docket/engine/migration"
	"docket/engine/migration/session"
	"docket/tui"
)

// Session keeps the frame's decisions in an engine's migration.
type Session struct {
	m       *session.Session
	written atomic.Bool
	left    atomic.Int64 // undecided, once it was written
	refused sync.Map     // by the key of a test, the file of an edit that was not taken
}

// Open makes the screen over a migration whose decisions are open.
func Open(m *session.Session, command string) (*Screen, *Session) {
	s := &Session{m: m}
	readOnly := ""
	if held := m.ReadOnly(); held != "" {
		readOnly = "for reading only: " + held
	}
	return New(Options{
		Suite: m.Suite, Target: m.Target, Proposals: m, Session: s, Edit: s.edit, Command: command,
		Notice: strings.Join(m.Notes(), "; "), ReadOnly: readOnly,
	}), s
}

// Remaining counts the tests on which nothing was written.
func (s *Session) Remaining() int {
	if s.written.Load() {
		return int(s.left.Load())
	}
	return len(s.m.Tests)
}

// Marks implements tui.Session.
func (s *Session) Marks() []tui.Mark {
	var marks []tui.Mark
	for i := range s.m.Tests {
		for _, mark := range s.marks(s.m.Tests[i].Key) {
			if mark.Verdict != "" {
				marks = append(marks, mark)
			}
		}
	}
	return marks
}

// marks says how a test stands: as a whole, and each claim that was decided
// alone.
func (s *Session) marks(key string) []tui.Mark {
	t, c := s.m.Test(key), s.m.Choice(key)
	whole := tui.Mark{Row: key, Verdict: string(c.Verdict), Text: c.Provenance}
	if c.Verdict == migration.Merge {
		if into := s.m.Test(c.Into); into != nil {
			whole.Text = into.Name
		}
	}
	marks := []tui.Mark{whole}
	for i := range t.Claims {
		mark := tui.Mark{Row: key, Part: strconv.Itoa(i)}
		switch pile, ok := c.Claims[i]; {
		case ok && pile == legacy.SDK:
			mark.Verdict = string(migration.Drop)
		case ok:
			mark.Verdict = string(pile)
		}
		marks = append(marks, mark)
	}
	return marks
}

// Decide implements tui.Session.
func (s *Session) Decide(_ context.Context, d tui.Decision) ([]tui.Mark, error) {
	r := session.Ruling{Tests: d.Rows, Part: d.Part, Verdict: d.Verdict, Text: d.Text}
	switch {
	case d.Part != "" && d.Verdict == string(migration.Drop):
		r.Verdict = string(legacy.SDK)
	case d.Verdict == nameID:
		r.Part = session.PartID
	case d.Verdict == mendWhy:
		r.Part = session.PartProvenance
	}
	if err := s.m.Rule(r); err != nil {
		return nil, err
	}
	return s.marksOf(d.Rows), nil
}

func (s *Session) marksOf(keys []string) []tui.Mark {
	var marks []tui.Mark
	for _, key := range keys {
		if s.m.Test(key) != nil {
			marks = append(marks, s.marks(key)...)
		}
	}
	return marks
}

// Undo implements tui.Session.
func (s *Session) Undo(context.Context) ([]tui.Mark, error) { return s.step(s.m.Undo) }

// Redo implements tui.Session.
func (s *Session) Redo(context.Context) ([]tui.Mark, error) { return s.step(s.m.Redo) }

func (s *Session) step(do func() ([]string, error)) ([]tui.Mark, error) {
	keys, err := do()
	return s.marksOf(keys), err
}

// Plan implements tui.Session.
func (s *Session) Plan(context.Context) (tui.Plan, error) {
	work := s.m.Work()
	p := tui.Plan{Lines: work.Planned(s.m.Target)}
	if len(work.Records) == 0 {
		return tui.Plan{Lines: []string{"Nothing is decided yet."}, Refusal: "1 keeps the test under the cursor as a situation, 2 as a contract, 3 drops it."}, nil
	}
	for i, trouble := range work.Troubles {
		if i == 0 {
			p.Refusal = "Not all of it can be written: "
		}
		name := trouble.Key
		if t := s.m.Test(trouble.Key); t != nil {
			name = t.Name
		}
		if i < 5 {
			p.Lines = append(p.Lines, name+": "+trouble.Message)
		}
	}
	if p.Refusal != "" {
		p.Refusal += "mend what is listed, or take it back with u."
	}
	return p, nil
}

// Write implements tui.Session.
func (s *Session) Write(ctx context.Context) (tui.Closing, error) {
	undecided := s.m.Work().Undecided
	out, err := s.m.Write(ctx)
	if err != nil {
		return tui.Closing{}, err
	}
	s.left.Store(int64(undecided))
	s.written.Store(true)
	lines := s.m.Wrote(out)
	if undecided > 0 {
		lines = append(lines, fmt.Sprintf("%d undecided: the next migration proposes them again", undecided))
	}
	return tui.Closing{Lines: lines}, nil
}

// edit writes the draft of a test to a file of its own, and takes back what an
// editor makes of it.
func (s *Session) edit(key string) tui.Effect {
	if s.m.Choice(key).Verdict == migration.Split {
		return tui.Effect{Notice: "a test that is split has several drafts: make it a situation (1) to edit one", Failed: true}
	}
	return tui.Effect{Work: func(context.Context) tui.Effect {
		before := s.m.Draft(key)
		file, err := s.scratch(key, before)
		if err != nil {
			return tui.Effect{Notice: err.Error(), Failed: true}
		}
		return tui.Effect{Edit: file, Edited: func(context.Context) tui.Effect {
			err := s.takeBack(key, file, before)
			if err != nil && !errors.Is(err, errUnchanged) {
				s.refused.Store(key, file)
				return tui.Effect{Notice: "the draft was not taken: " + strings.Split(err.Error(), "\n")[0] + "; edit it again to go on from what you wrote", Failed: true}
			}
			s.refused.Delete(key)
			if err != nil {
				return tui.Effect{Notice: "the draft is as it was"}
			}
			return tui.Effect{Notice: "the draft is kept as you wrote it", Reload: true, Then: func() {}}
		}}
	}}
}

// scratch gives the file for an editor: one with the draft, or that of an edit
// that was not taken, so that nothing is lost that somebody wrote.
func (s *Session) scratch(key string, draft []byte) (string, error) {
	if file, ok := s.refused.Load(key); ok {
		return file.(string), nil
	}
	return s.m.Scratch(key, draft)
}

var errUnchanged = errors.New("unchanged")

func (s *Session) takeBack(key, file string, before []byte) error {
	after, err := s.m.Scratched(file)
	if err != nil {
		return err
	}
	if bytes.Equal(after, before) {
		return errUnchanged
	}
	if err := s.m.CheckDraft(after); err != nil {
		return err
	}
	return s.m.Rule(session.Ruling{Tests: []string{key}, Part: session.PartDraft, Verdict: "set", Text: string(after)})
}
