package tui

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	_ "docket/tui/startup"
)

// toyProgram makes the test binary a program that shows the toy screen, for
// the tests that need a terminal, and for looking at it.
const toyProgram = "DOCKET_TOY_SCREEN"

func TestMain(m *testing.M) {
	if os.Getenv(toyProgram) != "" {
		os.Exit(runToy())
	}
	os.Exit(m.Run())
}

func runToy() int {
	f := market()
	if os.Getenv(toyProgram) == "many" {
		f = many(100_000)
	}
	if path := os.Getenv("DOCKET_TOY_JOURNAL"); path != "" {
		f.session.onDisk = func(line string) {
			file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			defer file.Close()
			fmt.Fprintln(file, line)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // as the command has it
	defer stop()
	result, err := Run(ctx, ready(f), Options{ASCII: os.Getenv("DOCKET_TOY_ASCII") != ""})
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	fmt.Println("ended by", result.Signal+".")
	return 0
}

// driver drives a model as Bubble Tea would, with a clock of its own and
// commands that run at once.
type driver struct {
	t     testing.TB
	m     *model
	now   time.Time
	quit  bool
	sent  []string // the names of terminal messages that commands sent
	later []tea.Cmd
	hold  bool // keep commands until release
}

func drive(t testing.TB, s Screen, width, height int, set ...func(*Options)) *driver {
	t.Helper()
	d := &driver{t: t, now: time.Unix(0, 0)}
	o := Options{Width: width, Height: height, Now: func() time.Time { return d.now }, Getenv: func(string) string { return "" }, rest: 1, poll: 1}
	for _, f := range set {
		f(&o)
	}
	d.m = newModel(context.Background(), ready(s), o)
	d.run(d.m.Init())
	return d
}

func colour(o *Options) { o.Colour = true }
func ascii(o *Options)  { o.ASCII = true }

// send gives the model a message and runs what it answers.
func (d *driver) send(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	d.run(cmd)
}

// run runs commands until none is left. A batch is run in order.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if d.hold {
		d.later = append(d.later, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	case progressMsg:
		// Would go on for ever while nothing opens.
	default:
		if name := reflect.TypeOf(msg).String(); strings.HasPrefix(name, "tea.") {
			d.sent = append(d.sent, name)
			return
		}
		d.send(msg)
	}
}

// release runs what was held.
func (d *driver) release() {
	d.hold = false
	later := d.later
	d.later = nil
	for _, cmd := range later {
		d.run(cmd)
	}
}

// press presses keys one after the other, as a person does: "a", "enter",
// "ctrl+s", "down".
func (d *driver) press(keys ...string) {
	for _, k := range keys {
		d.now = d.now.Add(100 * time.Millisecond)
		d.send(keyOf(k))
	}
}

// typed types a text letter by letter.
func (d *driver) typed(text string) {
	for _, r := range text {
		d.press(string(r))
	}
}

func keyOf(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace,
		"ctrl+s": tea.KeyCtrlS, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "ctrl+d": tea.KeyCtrlD, "ctrl+u": tea.KeyCtrlU, "ctrl+r": tea.KeyCtrlR,
	}
	if kind, ok := named[name]; ok {
		return tea.KeyMsg{Type: kind}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// at is the row under the cursor.
func (d *driver) at() string {
	if row := d.m.selected(); row != nil {
		return row.ID
	}
	return ""
}

// sees fails the test unless the frame holds a text.
func (d *driver) sees(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.m.View(), text) {
			d.t.Errorf("the frame does not show %q:\n%s", text, d.m.View())
		}
	}
}

// sees not.
func (d *driver) misses(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(d.m.View(), text) {
			d.t.Errorf("the frame shows %q:\n%s", text, d.m.View())
		}
	}
}

// ready returns an Opener for a screen that is there already.
func ready(s Screen) Opener {
	return func(context.Context, func(int, int, string)) (Screen, error) { return s, nil }
}
