package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"docket/tui"
	"docket/tui/list"
	"docket/tui/pair"
	"docket/tui/style"
)

// fruits is a toy screen: which fruit to keep and which to drop at a market,
// with prices of last week beside those of this week. It has what the real
// screens have, and nothing of theirs.
type fruits struct {
	rows    []fruit
	session *basket
	spec    func(*tui.Spec)
	raw     bool
}

type fruit struct {
	name, colour, was, is string
	note                  string
}

// market is what the goldens show.
func market() *fruits {
	f := &fruits{session: &basket{}}
	add := func(colour, was, is, note string, names ...string) {
		for _, name := range names {
			f.rows = append(f.rows, fruit{name, colour, was, is, note})
		}
	}
	add("green", "2.10 a kilo", "2.60 a kilo", "", "apple-0031", "apple-0044", "gooseberry-0101", "grape-0007", "kiwi-0012", "lime-0019", "pear-0100", "pear-0102", "plum-0003")
	add("red", "in season until the end of September", "in season until the middle of October", "bruised", "cherry-0021", "strawberry-0400")
	add("yellow", "", "1.10 each", "new", "lemon-0008 [crate a:b/c] 返金 with a name that is longer than any column")
	return f
}

// many makes a market of n fruit in groups of at most 100.
func many(n int) *fruits {
	f := &fruits{session: &basket{}}
	f.rows = make([]fruit, n)
	for i := range f.rows {
		f.rows[i] = fruit{fmt.Sprintf("fruit-%06d", i), fmt.Sprintf("colour %d", i/100), "2.10 a kilo", "2.60 a kilo", ""}
	}
	return f
}

func (f *fruits) Spec() tui.Spec {
	s := tui.Spec{
		Title: "fruit", One: "fruit", Many: "fruits", Command: "market review", Groupings: []string{"colour", "nothing"},
		Verdicts: []tui.Verdict{
			{ID: "keep", Key: "a", Bulk: "A", Name: "keep", Done: "kept", Glyph: "✓", ASCII: "y", Role: style.Good, Ask: "reason"},
			{ID: "drop", Key: "r", Bulk: "R", Name: "drop", Done: "dropped", Glyph: "✗", ASCII: "x", Role: style.Bad, Ask: "reason", Check: func(text string) error {
				if text == "because" {
					return errors.New("because is no reason")
				}
				return nil
			}},
			{ID: "later", Key: "d", Name: "put off", Done: "put off", Glyph: "»", ASCII: ">", Role: style.Dim},
		},
		Actions: []tui.Action{
			{Key: "o", Word: "grams", Name: "weights in grams", Tab: "scales", Do: func(tui.At) tui.Effect { f.raw = !f.raw; return tui.Effect{Reload: true} }},
			{Key: "e", Word: "edit", Name: "edit the label", Do: func(at tui.At) tui.Effect { return tui.Effect{Edit: "/dev/null"} }},
			{Key: "t", Word: "taste", Name: "taste it", Do: func(at tui.At) tui.Effect {
				return tui.Effect{Notice: "tasting", Work: func(context.Context) tui.Effect { return tui.Effect{Notice: "sweet"} }}
			}},
			{Key: "b", Word: "bite", Name: "bite into a stone", Do: func(tui.At) tui.Effect {
				return tui.Effect{Work: func(context.Context) tui.Effect { panic("a stone") }}
			}},
			{Key: "i", Word: "swallow", Name: "swallow it", Do: func(tui.At) tui.Effect { panic("a pip") }},
		},
		Session: f.session, Parts: true, Terms: []string{"colour", "note"},
		Term: func(key, value string) (func(*list.Row) bool, error) {
			if value == "" {
				return nil, errors.New(key + ": needs a value, such as " + key + ":red")
			}
			return func(r *list.Row) bool {
				fruit := f.rows[r.Index]
				return key == "colour" && strings.HasPrefix(fruit.colour, value) || key == "note" && strings.HasPrefix(fruit.note, value)
			}, nil
		},
		Caution: func(rows []string, verdict string) []string {
			n := 0
			for _, row := range f.rows {
				if row.note == "bruised" && slices.Contains(rows, row.name) {
					n++
				}
			}
			if n == 0 {
				return nil
			}
			return []string{fmt.Sprintf("%d of them are bruised.", n)}
		},
	}
	if f.spec != nil {
		f.spec(&s)
	}
	return s
}

func (f *fruits) Head() tui.Head {
	return tui.Head{
		Subject: []string{"market", "stall 4", "prices of the week", "spring → summer"},
		Count:   fmt.Sprintf("%d of 220 changed", len(f.rows)),
		Date:    "2026-08-11",
		Summary: []style.Line{
			{{Text: "price ", Role: style.Plain}, {Text: "9", Role: style.Strong}},
			{{Text: "season ", Role: style.Plain}, {Text: "2", Role: style.Strong}},
			{{Text: "taste ", Role: style.Dim}, {Text: "0", Role: style.Dim}},
			{{Text: "2 bruised", Role: style.Bad}, {Text: "  1 new", Role: style.Good}},
			{{Text: "sold −0.021 ±0.034, within noise", Role: style.Plain}},
		},
	}
}

func (f *fruits) Groups(grouping int) []list.Group {
	var groups []list.Group
	for i, fruit := range f.rows {
		id := fruit.colour
		if grouping == 1 {
			id = "all"
		}
		if len(groups) == 0 || groups[len(groups)-1].ID != id {
			g := list.Group{ID: id}
			if grouping == 0 {
				g.Kind, g.Label = "price", fruit.colour+" → up"
				g.About = []string{"Fruit whose price went up alike."}
			}
			groups = append(groups, g)
		}
		g := &groups[len(groups)-1]
		g.Rows = append(g.Rows, list.Row{ID: fruit.name, Note: fruit.note, Index: i})
	}
	return groups
}

func (f *fruits) Detail(row list.Row) tui.Detail {
	fruit := f.rows[row.Index]
	plain := func(s string) style.Line { return style.Of(style.Plain, s) }
	prices := func(context.Context) (pair.Content, error) {
		kind := pair.Changed
		if fruit.was == "" {
			kind = pair.Added
		}
		rows := pair.Rows{
			{Key: "price", Kind: kind, Name: "price", Old: plain(fruit.was), New: plain(fruit.is)},
			{Key: "crates", Kind: pair.Lost, Name: "crates", Old: plain("stack_crate(crate_id, height, colour)")},
			{Key: "ripeness", Kind: pair.Changed, Sign: "✗", SignRole: style.Bad, Name: "ripeness", Old: plain("ripe 5/5"), New: plain("hard 3/3")},
			{Kind: pair.Same, Name: "origin", Old: plain("Spain"), New: plain("Spain")},
			{Kind: pair.Same, Name: "grower", Old: plain("A. Mora"), New: plain("A. Mora")},
		}
		return pair.Content{Source: rows, Old: "spring", New: "summer", NameWidth: rows.NameWidth(), Parts: true}, nil
	}
	label := func(context.Context) (pair.Content, error) {
		return pair.Content{
			Source: pair.Texts("Our "+fruit.name+" is picked by hand.\nKeep it cool and eat it within 30 days of purchase, or ask for your money back.\nThank you.",
				"Our "+fruit.name+" is picked by hand.\nKeep it cool and eat it within 14 days of purchase, or ask for your money back.\nIt may have a stone.\nThank you."),
			Old: "spring", New: "summer",
		}, nil
	}
	scales := func(context.Context) (pair.Content, error) {
		if fruit.name == "plum-0003" {
			return pair.Content{}, errors.New("the scales are not on this machine: market fetch gets them")
		}
		if f.raw {
			return pair.Prose(plain("120000 g")), nil
		}
		return pair.Prose(plain("120 kg"), plain("weighed twice")), nil
	}
	return tui.Detail{
		Title: []string{fruit.name, "v2", "weight 3", "price up, 5 → 3 samples"},
		Facts: []tui.Fact{{
			Label: "why", Text: "complaint 219 — the price board showed last week's price and two customers were charged the higher one",
			Aside: "added 2025-04-02, 3 decisions",
		}},
		Tabs: []tui.Tab{{Name: "prices", Content: prices}, {Name: "label", Content: label}, {Name: "scales", Slow: true, Content: scales}},
	}
}

// basket is a session in memory that logs what it was told, and can fail.
type basket struct {
	mu     sync.Mutex
	log    []tui.Decision // what stands
	undone []tui.Decision
	before []tui.Mark
	fail   error
	hold   chan struct{} // decisions wait for it, where it is set
	wrote  int
	onDisk func(string) // told of each decision
}

func (b *basket) Marks() []tui.Mark { return b.before }

func (b *basket) Decide(ctx context.Context, d tui.Decision) ([]tui.Mark, error) {
	if b.hold != nil {
		<-b.hold
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return nil, b.fail
	}
	b.log = append(b.log, d)
	b.undone = nil
	if b.onDisk != nil {
		b.onDisk(fmt.Sprintf("%s %s %s", d.Verdict, strings.Join(d.Rows, ","), d.Text))
	}
	return b.marks(d, d.Verdict), nil
}

// marks says how the rows of a decision stand.
func (b *basket) marks(d tui.Decision, verdict string) []tui.Mark {
	var out []tui.Mark
	for _, row := range d.Rows {
		mark := tui.Mark{Row: row, Part: d.Part, Verdict: verdict, Text: d.Text}
		if verdict == "" {
			for _, earlier := range b.log {
				if slices.Contains(earlier.Rows, row) && earlier.Part == d.Part {
					mark.Verdict, mark.Text = earlier.Verdict, earlier.Text
				}
			}
		}
		out = append(out, mark)
	}
	return out
}

func (b *basket) Undo(context.Context) ([]tui.Mark, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.log) == 0 {
		return nil, nil
	}
	last := b.log[len(b.log)-1]
	b.log, b.undone = b.log[:len(b.log)-1], append(b.undone, last)
	return b.marks(last, ""), nil
}

func (b *basket) Redo(context.Context) ([]tui.Mark, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.undone) == 0 {
		return nil, nil
	}
	next := b.undone[len(b.undone)-1]
	b.undone, b.log = b.undone[:len(b.undone)-1], append(b.log, next)
	return b.marks(next, next.Verdict), nil
}

func (b *basket) Plan(context.Context) (tui.Plan, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.log) == 0 {
		return tui.Plan{Refusal: "nothing is decided yet"}, nil
	}
	return tui.Plan{Lines: []string{fmt.Sprintf("%d decisions go into the list for the market.", len(b.log)), "What is undecided keeps its old price."}}, nil
}

func (b *basket) Write(context.Context) (tui.Closing, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return tui.Closing{}, b.fail
	}
	b.wrote++
	return tui.Closing{Lines: []string{fmt.Sprintf("wrote %d decisions", len(b.log)), "git add market.txt"}}, nil
}

// told lists what the session was told, in short.
func (b *basket) told() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, d := range b.log {
		s := d.Verdict + " " + strings.Join(d.Rows, ",")
		if d.Part != "" {
			s += "#" + d.Part
		}
		if d.Text != "" {
			s += " (" + d.Text + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}
