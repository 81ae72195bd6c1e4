package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"docket/engine/safetext"
	"docket/tui/keymap"
	"docket/tui/style"
)

// Options are where and how a screen runs. The zero value is the process's own
// terminal, as its environment describes it; the fields that are needed for
// tests alone say so.
type Options struct {
	In       io.Reader           // os.Stdin
	Out      io.Writer           // os.Stdout
	Getenv   func(string) string // os.Getenv
	NoColour bool                // draw no colour, whatever the terminal can
	ASCII    bool                // draw lines and signs in ASCII
	Plain    bool                // one labelled line at a time instead of a screen
	Palette  style.Palette       // the colours of roles; the zero value is the terminal's own
	Keys     keymap.Keys         // the keys that a user chose; plain mode has its own letters
	// Hint returns what to say to who opens a screen for the first time, given how
	// the help spells a key; nil says nothing. Plain mode says how to answer
	// anyway, and does not call it.
	Hint func(called func(name string) string) string

	// For tests: colour without a terminal, a fixed size and clock.
	Colour        bool
	Sixteen       bool // the terminal has its own sixteen colours and no others
	Width, Height int
	Now           func() time.Time
	Instant       bool // slow content loads, and a key that decides acts, at once
	rest, poll    time.Duration
	noUTF8        bool // the locale says that the terminal does not speak UTF-8
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Instant {
		o.rest, o.poll = 1, 1
	}
	if o.rest == 0 {
		o.rest, o.poll = rest, pollEvery
	}
	return o
}

// Result is how a session ended.
type Result struct {
	Decided, Total int
	Written        bool
	Signal         string // the signal that ended it, or ""
}

// ErrNoTerminal says that a screen was asked for where none can be drawn.
var ErrNoTerminal = errors.New("the screen needs a terminal to read from and to draw on: --plain works through pipes, one line at a time")

// Run opens a screen and returns when it is left. What there is to say then is
// printed after the terminal has been restored. Where the environment asks for
// it (ACCESSIBLE, or a terminal that cannot move its cursor) the session is
// plain.
func Run(ctx context.Context, open Opener, o Options) (Result, error) {
	o = o.withDefaults()
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	o.noUTF8 = asciiLocale(o.Getenv)
	o.ASCII = o.ASCII || o.noUTF8
	if o.Plain || o.Getenv("ACCESSIBLE") != "" {
		return runPlain(ctx, open, o)
	}
	if !isTerminal(o.In) || !isTerminal(o.Out) {
		return Result{}, ErrNoTerminal
	}
	if o.Getenv("TERM") == "dumb" {
		fmt.Fprintln(o.Out, "This terminal cannot draw a screen, so docket asks one line at a time.")
		return runPlain(ctx, open, o)
	}
	o.Colour = !o.NoColour && o.Getenv("NO_COLOR") == ""
	o.Sixteen = !manyColours(o.Getenv)
	// What the screen has under way ends with the screen, not with a signal that
	// may be meant for an editor.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	m := newModel(work, open, o)
	program := tea.NewProgram(m,
		tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithAltScreen(), tea.WithMouseCellMotion(),
		tea.WithoutSignalHandler())
	stop := relaySignals(ctx, program, m)
	_, err := program.Run()
	stop()
	return m.end(err)
}

// end tells what there is to tell once the terminal is the user's again.
func (m *model) end(err error) (Result, error) {
	result := Result{Decided: m.decided, Total: m.list.Open(), Written: m.closing != nil, Signal: m.signal}
	switch {
	case m.crash != nil:
		return result, m.crash.report(m.spec.Command)
	case m.failure != nil:
		return result, m.failure
	case err != nil:
		return result, fmt.Errorf("the terminal failed: %w", err)
	case m.closing != nil:
		for _, line := range m.closing.Lines {
			fmt.Fprintln(m.options.Out, safetext.Line(line))
		}
	case m.screen != nil:
		fmt.Fprintln(m.options.Out, parting(m.spec, m.decided, m.list.Open()))
	}
	return result, nil
}

// parting says that decisions are kept, and how to go on.
func parting(spec Spec, decided, total int) string {
	if decided == 0 {
		return "Nothing is decided yet; `" + safetext.Line(spec.Command) + "` opens it again."
	}
	return fmt.Sprintf("%d of %s decided and kept, nothing written yet; `%s` goes on.", decided, counted(total, spec), safetext.Line(spec.Command))
}

// report writes the trace of a crash to a file of its own and returns the
// sentence that names it.
func (c *crash) report(command string) error {
	told := "docket stopped on an error of its own: " + safetext.Line(c.value)
	if command != "" {
		told += "; what was decided is kept, and `" + safetext.Line(command) + "` goes on"
	}
	file, err := os.CreateTemp("", "docket-crash-*.txt")
	if err != nil {
		return errors.New(told)
	}
	_, err = io.WriteString(file, c.value+"\n\n"+c.stack)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.New(told)
	}
	return fmt.Errorf("%s; the trace is in %s", told, file.Name())
}

// signalDelay is how long one signal may take to reach all who asked for it,
// and so how long after its editor the screen leaves an interrupt to it.
const signalDelay = 100 * time.Millisecond

// stopMsg says that a signal asks the program to end.
type stopMsg struct{ name string }

// relaySignals ends the program in order on the signals that ask for it, and
// when ctx is cancelled. Bubble Tea does not know SIGHUP, and would leave the
// terminal as it is. A SIGINT while an editor has the terminal is meant for the
// editor: the terminal sends it to both. The command's ctx is cancelled by the
// same signal, so that a cancelled ctx is asked for its signal first.
func relaySignals(ctx context.Context, program *tea.Program, m *model) (stop func()) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		passed := false // an interrupt was left to the editor
		heed := func(s os.Signal) {
			if s == syscall.SIGINT && m.editing.Load() > 0 {
				passed = true
				return
			}
			program.Send(stopMsg{s.String()})
		}
		cancelled := ctx.Done()
		for {
			select {
			case <-done:
				return
			case <-cancelled:
				cancelled = nil
				select {
				case <-done:
					return
				case s := <-signals:
					heed(s)
				case <-time.After(signalDelay):
					if !passed {
						program.Send(stopMsg{"cancelled"})
					}
				}
			case s := <-signals:
				heed(s)
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// manyColours reports whether the environment says that the terminal has more
// than its own sixteen colours. Nearly all that name themselves otherwise than
// the three oldest have.
func manyColours(getenv func(string) string) bool {
	term := getenv("TERM")
	switch {
	case getenv("COLORTERM") != "" || strings.Contains(term, "256") || strings.Contains(term, "direct"):
		return true
	case term == "" || term == "linux" || term == "ansi" || strings.HasPrefix(term, "xterm") && term != "xterm-kitty" && term != "xterm-ghostty":
		return false
	}
	return !strings.HasPrefix(term, "vt") && !strings.HasPrefix(term, "screen") && !strings.HasPrefix(term, "rxvt")
}

func isTerminal(v any) bool {
	f, ok := v.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// asciiLocale reports whether the locale says that the terminal does not
// speak UTF-8. Where no locale is set nothing is known, and nearly every
// terminal does.
func asciiLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := getenv(name); value != "" {
			value = strings.ToLower(value)
			return !strings.Contains(value, "utf-8") && !strings.Contains(value, "utf8")
		}
	}
	return false
}
