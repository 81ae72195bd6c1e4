package tui

import (
	"strings"

	"docket/tui/list"
)

// decide takes a verdict and what it asks for, which may stand on the same
// line, and goes on to the next undecided row.
func (p *plain) decide(v Verdict, t target, text string) (show bool, err error) {
	if p.spec.ReadOnly != "" {
		p.say("%s", p.spec.ReadOnly)
		return false, nil
	}
	if t.part == "" && !t.bulk {
		if first := p.lookFirst(t.rows[0]); first != "" {
			p.say("%s", first)
			return false, nil
		}
	}
	if err := impossible(v, t); err != nil {
		p.say("%v; nothing was decided.", err)
		return false, nil
	}
	text, err = p.text(v, t, text)
	if err != nil || v.asks(t) && text == "" {
		return false, err
	}
	if t.bulk {
		unopened := 0
		for _, id := range t.rows {
			if !p.opened[id] {
				unopened++
			}
		}
		p.say("%s %s; %s", v.Name, t.name, neverOpened(unopened))
		if p.spec.Caution != nil {
			for _, caution := range p.spec.Caution(t.rows, v.ID) {
				p.say("%s", caution)
			}
		}
		if sure, err := p.sure(); err != nil || !sure {
			return false, err
		}
	} else if p.spec.Confirm != nil {
		warnings := p.spec.Confirm(t.rows[0], t.part, v.ID)
		for _, warning := range warnings {
			p.say("%s", warning)
		}
		if len(warnings) > 0 {
			if sure, err := p.sure(); err != nil || !sure {
				return false, err
			}
		}
	}
	changed, err := p.spec.Session.Decide(p.ctx, Decision{Rows: t.rows, Part: t.part, Verdict: v.ID, Text: text})
	if err != nil {
		p.say("not %s: %v", v.Done, err)
		return false, nil
	}
	p.prompt.used(v.ID, text)
	p.taken(changed)
	if t.bulk {
		p.list.ClearMarks()
	}
	p.say("%s: %s", v.Done, t.name)
	if t.part != "" || v.Stays {
		return false, nil
	}
	if !p.list.NextUndecided(1) {
		p.say("Nothing is left to decide here: w shows what would be written.")
		return false, nil
	}
	return true, nil
}

// text gets what a verdict asks for. An empty answer takes what was given in the
// past for the same decision on this row, or else last for the same verdict,
// where there is such a text, and otherwise nothing.
func (p *plain) text(v Verdict, t target, given string) (string, error) {
	if !v.asks(t) {
		return "", nil
	}
	for given == "" {
		offer := pastOf(p.spec, v, t)
		if before := p.prompt.given[v.ID]; offer == "" && len(before) > 0 {
			offer = before[len(before)-1]
		}
		if v.Typed {
			offer = ""
		}
		if offer != "" {
			p.say("An empty %s takes: %s", v.Ask, offer)
		}
		line, err := p.askLines(asked(v, t))
		if err != nil {
			return "", err
		}
		if line == "" {
			line = offer
		}
		if line == "" {
			p.say("A %s is needed; nothing was decided.", v.Ask)
			return "", nil
		}
		given = line
	}
	if problem := refused(v, t, given); problem != nil {
		p.say("%v; nothing was decided.", problem)
		return "", nil
	}
	return given, nil
}

// askLines prompts for a text. A line that ends in a backslash goes on in the
// next one.
func (p *plain) askLines(what string) (string, error) {
	text, err := p.ask(what)
	for err == nil && strings.HasSuffix(text, "\\") {
		var next string
		next, err = p.ask("and")
		text = strings.TrimSpace(strings.TrimSuffix(text, "\\")) + "\n" + next
	}
	return text, err
}

// sure asks once. The letter that the screen takes does it here too; it needs
// Enter behind it, so that it is not typed by the way.
func (p *plain) sure() (bool, error) {
	answer, err := p.ask("Type y or yes to do it, anything else goes back")
	if err != nil {
		return false, err
	}
	if answer == "y" || answer == "yes" {
		return true, nil
	}
	p.say("Nothing was done.")
	return false, nil
}

// decideGroup decides what is marked, or else what is undecided in the group of
// the present row.
func (p *plain) decideGroup(v Verdict, text string) (bool, error) {
	group, _ := p.list.Selected()
	t := target{bulk: true}
	for _, row := range p.list.Marked() {
		t.rows = append(t.rows, row.ID)
	}
	if len(t.rows) > 0 {
		t.name = counted(len(t.rows), p.spec) + " marked"
		return p.decide(v, t, text)
	}
	for _, row := range p.list.Members(group.ID) {
		if s := p.stateOf(row.ID); !row.Fixed && (s == list.Undecided || s == list.Partly) {
			t.rows = append(t.rows, row.ID)
		}
	}
	if len(t.rows) == 0 {
		if p.list.Decidable(group.ID) == 0 {
			p.say("There is nothing to decide in this group.")
			return false, nil
		}
		p.say("Every %s of this group is decided.", p.spec.One)
		return false, nil
	}
	t.name = counted(len(t.rows), p.spec)
	return p.decide(v, t, text)
}

// part decides one line of the row alone.
func (p *plain) part(row *list.Row, name string) (bool, error) {
	key := p.partKey(row, name)
	switch {
	case name == "":
		p.say("Say which line is decided alone by its name: %s", p.partNames(row))
		return false, nil
	case key == "":
		p.say("There is no such line to decide alone: %s. There is: %s", name, p.partNames(row))
		return false, nil
	}
	for _, v := range p.spec.Verdicts {
		if !v.Whole {
			p.say("%s %s", v.Key, v.Name)
		}
	}
	answer, err := p.ask("verdict on " + name + " alone")
	if err != nil {
		return false, err
	}
	for _, v := range p.spec.Verdicts {
		if !v.Whole && (answer == v.Key || answer == v.Name) {
			return p.decide(v, target{rows: []string{row.ID}, part: key, name: name + " of " + row.Title()}, "")
		}
	}
	p.say("Nothing was decided.")
	return false, nil
}

func (p *plain) undo(redo bool) (bool, error) {
	run, what := p.spec.Session.Undo, "undone"
	if redo {
		run, what = p.spec.Session.Redo, "done again"
	}
	changed, err := run(p.ctx)
	switch {
	case err != nil:
		p.say("not %s: %v", what, err)
		return false, nil
	case len(changed) == 0:
		p.say("There is nothing left to take back.")
		return false, nil
	}
	p.taken(changed)
	p.say("%s: %s", what, counted(rowsOf(changed), p.spec))
	return p.list.Reveal(changed[0].Row), nil
}

func (p *plain) taken(changed []Mark) {
	for _, mark := range changed {
		p.marks.set(mark)
		p.list.SetState(mark.Row, p.stateOf(mark.Row))
	}
}

// write shows what would be written, asks once, and writes.
func (p *plain) write() error {
	if p.spec.ReadOnly != "" {
		p.say("%s", p.spec.ReadOnly)
		return nil
	}
	plan, err := p.spec.Session.Plan(p.ctx)
	if err != nil {
		p.say("cannot say what would be written: %v", err)
		return nil
	}
	for _, line := range plan.Lines {
		p.say("%s", line)
	}
	if plan.Refusal != "" {
		p.say("%s", plan.Refusal)
		return nil
	}
	if sure, err := p.sure(); err != nil || !sure {
		return err
	}
	closing, err := p.spec.Session.Write(p.ctx)
	if err != nil {
		p.say("nothing was written: %v", err)
		return nil
	}
	p.closing = &closing
	return nil
}
