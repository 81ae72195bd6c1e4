package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/label"
	"docket/engine/projection"
	"docket/engine/source"
)

func options(t testing.TB) diff.Options {
	t.Helper()
	labels, err := label.New([]string{"overdue", "paid", "disputed"}, "")
	if err != nil {
		t.Fatal(err)
	}
	set, problems := projection.Compile(source.Value{}, labels)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return diff.Options{Comparer: set, Tolerance: 1e-6, Gate: func(name string) bool { return name == "fact" }}
}

func bytesOf(l *baseline.Line) []byte { return baseline.AppendLine(nil, l) }

func labelled(value any) func(*baseline.Line) {
	return func(l *baseline.Line) { l.Projections["label"] = value }
}

// TestUnconfirmed: what differs is to be confirmed, except for a check of which
// one failure counts.
func TestUnconfirmed(t *testing.T) {
	one := func(edit func(*baseline.Line)) *baseline.Line {
		return line("a", func(l *baseline.Line) {
			l.Samples, l.Pass = 1, &baseline.Tally{Passed: 1, Of: 1}
			l.Checks = map[string]baseline.Check{"fact": {Tally: baseline.Tally{Passed: 1, Of: 1}, Low: 1, High: 1}}
			if edit != nil {
				edit(l)
			}
		})
	}
	strict, loose := options(t), options(t)
	loose.Gate = nil
	for _, test := range []struct {
		what    string
		new     *baseline.Line
		options diff.Options
		want    bool
	}{
		{"the same", one(nil), strict, false},
		{"another label", one(labelled("paid")), strict, true},
		{"a check was lost", one(func(l *baseline.Line) { fails(l, 0) }), loose, true},
		{"a check was lost of which one failure counts", one(func(l *baseline.Line) { fails(l, 0) }), strict, false},
		{"that and another label", one(func(l *baseline.Line) { fails(l, 0); labelled("paid")(l) }), strict, true},
	} {
		t.Run(test.what, func(t *testing.T) {
			got, err := diff.Unconfirmed(bytesOf(line("a", nil)), bytesOf(test.new), test.options)
			if err != nil || got != test.want {
				t.Errorf("got %v (%v), want %v", got, err, test.want)
			}
		})
	}
	if _, err := diff.Unconfirmed([]byte("{"), bytesOf(one(nil)), strict); err == nil {
		t.Error("a damaged line was compared")
	}
}

// TestOneFailureOfAStrictCheckCounts: further samples that pass do not take it
// back.
func TestOneFailureOfAStrictCheckCounts(t *testing.T) {
	new := line("a", func(l *baseline.Line) { l.Samples = 3; fails(l, 2) })
	for _, test := range []struct {
		what   string
		strict bool
		want   diff.Status
	}{{"any other check", false, diff.Unsettled}, {"personal data, a forbidden string, a schema", true, diff.Regressed}} {
		o := options(t)
		if !test.strict {
			o.Gate = nil
		}
		c, err := diff.One(bytesOf(line("a", nil)), bytesOf(new), o)
		if err != nil || c.Status != test.want {
			t.Errorf("%s: %s (%v), want %s", test.what, c.Status, err, test.want)
		}
	}
}

// TestAStrictCheckOfOneSide: one failure of it counts where the baseline never
// made it, too, and it cannot be taken away unseen; more samples change neither.
func TestAStrictCheckOfOneSide(t *testing.T) {
	without := line("a", func(l *baseline.Line) { delete(l.Checks, "fact") })
	for _, test := range []struct {
		what     string
		old, new *baseline.Line
		want     diff.Change
	}{
		{
			"2 of 3 pass, never made before", without, line("a", func(l *baseline.Line) { l.Samples = 3; fails(l, 2) }),
			diff.Change{Kind: diff.OfCheck, Of: "fact", Effect: diff.Lost, New: "2/3"},
		},
		{
			"none passes, never made before", without, line("a", func(l *baseline.Line) { fails(l, 0) }),
			diff.Change{Kind: diff.OfCheck, Of: "fact", Effect: diff.Lost, New: false},
		},
		{
			"not made any more", line("a", nil), without,
			diff.Change{Kind: diff.OfCheck, Of: "fact", Effect: diff.Lost, Old: true},
		},
	} {
		t.Run(test.what, func(t *testing.T) {
			c, err := diff.One(bytesOf(test.old), bytesOf(test.new), options(t))
			if err != nil || c.Status != diff.Regressed || len(c.Changes) != 1 || !cmp.Equal(c.Changes[0], test.want) {
				t.Errorf("%s with %+v (%v), want %+v", c.Status, c.Changes, err, test.want)
			}
			if more, err := diff.Unconfirmed(bytesOf(test.old), bytesOf(test.new), options(t)); err != nil || more {
				t.Errorf("further samples are asked for (%v)", err)
			}
		})
	}
	loose := options(t)
	loose.Gate = nil
	if more, err := diff.Unconfirmed(bytesOf(line("a", nil)), bytesOf(without), loose); err != nil || more {
		t.Errorf("further samples would not bring back what is not measured (%v)", err)
	}
}

// TestAllowedSets: a run within the set is the same; outside of it is changed;
// what else is accepted leaves the set as it is.
func TestAllowedSets(t *testing.T) {
	set := map[string]any{"any": []any{"disputed", "overdue"}}
	old := line("a", labelled(set))
	for _, test := range []struct {
		what string
		edit func(*baseline.Line)
		want diff.Status
		says string // of the change: old → new
		kept bool   // the proposed line has the set
	}{
		{"one of the set", labelled("disputed"), diff.Same, "", true},
		{"another", labelled("paid"), diff.Changed, "disputed or overdue → paid", false},
		{"split within the set", func(l *baseline.Line) {
			delete(l.Projections, "label")
			l.Unstable = map[string]map[string]int{"label": {"overdue": 2, "disputed": 1}}
			l.Samples = 3
		}, diff.Same, "", true},
		{"split, one outside", func(l *baseline.Line) {
			delete(l.Projections, "label")
			l.Unstable = map[string]map[string]int{"label": {"overdue": 2, "paid": 1}}
			l.Samples = 3
		}, diff.Unsettled, "disputed or overdue → overdue 2, paid 1 of 3", false},
		{"something else", func(l *baseline.Line) {
			labelled("overdue")(l)
			l.Projections["tools"] = []any{"refund(id)"}
		}, diff.Changed, "lookup(id) → refund(id)", true},
	} {
		t.Run(test.what, func(t *testing.T) {
			c, err := diff.One(bytesOf(old), bytesOf(line("a", test.edit)), options(t))
			if err != nil {
				t.Fatal(err)
			}
			says := ""
			if len(c.Changes) > 0 {
				before, after := c.Changes[0].Sides(c.OldSamples, c.NewSamples)
				says = before + " → " + after
			}
			if c.Status != test.want || says != test.says {
				t.Errorf("%s, %q; want %s, %q", c.Status, says, test.want, test.says)
			}
			proposed, err := baseline.ParseLine(c.NewLine)
			if err != nil {
				t.Fatal(err)
			}
			if kept := projection.IsAllowed(proposed.Projections["label"]); kept != test.kept {
				t.Errorf("the proposed line has the label %v", proposed.Projections["label"])
			}
		})
	}
}
