package diff_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/label"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/run"
	"docket/engine/source"
)

var today = time.Date(2026, 8, 11, 0, 0, 0, 0, time.UTC)

// a line is a baseline line written short.
func line(id string, edit func(*baseline.Line)) *baseline.Line {
	score := 1.0
	l := &baseline.Line{
		ID: id, Version: 1, Input: "sha256:in", Expect: "sha256:ex",
		Pass: &baseline.Tally{Passed: 5, Of: 5}, Score: &score,
		Checks:      map[string]baseline.Check{"fact": {Tally: baseline.Tally{Passed: 5, Of: 5}, Low: 1, High: 1}},
		Params:      map[string]string{"fact": "01234567"},
		Projections: map[string]any{"label": "overdue", "tools": []any{"lookup(id)"}},
		Samples:     5, Outputs: "sha256:out",
	}
	if edit != nil {
		edit(l)
	}
	return l
}

func fails(l *baseline.Line, passed int) {
	score := float64(passed) / float64(l.Samples)
	l.Pass, l.Score = &baseline.Tally{Passed: passed, Of: l.Samples}, &score
	low := 0.0
	if passed == l.Samples {
		low = 1
	}
	high := 1.0
	if passed == 0 {
		high = 0
	}
	l.Checks = map[string]baseline.Check{"fact": {Tally: baseline.Tally{Passed: passed, Of: l.Samples}, Low: low, High: high}}
}

func file(t testing.TB, lines ...*baseline.Line) *baseline.File {
	t.Helper()
	data := baseline.AppendHeader(nil, &baseline.Header{Format: 1, Suite: "s", Mode: "live"})
	data = append(data, '\n')
	slices.SortFunc(lines, func(a, b *baseline.Line) int { return strings.Compare(a.ID, b.ID) })
	for _, l := range lines {
		data = append(baseline.AppendLine(data, l), '\n')
	}
	f, err := baseline.Parse("baselines/s/live.jsonl", data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func ran(results ...run.Result) *run.Run {
	slices.SortFunc(results, func(a, b run.Result) int { return strings.Compare(a.ID, b.ID) })
	return &run.Run{ID: "20260811T102203Z-7f3a", Config: baseline.Header{Format: 1, Suite: "s", Mode: "live"}, Whole: true, Results: results}
}

func result(l *baseline.Line) run.Result {
	return run.Result{ID: l.ID, Version: l.Version, Outcome: run.Measured, Line: baseline.AppendLine(nil, l)}
}

func compare(t testing.TB, old *baseline.File, r *run.Run) *diff.Diff {
	t.Helper()
	d, err := diff.Compare(old, r, diff.Options{Comparer: projection.Default(), Tolerance: 1e-6, Today: today})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range d.Summary.Statuses {
		total += n
	}
	if total != d.Summary.Cases {
		t.Fatalf("the statuses add up to %d, and there are %d cases", total, d.Summary.Cases)
	}
	return d
}

// TestStatusIsTheFirstThatHolds gives each status of the design, and the pairs
// in which two would hold.
func TestStatusIsTheFirstThatHolds(t *testing.T) {
	tests := []struct {
		name   string
		old    func(*baseline.Line)
		new    func(*baseline.Line)
		status diff.Status
		sign   string
	}{
		{"the same", nil, nil, diff.Same, ""},
		{"the same in other prose", nil, func(l *baseline.Line) { l.Outputs = "sha256:other" }, diff.Same, ""},
		{"the same over fewer samples", nil, func(l *baseline.Line) {
			l.Samples = 3
			l.Pass = &baseline.Tally{Passed: 3, Of: 3}
			l.Checks["fact"] = baseline.Check{Tally: baseline.Tally{Passed: 3, Of: 3}, Low: 1, High: 1}
		}, diff.Same, ""},
		{"a label changed", nil, func(l *baseline.Line) { l.Projections["label"] = "paid" }, diff.Changed, "label overdue → paid"},
		{"a call dropped", nil, func(l *baseline.Line) { l.Projections["tools"] = []any{} }, diff.Changed, "tools − lookup"},
		{"a check lost", nil, func(l *baseline.Line) { fails(l, 0) }, diff.Regressed, "fact lost"},
		{"a check lost and a label changed", nil, func(l *baseline.Line) { fails(l, 0); l.Projections["label"] = "paid" }, diff.Regressed, "fact lost, label overdue → paid"},
		{"a check lost and another gained", func(l *baseline.Line) {
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Of: 5}}
		}, func(l *baseline.Line) {
			fails(l, 0)
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Passed: 5, Of: 5}, Low: 1, High: 1}
		}, diff.Regressed, "fact lost, tone gained"},
		{"a check gained", func(l *baseline.Line) { fails(l, 0) }, nil, diff.Improved, "fact gained"},
		{"a check gained and a label changed", func(l *baseline.Line) { fails(l, 0) }, func(l *baseline.Line) { l.Projections["label"] = "paid" }, diff.Changed, "fact gained, label overdue → paid"},
		{"a check split", nil, func(l *baseline.Line) { fails(l, 2) }, diff.Unsettled, "fact unsettled"},
		{"a label split", nil, func(l *baseline.Line) {
			delete(l.Projections, "label")
			l.Unstable = map[string]map[string]int{"label": {"overdue": 2, "paid": 3}}
		}, diff.Unsettled, "label unsettled"},
		{"an input edited", nil, func(l *baseline.Line) { l.Input = "sha256:other"; l.Projections["label"] = "paid" }, diff.Redefined, "redefined"},
		{"an expectation edited, nothing else", nil, func(l *baseline.Line) { l.Expect = "sha256:other" }, diff.Redefined, "redefined"},
		{"a check lost in an edited case", nil, func(l *baseline.Line) { l.Expect = "sha256:other"; fails(l, 0) }, diff.Regressed, "fact lost"},
		{"a check edited and failing", nil, func(l *baseline.Line) {
			l.Expect = "sha256:other"
			l.Params = map[string]string{"fact": "76543210"}
			fails(l, 0)
		}, diff.Redefined, "redefined"},
		{"a file that an expectation names edited, its check failing", nil, func(l *baseline.Line) {
			l.Params = map[string]string{"fact": "76543210"}
			fails(l, 0)
		}, diff.Redefined, "redefined"},
		{"such an edit, and another check lost", func(l *baseline.Line) {
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Passed: 5, Of: 5}, Low: 1, High: 1}
			l.Params["tone"] = "aaaaaaaa"
		}, func(l *baseline.Line) {
			l.Params = map[string]string{"fact": "76543210", "tone": "aaaaaaaa"}
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Of: 5}}
		}, diff.Regressed, "tone lost"},
		{"nothing to compare", func(l *baseline.Line) {
			*l = baseline.Line{ID: l.ID, Version: 1, Input: l.Input, Samples: 5}
		}, func(l *baseline.Line) {
			*l = baseline.Line{ID: l.ID, Version: 1, Input: l.Input, Samples: 5}
		}, diff.Unmeasured, ""},
		{"a check that only the run makes, passing everywhere", nil, func(l *baseline.Line) {
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Passed: 5, Of: 5}, Low: 1, High: 1}
		}, diff.Same, ""},
		{"a check that only the run makes, passing nowhere", nil, func(l *baseline.Line) {
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Of: 5}}
		}, diff.Regressed, "tone lost"},
		{"a check that only the run makes, split", nil, func(l *baseline.Line) {
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Passed: 3, Of: 5}, High: 1}
		}, diff.Unsettled, "tone unsettled"},
		{"a check that the run no longer makes", nil, func(l *baseline.Line) { delete(l.Checks, "fact") }, diff.Changed, "fact no longer measured"},
		{"a check that failed and is no longer made", func(l *baseline.Line) { fails(l, 0) }, func(l *baseline.Line) { delete(l.Checks, "fact") }, diff.Changed, "fact no longer measured"},
		{"a failing check that came with an edit", nil, func(l *baseline.Line) {
			l.Expect = "sha256:other"
			l.Checks["tone"] = baseline.Check{Tally: baseline.Tally{Of: 5}}
		}, diff.Redefined, "redefined"},
		{"a projection added later", nil, func(l *baseline.Line) { l.Projections["length"] = "short" }, diff.Same, ""},
		{"unstable before, settled now", func(l *baseline.Line) {
			delete(l.Projections, "label")
			l.Unstable = map[string]map[string]int{"label": {"overdue": 2, "paid": 3}}
		}, func(l *baseline.Line) { l.Projections["label"] = "paid" }, diff.Same, ""},
		{"unstable before, never seen now", func(l *baseline.Line) {
			delete(l.Projections, "label")
			l.Unstable = map[string]map[string]int{"label": {"overdue": 2, "paid": 3}}
		}, func(l *baseline.Line) { l.Projections["label"] = "disputed" }, diff.Unsettled, "label unsettled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := compare(t, file(t, line("a", test.old)), ran(result(line("a", test.new))))
			if got := d.Summary.Statuses[test.status]; got != 1 {
				t.Fatalf("statuses %v, want one %s", d.Summary.Statuses, test.status)
			}
			if !test.status.Listed() {
				if len(d.Cases) != 0 {
					t.Errorf("the case is listed: %+v", d.Cases)
				}
				return
			}
			if sign := d.Cases[0].Signature(); sign != test.sign {
				t.Errorf("signature %q, want %q", sign, test.sign)
			}
		})
	}
}

// TestCasesPairByIDAlone covers the statuses of cases that one side lacks.
func TestCasesPairByIDAlone(t *testing.T) {
	old := file(t, line("a", nil), line("b", nil), line("c", nil), line("d", nil), line("e", nil))
	r := ran(result(line("a", nil)),
		run.Result{ID: "b", Outcome: run.Failed, Error: "timed out"},
		run.Result{ID: "c", Outcome: run.Missed, Error: "no recording"},
		run.Result{ID: "d", Outcome: run.NotRun},
		result(line("f", nil)))
	d := compare(t, old, r)
	want := map[diff.Status]int{diff.Same: 1, diff.Error: 1, diff.Missed: 1, diff.NotRun: 1, diff.Gone: 1, diff.New: 1}
	if fmt.Sprint(d.Summary.Statuses) != fmt.Sprint(want) {
		t.Errorf("statuses %v, want %v", d.Summary.Statuses, want)
	}

	r.Whole = false
	d = compare(t, old, r)
	if d.Summary.Statuses[diff.Gone] != 0 || d.Summary.Statuses[diff.NotRun] != 2 {
		t.Errorf("a run that is not whole proposes a disappearance: %v", d.Summary.Statuses)
	}
}

func TestGrounds(t *testing.T) {
	base := baseline.Header{
		Format: 1, Suite: "s", Mode: "live", Model: "m-1", Answered: []string{"m-1", "m-1b"},
		Params: map[string]any{"temperature": 0.0}, Environment: "staging", Prompt: "sha256:p", Expires: "2026-11-09",
	}
	tests := []struct {
		name   string
		old    func(*baseline.Header)
		new    func(*baseline.Header)
		ground string // field, or ""
		named  string
	}{
		{"the same", nil, nil, "", ""},
		{"a subset of what answered", nil, func(h *baseline.Header) { h.Answered = []string{"m-1"} }, "", ""},
		{"another model asked for", nil, func(h *baseline.Header) { h.Model = "m-2" }, "model", ""},
		{"an alias that moved", nil, func(h *baseline.Header) { h.Answered = []string{"m-2"} }, "answered", ""},
		{"a field that one side lacks", nil, func(h *baseline.Header) { h.Environment = "" }, "environment", ""},
		{"another temperature", nil, func(h *baseline.Header) { h.Params = map[string]any{"temperature": 0.7} }, "params", ""},
		{"another prompt", nil, func(h *baseline.Header) { h.Prompt = "sha256:q" }, "", "prompt"},
		{"expired", func(h *baseline.Header) { h.Expires = "2026-08-09" }, nil, "age", ""},
		{"expires today", func(h *baseline.Header) { h.Expires = "2026-08-11" }, nil, "", ""},
		{"never expires", func(h *baseline.Header) { h.Expires = "never" }, nil, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			old, new := base, base
			if test.old != nil {
				test.old(&old)
			}
			if test.new != nil {
				test.new(&new)
			}
			r := ran(result(line("a", nil)))
			r.Config = new
			f := file(t, line("a", nil))
			f.Header = old
			d := compare(t, f, r)
			if got := fields(d.Grounds); got != test.ground {
				t.Errorf("grounds %q, want %q", got, test.ground)
			}
			if got := fields(d.Named); got != test.named {
				t.Errorf("named %q, want %q", got, test.named)
			}
			if d.Comparable() != (test.ground == "") {
				t.Error("comparable and grounds contradict each other")
			}
		})
	}
}

// TestNothingMeasuredIsNoGround: a run in which every case failed knows no
// model that answered, which says nothing against the baseline's.
func TestNothingMeasuredIsNoGround(t *testing.T) {
	f := file(t, line("a", nil))
	f.Header = baseline.Header{Format: 1, Suite: "s", Mode: "replay", Answered: []string{"m-1"}, Recordings: "sha256:r"}
	r := ran(run.Result{ID: "a", Outcome: run.Missed, Error: "no recording"})
	r.Config = baseline.Header{Format: 1, Suite: "s", Mode: "replay"}
	if d := compare(t, f, r); !d.Comparable() {
		t.Errorf("grounds %v", d.Grounds)
	}
}

func fields(grounds []diff.Ground) string {
	var names []string
	for _, g := range grounds {
		names = append(names, g.Field)
	}
	return strings.Join(names, " ")
}

// TestTextSimilarityGetsThisBackwards are the six rows on which tools that
// compare text say the opposite of what happened.
func TestTextSimilarityGetsThisBackwards(t *testing.T) {
	long := strings.Repeat("The parcel left the warehouse on Monday and is expected within the week. ", 46)
	tests := []struct{ name, old, new, want string }{
		{"keys reordered", `{"action":"refund","amount":20,"order":"A-1"}`, `{"order":"A-1","amount":20,"action":"refund"}`, ""},
		{"another action", `{"action":"refund","amount":20,"order":"A-1"}`, `{"action":"reject","amount":20,"order":"A-1"}`, "label refund → reject"},
		{"another amount", `{"action":"refund","amount":20,"order":"A-1"}`, `{"action":"refund","amount":90,"order":"A-1"}`, "numbers amount moved"},
		{"another price in prose", "We refund $20.00 for the broken mug within five days of the claim.", "We refund $200.00 for the broken mug within five days of the claim.", "numbers price moved"},
		{"a faithful paraphrase", "We refund $20.00 for the broken mug within five days.", "Within five days you get $20.00 back as a refund for the mug that broke.", ""},
		{"one word in 3,400 characters", long + "All is well.", long + "All is fine.", ""},
	}
	config, problems := source.Parse("s.yaml", []byte(`
label: {path: action}
numbers:
  amount: {path: amount, within: 0.01}
  price: {pattern: '\$(\d+\.\d\d)', within: 0.01}
`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	labels, err := label.New([]string{"refund", "reject"}, "action")
	if err != nil {
		t.Fatal(err)
	}
	set, problems := projection.Compile(config, labels)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	instrument := &measure.Instrument{Projections: set}
	of := func(text string) *baseline.Line {
		l, err := instrument.Case(context.Background(), &measure.Subject{ID: "a", Version: 1}, []run.Sample{{Number: 1, Output: output.Output{Text: text}}})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, err := diff.Compare(file(t, of(test.old)), ran(result(of(test.new))), diff.Options{Comparer: set, Today: today})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(d.Cases) > 0 {
				got = d.Cases[0].Signature()
			}
			if got != test.want {
				t.Errorf("signature %q, want %q", got, test.want)
			}
		})
	}
}

// TestAFieldOfAnotherTypeIsOneChange: a field that was a string and is a
// number is one change of its type, not a loss and a gain.
func TestAFieldOfAnotherTypeIsOneChange(t *testing.T) {
	old := line("a", func(l *baseline.Line) { l.Projections["shape"] = []any{"note:string", "vat:string"} })
	new := line("a", func(l *baseline.Line) { l.Projections["shape"] = []any{"due:string", "vat:number"} })
	d := compare(t, file(t, old), ran(result(new)))
	if got, want := d.Cases[0].Signature(), "shape + due:string, shape vat string → number, shape − note:string"; got != want {
		t.Errorf("signature %q, want %q", got, want)
	}
}

// TestSummaryCountsWhatItDidNotParse lays cases that are the same beside one
// that changed, and expects counts over all of them.
func TestSummaryCountsWhatItDidNotParse(t *testing.T) {
	var old []*baseline.Line
	var results []run.Result
	for i := range 20 {
		id := fmt.Sprintf("case-%02d", i)
		old = append(old, line(id, nil))
		results = append(results, result(line(id, func(l *baseline.Line) {
			if i == 7 {
				l.Projections["label"] = "paid"
				fails(l, 0)
			}
		})))
	}
	s := compare(t, file(t, old...), ran(results...)).Summary
	if got := s.Projections["label"]; got != (diff.Moved{Changed: 1, Of: 20}) {
		t.Errorf("label %+v", got)
	}
	if got := s.Projections["tools"]; got != (diff.Moved{Of: 20}) {
		t.Errorf("tools %+v", got)
	}
	if got := s.Checks["fact"]; got != (diff.Flips{Lost: 1, Of: 20}) {
		t.Errorf("fact %+v", got)
	}
	if s.Passing != (diff.Sides{Old: 20, New: 19}) || s.Checked != 20 {
		t.Errorf("passing %+v of %d", s.Passing, s.Checked)
	}
	if !s.Score.Known || s.Score.Old != 1 || s.Score.New != 0.95 {
		t.Errorf("score %+v", s.Score)
	}
}
