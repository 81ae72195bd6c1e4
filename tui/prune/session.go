package prune

import (
	"context"
	"fmt"
	"strings"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/phrase"
	"docket/engine/pruning"
	"docket/tui"
)

// Session keeps the frame's decisions in an engine's pruning.
type Session struct {
	pruning *pruning.Pruning
	addLine func(decision.Done) string
	changed func(id string) error // why what was looked at does not hold any more
	// Done is what Write did, once it has.
	Done *decision.Done
}

// NewSession returns a session over a pruning. addLine spells the git command
// that stages what was done.
func NewSession(p *pruning.Pruning, addLine func(decision.Done) string) *Session {
	return &Session{pruning: p, addLine: addLine}
}

// Marks implements tui.Session.
func (s *Session) Marks() []tui.Mark {
	var marks []tui.Mark
	for _, id := range s.pruning.Decided() {
		marks = append(marks, s.mark(id))
	}
	return marks
}

func (s *Session) mark(id string) tui.Mark {
	mark := tui.Mark{Row: id}
	if d := s.pruning.Of(id); d != nil {
		mark.Verdict, mark.Text = d.Verdict, d.Reason
	}
	return mark
}

// Decide implements tui.Session.
func (s *Session) Decide(_ context.Context, d tui.Decision) ([]tui.Mark, error) {
	var marks []tui.Mark
	for _, id := range d.Rows {
		if v := pruning.Verdict(d.Verdict); s.changed != nil && v == pruning.Retire {
			if err := s.changed(id); err != nil {
				return marks, err
			}
		}
		if err := s.pruning.Decide(id, pruning.Verdict(d.Verdict), d.Text); err != nil {
			return marks, err
		}
		marks = append(marks, s.mark(id))
	}
	return marks, nil
}

// Undo implements tui.Session.
func (s *Session) Undo(context.Context) ([]tui.Mark, error) { return s.step(s.pruning.Undo()) }

// Redo implements tui.Session.
func (s *Session) Redo(context.Context) ([]tui.Mark, error) { return s.step(s.pruning.Redo()) }

func (s *Session) step(id string, err error) ([]tui.Mark, error) {
	if err != nil || id == "" {
		return nil, err
	}
	return []tui.Mark{s.mark(id)}, nil
}

// Plan implements tui.Session.
func (s *Session) Plan(context.Context) (tui.Plan, error) {
	plan, err := s.pruning.Plan()
	if err != nil {
		return tui.Plan{}, err
	}
	p := tui.Plan{Lines: s.planned(&plan)}
	switch {
	case plan.Empty() && len(plan.Stale) > 0:
		p.Refusal = "Only stale decisions are left: decide again."
	case plan.Empty():
		p.Refusal = "Nothing is decided yet: keep or retire the case under the cursor first."
	case plan.Left == 0:
		p.Refusal = "No case of the suite would be left, and a suite needs one: keep one, or take the suite out of .docket.yaml."
	}
	return p, nil
}

func (s *Session) planned(plan *pruning.Plan) []string {
	var lines []string
	files, inLines := 0, 0
	var retired, kept []string
	for i := range plan.Decisions {
		d := &plan.Decisions[i]
		if d.Verdict == decision.Keep {
			kept = append(kept, d.Case)
			continue
		}
		retired = append(retired, d.Case)
		files += 1 + len(d.Fixtures)
		inLines += len(d.Lines)
	}
	if len(retired) > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s, with %s and %s.", goes(len(retired)), phrase.Few(retired, 6), phrase.Count(files, "file", "files"), phrase.Count(inLines, "baseline line", "baseline lines")))
		lines = append(lines, fmt.Sprintf("%s of %s stay. Past results stay. `docket restore ID` takes it back.", phrase.Count(plan.Left, "case", "cases"), s.pruning.Suite.Name))
	}
	for _, name := range plan.Stay {
		lines = append(lines, name+" stays, since other cases read it.")
	}
	for _, m := range plan.Merged {
		line := fmt.Sprintf("%s takes over from %s: %s.", m.Into, m.ID, strings.Join(m.Added, ", "))
		if len(m.Added) == 0 {
			line = fmt.Sprintf("%s asks all that %s asks already.", m.Into, m.ID)
		}
		lines = append(lines, line)
		for _, c := range m.Conflicts {
			lines = append(lines, "  not taken over, "+c)
		}
	}
	for _, id := range plan.Mended {
		lines = append(lines, id+" gets another provenance.")
	}
	if len(kept) > 0 {
		lines = append(lines, phrase.Count(len(kept), "case is kept", "cases are kept")+", with the reason on record: "+phrase.Few(kept, 6)+".")
	}
	for _, stale := range plan.Stale {
		lines = append(lines, "left out, "+stale)
	}
	return lines
}

func goes(n int) string { return phrase.Count(n, "case goes", "cases go") }

// Write implements tui.Session.
func (s *Session) Write(context.Context) (tui.Closing, error) {
	plan, done, err := s.pruning.Write()
	if err != nil {
		return tui.Closing{}, err
	}
	s.Done = &done
	lines := Told(&done)
	for _, m := range plan.Merged {
		for _, c := range m.Conflicts {
			lines = append(lines, fmt.Sprintf("not taken over from %s into %s, %s", m.ID, m.Into, c))
		}
	}
	for _, stale := range plan.Stale {
		lines = append(lines, "left out, "+stale)
	}
	if len(done.Retired) > 0 {
		lines = append(lines, "to take it back: docket restore ID")
	}
	return tui.Closing{Lines: append(lines, "next: "+s.addLine(done))}, nil
}

// Told says what a step did, a line each.
func Told(done *decision.Done) []string {
	var lines []string
	say := func(what string, names []string) {
		if len(names) > 0 {
			lines = append(lines, what+": "+phrase.Few(names, 12))
		}
	}
	say("retired", done.Retired)
	say("restored", done.Restored)
	say("kept", done.Kept)
	say("removed", done.Removed)
	say("brought back", done.Created)
	say("edited", done.Edited)
	for _, l := range done.Lines {
		verb := "removed from"
		if len(done.Restored) > 0 {
			verb = "brought back to"
		}
		lines = append(lines, fmt.Sprintf("%s %s the %s baseline", phrase.Count(l.Count, "line", "lines"), verb, l.Mode))
	}
	return append(lines, done.Notes...)
}

// Open makes the screen over the proposals of a suite.
func Open(v *engine.Prune, command string) (*Screen, *Session) {
	session := NewSession(v.Pruning, func(done decision.Done) string { return v.Project.AddLine(v.Suite.Config, done) })
	readOnly := ""
	if held := v.ReadOnly(); held != "" {
		readOnly = "for reading only: " + held
	}
	return New(Options{
		Suite: v.Suite.Name, Cases: len(v.Suite.Cases), Proposals: v.Proposals, Found: v.Found, Evidence: v, Session: session,
		Check: v.Check, Command: command, Notice: notice(v.Notes()), ReadOnly: readOnly,
	}), session
}

// notice is what the first frame says: what there is to know of the opening, or
// else how to go on.
func notice(notes []string) string {
	if len(notes) > 0 {
		return strings.Join(notes, "; ")
	}
	return "] steps through why, caught and lost; then a verdict can fall"
}
