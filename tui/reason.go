package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/keymap"
	"docket/tui/style"
)

// prompt asks for the text that a verdict needs. What was given last for the
// same verdict is offered, so that a run of like decisions is a key and Enter
// each; it is never offered for another verdict first. On a row on which the
// same was decided in the past, the text of that time goes before.
type prompt struct {
	input   textinput.Model
	verdict Verdict
	target  target
	back    keymap.Scope
	given   map[string][]string // per verdict, oldest first, each once
	offers  []string            // for the present verdict, the likeliest last
	at      int                 // into offers, counted from the end; 0 is what is typed
	typed   string
	long    string // a text of several lines, in place of what is typed; see compose.go
	// proposed says that past is a proposal unless it was given in this session.
	proposed bool
	past     string // of the row, from before this session; "" for none
	problem  string
}

// remember takes over what earlier sessions gave.
func (p *prompt) remember(spec Spec, before []Mark) {
	p.given = map[string][]string{}
	for _, mark := range before {
		p.used(mark.Verdict, mark.Text)
	}
}

// used puts a text at the end of those given for a verdict.
func (p *prompt) used(verdict, text string) {
	if text == "" {
		return
	}
	list := slices.DeleteFunc(p.given[verdict], func(s string) bool { return s == text })
	p.given[verdict] = append(list, text)
}

func (m *model) openPrompt(v Verdict, t target) {
	p := &m.prompt
	p.input = textinput.New()
	p.input.CharLimit = 2000
	p.input.Focus()
	p.verdict, p.target, p.at, p.typed, p.long, p.problem = v, t, 0, "", "", ""
	p.past, p.proposed = pastOf(m.spec, v, t), m.spec.Proposed
	p.offers = nil
	if v.Choose != nil {
		p.offers = append(p.offers, v.Choose()...)
		slices.Reverse(p.offers)
	}
	if !v.Typed {
		p.offers = append(p.offers, p.given[v.ID]...)
	}
	if p.past != "" {
		p.offers = append(slices.DeleteFunc(p.offers, func(s string) bool { return s == p.past }), p.past)
	}
	p.back = keymap.List
	if m.scope == keymap.Detail {
		p.back = keymap.Detail
	}
	m.scope = keymap.Reason
}

// pastOf is the text that was given in the past for the same decision on the
// one row of a target.
func pastOf(spec Spec, v Verdict, t target) string {
	if spec.Before == nil || t.bulk || len(t.rows) != 1 {
		return ""
	}
	return spec.Before(t.rows[0], v.ID)
}

// offered is what Enter takes while nothing is typed: only a text that was
// given before, never a mere suggestion.
func (p *prompt) offered() string {
	given := p.given[p.verdict.ID]
	switch {
	case p.text() != "" || p.verdict.Typed:
		return ""
	case p.past != "":
		return p.past
	case len(given) == 0:
		return ""
	}
	return given[len(given)-1]
}

// origin words where the text on offer comes from: a row's own, which may be one
// that is only proposed for it, or the one that was given last.
func (p *prompt) origin() string {
	if p.proposed && p.past != "" && !slices.Contains(p.given[p.verdict.ID], p.past) {
		return "as proposed"
	}
	return "as before"
}

func (m *model) obeyPrompt(b keymap.Binding) tea.Cmd {
	p := &m.prompt
	switch b.Do {
	case keymap.Back:
		m.scope = p.back
	case keymap.Earlier, keymap.Later:
		p.recall(b.Do == keymap.Earlier)
	case keymap.Compose:
		return m.compose()
	case keymap.Accept:
		text := strings.TrimSpace(p.text())
		if text == "" {
			text = p.offered()
		}
		if text == "" {
			p.problem = "a " + p.verdict.Ask + " is needed: it is kept beside the decision"
			return nil
		}
		if err := refused(p.verdict, p.target, text); err != nil {
			p.problem = err.Error()
			return nil
		}
		m.scope = p.back
		p.used(p.verdict.ID, text)
		return m.consent(p.verdict, p.target, text)
	}
	return nil
}

// asked is what a verdict asks for where it falls.
func asked(v Verdict, t target) string {
	if v.AskOf != nil && !t.bulk && len(t.rows) == 1 {
		return v.AskOf(t.rows[0])
	}
	return v.Ask
}

// refused says why a text will not do for a verdict, nil where it will.
func refused(v Verdict, t target, text string) error {
	if v.Check != nil {
		if err := v.Check(text); err != nil {
			return err
		}
	}
	if v.Admit == nil {
		return nil
	}
	for _, row := range t.rows {
		if err := v.Admit(row, text); err != nil {
			return err
		}
	}
	return nil
}

// recall walks through the texts on offer; what was typed is kept at the end.
func (p *prompt) recall(earlier bool) {
	if p.at == 0 {
		p.typed = p.text()
	}
	if earlier {
		p.at = min(p.at+1, len(p.offers))
	} else {
		p.at = max(p.at-1, 0)
	}
	text := p.typed
	if p.at > 0 {
		text = p.offers[len(p.offers)-p.at]
	}
	p.set(text)
}

// drawPrompt draws the box above the footer.
func (m *model) drawPrompt(width int) []string {
	p, t := &m.prompt, m.theme
	label := cells.Fit(safetext.Line(asked(p.verdict, p.target)), width/3, t.More) + "  "
	room := width - 4 - cells.Width(label)
	row := t.Render(style.Dim, label)
	offer, how := p.offered(), "enter: "+p.origin()
	if p.verdict.Typed && p.text() == "" {
		offer, how = p.past, m.keys.Called("earlier")+": to change it"
	}
	if offer != "" {
		offer = cells.Fit(flat(offer), max(room-cells.Width(how)-4, 8), t.More)
		row += caret(t, " ") + t.Render(style.Dim, offer) + "  " + t.Render(style.Accent, how)
	} else if p.long == "" {
		row += drawInput(t, p.input, room)
	}
	rows := []string{" " + row}
	if p.long != "" {
		rows = p.drawLong(t, label, width)
	}
	if p.problem != "" {
		rows = append(rows, " "+t.Render(style.Bad, cells.Fit(safetext.Line(p.problem), width-4, t.More)))
	}
	return m.box(boxed{title: []string{p.verdict.Name, p.target.name}, rows: rows, width: width, focused: true})
}

// drawInput shows the part of a text input around its cursor, in at most width
// columns. The library's own view hides the cursor where there is no colour.
func drawInput(t *style.Theme, input textinput.Model, width int) string {
	runes := []rune(input.Value())
	pos := min(input.Position(), len(runes))
	before, after := safetext.Line(string(runes[:pos])), safetext.Line(string(runes[pos:]))
	under := " "
	if after != "" {
		if head, _ := cells.Cut(after, 2); head != "" {
			cluster := firstCluster(after)
			under, after = cluster, after[len(cluster):]
		}
	}
	room := max(width-cells.Width(under)-1, 1)
	if cells.Width(before) > room*2/3 && cells.Width(before)+cells.Width(after) > room {
		before = cells.CutLeft(before, room*2/3)
	}
	after, _ = cells.Cut(after, room-cells.Width(before))
	return before + caret(t, under) + after
}

// firstCluster returns the first character of s as a reader counts them.
func firstCluster(s string) string {
	for n := 1; n <= 2; n++ {
		if head, _ := cells.Cut(s, n); head != "" {
			return head
		}
	}
	return ""
}

// caret draws the cell that typing goes to.
func caret(t *style.Theme, under string) string {
	if t.Colour {
		return t.Render(style.Cursor, under)
	}
	if under == " " {
		return t.Caret
	}
	return t.Caret + under
}
