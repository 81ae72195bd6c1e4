package tui

import (
	"slices"
	"strconv"
	"strings"

	"docket/tui/list"
	"docket/tui/pair"
)

// introduce says what there is, and how to answer.
func (p *plain) introduce() {
	head := p.screen.Head()
	p.say("%s", strings.Join(append([]string{"docket"}, head.Subject...), ", "))
	if head.Banner != "" {
		p.say("warning: %s", head.Banner)
	}
	if head.Age != "" {
		p.say("%s", head.Age)
	}
	if head.Count != "" {
		p.say("%s, %d decided", head.Count, p.decided())
	}
	var summary []string
	for _, part := range head.Summary {
		summary = append(summary, part.String())
	}
	if len(summary) > 0 {
		p.say("%s", strings.Join(summary, ", "))
	}
	for _, notice := range []string{p.spec.Notice, p.spec.ReadOnly} {
		if notice != "" {
			p.say("%s", notice)
		}
	}
	p.help()
}

// describe reads a row out: where it is, why it exists, what changed.
func (p *plain) describe(row *list.Row) {
	p.opened[row.ID] = true
	p.say("")
	state := "undecided"
	if row.Fixed {
		state = "nothing to decide"
	} else if mark, ok := p.marks.whole[row.ID]; ok {
		state = p.done(mark.Verdict)
		if mark.Text != "" {
			state += ", " + mark.Text
		}
	} else if len(p.marks.parts[row.ID]) > 0 {
		state = "decided in part"
	}
	p.say("%s %d of %d, %s", p.spec.One, p.list.Position(), p.list.Matches(), state)
	detail := p.screen.Detail(*row)
	p.say("%s", strings.Join(detail.Title, ", "))
	if group, _ := p.list.Selected(); group.Kind != "" || group.Label != "" {
		rows, done := p.list.Counts(group.ID)
		p.say("group: %s, %s, %d decided", strings.TrimSpace(group.Kind+" "+group.Label), counted(rows, p.spec), done)
	}
	for _, fact := range detail.Facts {
		line := fact.Label + ": " + fact.Text
		if fact.Aside != "" {
			line += " (" + fact.Aside + ")"
		}
		p.say("%s", line)
	}
	if len(detail.Tabs) > 0 {
		p.readTab(row, detail.Tabs[0])
	}
	p.choices()
}

func (p *plain) done(verdict string) string {
	for _, v := range p.spec.Verdicts {
		if v.ID == verdict {
			return v.Done
		}
	}
	return verdict
}

// showTab reads a tab out that is asked for by name or by number.
func (p *plain) showTab(row *list.Row, asked string) bool {
	for i, tab := range p.screen.Detail(*row).Tabs {
		if asked == tab.Name || asked == strconv.Itoa(i+1) {
			p.readTab(row, tab)
			return true
		}
	}
	return false
}

// readTab reads the content of a tab, one labelled line for each of its rows.
func (p *plain) readTab(row *list.Row, tab Tab) {
	p.say("%s:", tab.Name)
	load := tab.Content
	if tab.More != nil {
		load = tab.More
	}
	content, err := load(p.ctx)
	if err != nil {
		p.say("%v", err)
		return
	}
	p.looked.at(row.ID, tab.Name)
	if content.Note != "" {
		p.say("%s", content.Note)
	}
	if content.Source == nil {
		return
	}
	if content.Whole {
		p.readText(content)
		return
	}
	same := 0
	flush := func() {
		if same > 0 {
			p.say("  %d unchanged", same)
		}
		same = 0
	}
	for i := range content.Len() {
		if content.Same(i) && !p.all {
			same++
			continue
		}
		flush()
		p.readRow(row, content, content.Row(i))
	}
	flush()
}

// readText reads two texts one after the other: pieced together line by line
// neither could be followed.
func (p *plain) readText(c pair.Content) {
	read := func(heading string, side func(pair.Row) string, without pair.Kind) {
		p.say("  %s:", heading)
		for i := range c.Len() {
			if r := c.Row(i); r.Kind != without {
				p.say("    %s", side(r))
			}
		}
	}
	read(c.Old, func(r pair.Row) string { return r.Old.String() }, pair.Added)
	read(c.New, func(r pair.Row) string { return r.New.String() }, pair.Lost)
}

// readRow reads one row of a comparison: its name, what became of it, and both
// sides by name.
func (p *plain) readRow(row *list.Row, c pair.Content, r pair.Row) {
	before, after := c.Old, c.New
	if before == "" {
		before, after = "old", "new"
	}
	name := r.Name
	if name != "" {
		name += ", "
	}
	what := ""
	if mark, ok := p.marks.part(row.ID, r.Key); ok && r.Key != "" {
		what = ", " + p.done(mark.Verdict) + " alone"
	}
	switch r.Kind {
	case pair.Wide:
		p.sayLines("  "+strings.TrimSuffix(name, ", ")+sep(name), r.Old.String())
	case pair.Apart:
		p.say("  %snot compared", name)
		p.sayLines("    "+before+": ", r.Old.String())
		p.sayLines("    "+after+": ", r.New.String())
	case pair.Lost:
		p.say("  %slost%s", name, what)
		p.sayLines("    "+before+": ", r.Old.String())
	case pair.Added:
		p.say("  %sadded%s", name, what)
		p.sayLines("    "+after+": ", r.New.String())
	case pair.Same:
		p.sayLines("  "+name+"unchanged: ", r.Old.String())
	default:
		word := r.Word
		if word == "" {
			word = "changed"
		}
		p.say("  %s%s%s", name, word, what)
		p.sayLines("    "+before+": ", r.Old.String())
		p.sayLines("    "+after+": ", r.New.String())
	}
}

// sep separates a name from what follows.
func sep(name string) string {
	if name == "" {
		return ""
	}
	return ": "
}

// sayLines prints a text of several lines under one label.
func (p *plain) sayLines(label, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i == 0 {
			p.say("%s%s", label, line)
			continue
		}
		p.say("%s%s", strings.Repeat(" ", len(label)), line)
	}
}

// choices lists what can be answered now, on one line.
func (p *plain) choices() {
	var words []string
	for _, v := range p.spec.Verdicts {
		words = append(words, v.Key+" "+v.Name)
	}
	for _, c := range p.commands() {
		switch c.word {
		case "skip", "back", "undo", "write", "help", "quit":
			words = append(words, strings.TrimSpace(c.key+" "+c.word))
		}
	}
	p.say("%s", strings.Join(words, ", "))
}

// help lists every choice, one to a line.
func (p *plain) help() {
	p.say("Answer with a letter or a word and Enter:")
	for _, v := range p.spec.Verdicts {
		long := v.Long
		if long == "" {
			long = v.Name + " this " + p.spec.One
		}
		p.say("  %s or %s: %s; what it asks for may follow on the line", v.Key, v.Name, long)
		if v.Bulk != "" {
			p.say("  %s: %s what is marked, or else undecided in this group, after a question", v.Bulk, v.Name)
		}
	}
	p.say("  a text asked for that ends in \\ goes on in the next line")
	for _, c := range p.commands() {
		name := c.word
		if c.key != "" {
			name = c.key + " or " + c.word
		}
		p.say("  %s: %s", name, c.what)
	}
	if names := p.tabNames(); len(names) > 0 {
		p.say("  the name of a tab reads it out: %s", strings.Join(names, ", "))
	}
	for _, a := range p.spec.Actions {
		name := a.Key + " or " + a.Word
		if p.takes(a.Key) {
			name = a.Word
		}
		p.say("  %s: %s", name, a.Name)
	}
}

// takes reports whether a key is a command's or a verdict's, so that an action of
// the screen's own has its word alone.
func (p *plain) takes(key string) bool {
	for _, v := range p.spec.Verdicts {
		if key == v.Key || key == v.Bulk {
			return true
		}
	}
	for _, c := range p.commands() {
		if key == c.key {
			return true
		}
	}
	return false
}

func (p *plain) tabNames() []string {
	row := p.selected()
	if row == nil {
		p.list.Each(func(_ *list.Group, first *list.Row) {
			if row == nil {
				row = first
			}
		})
	}
	if row == nil {
		return nil
	}
	var names []string
	for _, tab := range p.screen.Detail(*row).Tabs {
		names = append(names, tab.Name)
	}
	return names
}

// perform does what an action asks for, as far as it can be done in lines.
func (p *plain) perform(e Effect) {
	if e.Notice != "" {
		p.say("%s", e.Notice)
	}
	if e.Then != nil {
		e.Then()
		p.marks = newMarks(p.spec.Session.Marks())
	}
	if e.Regroup {
		p.regroup(p.group)
	}
	if e.Edit != "" {
		p.say("the file to edit is: %s", e.Edit)
	}
	if e.Copy != "" {
		p.say("%s", e.Copy)
	}
	if e.Work != nil {
		p.perform(e.Work(p.ctx))
	}
}

// partKey finds the part of a row that is called so.
func (p *plain) partKey(row *list.Row, name string) string {
	for _, r := range p.partsOf(row) {
		if r.Key == name || r.Name == name {
			return r.Key
		}
	}
	return ""
}

// partNames lists what can be decided alone on a row.
func (p *plain) partNames(row *list.Row) string {
	var names []string
	for _, r := range p.partsOf(row) {
		if !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return "none, this " + p.spec.One + " is decided whole"
	}
	return strings.Join(names, ", ")
}

// partsOf are the rows of the first tab that can be decided alone.
func (p *plain) partsOf(row *list.Row) []pair.Row {
	tabs := p.screen.Detail(*row).Tabs
	if len(tabs) == 0 {
		return nil
	}
	content, err := tabs[0].Content(p.ctx)
	if err != nil || content.Source == nil {
		return nil
	}
	var parts []pair.Row
	for i := range content.Len() {
		if r := content.Row(i); r.Key != "" {
			parts = append(parts, r)
		}
	}
	return parts
}
