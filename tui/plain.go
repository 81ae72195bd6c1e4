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
	all     bool // unchanged rows are read out
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
