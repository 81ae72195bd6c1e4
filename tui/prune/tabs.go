package prune

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/engine/coverage"
	"docket/engine/phrase"
	"docket/engine/provenance"
	"docket/engine/pruning"
	"docket/engine/results"
	"docket/tui/pair"
	"docket/tui/style"
	"docket/tui/telling"
)

// sheet is a tab of labelled lines.
type sheet struct{ rows pair.Rows }

func (t *sheet) add(name string, line style.Line) {
	t.rows = append(t.rows, pair.Row{Kind: pair.Wide, Name: name, Old: line})
}

func (t *sheet) say(name string, role style.Role, text string) { t.add(name, style.Of(role, text)) }

func (t *sheet) gap() {
	if len(t.rows) > 0 {
		t.rows = append(t.rows, pair.Row{Kind: pair.Wide})
	}
}

func (t *sheet) content() pair.Content {
	return pair.Content{Source: t.rows, NameWidth: t.rows.NameWidth()}
}

// why says why the case exists, as its file and the decisions tell it.
func (s *Screen) why(id string) pair.Content {
	t := s.origin(id)
	return t.content()
}

// whyWithStory adds who wrote the case's file, and what was decided on it.
func (s *Screen) whyWithStory(ctx context.Context, id string) (pair.Content, error) {
	story, err := s.Evidence.Why(ctx, id)
	if err != nil {
		return pair.Content{}, err
	}
	t := s.origin(id)
	for _, section := range story.Sections() {
		if section.Name != caughtTab {
			t.section(&section)
		}
	}
	return t.content(), nil
}

// section adds a part of a story.
func (t *sheet) section(section *provenance.Section) { t.rows = telling.Section(t.rows, section) }

func (s *Screen) origin(id string) *sheet {
	t := &sheet{}
	c := s.Evidence.Case(id)
	if c == nil {
		return t
	}
	t.say("provenance", style.Strong, c.Provenance)
	if names := s.Evidence.Incidents(id); len(names) > 0 {
		t.say("incident", style.Bad, strings.Join(names, ", "))
	}
	t.say("added", style.Plain, cmp.Or(c.Added, "the case does not say when"))
	if len(c.Tags) > 0 {
		t.say("tags", style.Plain, strings.Join(c.Tags, ", "))
	}
	if c.Family != "" {
		t.say("family", style.Plain, c.Family)
	}
	t.say("weight", style.Plain, strconv.FormatFloat(c.Weight, 'g', -1, 64))
	t.say("file", style.Dim, c.Path)
	return t
}

// all is the word before the number of runs.
func all(tally results.Tally) string {
	if tally.Judged == 1 {
		return ""
	}
	return "all "
}

// caught says what the case brought to light, and what was done about it.
func (s *Screen) caught(ctx context.Context, id string) (pair.Content, error) {
	story, err := s.Evidence.Why(ctx, id)
	if err != nil {
		return pair.Content{}, err
	}
	t := &sheet{}
	span := func(tally results.Tally) string {
		if tally.Judged == 1 {
			return "its one run, on " + tally.First.Format(time.DateOnly)
		}
		return fmt.Sprintf("%s from %s to %s", phrase.Count(tally.Judged, "run", "runs"), tally.First.Format(time.DateOnly), tally.Last.Format(time.DateOnly))
	}
	switch tally := s.Evidence.Tally(id); {
	case tally.Judged == 0:
		t.say("results", style.Dim, "no run that asked a model judged this case on this machine, so nobody here knows what it would have caught")
	case tally.Failed == 0:
		t.say("results", style.Plain, "passed in "+all(tally)+span(tally))
	default:
		t.say("results", style.Bad, fmt.Sprintf("failed in %d of %s", tally.Failed, span(tally)))
	}
	for _, section := range story.Sections() {
		if section.Name == caughtTab {
			t.section(&section)
		}
	}
	return t.content(), nil
}

// lost says what the suite would not cover any more, and which files go.
func (s *Screen) lost(id string) pair.Content {
	t := &sheet{}
	losses := s.Evidence.Lost(id)
	var slight []coverage.Loss
	for _, l := range losses {
		if l.Slight() {
			slight = append(slight, l)
			continue
		}
		t.say(string(l.Kind), style.Bad, "the only case "+pruning.Only(l))
	}
	if len(slight) == len(losses) {
		t.say("lost", style.Good, "nothing that no other case covers")
	}
	for _, l := range slight {
		t.say(string(l.Kind), style.Dim, "the only case "+pruning.Only(l))
	}
	if shared := s.Evidence.Shared(id); len(shared) > 0 {
		t.gap()
		features := slices.SortedFunc(maps.Keys(shared), func(a, b coverage.Feature) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
		})
		for _, f := range features {
			t.say(string(f.Kind), style.Dim, f.Name+", as in "+phrase.Count(shared[f], "other case", "other cases"))
		}
	}
	files, stay, modes := s.Evidence.Leaves(id)
	t.gap()
	t.say("goes", style.Plain, strings.Join(files, "\n"))
	if len(modes) > 0 {
		t.say("", style.Plain, "its line in the "+phrase.Series(modes, "and")+" "+phrase.Form(len(modes), "baseline", "baselines"))
	}
	if len(stay) > 0 {
		t.say("stays", style.Dim, strings.Join(stay, "\n")+"\nwhich others read")
	}
	s.mu.Lock()
	s.shown[id] = spelled(losses)
	s.mu.Unlock()
	return t.content()
}

// spelled tells losses apart.
func spelled(losses []coverage.Loss) string {
	var b strings.Builder
	for _, l := range losses {
		if !l.Slight() {
			b.WriteString(string(l.Kind) + "\x00" + l.Name + "\x00")
		}
	}
	return b.String()
}

// changed says that more would be lost with a case than its tab showed.
func (s *Screen) changed(id string) error {
	s.mu.Lock()
	shown, ok := s.shown[id]
	s.mu.Unlock()
	if ok && shown != spelled(s.Evidence.Lost(id)) {
		return fmt.Errorf("what would be lost has changed, since other cases go too: look at the tab %s again", lostTab)
	}
	return nil
}

// caseText shows the file of the case.
func (s *Screen) caseText(id string) (pair.Content, error) {
	path, text, err := s.Evidence.CaseText(id)
	if err != nil {
		return pair.Content{}, err
	}
	content := pair.Prose(s.yaml.Lines(strings.TrimSuffix(text, "\n"))...)
	content.Note = path
	return content, nil
}

// beside shows the file of the case beside that of the case that it is like.
func (s *Screen) beside(id, other string) (pair.Content, error) {
	_, own, err := s.Evidence.CaseText(id)
	if err != nil {
		return pair.Content{}, err
	}
	_, text, err := s.Evidence.CaseText(other)
	if err != nil {
		return pair.Content{}, err
	}
	before, after := s.yaml.Lines(strings.TrimSuffix(own, "\n")), s.yaml.Lines(strings.TrimSuffix(text, "\n"))
	return pair.Content{
		Old: id, New: other, Whole: true,
		Source: pair.Lines{
			Matches: pair.Align(texts(before), texts(after)),
			Before:  func(i int) style.Line { return before[i] },
			After:   func(i int) style.Line { return after[i] },
		},
	}, nil
}

func texts(lines []style.Line) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = line.String()
	}
	return all
}
