package review

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/agreement"
	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/tui"
	"docket/tui/pair"
	"docket/tui/style"
)

// changesTab is what changed, old beside new. The messages of failing checks
// come when the answers have been read, and the evidence of all stored runs
// when those have been: until then the baseline's own stands there. So does what
// git remembers of a case that is gone.
func (s *Screen) changesTab(c *diff.Case) tui.Tab {
	claimed := s.Evidence.Claimed(c)
	tab := tui.Tab{Name: projectionsTab, Content: func(context.Context) (pair.Content, error) {
		return s.changes(c, s.answers.messages(c.ID), claimed)
	}}
	reads := (fails(c) || unjudged(c)) && !s.answers.has(c.ID)
	if reads || len(claimed) > 0 || s.remembered(c) {
		tab.More = func(ctx context.Context) (pair.Content, error) {
			if reads {
				// Without messages the changes are all there is to show.
				_ = s.answers.load(ctx, c.ID)
			}
			rests, err := s.Evidence.Agreement(ctx, c)
			if err != nil {
				rests = claimed // a store that cannot be read is told by the tabs that show it
			}
			content, err := s.changes(c, s.answers.messages(c.ID), rests)
			if rows, ok := content.Source.(pair.Rows); ok && s.remembered(c) {
				rows = append(s.remains(ctx, c), rows...)
				content.Source, content.NameWidth = rows, nameWidth(rows)
			}
			return content, err
		}
	}
	return tab
}

// resting lists on what the old values rest that differ now: how many samples
// agreed on them, what that cannot rule out, and where the samples are from.
func resting(sentences []agreement.Sentence) pair.Rows {
	rows := make(pair.Rows, len(sentences))
	for i, s := range sentences {
		rows[i] = pair.Row{Kind: pair.Wide, Name: "evidence", Old: style.Of(style.Dim, s.String())}
	}
	return rows
}

// fails reports whether some check that changed does not pass any more.
func fails(c *diff.Case) bool {
	return c.NewLine != nil && slices.ContainsFunc(c.Changes, func(change diff.Change) bool {
		return change.Kind == diff.OfCheck && change.Effect != diff.Gained && change.Effect != diff.Rose
	})
}

// changes lays both lines of a case beside each other: what changed and on what
// the old values rest, what was unstable, what stands apart, and what did not
// change.
func (s *Screen) changes(c *diff.Case, messages map[string]string, rests []agreement.Sentence) (pair.Content, error) {
	before, after, err := lines(c)
	if err != nil {
		return pair.Content{}, err
	}
	content := pair.Content{Old: "baseline", New: "candidate"}
	var rows pair.Rows
	switch {
	case c.Status == diff.New:
		content.Note = "The baseline has no line of this case yet: to accept adds it."
		rows = append(unscored(c, &after, messages), measured(after, c.NewSamples, pair.Added)...)
	case c.Status == diff.Gone:
		content.Note = "There is no case file any more: to accept removes the line, and the decision keeps it."
		if s.Files != "" {
			content.Note = "The new file has no line for this case: to accept removes it from what is written, and the decision keeps it."
		}
		rows = measured(before, c.OldSamples, pair.Lost)
	case c.NewLine == nil:
		content.Note = "There is nothing new to compare: the case keeps its line."
		if before.ID != "" {
			rows = measured(before, c.OldSamples, pair.Same)
		}
		if c.Error != "" {
			// Whole: of a missing recording, what differs stands at its end.
			rows = append(pair.Rows{{Kind: pair.Wide, Name: word(c.Status), Old: style.Of(style.Plain, c.Error)}}, rows...)
		}
	default:
		if c.Edited {
			content.Note = "The case was edited since the baseline. What was asked alike is compared, the rest stands apart."
		}
		content.Parts = part(c, &diff.Change{}) != ""
		rows = slices.Concat(changed(c, messages), unscored(c, &after, messages), resting(rests), unstable(c, &before, &after), apart(c), same(c, &before, &after))
	}
	content.Source, content.NameWidth = rows, nameWidth(rows)
	return content, nil
}

// nameWidth is the width that the names of what shows at first need: the long
// name of an unchanged row would take the room from the values.
func nameWidth(rows pair.Rows) int {
	shown := slices.DeleteFunc(slices.Clone(rows), func(r pair.Row) bool { return r.Kind == pair.Same })
	if len(shown) == 0 {
		shown = rows
	}
	return max(shown.NameWidth(), 12)
}

// lines parses both lines of a case; a side that has none is zero.
func lines(c *diff.Case) (before, after baseline.Line, err error) {
	if c.OldLine != nil {
		if before, err = baseline.ParseLine(c.OldLine); err != nil {
			return before, after, fmt.Errorf("the baseline's line: %w", err)
		}
	}
	if c.NewLine != nil {
		if after, err = baseline.ParseLine(c.NewLine); err != nil {
			return before, after, fmt.Errorf("the run's line: %w", err)
		}
	}
	return before, after, nil
}

// changed lists the changes: what was lost first, then what differs, then what
// was gained, then what is unsettled. The members that one projection lost are
// one row.
func changed(c *diff.Case, messages map[string]string) pair.Rows {
	changes := slices.Clone(c.Changes)
	slices.SortStableFunc(changes, func(a, b diff.Change) int { return rank(a.Effect) - rank(b.Effect) })
	var rows pair.Rows
	for i := 0; i < len(changes); i++ {
		change := changes[i]
		for joins(&change) && i+1 < len(changes) && changes[i+1].Of == change.Of && changes[i+1].Effect == change.Effect {
			i++
			change.Old, change.New = join(change.Old, changes[i].Old), join(change.New, changes[i].New)
		}
		rows = append(rows, changeRow(c, &change, messages))
	}
	return rows
}

func rank(e diff.Effect) int {
	switch e {
	case diff.Lost, diff.Fell:
		return 0
	case diff.Gained, diff.Rose:
		return 2
	case diff.Unclear:
		return 3
	default:
		return 1
	}
}

// joins reports whether a change is of one member among those of a list.
func joins(c *diff.Change) bool {
	return c.Kind == diff.OfProjection && (c.Effect == diff.Removed || c.Effect == diff.Added) && c.Of != "numbers"
}

func join(list, member any) any {
	all, ok := list.([]any)
	if !ok {
		all = []any{list}
	}
	return append(slices.Clip(all), member)
}

// changeRow makes the row of one change.
func changeRow(c *diff.Case, change *diff.Change, messages map[string]string) pair.Row {
	before, after := change.Sides(c.OldSamples, c.NewSamples)
	if change.Of == "tools" && change.Effect == diff.Differs {
		before, after = sequence(change.Old, before), sequence(change.New, after)
	}
	row := pair.Row{
		Key: part(c, change), Kind: pair.Changed, Word: effectWord(change.Effect), Unmarked: change.Kind == diff.OfCheck, Name: change.Name(), Old: style.Of(style.Plain, before), New: style.Of(style.Plain, after),
	}
	effect := change.Effect
	if effect == diff.Differs && empty(change.New) != empty(change.Old) {
		effect = diff.Removed // to none at all
		if empty(change.Old) {
			effect = diff.Added
		}
	}
	switch effect {
	case diff.Lost, diff.Fell:
		row.Sign, row.SignRole = "✗", style.Bad
	case diff.Gained, diff.Rose:
		row.Sign, row.SignRole = "✓", style.Good
	case diff.Unclear:
		row.Sign, row.SignRole = "?", style.Accent
		row.New = style.Line{{Text: "unsettled: ", Role: style.Dim}, {Text: after, Role: style.Plain}}
	case diff.Removed:
		row.Kind = pair.Lost
		if change.Kind == diff.OfProjection {
			row.New = nil
		}
	case diff.Added:
		row.Kind, row.Old = pair.Added, nil
	}
	if len(change.Tags) > 0 {
		row.New = append(row.New, style.Span{Text: " [" + strings.Join(change.Tags, ", ") + "]", Role: style.Dim})
	}
	if change.Kind == diff.OfCheck && messages[change.Of] != "" {
		row.New = append(row.New, style.Span{Text: "\n" + messages[change.Of], Role: style.Dim})
	}
	return row
}

// effectWord says what became of a check, or that a change is unsettled; "" for
// the rest, which the kind of the row says.
func effectWord(e diff.Effect) string {
	switch e {
	case diff.Fell, diff.Rose:
		return "score " + string(e)
	case diff.Lost, diff.Gained, diff.Unclear:
		return string(e)
	default:
		return ""
	}
}

// empty reports whether a value is a list of nothing, such as of tool calls.
func empty(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

// sequence spells calls in their order, one a line.
func sequence(value any, spelt string) string {
	calls, ok := value.([]any)
	if !ok || len(calls) < 2 {
		return spelt
	}
	lines := make([]string, len(calls))
	for i, call := range calls {
		lines[i] = diff.Spell(call)
	}
	return strings.Join(lines, "\n")
}

// unstable lists what the samples of a side disagreed on, with the values and
// how often each was seen. It is a finding and was not compared, but where the
// change is listed already.
func unstable(c *diff.Case, before, after *baseline.Line) pair.Rows {
	names := maps.Clone(before.Unstable)
	if names == nil {
		names = map[string]map[string]int{}
	}
	maps.Copy(names, after.Unstable)
	var rows pair.Rows
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if slices.ContainsFunc(c.Changes, func(change diff.Change) bool { return change.Kind == diff.OfProjection && change.Of == name }) {
			continue
		}
		rows = append(rows, pair.Row{Kind: pair.Apart, Sign: "≈", SignRole: style.Dim, Name: name, Old: unstableSide(before, name, before.Samples), New: unstableSide(after, name, counted(before, after, name))})
	}
	return rows
}

// counted is how many samples the new line's counts of what is unstable are of:
// where its own are too few to deny what the baseline saw, that was carried over
// and counts with them.
func counted(before, after *baseline.Line, name string) int {
	all := 0
	for _, n := range after.Unstable[name] {
		all += n
	}
	if all <= after.Samples || len(before.Unstable[name]) == 0 {
		return after.Samples
	}
	for value, n := range before.Unstable[name] {
		if after.Unstable[name][value] < n {
			return after.Samples
		}
	}
	return before.Samples + after.Samples
}

func unstableSide(l *baseline.Line, name string, of int) style.Line {
	var line style.Line
	if value, ok := l.Projections[name]; ok {
		line = append(line, style.Span{Text: diff.Spell(value), Role: style.Plain})
	}
	if counts := l.Unstable[name]; len(counts) > 0 {
		if len(line) > 0 {
			line = append(line, style.Span{Text: "\n", Role: style.Dim})
		}
		line = append(line, style.Span{Text: "unstable: ", Role: style.Dim}, style.Span{Text: diff.SpellCounts(counts, of), Role: style.Plain})
	}
	if len(line) == 0 {
		return style.Of(style.Dim, "(absent)")
	}
	return line
}

// apart lists what an edited case measures under other terms.
func apart(c *diff.Case) pair.Rows {
	rows := make(pair.Rows, len(c.Apart))
	for i := range c.Apart {
		before, after := c.Apart[i].Sides(c.OldSamples, c.NewSamples)
		rows[i] = pair.Row{
			Kind: pair.Apart, Sign: "|", SignRole: style.Dim, Name: c.Apart[i].Name(),
			Old: style.Of(style.Plain, before), New: style.Of(style.Plain, after),
		}
	}
	return rows
}

// same lists what did not change.
func same(c *diff.Case, before, after *baseline.Line) pair.Rows {
	var rows pair.Rows
	for _, u := range diff.Unwavering(c, before, after) {
		if u.Kind == diff.OfProjection && (len(before.Unstable[u.Of]) > 0 || len(after.Unstable[u.Of]) > 0) {
			continue // it is listed as unstable
		}
		old, new := u.Sides(c.OldSamples, c.NewSamples)
		rows = append(rows, pair.Row{Kind: pair.Same, Name: u.Of, Old: style.Of(style.Plain, old), New: style.Of(style.Plain, new)})
	}
	return rows
}

// measured lists all that one line holds, for a case that has no other.
func measured(l baseline.Line, samples int, kind pair.Kind) pair.Rows {
	var rows pair.Rows
	add := func(name string, value style.Line) {
		row := pair.Row{Kind: kind, Name: name}
		if kind != pair.Added {
			row.Old = value
		}
		if kind != pair.Lost {
			row.New = value
		}
		rows = append(rows, row)
	}
	for _, name := range slices.Sorted(maps.Keys(l.Checks)) {
		tally := l.Checks[name].Tally
		verdict := fmt.Sprintf("pass %d/%d", tally.Passed, tally.Of)
		if tally.None() {
			verdict = fmt.Sprintf("fail %d/%d", tally.Of, tally.Of)
		}
		add(name, style.Of(style.Plain, verdict))
	}
	for _, name := range slices.Sorted(maps.Keys(l.Projections)) {
		if len(l.Unstable[name]) == 0 {
			add(name, style.Of(style.Plain, diff.Spell(l.Projections[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Unstable)) {
		add(name, unstableSide(&l, name, l.Samples))
	}
	return rows
}

// message joins what failing samples of one check said, each text once with
// how often it was said.
func message(texts []string, samples int) string {
	const most, longest = 3, 400
	var distinct []string
	counts := map[string]int{}
	for _, text := range texts {
		if counts[text]++; counts[text] == 1 {
			distinct = append(distinct, text)
		}
	}
	var told []string
	for i, text := range distinct {
		if i == most {
			told = append(told, fmt.Sprintf("and %d more", len(distinct)-most))
			break
		}
		if runes := []rune(text); len(runes) > longest {
			text = string(runes[:longest]) + "…"
		}
		if n := counts[distinct[i]]; n < samples && samples > 1 {
			text = fmt.Sprintf("%d of %d: %s", n, samples, text)
		}
		told = append(told, text)
	}
	return strings.Join(told, "\n")
}
