package migrate

import (
	"context"
	"errors"
	"fmt"

	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/migration"
	"docket/engine/phrase"
	"docket/tui"
	"docket/tui/highlight"
	"docket/tui/list"
	"docket/tui/style"
)

// Proposals are old tests with what was said of them; *session.Session has
// them. All methods answer at once, and several goroutines may ask them.
type Proposals interface {
	Choice(key string) migration.Choice
	Draft(key string) []byte
	CheckID(id string) error
}

// Options are what a screen is made of.
type Options struct {
	Suite     *migration.Suite
	Target    migration.Target
	Proposals Proposals
	Session   tui.Session
	// Edit prepares the draft of a test for an editor and takes it back.
	Edit     func(key string) tui.Effect
	Command  string // what opens the screen again
	Notice   string
	ReadOnly string
}

// Screen implements tui.Screen over old tests.
type Screen struct {
	Options
	yaml    highlight.Language
	python  highlight.Language
	script  highlight.Language
	similar similar
	asks    []string // see migration.Suite
	named   []string // the tests, as the list calls them
	head    tui.Head
}

// New makes the screen.
func New(o Options) *Screen {
	s := &Screen{Options: o, yaml: highlight.YAML(), python: highlight.Python(), script: highlight.JavaScript()}
	s.asks = o.Suite.Asks()
	s.named = named(o.Suite.Tests)
	s.similar = newSimilar(o.Suite.Tests)
	s.head = s.makeHead()
	return s
}

// The tabs. Digits are verdicts here, so that brackets turn them.
const (
	sourceTab = "source"
	draftTab  = "draft"
	fromTab   = "from"
)

// The verdicts that settle nothing.
const (
	nameID  = "id"
	mendWhy = "provenance"
)

// Spec implements tui.Screen.
func (s *Screen) Spec() tui.Spec {
	id := func(_, text string) error { return s.Proposals.CheckID(text) }
	return tui.Spec{
		Title: "old tests", One: "test", Many: "tests", Command: s.Command,
		Groupings: []string{"pile", "file", "what is asserted"},
		Verdicts: []tui.Verdict{
			{ID: string(migration.Situation), Key: "1", Name: "situation", Long: "it becomes a case; Enter confirms why the case exists, up fetches the words to change them", Done: "kept as situation", Glyph: "✓", ASCII: "y", Role: style.Good, Ask: "provenance", Unasked: true},
			{ID: string(migration.Contract), Key: "2", Bulk: "C", Name: "contract", Long: "its checks go to the format contract, and no case is made", Done: "kept as contract", Glyph: "=", ASCII: "=", Role: style.Accent},
			{ID: string(migration.Drop), Key: "3", Bulk: "D", Name: "drop", Long: "it becomes nothing, and is counted", Done: "dropped", Glyph: "✗", ASCII: "x", Role: style.Bad},
			{ID: string(migration.Merge), Key: "m", Name: "merge", Long: "its assertions go to the case of another test", Done: "merged", Glyph: "»", ASCII: ">", Role: style.Accent, Whole: true, Ask: "test to merge into", Admit: s.mergeable},
			{ID: string(migration.Split), Key: "s", Name: "split", Long: "a case for each of its assertions about the situation", Done: "split", Glyph: "+", ASCII: "+", Role: style.Good, Whole: true, Ask: "provenance"},
			{ID: nameID, Key: "i", Rare: true, Name: "edit id", Long: "give the case another id", Done: "named", Whole: true, Stays: true, Ask: "id", Typed: true, Admit: id, Refuse: s.editedByHand},
			{ID: mendWhy, Key: "p", Rare: true, Name: "edit provenance", Long: "say why the case exists, or confirm what is proposed; up fetches the words", Done: "provenance confirmed", Whole: true, Stays: true, Ask: "provenance", Refuse: s.editedByHand},
		},
		Actions: []tui.Action{{Key: "e", Word: "edit", Name: "open the draft in $EDITOR", Do: s.edit}},
		Session: s.Session, Parts: true, Ripples: true,
		Notice: s.Notice, ReadOnly: s.ReadOnly,
		Terms: []string{"pile", "file"}, Term: s.term, Before: s.before, Proposed: true, Caution: s.caution,
	}
}

// editedByHand says why a name or a provenance cannot be given to a draft that
// was edited: it is written as it was left, and says its own.
func (s *Screen) editedByHand(key, _ string) error {
	if s.Proposals.Choice(key).Draft == nil {
		return nil
	}
	return errors.New("the draft was edited by hand and says its own id and provenance: edit it again to change them")
}

func (s *Screen) edit(at tui.At) tui.Effect {
	if at.Row == nil {
		return tui.Effect{Notice: "put the cursor on a test to edit its draft"}
	}
	if s.ReadOnly != "" || s.Edit == nil {
		return tui.Effect{Notice: "for reading only: drafts cannot be edited", Failed: true}
	}
	return s.Edit(at.Row.ID)
}

// before is what Enter takes: the reason that is proposed or was given, the test
// that is most like this one.
func (s *Screen) before(key, verdict string) string {
	t := s.Suite.Test(key)
	if t == nil {
		return ""
	}
	c := s.Proposals.Choice(key)
	switch verdict {
	case string(migration.Situation), string(migration.Split), mendWhy:
		if c.Provenance != "" {
			return c.Provenance
		}
		return s.drafted(t, c)
	case nameID:
		if c.ID != "" {
			return c.ID
		}
		return t.Draft.ID
	case string(migration.Merge):
		return s.similar.to(s.Suite.Index(key))
	}
	return ""
}

func (s *Screen) mergeable(key, text string) error {
	switch into := s.Suite.Named(text); {
	case into == nil:
		return fmt.Errorf("there is no test of that name, or there are several: give it as the list shows it, or as file::name")
	case into.Key == key:
		return fmt.Errorf("a test cannot be merged into itself")
	}
	return nil
}

// caution says what would be lost by a verdict on many.
func (s *Screen) caution(rows []string, verdict string) []string {
	n := 0
	for _, key := range rows {
		if t := s.Suite.Test(key); t != nil && t.Pile == legacy.Situation && verdict != string(migration.Situation) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []string{phrase.Count(n, "of them is proposed as a situation.", "of them are proposed as situations.")}
}

// Head implements tui.Screen.
func (s *Screen) Head() tui.Head { return s.head }

func (s *Screen) makeHead() tui.Head {
	files := make([]string, len(s.Suite.Files))
	copy(files, s.Suite.Files)
	h := tui.Head{
		Subject: []string{s.Target.Suite, "from " + phrase.Few(files, 2)},
		Count:   phrase.Count(len(s.Suite.Tests), "test", "tests"),
	}
	counts := map[legacy.Pile]int{}
	for i := range s.Suite.Tests {
		counts[s.Suite.Tests[i].Pile]++
	}
	for _, p := range piles() {
		if n := counts[p]; n > 0 {
			h.Summary = append(h.Summary, style.Line{{Text: word(p) + " ", Role: style.Dim}, {Text: fmt.Sprint(n), Role: style.Strong}})
		}
	}
	h.Summary = append(h.Summary, style.Of(style.Dim, phrase.Count(s.Suite.Lines, "line", "lines")))
	return h
}

// piles in the order in which a person should meet them.
func piles() []legacy.Pile {
	return []legacy.Pile{legacy.Situation, legacy.Contract, legacy.SDK, legacy.Unsorted}
}

// word is what a pile is called.
func word(p legacy.Pile) string {
	switch p {
	case legacy.SDK:
		return "SDK"
	case legacy.Unsorted:
		return "not clear"
	}
	return string(p)
}

// sign is the key that confirms a proposal.
func sign(p legacy.Pile) string {
	switch p {
	case legacy.Situation:
		return "1"
	case legacy.Contract:
		return "2"
	case legacy.SDK:
		return "3"
	}
	return "?"
}

// Detail implements tui.Screen.
func (s *Screen) Detail(row list.Row) tui.Detail {
	t := &s.Suite.Tests[row.Index]
	c := s.Proposals.Choice(t.Key)
	return tui.Detail{
		Title: []string{t.Name, fmt.Sprintf("%s:%d", t.File, t.Line), phrase.Count(len(t.Claims), "assertion", "assertions")},
		Facts: s.facts(t, c),
		Tabs:  []tui.Tab{s.sourceTab(t, c), s.draftTab(t, c), {Name: fromTab, Content: func(context.Context) (content, error) { return from(t, c), nil }}},
	}
}

// facts say why the case would exist, what is proposed, and what would be lost.
func (s *Screen) facts(t *migration.Test, c migration.Choice) []tui.Fact {
	why, aside := s.drafted(t, c), "to be confirmed"
	if c.Provenance != "" {
		why, aside = c.Provenance, "confirmed"
	}
	facts := []tui.Fact{
		{Label: "why", Text: why, Aside: aside},
		{Label: "pile", Text: word(t.Pile) + ": " + t.Why, Aside: sure(t.Sure)},
	}
	if c.Verdict == migration.Merge {
		if into := s.Suite.Test(c.Into); into != nil {
			facts = append(facts, tui.Fact{Label: "into", Text: into.Name})
		}
	}
	var left int
	piles := t.Piles(c)
	for i := range t.Claims {
		if t.Claims[i].Left != "" && piles[i] != legacy.SDK {
			left++
		}
	}
	if left > 0 {
		facts = append(facts, tui.Fact{Label: "left", Text: phrase.Count(left, "assertion cannot be said as a check", "assertions cannot be said as checks") + ": the draft has it as a comment"})
	}
	return facts
}

// drafted is why the case would exist as its draft says.
func (s *Screen) drafted(t *migration.Test, c migration.Choice) string {
	if c.Draft != nil {
		return migration.ProvenanceOf(c.Draft)
	}
	return t.Draft.Provenance
}

func sure(p float64) string {
	if p <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%% sure", int(100*p+0.5))
}

// contractOf is the function whose contract a test belongs to; "" for that of
// most tests.
func (s *Screen) contractOf(t *migration.Test) string {
	if len(s.asks) > 1 && t.Asked != "" && t.Asked != s.asks[0] {
		return t.Asked
	}
	return ""
}

// contract is what a test gives to the contract under a choice.
func contract(t *migration.Test, c migration.Choice) *draft.Contract {
	var e draft.Expectation
	e.Loose = true
	for i, p := range t.Piles(c) {
		if p == legacy.Contract && t.Claims[i].Expect != nil {
			e.Add(t.Claims[i].Expect)
		}
	}
	if e.Values == nil {
		return nil
	}
	return &draft.Contract{Expect: e.Values}
}
