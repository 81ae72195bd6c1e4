package prune

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"docket/engine/coverage"
	"docket/engine/decision"
	"docket/engine/phrase"
	"docket/engine/provenance"
	"docket/engine/pruning"
	"docket/engine/results"
	"docket/engine/suggestion"
	"docket/engine/suite"
	"docket/tui"
	"docket/tui/highlight"
	"docket/tui/list"
	"docket/tui/pair"
	"docket/tui/style"
)

// Evidence is what there is to know of proposed cases; *engine.Prune has it.
// Why and CaseText may read files, the others answer at once, and
// several goroutines may ask them.
type Evidence interface {
	Proposal(id string) pruning.Proposal
	Case(id string) *suite.Case
	Incidents(id string) []string
	Against(id string) []pruning.Objection
	Lost(id string) []coverage.Loss
	Shared(id string) map[coverage.Feature]int
	Leaves(id string) (files, stay, modes []string)
	Past(id string) []decision.Past
	Tally(id string) results.Tally

	Why(ctx context.Context, id string) (*provenance.Story, error)
	CaseText(id string) (path, text string, err error)
	CaseFile(id string) (path string, ok bool)
}

// Options are what a screen is made of.
type Options struct {
	Suite     string
	Cases     int // of the suite
	Proposals []pruning.Proposal
	Found     suggestion.Found // what was left out
	Evidence  Evidence
	Session   tui.Session
	Check     func(id string, v pruning.Verdict, text string) error
	Command   string // what opens the screen again
	Notice    string
	ReadOnly  string
}

// Screen implements tui.Screen over proposals.
type Screen struct {
	Options
	yaml    highlight.Language
	against int // how many proposals something spoke against, when they were listed last

	mu    sync.Mutex
	shown map[string]string // by case, what the tab of losses said when it was shown
}

// New makes the screen.
func New(o Options) *Screen {
	s := &Screen{Options: o, yaml: highlight.YAML(), shown: map[string]string{}}
	if session, ok := o.Session.(*Session); ok {
		session.changed = s.changed
	}
	return s
}

// The tabs. The first three have to be looked at before a verdict.
const (
	whyTab    = "why"
	caughtTab = "caught"
	lostTab   = "lost"
	caseTab   = "case"
)

// Spec implements tui.Screen.
func (s *Screen) Spec() tui.Spec {
	admit := func(v pruning.Verdict) func(row, text string) error {
		return func(row, text string) error { return s.Check(row, v, text) }
	}
	return tui.Spec{
		Title: "proposed for deletion", One: "case", Many: "cases", Command: s.Command,
		Groupings: []string{"ground", "what speaks against it", "nothing"},
		Verdicts: []tui.Verdict{
			{ID: string(pruning.Keep), Key: "a", Name: "keep", Long: "keep the case, with the reason on record", Done: "kept", Glyph: "✓", ASCII: "y", Role: style.Good, Ask: "reason", Admit: admit(pruning.Keep)},
			{ID: string(pruning.Retire), Key: "d", Name: "retire", Long: "delete the case, its lines and its own fixtures", Done: "retired", Glyph: "✗", ASCII: "x", Role: style.Bad, Ask: "reason", Typed: true, Admit: admit(pruning.Retire), AskOf: s.askRetire},
			{ID: string(pruning.Merge), Key: "m", Name: "merge into", Long: "retire the case, and add what it asks to another: ID, and why", Done: "merged", Glyph: "»", ASCII: ">", Role: style.Accent, Ask: "id, then reason", Typed: true, Admit: admit(pruning.Merge)},
			{ID: string(pruning.Mend), Key: "p", Name: "fix provenance", Long: "write anew why the case exists; up fetches what stands there", Done: "provenance fixed", Glyph: "+", ASCII: "+", Role: style.Accent, Ask: "provenance", Typed: true, Admit: admit(pruning.Mend)},
		},
		Actions: []tui.Action{{Key: "e", Word: "edit", Name: "open the case in $EDITOR", Do: s.edit}},
		Session: s.Session, MustSee: []string{whyTab, caughtTab, lostTab}, Ripples: true,
		Notice: s.Notice, ReadOnly: s.ReadOnly,
		Terms: []string{"against", "tag"}, Term: s.term, Before: s.before,
	}
}

// askRetire asks for the incident's name where there is one.
func (s *Screen) askRetire(id string) string {
	if names := s.Evidence.Incidents(id); len(names) > 0 {
		return "reason, with " + phrase.Series(names, "and")
	}
	return "reason"
}

// before is the reason with which a case was kept in the past, and the
// provenance that is to be mended.
func (s *Screen) before(id, verdict string) string {
	switch pruning.Verdict(verdict) {
	case pruning.Keep:
	case pruning.Mend:
		if c := s.Evidence.Case(id); c != nil {
			return c.Provenance
		}
		return ""
	default:
		return ""
	}
	past := s.Evidence.Past(id)
	for i := len(past) - 1; i >= 0; i-- {
		if past[i].Verdict == decision.Keep {
			return past[i].Reason
		}
	}
	return ""
}

func (s *Screen) edit(at tui.At) tui.Effect {
	if at.Row == nil {
		return tui.Effect{Notice: "put the cursor on a case to edit its file"}
	}
	if path, ok := s.Evidence.CaseFile(at.Row.ID); ok {
		return tui.Effect{Edit: path, Reload: true}
	}
	return tui.Effect{Notice: "this case has no file to edit", Failed: true}
}

// term compiles against:WORD and tag:NAME.
func (s *Screen) term(key, value string) (func(*list.Row) bool, error) {
	value = strings.ToLower(value)
	switch key {
	case "against":
		return func(row *list.Row) bool {
			for _, o := range s.Evidence.Against(row.ID) {
				if strings.Contains(o.Word, value) {
					return true
				}
			}
			return false
		}, nil
	case "tag":
		return func(row *list.Row) bool {
			c := s.Evidence.Case(row.ID)
			for _, tag := range c.Tags {
				if strings.HasPrefix(strings.ToLower(tag), value) {
					return true
				}
			}
			return false
		}, nil
	}
	return nil, fmt.Errorf("there is no term %q here, only against and tag", key)
}

// Head implements tui.Screen.
func (s *Screen) Head() tui.Head {
	h := tui.Head{
		Subject: []string{s.Suite, "cases proposed for deletion"},
		Count:   fmt.Sprintf("%d of %s proposed", len(s.Proposals), phrase.Count(s.Cases, "case", "cases")),
	}
	if s.against > 0 {
		h.Summary = append(h.Summary, style.Of(style.Bad, strconv.Itoa(s.against)+" with something that speaks against it"))
	} else {
		h.Summary = append(h.Summary, style.Of(style.Dim, "nothing was found that speaks against it"))
	}
	marks := map[string]int{}
	for _, mark := range s.Session.Marks() {
		marks[mark.Verdict]++
	}
	for _, v := range []struct {
		id   pruning.Verdict
		word string
	}{{pruning.Keep, "to keep"}, {pruning.Retire, "to retire"}, {pruning.Merge, "to merge"}, {pruning.Mend, "to mend"}} {
		if n := marks[string(v.id)]; n > 0 {
			h.Summary = append(h.Summary, style.Line{{Text: strconv.Itoa(n), Role: style.Strong}, {Text: " " + v.word, Role: style.Plain}})
		}
	}
	if left := LeftOut(s.Found); left != "" {
		h.Summary = append(h.Summary, style.Of(style.Dim, left))
	}
	return h
}

// LeftOut says what docket found grounds against and did not propose.
func LeftOut(f suggestion.Found) string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{f.Heavy, "of weight above 1"}, {f.Incidents, "of incidents"}, {f.Kept, "kept before"}} {
		if part.n > 0 {
			parts = append(parts, strconv.Itoa(part.n)+" "+part.what)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "not proposed: " + phrase.Series(parts, "and")
}

// Groups implements tui.Screen.
func (s *Screen) Groups(grouping int) []list.Group {
	by := map[string]*list.Group{}
	var order []string
	s.against = 0
	for _, p := range s.Proposals {
		row, against := s.row(p)
		if len(against) > 0 {
			s.against++
		}
		kind, label, role := "", "", style.Plain
		switch grouping {
		case 0:
			kind, label = ground(p)
		case 1:
			kind, label = "against", "nothing that docket found"
			if len(against) > 0 {
				label, role = against[0].Word, style.Bad
			}
		}
		key := kind + "\x00" + label
		if by[key] == nil {
			by[key] = &list.Group{ID: key, Kind: kind, Label: label, KindRole: role}
			order = append(order, key)
		}
		by[key].Rows = append(by[key].Rows, row)
	}
	// What something speaks against is read first.
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Compare(-int(by[a].KindRole), -int(by[b].KindRole))
	})
	groups := make([]list.Group, 0, len(order))
	for _, key := range order {
		groups = append(groups, *by[key])
	}
	return groups
}

// row is a proposal in the list: what speaks against it stands at its edge.
func (s *Screen) row(p pruning.Proposal) (list.Row, []pruning.Objection) {
	against := s.Evidence.Against(p.ID)
	row := list.Row{ID: p.ID}
	var words []string
	for _, o := range against {
		words = append(words, o.Word, o.Text)
	}
	if len(against) > 0 {
		row.Note, row.NoteRole = "! "+against[0].Word, style.Bad
		if len(against) > 1 {
			row.Note += " +" + strconv.Itoa(len(against)-1)
		}
	}
	if c := s.Evidence.Case(p.ID); c != nil {
		words = append(words, c.Provenance, strings.Join(c.Tags, " "))
	}
	row.Also = strings.Join(words, " ")
	return row, against
}

// ground says in which group a proposal stands: by docket's first ground, or
// else by how a person asked for it.
func ground(p pruning.Proposal) (kind, label string) {
	switch {
	case len(p.Findings) > 0:
		return string(p.Findings[0].Ground), ""
	case p.Asked != "":
		return p.Asked, ""
	}
	return "proposed", ""
}

// Detail implements tui.Screen.
func (s *Screen) Detail(row list.Row) tui.Detail {
	id := row.ID
	p := s.Evidence.Proposal(id)
	last := tui.Tab{Name: caseTab, Slow: true, Content: func(context.Context) (pair.Content, error) { return s.caseText(id) }}
	if other := twin(p); other != "" {
		last = tui.Tab{Name: "beside " + other, Slow: true, Content: func(context.Context) (pair.Content, error) { return s.beside(id, other) }}
	}
	return tui.Detail{
		Title: s.title(id),
		Facts: s.facts(id, p),
		Tabs: []tui.Tab{
			{Name: whyTab, Content: func(context.Context) (pair.Content, error) { return s.why(id), nil }, More: func(ctx context.Context) (pair.Content, error) { return s.whyWithStory(ctx, id) }},
			{Name: caughtTab, Slow: true, Content: func(ctx context.Context) (pair.Content, error) { return s.caught(ctx, id) }},
			{Name: lostTab, Content: func(context.Context) (pair.Content, error) { return s.lost(id), nil }},
			last,
		},
	}
}

func twin(p pruning.Proposal) string {
	for _, f := range p.Findings {
		if f.Other != "" {
			return f.Other
		}
	}
	return ""
}

func (s *Screen) title(id string) []string {
	title := []string{id}
	if c := s.Evidence.Case(id); c != nil {
		if c.Version > 1 {
			title = append(title, "v"+strconv.Itoa(c.Version))
		}
		if c.Weight != 1 {
			title = append(title, "weight "+strconv.FormatFloat(c.Weight, 'g', -1, 64))
		}
	}
	return title
}

// facts stand above the tabs: what speaks against deleting the case, why it
// exists, and on what ground it is proposed. In a small window the last go.
func (s *Screen) facts(id string, p pruning.Proposal) []tui.Fact {
	var facts []tui.Fact
	if against := s.Evidence.Against(id); len(against) > 0 {
		texts := make([]string, len(against))
		for i, o := range against {
			texts[i] = o.Text
		}
		facts = append(facts, tui.Fact{Label: "against", Text: strings.Join(texts, "; "), Role: style.Bad})
	}
	if c := s.Evidence.Case(id); c != nil {
		aside := ""
		if c.Added != "" {
			aside = "added " + c.Added
		}
		facts = append(facts, tui.Fact{Label: "why", Text: c.Provenance, Aside: aside})
	}
	var grounds []string
	for _, f := range p.Findings {
		grounds = append(grounds, f.Why)
	}
	if len(grounds) == 0 {
		grounds = append(grounds, p.Asked+", and docket knows no ground")
	}
	return append(facts, tui.Fact{Label: "ground", Text: strings.Join(grounds, "; ")})
}
