package tui_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"docket/tui"
	"docket/tui/list"
	"docket/tui/pair"
	"docket/tui/style"
	"docket/tui/tuitest"
)

// babel is a screen whose every text is random.
type babel struct {
	groups  []list.Group
	detail  tui.Detail
	head    tui.Head
	session *basket
	spec    tui.Spec
}

func (b *babel) Spec() tui.Spec                 { return b.spec }
func (b *babel) Head() tui.Head                 { return b.head }
func (b *babel) Groups(int) []list.Group        { return b.groups }
func (b *babel) Detail(row list.Row) tui.Detail { return b.detail }

func drawBabel(t *rapid.T) *babel {
	b := &babel{session: &basket{}}
	s := func(label string) string { return tuitest.Hostile().Draw(t, label) }
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
	tab := func(name string, slow bool) tui.Tab {
		return tui.Tab{Name: name, Slow: slow, Content: func(context.Context) (pair.Content, error) { return content, nil }}
	}
	b.detail = tui.Detail{
		Title: []string{s("title"), s("title")}, Facts: []tui.Fact{{Label: s("label"), Text: s("fact"), Aside: s("aside")}, {Label: s("label"), Text: s("fact"), Role: style.Bad}},
		Tabs: []tui.Tab{tab(s("tab"), false), tab(s("tab"), true)},
	}
	b.head = tui.Head{Subject: []string{s("subject"), s("subject")}, Count: s("count"), Date: s("date"), Age: s("age"), Summary: []style.Line{style.Of(style.Plain, s("summary")), style.Of(style.Bad, s("summary"))}}
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
		tuitest.Storm(t, rt, tuitest.Ready(drawBabel(rt)), tuitest.Window(rt), "a", "r", "d", "A", "R", "x")
	})
}

// Whatever sizes a window goes through, the cursor stays and nothing is decided.
func TestPropertyAResizeStormChangesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := market()
		d := drive(t, f, 120, 36)
		d.Press("j", "d")
		before, told := at(d), f.session.told()
		for range rapid.IntRange(1, 30).Draw(rt, "resizes") {
			w, h := rapid.IntRange(1, 250).Draw(rt, "width"), rapid.IntRange(1, 80).Draw(rt, "height")
			d.Resize(w, h)
			if fault := tuitest.Faults(d.View(), w, h); fault != "" {
				rt.Fatalf("at %dx%d: %s", w, h, fault)
			}
		}
		if at(d) != before || f.session.told() != told {
			rt.Fatalf("the storm moved the cursor from %q to %q, or decided", before, at(d))
		}
	})
}
