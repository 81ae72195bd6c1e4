package tuitest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"

	"docket/tui"
)

// own is what the theme writes: the only escape sequences of a frame.
var own = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Faults returns what is wrong with a frame, or "": it has exactly height rows,
// none wider than width, and no control character but the theme's own.
func Faults(frame string, width, height int) string {
	rows := strings.Split(frame, "\n")
	if len(rows) != height {
		return fmt.Sprintf("%d rows, want %d", len(rows), height)
	}
	if !utf8.ValidString(frame) {
		return "invalid UTF-8"
	}
	for _, row := range rows {
		if w := ansi.StringWidth(row); w > width {
			return fmt.Sprintf("a row is %d wide, want at most %d: %q", w, width, row)
		}
		for _, r := range own.ReplaceAllString(row, "") {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				return fmt.Sprintf("a control character %q in %q", r, row)
			}
		}
	}
	return ""
}

// Shown returns where a terminal of the size of a frame shows something else than
// the frame says, or "": an emulator is given the frame and its cells are read.
func Shown(frame string, width, height int) string {
	screen := vt.NewEmulator(width, height)
	_, _ = screen.WriteString(strings.ReplaceAll(frame, "\n", "\r\n"))
	shown := strings.Split(screen.String(), "\n")
	for i, row := range strings.Split(Uncoloured(frame), "\n") {
		got := ""
		if i < len(shown) {
			got = strings.TrimRight(shown[i], " ")
		}
		if want := strings.TrimRight(row, " "); got != want {
			return fmt.Sprintf("row %d is shown as\n%q, and says\n%q", i+1, got, want)
		}
	}
	return ""
}

// Hostile draws strings that are rich in what tears frames and drives
// terminals: escape sequences, controls of both kinds, text that runs the other
// way, clusters whose width is in dispute, and bytes that are no text.
func Hostile() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		"\x1b[2J", "\x1b]0;t\a", "\x1b]8;;http://x\x1b\\", "\x1b]52;c;eA==\a", "\r", "\n", "\t", "\u009b", "\u202e", "\u2066", "\u200b", "👩‍💻", "❤️", "🇩🇪", "返金", "e\u0301",
		"\u0301", "ｶﾞ", "한국", "ไทย", "abc", " ", "\xff", "\x00", "\x7f", "{\"a\": 1}", "key: [1, \"b\"]", strings.Repeat("w", 300),
	}), 0, 12), func(p []string) string { return strings.Join(p, "") }))
}

// Window draws the size and the look of a window, the useless ones included.
func Window(rt *rapid.T) tui.Options {
	return tui.Options{
		Width: rapid.IntRange(1, 300).Draw(rt, "width"), Height: rapid.IntRange(1, 100).Draw(rt, "height"),
		Colour: rapid.Bool().Draw(rt, "colour"), ASCII: rapid.Bool().Draw(rt, "ascii"),
	}
}

// commonKeys are those of every screen.
var commonKeys = []string{
	"j", "k", "J", "K", "g", "G", "n", "N", "}", "{", "tab", "enter", "left", "right", "ctrl+d", "ctrl+u", "pgdown", "1", "2", "3", "]", "|", "w", "=", "v", " ",
	"u", "U", "/", "?", "esc", "ctrl+s", "y", "up", "down", "backspace", "home", "end",
}

// Storm opens a screen in a window that Window drew, presses keys at random,
// those of every screen and the given ones of its own, types hostile text,
// turns the mouse and changes the size, and fails on the first frame that
// breaks a rule of Faults, and where a terminal shows the last one otherwise. It
// ends early where the screen is left.
func Storm(t testing.TB, rt *rapid.T, open tui.Opener, o tui.Options, keys ...string) {
	d := Drive(t, open, o)
	d.Crashes = true // told below, with what led to it
	width, height := o.Width, o.Height
	check := func(after string) {
		if crash := tui.Crashed(d.m); crash != "" {
			rt.Fatalf("after %s: panic: %s", after, crash)
		}
		if fault := Faults(d.View(), width, height); fault != "" {
			rt.Fatalf("after %s at %dx%d: %s", after, width, height, fault)
		}
	}
	defer func() {
		if fault := Shown(d.View(), width, height); fault != "" && !rt.Failed() {
			rt.Errorf("at %dx%d: %s", width, height, fault)
		}
	}()
	check("opening")
	all := append(append([]string(nil), commonKeys...), keys...)
	for range rapid.IntRange(1, 20).Draw(rt, "events") {
		switch rapid.IntRange(0, 9).Draw(rt, "event") {
		case 0:
			width, height = rapid.IntRange(1, 300).Draw(rt, "width"), rapid.IntRange(1, 100).Draw(rt, "height")
			d.Resize(width, height)
			check("a resize")
		case 1:
			d.Type(Hostile().Draw(rt, "typed") + "a")
			check("typing")
		case 2:
			d.Press(Hostile().Draw(rt, "at once") + "a")
			check("a burst")
		case 3:
			d.Send(tea.MouseMsg{
				X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Action: tea.MouseActionPress,
				Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp}).Draw(rt, "button"),
			})
			check("the mouse")
		case 4: // through a prompt, to the dialog behind it where there is one
			k := rapid.SampledFrom(all).Draw(rt, "verdict")
			d.Press(k)
			d.Type("ok")
			check(k + " and a text")
			d.Press("enter")
			check(k + ", a text and enter")
		default:
			k := rapid.SampledFrom(all).Draw(rt, "key")
			d.Press(k)
			check(k)
		}
		if d.Quit {
			return
		}
	}
}

// Uncoloured is a frame without what the theme wrote.
func Uncoloured(frame string) string { return own.ReplaceAllString(frame, "") }
