package tui

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"docket/engine/phrase"
	"docket/tui/keymap"
	"docket/tui/list"
	"docket/tui/style"
)

// target is what a verdict falls on.
type target struct {
	rows []string
	part string
	name string // for the title of the prompt
	bulk bool
}

// choice is a verdict on one part that is being chosen.
type choice struct {
	target target
}

// mayDecide says why nothing can be decided, where that is so.
func (m *model) mayDecide() bool {
	if m.spec.ReadOnly != "" {
		m.complain(m.spec.ReadOnly)
		return false
	}
	return true
}

// askVerdict starts a verdict on the row under the cursor. On a header it is
// one on the group, dialog and all.
func (m *model) askVerdict(which int) tea.Cmd {
	row := m.selected()
	if row == nil {
		return m.askBulk(which)
	}
	if row.Fixed {
		m.say("there is nothing to decide on this " + m.spec.One)
		return nil
	}
	if !m.mayDecide() || !m.mayDecideOn(row.ID) {
		return nil
	}
	return m.ask(m.spec.Verdicts[which], target{rows: []string{row.ID}, name: row.Title()})
}

// askBulk starts a verdict on the marked rows, or else on the group under the
// cursor as far as the filter shows it.
func (m *model) askBulk(which int) tea.Cmd {
	v := m.spec.Verdicts[which]
	if !m.mayDecide() {
		return nil
	}
	if v.Bulk == "" {
		m.say("put the cursor on a " + m.spec.One + ": " + v.Name + " takes one at a time")
		return nil
	}
	rows, name := m.list.Marked(), "marked"
	rows = slices.DeleteFunc(rows, func(row *list.Row) bool { return row.Fixed })
	if len(rows) == 0 {
		group, _ := m.list.Selected()
		if group == nil {
			return nil
		}
		name = strings.TrimSpace(group.Kind + "  " + group.Label)
		for _, row := range m.list.Members(group.ID) {
			if s := m.stateOf(row.ID); !row.Fixed && (s == list.Undecided || s == list.Partly) {
				rows = append(rows, row)
			}
		}
		if len(rows) == 0 {
			if m.list.Decidable(group.ID) == 0 {
				m.say("there is nothing to decide in this group")
				return nil
			}
			m.say("every " + m.spec.One + " of this group is decided: " + m.keys.Called("undo") + " takes the last decision back")
			return nil
		}
	}
	t := target{name: counted(len(rows), m.spec), bulk: true}
	if name != "" {
		t.name += " " + m.theme.Dot + " " + name
	}
	for _, row := range rows {
		t.rows = append(t.rows, row.ID)
	}
	return m.ask(v, t)
}

// askPart asks for the verdict on one row of the detail.
func (m *model) askPart() {
	row, part := m.selected(), m.detail.pane.Key()
	switch {
	case !m.mayDecide():
	case row != nil && part == "" && m.scope == keymap.Detail:
		m.say("x decides the row of the detail under the cursor, and this one cannot be decided alone")
	case row == nil || part == "":
		m.say("x decides the row of the detail under the cursor: tab goes there")
	case m.scope != keymap.Detail:
		m.scope = keymap.Detail
		m.say("x again decides the row under the cursor alone")
	default:
		m.choice.target = target{rows: []string{row.ID}, part: part, name: m.detail.pane.Name() + " of " + row.Title() + " alone"}
		m.scope = keymap.Choice
	}
}

func (m *model) obeyChoice(b keymap.Binding) tea.Cmd {
	m.scope = keymap.Detail
	if b.Do == keymap.Verdict {
		return m.ask(m.spec.Verdicts[b.Arg], m.choice.target)
	}
	return nil
}

// ask gets the text that a verdict needs, and the consent that several rows
// need.
func (m *model) ask(v Verdict, t target) tea.Cmd {
	if err := impossible(v, t); err != nil {
		m.say(err.Error())
		return nil
	}
	if v.asks(t) {
		m.openPrompt(v, t)
		return nil
	}
	return m.consent(v, t, "")
}

// impossible says why a verdict cannot fall on what it is meant for.
func impossible(v Verdict, t target) error {
	if v.Refuse == nil {
		return nil
	}
	for _, row := range t.rows {
		if err := v.Refuse(row, t.part); err != nil {
			return err
		}
	}
	return nil
}

// consent shows what a verdict on several rows would do, and asks.
func (m *model) consent(v Verdict, t target, text string) tea.Cmd {
	if !t.bulk {
		return m.confirmed(v, t, text)
	}
	unopened := 0
	for _, id := range t.rows {
		if !m.list.Seen(id) {
			unopened++
		}
	}
	lines := []style.Line{
		{{Text: v.Name + " ", Role: style.Plain}, {Text: t.name, Role: style.Strong}},
		nil,
	}
	switch unopened {
	case 0:
		lines = append(lines, style.Of(style.Plain, "All of them were opened."))
	case len(t.rows):
		lines = append(lines, style.Of(style.Bad, "None of them was opened."))
	default:
		lines = append(lines, style.Of(style.Bad, neverOpened(unopened)))
	}
	if m.spec.Caution != nil {
		for _, caution := range m.spec.Caution(t.rows, v.ID) {
			lines = append(lines, style.Of(style.Bad, caution))
		}
	}
	if v.Ask != "" {
		lines = append(lines, style.Line{{Text: v.Ask + ": ", Role: style.Dim}, {Text: text, Role: style.Plain}})
	}
	lines = append(lines, nil, style.Of(style.Dim, "u takes it back as one."))
	m.openDialog(&dialog{
		title: v.Name + " " + counted(len(t.rows), m.spec), lines: lines,
		no: "go back", yes: v.Name + " " + strconv.Itoa(len(t.rows)),
		act: func() tea.Cmd { return m.decide(v, t, text) },
	})
	return nil
}

// neverOpened says how many of the rows that a verdict would fall on nobody saw.
func neverOpened(n int) string {
	return phrase.Count(n, "of them was never opened.", "of them were never opened.")
}

// confirmed decides on one row, after a question where the screen wants one.
func (m *model) confirmed(v Verdict, t target, text string) tea.Cmd {
	var warnings []string
	if m.spec.Confirm != nil {
		warnings = m.spec.Confirm(t.rows[0], t.part, v.ID)
	}
	if len(warnings) == 0 {
		return m.decide(v, t, text)
	}
	lines := []style.Line{{{Text: v.Name + " ", Role: style.Plain}, {Text: t.name, Role: style.Strong}}, nil}
	for _, warning := range warnings {
		lines = append(lines, style.Of(style.Bad, warning))
	}
	if v.Ask != "" {
		lines = append(lines, nil, style.Line{{Text: v.Ask + ": ", Role: style.Dim}, {Text: text, Role: style.Plain}})
	}
	m.openDialog(&dialog{
		title: v.Name + " all the same?", lines: lines, no: "go back", yes: v.Name,
		act: func() tea.Cmd { return m.decide(v, t, text) },
	})
	return nil
}

// decide hands a decision to the session and goes on to the next row. The mark
// comes when the session has it.
func (m *model) decide(v Verdict, t target, text string) tea.Cmd {
	d := Decision{Rows: t.rows, Part: t.part, Verdict: v.ID, Text: text}
	cmd := m.enqueue(job{
		rows: t.rows,
		what: "not " + v.Done,
		run:  func(ctx context.Context) (any, error) { return m.spec.Session.Decide(ctx, d) },
		done: func(result any) tea.Cmd {
			m.mark(result.([]Mark))
			if t.bulk {
				m.list.ClearMarks()
				m.say(counted(len(t.rows), m.spec) + " " + v.Done)
			}
			if m.decided == m.list.Open() {
				m.say("all " + strconv.Itoa(m.list.Open()) + " are decided: " + m.keys.Called("write") + " shows what will be written")
			}
			return nil
		},
	})
	if t.part == "" && !v.Stays {
		m.list.NextUndecided(1)
	}
	return cmd
}

// undo takes the last decision back, or the last undo, and shows the rows.
func (m *model) undo(redo bool) tea.Cmd {
	if !m.mayDecide() {
		return nil
	}
	run, what, none := m.spec.Session.Undo, "undone", "nothing is left to undo"
	if redo {
		run, what, none = m.spec.Session.Redo, "done again", "nothing is left to redo"
	}
	return m.enqueue(job{
		what: "not " + what,
		run:  func(ctx context.Context) (any, error) { return run(ctx) },
		done: func(result any) tea.Cmd {
			changed := result.([]Mark)
			if len(changed) == 0 {
				m.say(none)
				return nil
			}
			m.mark(changed)
			first := changed[0].Row
			if !m.list.Reveal(first) {
				m.say(what + ": " + first + ", which the filter hides")
				return nil
			}
			if rows := rowsOf(changed); rows > 1 {
				m.say(what + ": " + counted(rows, m.spec))
			} else {
				m.say(what + ": " + first)
			}
			return nil
		},
	})
}

func rowsOf(changed []Mark) int {
	rows := map[string]bool{}
	for _, mark := range changed {
		rows[mark.Row] = true
	}
	return len(rows)
}

// counted says how many rows.
func counted(n int, spec Spec) string { return phrase.Count(n, spec.One, spec.Many) }
