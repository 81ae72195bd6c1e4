package tuitest

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui"
)

// A Driver drives one screen. What a screen does outside the loop that draws is
// done at once, or on Release where Hold is set.
type Driver struct {
	t    testing.TB
	m    tea.Model
	now  time.Time
	held []tea.Cmd

	Hold    bool     // keeps commands until Release
	Crashes bool     // a panic of the screen does not fail the test
	Quit    bool     // the screen has been left
	Sent    []string // the names of what was sent to the terminal, such as "tea.clearScreenMsg"
}

// Ready returns an Opener for a screen that is there already.
func Ready(s tui.Screen) tui.Opener {
	return func(context.Context, func(int, int, string)) (tui.Screen, error) { return s, nil }
}

// Drive opens a screen in a window, with the options that a test does not need
// to set set for it.
func Drive(t testing.TB, open tui.Opener, o tui.Options) *Driver {
	t.Helper()
	d := &Driver{t: t, now: time.Unix(0, 0)}
	o.Now, o.Instant, o.Getenv = func() time.Time { return d.now }, true, func(string) string { return "" }
	d.m = tui.New(context.Background(), open, o)
	d.run(d.m.Init())
	return d
}

// Send gives the screen a message and runs what it answers.
func (d *Driver) Send(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	d.run(cmd)
	if crash := tui.Crashed(d.m); crash != "" && !d.Crashes {
		d.t.Helper()
		d.t.Fatalf("%T %v: panic: %s", msg, msg, crash)
	}
}

// run runs commands until none is left. A batch is run in order.
func (d *Driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if d.Hold {
		d.held = append(d.held, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.Quit = true
	default:
		switch name := reflect.TypeOf(msg).String(); {
		case strings.HasPrefix(name, "tea."):
			d.Sent = append(d.Sent, name)
		case name == "tui.progressMsg": // would go on for ever while nothing opens
		default:
			d.Send(msg)
		}
	}
}

// Release runs what was held.
func (d *Driver) Release() {
	d.Hold = false
	held := d.held
	d.held = nil
	for _, cmd := range held {
		d.run(cmd)
	}
}

// Press presses keys one after the other, as a person does: "a", "enter",
// "ctrl+s", "down".
func (d *Driver) Press(keys ...string) {
	for _, k := range keys {
		d.now = d.now.Add(100 * time.Millisecond)
		d.Send(Key(k))
	}
}

// Time presses a key and returns how long the loop that draws was busy with it:
// what a command does outside that loop is not counted.
func (d *Driver) Time(key string) time.Duration {
	d.now = d.now.Add(100 * time.Millisecond)
	msg := Key(key)
	start := time.Now()
	_, cmd := d.m.Update(msg)
	_ = d.m.View()
	took := time.Since(start)
	d.run(cmd)
	return took
}

// Type types a text letter by letter.
func (d *Driver) Type(text string) {
	for _, r := range text {
		d.Press(string(r))
	}
}

// Key is the message of a key.
func Key(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace,
		"ctrl+s": tea.KeyCtrlS, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD, "ctrl+e": tea.KeyCtrlE, "ctrl+r": tea.KeyCtrlR,
		"ctrl+u": tea.KeyCtrlU, "ctrl+z": tea.KeyCtrlZ,
	}
	if kind, ok := named[name]; ok {
		return tea.KeyMsg{Type: kind}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// Resize changes the size of the window.
func (d *Driver) Resize(width, height int) {
	d.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Model is the frame under test, for what a test of the frame itself asks of it.
func (d *Driver) Model() tea.Model { return d.m }

// View is the frame as it is drawn.
func (d *Driver) View() string { return d.m.View() }

// Sees fails the test unless the frame holds each text.
func (d *Driver) Sees(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.View(), text) {
			d.t.Errorf("the frame does not show %q:\n%s", text, d.View())
		}
	}
}

// Misses fails the test where the frame holds one of the texts.
func (d *Driver) Misses(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(d.View(), text) {
			d.t.Errorf("the frame shows %q:\n%s", text, d.View())
		}
	}
}
