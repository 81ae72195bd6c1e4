package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/list"
)

// errEnd says that the input ended. It decides nothing.
var errEnd = errors.New("the input ended")

// plain is the screen without a screen: one labelled line at a time, for pipes
// and for screen readers. It has the same verdicts, undo, reasons and closing
// step, and draws no borders, no colours and nothing that moves.
type plain struct {
	ctx     context.Context
	out     io.Writer
	lines   chan string
	screen  Screen
	spec    Spec
	list    list.List
	marks   *marks
	opened  map[string]bool
	looked  looked
	prompt  prompt
	options Options
	group   int
	closing *Closing
}

func runPlain(ctx context.Context, open Opener, o Options) (result Result, err error) {
	p := &plain{ctx: ctx, out: o.Out, options: o, lines: make(chan string), opened: map[string]bool{}, looked: looked{}}
	defer func() {
		if r := recover(); r != nil {
			err = newCrash(r).report(p.spec.Command)
		}
	}()
	last := -1
	p.screen, err = open(ctx, func(done, total int, what string) {
		if total > 0 && done*10/total != last {
			last = done * 10 / total
			p.say("%s: %d of %d", what, done, total)
		}
	})
	if err != nil {
		return Result{}, err
	}
	p.spec = p.screen.Spec()
	before := p.spec.Session.Marks()
	p.marks = newMarks(before)
	p.prompt.remember(p.spec, before)
	p.regroup(0)
	go read(ctx, o.In, p.lines)
	err = p.session()
	decided := p.decided()
	result = Result{Decided: decided, Total: p.list.Open(), Written: p.closing != nil}
	if p.closing != nil {
		for _, line := range p.closing.Lines {
			p.say("%s", line)
		}
		return result, nil
	}
	if err == nil || errors.Is(err, errEnd) {
		p.say("%s", parting(p.spec, decided, p.list.Open()))
		return result, nil
	}
	return result, err
}

// read sends lines until the input ends or the session does.
func read(ctx context.Context, in io.Reader, lines chan<- string) {
	defer close(lines)
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		select {
		case lines <- strings.ToValidUTF8(scanner.Text(), ""):
		case <-ctx.Done():
			return
		}
	}
}

// session asks about one row after the other until it is left.
func (p *plain) session() error {
	p.introduce()
	p.list.FirstUndecided()
	show := true
	for {
		row := p.selected()
		if row == nil {
			p.say("There is nothing to decide.")
			return nil
		}
		if show {
			p.describe(row)
		}
		line, err := p.ask("choice")
		if err != nil {
			return err
		}
		show, err = p.obey(row, line)
		if err != nil || p.closing != nil {
			return err
		}
		if !show && line == "" {
			p.choices()
		}
	}
}

// errQuit leaves the session.
var errQuit = fmt.Errorf("left: %w", errEnd)

// obey does what a line says, and reports whether the row under the cursor is
// to be described again.
func (p *plain) obey(row *list.Row, line string) (show bool, err error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	if word == "" {
		return false, nil
	}
	for _, v := range p.spec.Verdicts {
		text, named := rest, word == v.Key
		if behind, ok := strings.CutPrefix(strings.TrimSpace(line), v.Name); ok && (behind == "" || behind[0] == ' ') {
			text, named = strings.TrimSpace(behind), true
		}
		switch {
		case named && row.Fixed:
			p.say("There is nothing to decide on this %s.", p.spec.One)
			return false, nil
		case named:
			return p.decide(v, target{rows: []string{row.ID}, name: row.Title()}, text)
		case word == v.Bulk:
			return p.decideGroup(v, rest)
		}
	}
	for _, c := range p.commands() {
		if word == c.key || word == c.word {
			return c.do(row, rest)
		}
	}
	if p.showTab(row, line) {
		return false, nil
	}
	for _, a := range p.spec.Actions {
		if word == a.Key || a.Word != "" && word == a.Word {
			p.perform(a.Do(At{Row: row, Tab: a.Tab}))
			return false, nil
		}
	}
	p.say("%q is no choice here.", line)
	p.choices()
	return false, nil
}

// command is a choice that is no verdict. A verdict that has its letter leaves
// it its word.
type command struct {
	key, word, what string
	do              func(row *list.Row, rest string) (show bool, err error)
}

func (p *plain) commands() []command {
	moved := func(ok bool, otherwise string) (bool, error) {
		if !ok {
			p.say("%s", otherwise)
		}
		return ok, nil
	}
	commands := []command{
		{"n", "next", "the next undecided", func(*list.Row, string) (bool, error) {
			return moved(p.list.NextUndecided(1), "No other "+p.spec.One+" is undecided.")
		}},
		{"s", "skip", "the one after this", func(*list.Row, string) (bool, error) { return moved(p.step(1), "This is the last one.") }},
		{"b", "back", "the one before this", func(*list.Row, string) (bool, error) { return moved(p.step(-1), "This is the first one.") }},
		{"u", "undo", "take the last decision back", func(*list.Row, string) (bool, error) { return p.undo(false) }},
		{"U", "redo", "take an undo back", func(*list.Row, string) (bool, error) { return p.undo(true) }},
		{"g", "go", "go to a " + p.spec.One + " by its name", func(_ *list.Row, rest string) (bool, error) {
			return moved(p.list.Reveal(rest), "There is no such "+p.spec.One+", or the filter hides it: "+rest)
		}},
		{"/", "filter", "show only what holds these words; nothing drops it", p.filter},
		{"v", "grouping", "another grouping", func(*list.Row, string) (bool, error) {
			p.regroup((p.group + 1) % len(p.spec.Groupings))
			p.say("grouped by %s", p.spec.Groupings[p.group])
			return false, nil
		}},
		{"w", "write", "show what would be written, and ask", func(*list.Row, string) (bool, error) { return false, p.write() }},
		{"?", "help", "these choices", func(*list.Row, string) (bool, error) { p.help(); return false, nil }},
		{"q", "quit", "leave; decisions are kept", func(*list.Row, string) (bool, error) { return false, errQuit }},
	}
	if p.spec.Parts {
		commands = append(commands, command{"x", "part", "decide one line of the " + p.spec.One + " alone: x NAME", p.part})
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

func (p *plain) selected() *list.Row {
	_, row := p.list.Selected()
	return row
}

func (p *plain) decided() int {
	n := 0
	for id := range p.marks.whole {
		if p.list.Row(id) != nil {
			n++
		}
	}
	return n
}

func (p *plain) regroup(grouping int) {
	p.group = grouping
	p.list.SetGroups(p.screen.Groups(grouping), p.stateOf)
}

func (p *plain) stateOf(id string) list.State {
	switch {
	case p.marks.whole[id].Verdict != "":
		return list.Decided
	case len(p.marks.parts[id]) > 0:
		return list.Partly
	}
	return list.Undecided
}

// ask prompts for one line.
func (p *plain) ask(what string) (string, error) {
	fmt.Fprint(p.out, safetext.Line(what)+": ")
	select {
	case line, ok := <-p.lines:
		if !ok {
			fmt.Fprintln(p.out)
			return "", errEnd
		}
		return strings.TrimSpace(line), nil
	case <-p.ctx.Done():
		fmt.Fprintln(p.out)
		return "", p.ctx.Err()
	}
}

// say prints one line.
func (p *plain) say(format string, args ...any) {
	line := safetext.Line(fmt.Sprintf(format, args...))
	if p.options.ASCII {
		line = cells.ASCII(line, p.options.noUTF8)
	}
	fmt.Fprintln(p.out, line)
}
