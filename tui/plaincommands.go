package tui

import (
	"fmt"

	"docket/tui/list"
)

// errQuit leaves the session.
var errQuit = fmt.Errorf("left: %w", errEnd)

// command is a choice that is no verdict. A verdict that has its letter leaves
// it its word.
type command struct {
	key, word, what string
	do              func(row *list.Row, rest string) (show bool, err error)
}

// commands is the table of what the screen has keys for beside the verdicts.
func (p *plain) commands() []command {
	one := p.spec.One
	moved := func(ok bool, otherwise string) (bool, error) {
		if !ok {
			p.say("%s", otherwise)
		}
		return ok, nil
	}
	to := func(move func(int) bool, by int, otherwise string) func(*list.Row, string) (bool, error) {
		return func(*list.Row, string) (bool, error) { return moved(move(by), otherwise) }
	}
	commands := []command{
		{"n", "next", "the next undecided", to(p.list.NextUndecided, 1, "No other "+one+" is undecided.")},
		{"N", "previous", "the undecided before this", to(p.list.NextUndecided, -1, "No other "+one+" is undecided.")},
		{"s", "skip", "the one after this", to(p.step, 1, "This is the last one.")},
		{"b", "back", "the one before this", to(p.step, -1, "This is the first one.")},
		{"}", "group", "the next group", to(p.list.NextGroup, 1, "There is no group after this.")},
		{"{", "before", "the group before this", to(p.list.NextGroup, -1, "There is no group before this.")},
		{"m", "mark", "mark this " + one + " for a verdict on several, or take the mark away", p.mark},
		{"u", "undo", "take the last decision back", func(*list.Row, string) (bool, error) { return p.undo(false) }},
		{"U", "redo", "take an undo back", func(*list.Row, string) (bool, error) { return p.undo(true) }},
		{"g", "go", "go to a " + one + " by its name", func(_ *list.Row, rest string) (bool, error) {
			return moved(p.list.Reveal(rest), "There is no such "+one+", or the filter hides it: "+rest)
		}},
		{"/", "filter", "show only what holds these words; nothing drops it", p.filter},
		{"v", "grouping", "another grouping", func(*list.Row, string) (bool, error) {
			p.regroup((p.group + 1) % len(p.spec.Groupings))
			p.say("grouped by %s", p.spec.Groupings[p.group])
			return false, nil
		}},
		{"=", "unchanged", "read out what is unchanged too, or count it", func(*list.Row, string) (bool, error) {
			p.all = !p.all
			return true, nil
		}},
		{"w", "write", "show what would be written, and ask", func(*list.Row, string) (bool, error) { return false, p.write() }},
		{"?", "help", "these choices", func(*list.Row, string) (bool, error) { p.help(); return false, nil }},
		{"q", "quit", "leave; decisions are kept", func(*list.Row, string) (bool, error) { return false, errQuit }},
	}
	if p.spec.Parts {
		commands = append(commands, command{"x", "part", "decide one line of the " + one + " alone: x NAME", p.part})
	}
	for i, c := range commands {
		for _, v := range p.spec.Verdicts {
			if c.key == v.Key || c.key == v.Bulk {
				commands[i].key = ""
			}
		}
	}
	return commands
}

// step goes one row on or back, past headers.
func (p *plain) step(by int) bool {
	before := p.selected()
	p.list.Move(by)
	if p.selected() == nil {
		p.list.Move(by)
	}
	if now := p.selected(); now != nil && now != before {
		return true
	}
	if before != nil {
		p.list.Select(before.ID)
	}
	return false
}

// mark marks a row and goes on to the one after it, as the space bar does.
func (p *plain) mark(row *list.Row, _ string) (bool, error) {
	if row.Fixed {
		p.say("There is nothing to decide on this %s.", p.spec.One)
		return false, nil
	}
	p.list.ToggleMark(row.ID)
	what := "marked"
	if !p.list.IsMarked(row.ID) {
		what = "no longer marked"
	}
	p.say("%s: %s, %d in all", what, row.Title(), p.list.Marks())
	return p.step(1), nil
}

func (p *plain) filter(_ *list.Row, rest string) (bool, error) {
	words, conditions, err := compileFilter(p.spec, rest)
	if err != nil {
		p.say("%v", err)
		return false, nil
	}
	p.list.Filter(words, conditions)
	if p.list.Matches() == 0 {
		p.list.Filter(nil, nil)
		p.say("Nothing matches; the filter is dropped.")
		return false, nil
	}
	p.say("%d of %d shown", p.list.Matches(), p.list.Len())
	if p.selected() == nil {
		p.list.Move(1)
	}
	return true, nil
}
