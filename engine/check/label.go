package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docket/engine/label"
	"docket/engine/source"
)

// A labelCheck passes when the output chose a label, or exactly a set of them.
// It asks the suite's own finder, so that it agrees with the projection.
type labelCheck struct {
	finder     *label.Finder
	want       []string // sorted; empty asks for none
	ignoreCase bool
}

func (l *labelCheck) Name() string { return "label" }

func (l *labelCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	found := l.finder.Find(s.Output, s.Document, s.HasDocument)
	var got []string
	switch found := found.(type) {
	case string:
		got = []string{found}
	case []any:
		for _, v := range found {
			got = append(got, fmt.Sprint(v))
		}
	}
	if slices.Equal(l.folded(got), l.folded(l.want)) {
		return passed(), nil
	}
	return failed("the label is %s, not %s", spellLabels(got), spellLabels(l.want)), nil
}

func (l *labelCheck) folded(labels []string) []string {
	var all []string
	for _, s := range labels {
		all = append(all, fold(s, l.ignoreCase))
	}
	slices.Sort(all)
	return all
}

func spellLabels(labels []string) string {
	if len(labels) == 0 {
		return "none"
	}
	var quoted []string
	for _, s := range labels {
		quoted = append(quoted, quote(s))
	}
	return strings.Join(quoted, " and ")
}

func compileLabel(c *compiler, v source.Value) []item {
	l := &labelCheck{finder: c.env.Labels, ignoreCase: c.ignoreCase}
	if !l.finder.Measures() {
		c.problem(v, "label: the suite does not say what its labels are: list them under labels, or name their place under projections.label.path, in .docket.yaml")
		return nil
	}
	switch v.Kind() {
	case source.List:
		l.want = c.strings(v, "label", "[overdue, disputed]")
		for _, item := range v.Items() {
			if s, ok := item.Text(); ok {
				l.listed(c, item, s)
			}
		}
	case source.Null: // no label at all
	case source.Bool:
		l.want = []string{v.Scalar()}
	default:
		s, ok := c.str(v, "a label, or a list of labels")
		if !ok {
			return nil
		}
		l.listed(c, v, s)
		l.want = []string{s}
	}
	return []item{{l, map[string]any{"labels": texts(l.folded(l.want)), ignoreCase: l.ignoreCase}}}
}

// listed refuses a label that the suite does not list, which no output would
// ever have.
func (l *labelCheck) listed(c *compiler, v source.Value, name string) {
	if l.finder.Chooses(name) {
		return
	}
	known := l.finder.Labels()
	if l.ignoreCase && slices.ContainsFunc(known, func(s string) bool { return fold(s, true) == fold(name, true) }) {
		return
	}
	c.problem(v, "label: %s is not among the suite's labels: %s", quote(name), source.Suggest(name, known))
}
