package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/progress"
	"github.com/muesli/termenv"

	"docket/tui/cells"
	"docket/tui/keymap"
	"docket/tui/style"
)

// bar is a progress bar of so many columns. It is full only when all is done,
// and empty only while nothing is.
func (m *model) bar(done, total, width int) string {
	full := 0
	if total > 0 && width > 0 {
		full = done * width / total
		if done > 0 {
			full = max(full, 1)
		}
	}
	sign := func(glyph string) rune { return []rune(glyph)[0] }
	bar := progress.New(
		progress.WithoutPercentage(), progress.WithWidth(max(width, 0)), progress.WithColorProfile(termenv.Ascii),
		progress.WithFillCharacters(sign(m.theme.Full), sign(m.theme.Empty)),
	)
	return bar.ViewAs(float64(full) / float64(max(width, 1)))
}

// footer is what the keys look like at the bottom. It is drawn again when the
// place where keys go changes, or the width: rendering it costs as much as a
// third of a frame.
type footer struct {
	scope    keymap.Scope
	width    int
	ask      asking
	drawn    string
	keys     *keymap.Table
	renderer help.Model
}

// asking is what the footer must know of a dialog: whether it can only be left,
// and whether there is more of it than the window shows.
type asking struct{ oneWay, long bool }

// drawKeys lists the keys of the present scope.
func (m *model) drawKeys() string {
	var ask asking
	if m.scope == keymap.Confirm {
		ask = asking{m.dialog.yes == "", m.dialog.long}
	}
	f := &m.footer
	if f.keys == m.keys && f.scope == m.scope && f.width == m.width && f.ask == ask {
		return f.drawn
	}
	if f.keys == nil {
		f.renderer = help.New()
		f.renderer.ShortSeparator = "  "
		f.renderer.Styles = help.Styles{ShortKey: m.theme.Style(style.Accent), ShortDesc: m.theme.Style(style.Dim), ShortSeparator: m.theme.Style(style.Plain)}
	}
	f.keys, f.scope, f.width, f.ask = m.keys, m.scope, m.width, ask
	f.drawn = " " + f.renderer.ShortHelpView(m.fitting(m.width, ask))
	return f.drawn
}

// fitting returns the keys of the present scope that have room. Where there is
// none for all of them those go first that are least missed, which the widget
// would not know: a verdict moves on by itself, so that "next" goes before the
// verdict on a group. What then has room again comes back.
func (m *model) fitting(room int, ask asking) []key.Binding {
	bindings := slices.DeleteFunc(m.keys.Footer(m.scope), func(b keymap.Binding) bool {
		return ask.oneWay && (b.Do == keymap.Yes || b.Do == keymap.Switch) || m.scope == keymap.Confirm && !ask.long && (b.Do == keymap.Up || b.Do == keymap.Down)
	})
	cost := func(b keymap.Binding) int { return 2 + cells.Width(b.Help().Key) + 1 + cells.Width(b.Help().Desc) }
	width := 0
	for _, b := range bindings {
		width += cost(b)
	}
	dropped := make([]bool, len(bindings))
	order := []int{75, 60, 70, 40, 50, 30, 80, 5, 4, 3}
	for _, drop := range order {
		if width <= room {
			break
		}
		for i, b := range bindings {
			if b.Footer == drop {
				width -= cost(b)
				dropped[i] = true
			}
		}
	}
	for _, back := range slices.Backward(order) {
		for i, b := range bindings {
			if dropped[i] && b.Footer == back && width+cost(b) <= room {
				width += cost(b)
				dropped[i] = false
			}
		}
	}
	var shown []key.Binding
	for i, b := range bindings {
		if !dropped[i] {
			shown = append(shown, b.Binding)
		}
	}
	return shown
}
