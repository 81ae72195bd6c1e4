package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/list"
	"docket/tui/pair"
)

// rest is how long the cursor must stay on a row before slow content is
// loaded for it.
const rest = 30 * time.Millisecond

// kept bounds how many rows' contents are kept.
const kept = 256

// detail shows the selected row. Contents are kept by row and tab; what is
// loading carries a generation, and what comes back for another is dropped.
type detail struct {
	pane    pair.Pane
	options pair.Options
	row     string
	before  string // the row that was shown last, also where its tab changed
	tab     int
	shown   Detail
	known   bool // shown is that of row
	cache   map[place]outcome
	gen     int
	loading bool
}

// place is one tab of one row.
type place struct {
	row string
	tab int
}

// outcome is what a tab had to show.
type outcome struct {
	content pair.Content
	err     error
}

// restMsg says that the cursor may have come to rest.
type restMsg struct {
	gen  int
	at   place
	load func(context.Context) (pair.Content, error)
}

// loadedMsg brings slow content.
type loadedMsg struct {
	gen int
	at  place
	outcome
}

func (d *detail) init() { d.cache = map[place]outcome{} }

// forget drops what was kept: the screen said that it changed.
func (d *detail) forget() {
	clear(d.cache)
	d.known = false
}

func (d *detail) openTab(n int) {
	if n >= 0 && n < len(d.shown.Tabs) && n != d.tab {
		d.tab = n
		d.known = false
		d.row = ""
	}
}

func (d *detail) turnTab(by int) {
	if n := len(d.shown.Tabs); n > 0 {
		d.openTab(((d.tab+by)%n + n) % n)
	}
}

// follow shows the row under the cursor, and starts loading what it needs.
func (m *model) follow() tea.Cmd {
	if m.screen == nil || m.tooSmall() {
		return nil
	}
	d := &m.detail
	d.pane.Set(d.options)
	row := m.selected()
	if row == nil {
		d.row, d.known, d.shown.Title = "", false, nil
		return nil
	}
	m.list.See()
	if d.known && d.row == row.ID {
		return nil
	}
	same := d.row == row.ID
	d.row, d.known = row.ID, true
	d.shown = m.screen.Detail(*row)
	d.tab = min(d.tab, max(len(d.shown.Tabs)-1, 0))
	if d.before != row.ID {
		d.tab, d.before = m.firstUnseen(row.ID), row.ID
	}
	d.gen++
	d.loading = false
	return m.fill(*row, same)
}

// fill shows the content of the open tab.
func (m *model) fill(row list.Row, keep bool) tea.Cmd {
	d := &m.detail
	if len(d.shown.Tabs) == 0 {
		d.pane.Show(pair.Content{}, false)
		return nil
	}
	tab, at := d.shown.Tabs[d.tab], place{row.ID, d.tab}
	if got, ok := d.cache[at]; ok {
		d.show(got, keep)
		m.saw(at, got)
		return nil
	}
	if !tab.Slow {
		content, err := tab.Content(m.ctx)
		got := outcome{content, err}
		d.show(got, keep)
		m.saw(at, got)
		if tab.More != nil && err == nil {
			return m.loadLater(at, tab.More)
		}
		d.keep(at, got)
		return nil
	}
	d.loading = true
	d.pane.Show(pair.Content{}, false)
	return m.loadLater(at, tab.Content)
}

// loadLater asks for content once the cursor rests.
func (m *model) loadLater(at place, load func(context.Context) (pair.Content, error)) tea.Cmd {
	gen := m.detail.gen
	return tea.Tick(m.options.rest, func(time.Time) tea.Msg { return restMsg{gen, at, load} })
}

func (d *detail) keep(at place, o outcome) {
	if len(d.cache) >= kept {
		clear(d.cache)
	}
	d.cache[at] = o
}

func (d *detail) show(o outcome, keep bool) {
	if o.err != nil {
		d.pane.Show(pair.Content{Note: o.err.Error()}, false)
		return
	}
	d.pane.Show(o.content, keep)
}

// loadRested loads slow content where the cursor is still on its row.
func (m *model) loadRested(msg restMsg) tea.Cmd {
	if msg.gen != m.detail.gen {
		return nil
	}
	return guard(func() tea.Msg {
		content, err := msg.load(m.ctx)
		return loadedMsg{msg.gen, msg.at, outcome{content, err}}
	})
}

func (m *model) loaded(msg loadedMsg) {
	if msg.gen != m.detail.gen {
		return
	}
	m.detail.keep(msg.at, msg.outcome)
	keep := !m.detail.loading // what shows is the same with less in it
	m.detail.loading = false
	m.detail.show(msg.outcome, keep)
	m.saw(msg.at, msg.outcome)
}
