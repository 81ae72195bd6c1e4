package main

import (
	"fmt"
	"io"
	"time"

	"docket/engine/provider"
)

// A progress shows on a terminal how far a run has come. Elsewhere it shows
// nothing, so that logs stay readable.
type progress struct {
	out     io.Writer // nil: silent
	what    string
	started time.Time
	shown   time.Time
	width   int
	usd     float64 // spent
}

func (a *app) progress(what string) *progress {
	p := &progress{what: what, started: time.Now()}
	if isTerminal(a.err) && a.getenv("TERM") != "dumb" {
		p.out = a.err
	}
	return p
}

// spend tells what live calls have cost so far.
func (p *progress) spend(spent provider.Spent) { p.usd = spent.USD }

// tick tells that done of total cases are done.
func (p *progress) tick(done, total int) {
	now := time.Now()
	if p.out == nil || now.Sub(p.shown) < 100*time.Millisecond && done < total {
		return
	}
	p.shown = now
	line := fmt.Sprintf("%s  %d of %d", p.what, done, total)
	if done > 0 && done < total {
		left := time.Duration(float64(now.Sub(p.started)) / float64(done) * float64(total-done))
		line += fmt.Sprintf("  about %s left", left.Round(time.Second))
	}
	if p.usd > 0 {
		line += fmt.Sprintf("  $%.4f spent", p.usd)
	}
	// A carriage return and blanks instead of an erase sequence: a command
	// without a screen sends no cursor sequence.
	fmt.Fprintf(p.out, "\r%-*s", p.width, line)
	p.width = len(line)
}

// done clears the line.
func (p *progress) done() {
	if p.out != nil && p.width > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.width, "")
	}
}
