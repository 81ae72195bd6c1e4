package tui

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docket/tui/list"
	"docket/tui/pair"
	"docket/tui/style"
)

// own is what the theme writes: the only escape sequences of a frame.
var own = regexp.MustCompile("\x1b\\[[0-9;]*m")

// faults returns what is wrong with a frame, or "".
func faults(frame string, width, height int) string {
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

// babel is a screen whose every text is random.
type babel struct {
	groups  []list.Group
	detail  Detail
	head    Head
	session *basket
	spec    Spec
}

func (b *babel) Spec() Spec                 { return b.spec }
func (b *babel) Head() Head                 { return b.head }
func (b *babel) Groups(int) []list.Group    { return b.groups }
func (b *babel) Detail(row list.Row) Detail { return b.detail }

// text draws strings that are rich in what tears frames.
func text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		"\x1b[2J", "\x1b]0;t\a", "\r", "\n", "\t", "\u009b", "\u202e", "\u200b", "👩‍💻", "❤️", "🇩🇪", "返金", "e\u0301", "\u0301", "ｶﾞ", "abc", " ", "\xff", "한국", "ไทย",
	}), 0, 20), func(p []string) string { return strings.Join(p, "") }))
}

func drawBabel(t *rapid.T) *babel {
	b := &babel{session: &basket{}}
	s := func(label string) string { return text().Draw(t, label) }
	n := 0
	for gi := range rapid.IntRange(0, 4).Draw(t, "groups") {
		g := list.Group{ID: fmt.Sprint(gi), Kind: s("kind"), Label: s("group"), About: []string{s("about")}}
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			g.Rows = append(g.Rows, list.Row{ID: fmt.Sprint(n, s("id")), Note: s("note")})
			n++
		}
		b.groups = append(b.groups, g)
	}
	rows := pair.Rows{}
	for range rapid.IntRange(0, 6).Draw(t, "pairs") {
		rows = append(rows, pair.Row{Key: s("key"), Kind: pair.Kind(rapid.IntRange(0, 4).Draw(t, "what")), Name: s("name"), Sign: s("sign"), Old: style.Of(style.Plain, s("old")), New: style.Of(style.Text, s("new"))})
	}
	content := pair.Content{Source: rows, Old: s("before"), New: s("after"), NameWidth: rows.NameWidth(), Parts: true, Note: s("remark")}
	tab := func(name string, slow bool) Tab {
		return Tab{Name: name, Slow: slow, Content: func(context.Context) (pair.Content, error) { return content, nil }}
	}
	b.detail = Detail{
		Title: []string{s("title"), s("title")}, Facts: []Fact{{s("label"), s("fact"), s("aside")}, {s("label"), s("fact"), ""}},
		Tabs: []Tab{tab(s("tab"), false), tab(s("tab"), true)},
	}
	b.head = Head{Subject: []string{s("subject"), s("subject")}, Count: s("count"), Date: s("date"), Age: s("age"), Summary: []style.Line{style.Of(style.Plain, s("summary")), style.Of(style.Bad, s("summary"))}}
	if rapid.Bool().Draw(t, "banner") {
		b.head.Banner = s("banner")
	}
	b.spec = (&fruits{session: b.session}).Spec()
	b.spec.Title, b.spec.Notice, b.spec.Groupings, b.spec.Term, b.spec.Terms, b.spec.Actions = s("list"), s("notice"), []string{s("grouping")}, nil, nil, nil
	b.spec.Caution = func([]string, string) []string { return []string{s("caution")} }
	return b
}

func TestPropertyFrames(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := drawBabel(rt)
		d := &driver{t: t, now: time.Unix(0, 0)}
		o := Options{Width: rapid.IntRange(1, 200).Draw(rt, "width"), Height: rapid.IntRange(1, 60).Draw(rt, "height"), Now: func() time.Time { return d.now }, rest: 1, poll: 1}
		o.Colour, o.ASCII = rapid.Bool().Draw(rt, "colour"), rapid.Bool().Draw(rt, "ascii")
		d.m = newModel(context.Background(), ready(b), o)
		d.run(d.m.Init())
		check := func(after string) {
			if d.m.crash != nil {
				rt.Fatalf("after %s: panic: %s\n%s", after, d.m.crash.value, d.m.crash.stack)
			}
			if fault := faults(d.m.View(), d.m.width, d.m.height); fault != "" {
				rt.Fatalf("after %s at %dx%d: %s", after, d.m.width, d.m.height, fault)
			}
		}
		check("opening")
		keys := []string{
			"j", "k", "J", "K", "g", "G", "n", "N", "tab", "enter", "left", "right", "ctrl+d", "ctrl+u", "pgdown", "1", "2", "]", "|", "w", "=", "v", " ",
			"a", "r", "d", "A", "R", "x", "u", "U", "/", "?", "esc", "ctrl+s", "y", "up", "down", "backspace", "home", "end",
		}
		for range rapid.IntRange(1, 15).Draw(rt, "keys") {
			switch rapid.IntRange(0, 9).Draw(rt, "event") {
			case 0:
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(1, 250).Draw(rt, "width"), Height: rapid.IntRange(1, 80).Draw(rt, "height")})
				check("a resize")
			case 1:
				d.press(text().Draw(rt, "typed") + "a")
				check("typing")
			case 2:
				d.send(tea.MouseMsg{
					X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Action: tea.MouseActionPress,
					Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp}).Draw(rt, "button"),
				})
				check("the mouse")
			default:
				k := rapid.SampledFrom(keys).Draw(rt, "key")
				d.press(k)
				check(k)
			}
		}
	})
}

// Typing for a minute into the wrong window decides nothing without a reason
// and an answer.
func TestPropertyAResizeStormChangesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := market()
		d := drive(t, f, 120, 36)
		d.press("j", "d")
		at, told := d.at(), f.session.told()
		for range rapid.IntRange(1, 30).Draw(rt, "resizes") {
			w, h := rapid.IntRange(1, 250).Draw(rt, "width"), rapid.IntRange(1, 80).Draw(rt, "height")
			d.send(tea.WindowSizeMsg{Width: w, Height: h})
			if fault := faults(d.m.View(), w, h); fault != "" {
				rt.Fatalf("at %dx%d: %s", w, h, fault)
			}
		}
		if d.at() != at || f.session.told() != told {
			rt.Fatalf("the storm moved the cursor from %q to %q, or decided", at, d.at())
		}
	})
}
