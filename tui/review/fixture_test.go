package review_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/agreement"
	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/label"
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/provenance"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/source"
	"docket/tui"
	"docket/tui/review"
	"docket/tui/tuitest"

	_ "docket/tui/startup"
)

// library is a suite in memory: questions to the desk of a library, before and
// after the prompt was edited. It stands for an engine's review.
type library struct {
	base, next map[string]baseline.Line
	about      map[string]engine.About
	past       map[string][]decision.Past
	answers    map[string]engine.Outputs
	failed     map[string]string
	missed     map[string]string
	story      *provenance.Story // of every case; nil for none
}

func verdict(passed, of int) baseline.Check {
	share := float64(passed) / float64(of)
	c := baseline.Check{Tally: baseline.Tally{Passed: passed, Of: of}, Low: share, High: share}
	if passed != 0 && passed != of {
		c.Low, c.High = 0, 1
	}
	return c
}

// question is a line of five samples that pass their checks.
func question(id, label string, samples int) baseline.Line {
	one := 1.0
	return baseline.Line{
		ID: id, Version: 1, Input: "sha256:" + id, Expect: "sha256:" + id, Samples: samples,
		Pass: &baseline.Tally{Passed: samples, Of: samples}, Score: &one,
		Checks: map[string]baseline.Check{"opening_hours": verdict(samples, samples), "max_words": verdict(samples, samples)},
		Params: map[string]string{"opening_hours": "aa", "max_words": "bb"},
		Projections: map[string]any{
			"label": label, "length": "medium", "language": "en", "refusal": false,
			"entities": []any{"LIB-204", "17:30"}, "tools": []any{"find_branch(city)"}, "toolset": []any{"find_branch"},
		},
		Outputs: "sha256:0000",
	}
}

func newLibrary() *library {
	l := &library{
		base: map[string]baseline.Line{}, next: map[string]baseline.Line{}, about: map[string]engine.About{},
		past: map[string][]decision.Past{}, answers: map[string]engine.Outputs{}, failed: map[string]string{}, missed: map[string]string{},
	}
	add := func(id, why string, edit func(old, now *baseline.Line)) {
		old, now := question(id, "open", 5), question(id, "open", 3)
		edit(&old, &now)
		l.base[id], l.next[id] = old, now
		l.about[id] = engine.About{Provenance: why, Added: "2025-04-02", Tags: []string{"hours", "en"}, Weight: 1}
		l.answers[id] = answersTo(id, &now)
	}
	for _, n := range []int{31, 44, 52, 101, 117, 203} {
		add(fmt.Sprintf("hours-%04d", n), "ticket LIB-204 — readers stood before a closed door on the eve of a holiday", func(_, now *baseline.Line) {
			now.Projections["label"] = "closed"
		})
	}
	add("閉館-0007 [ja] a/b:c", "ticket LIB-377 — a reader wrote in Japanese", func(_, now *baseline.Line) { now.Projections["label"] = "closed" })
	add("hours-0219", "incident INC-219 — the branch in Ely was said to be open on the day of its fire drill", func(old, now *baseline.Line) {
		now.Version, old.Version = 2, 2
		now.Checks["opening_hours"] = verdict(0, 3)
		half := 0.5
		now.Pass, now.Score = &baseline.Tally{Passed: 0, Of: 3}, &half
		now.Projections["entities"] = []any{"LIB-204"}
	})
	add("branch-0007", "incident INC-304 — readers were sent to a branch that had moved", func(_, now *baseline.Line) {
		now.Checks["opening_hours"] = verdict(0, 3)
		half := 0.5
		now.Pass, now.Score = &baseline.Tally{Passed: 0, Of: 3}, &half
		now.Projections["tools"], now.Projections["toolset"] = []any{}, []any{}
	})
	add("fines-0012", "ticket LIB-410", func(old, now *baseline.Line) {
		old.Checks["max_words"] = verdict(0, 5)
		half := 0.5
		old.Pass, old.Score = &baseline.Tally{Passed: 0, Of: 5}, &half
	})
	add("fines-0019", "ticket LIB-411", func(old, now *baseline.Line) {
		now.Input = "sha256:edited"
		now.Expect = "sha256:edited"
		now.Params["opening_hours"] = "cc"
	})
	add("loans-0004", "a question of the desk in Cork", func(_, now *baseline.Line) {
		delete(now.Projections, "label")
		now.Unstable = map[string]map[string]int{"label": {"open": 2, "closed": 1}}
	})
	add("loans-0008", "a question of the desk in Cork", func(old, now *baseline.Line) {
		for _, side := range []*baseline.Line{old, now} {
			delete(side.Projections, "length")
		}
		old.Unstable = map[string]map[string]int{"length": {"short": 2, "medium": 3}}
		now.Unstable = map[string]map[string]int{"length": {"short": 1, "medium": 2}}
		now.Projections["language"] = "de"
	})
	add("rooms-0001", "a question of the desk in Cork", func(_, now *baseline.Line) {})
	add("rooms-0002", "a question of the desk in Cork", func(_, now *baseline.Line) {})
	l.next["rooms-0140"] = question("rooms-0140", "open", 3)
	l.about["rooms-0140"] = engine.About{Provenance: "asked for by the desk in Bath", Added: "2026-08-04"}
	l.base["rooms-0019"] = question("rooms-0019", "open", 5)
	l.base["rooms-0021"] = question("rooms-0021", "open", 5)
	l.failed["rooms-0021"] = "the model answered with status 529"
	at := time.Date(2026, 6, 3, 9, 30, 0, 0, time.UTC)
	l.past["branch-0007"] = []decision.Past{{Decision: decision.Decision{
		At: at, By: "Ada", Case: "branch-0007", Verdict: decision.Reject, Reason: "the finder must be asked, see INC-304",
		Changes: []decision.Change{{Kind: "projection", Of: "tools", Old: []any{"find_branch(city)"}, New: []any{}}},
	}}}
	return l
}

func answersTo(id string, now *baseline.Line) engine.Outputs {
	call := output.ToolCall{Name: "find_branch", Arguments: json.RawMessage(`{"city":"Ely"}`)}
	before := output.Output{
		ToolCalls: []output.ToolCall{call},
		Text:      "Dear reader,\n\nthe branch in Ely (LIB-204) is open until 17:30 on that day. You are welcome to bring your books back at the desk.\n\nKind regards",
	}
	after := before
	after.Text = "Dear reader,\n\nthe branch in Ely (LIB-204) is closed on that day. You are welcome to bring your books back to the box at the door, which is open at any hour.\n\nKind regards"
	if calls, ok := now.Projections["tools"].([]any); ok && len(calls) == 0 {
		after.ToolCalls = []output.ToolCall{}
	}
	failing := run.Sample{Number: 1, Output: after}
	if now.Checks["opening_hours"].None() {
		failing.Checks = []run.Verdict{{Check: "opening_hours", Message: `"17:30" is not in the text`}}
	}
	second := failing
	second.Number, second.Output.Text = 2, `{"status": "closed", "branch": {"city": "Ely", "id": 204}, "until": null}`
	third := failing
	third.Number = 3
	return engine.Outputs{Old: []run.Sample{{Number: 1, Output: before}, {Number: 2, Output: before}}, New: []run.Sample{failing, second, third}}
}

// diff compares what the library has.
func (l *library) diff(t testing.TB) *diff.Diff {
	t.Helper()
	labels, err := label.New([]string{"open", "closed"}, "")
	if err != nil {
		t.Fatal(err)
	}
	set, problems := projection.Compile(source.Value{}, labels)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	header := baseline.Header{Format: 1, Suite: "desk", Mode: "live", System: "prod", Model: "m", Answered: []string{"m"}, Captured: "2026-08-11"}
	base := append(baseline.AppendHeader(nil, &header), '\n')
	for _, id := range slices.Sorted(maps.Keys(l.base)) {
		line := l.base[id]
		base = append(baseline.AppendLine(base, &line), '\n')
	}
	file, err := baseline.Parse("desk.jsonl", base)
	if err != nil {
		t.Fatal(err)
	}
	header.System = "candidate"
	r := &run.Run{ID: "20260811T102203Z-7f3a", Config: header, Whole: true}
	ids := slices.Concat(slices.Collect(maps.Keys(l.next)), slices.Collect(maps.Keys(l.failed)), slices.Collect(maps.Keys(l.missed)))
	slices.Sort(ids)
	for _, id := range ids {
		if why, failed := l.failed[id]; failed {
			r.Results = append(r.Results, run.Result{ID: id, Version: 1, Outcome: run.Failed, Error: why})
			continue
		}
		if why, missed := l.missed[id]; missed {
			r.Results = append(r.Results, run.Result{ID: id, Version: 1, Outcome: run.Missed, Error: why})
			continue
		}
		line := l.next[id]
		r.Results = append(r.Results, run.Result{ID: id, Version: line.Version, Outcome: run.Measured, Line: baseline.AppendLine(nil, &line)})
	}
	d, err := diff.Compare(file, r, diff.Options{Comparer: set, Tolerance: 1e-6, Today: time.Date(2026, 8, 11, 0, 0, 0, 0, time.UTC), Weights: map[string]float64{"hours-0219": 3, "branch-0007": 3}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// screen opens the review of the library with decisions in memory.
func (l *library) screen(t testing.TB, set ...func(*review.Options)) tui.Opener {
	o := review.Options{Diff: l.diff(t), Evidence: l, Session: &memory{}, Command: "docket review desk"}
	for _, f := range set {
		f(&o)
	}
	return tuitest.Ready(review.New(o))
}

func (l *library) About(id string) (engine.About, bool) { a, ok := l.about[id]; return a, ok }
func (l *library) Past(id string) []decision.Past       { return l.past[id] }

func (l *library) Rejected(c *diff.Case) (decision.Past, bool) {
	past := l.past[c.ID]
	if len(past) == 0 || past[0].Verdict != decision.Reject {
		return decision.Past{}, false
	}
	return past[0], true
}

func (l *library) Claimed(c *diff.Case) []agreement.Sentence {
	return agreement.Sentences(c, agreement.Claimed(c.OldLine))
}

func (l *library) Agreement(_ context.Context, c *diff.Case) ([]agreement.Sentence, error) {
	return l.Claimed(c), nil
}

func (l *library) Why(context.Context, string) (*provenance.Story, error) { return l.story, nil }

func (l *library) CaseFile(id string) (string, bool) { return "/cases/" + id, true }

func (l *library) CaseText(id string) (path, text string, err error) {
	if _, ok := l.about[id]; !ok {
		return "", "", errors.New("there is no case file with this id")
	}
	return "cases/desk/" + id + ".yaml", "id: " + id + "\nadded: 2025-04-02\nprovenance: " + l.about[id].Provenance +
		"\ninput:\n  question: When does the branch in Ely open?\nexpect:\n  must_contain_fact:\n    - key: opening_hours\n      value: \"17:30\"\n  max_words: 60   # the desk asked for it\n", nil
}

func (l *library) Outputs(_ context.Context, id string) (engine.Outputs, error) {
	if o, ok := l.answers[id]; ok {
		return o, nil
	}
	return engine.Outputs{
		NoOld: "the old answers are not on this machine; `docket run desk --system prod` asks that system again",
		NoNew: "the case has no file any more, so nothing was asked",
	}, nil
}

func (l *library) Results(_ context.Context, id string) ([]results.Entry, error) {
	line, ok := l.next[id]
	if !ok {
		return nil, nil
	}
	pass, score := line.Pass.All(), *line.Score
	config := baseline.Header{Answered: []string{"m"}, Judges: map[string]string{"tone": "sha256:of-may"}}
	now := results.Entry{
		Run: "20260811T102203Z-7f3a", Started: time.Date(2026, 8, 11, 10, 22, 3, 0, time.Local), System: "candidate", Mode: "live", Config: config,
		Version: line.Version, Outcome: run.Measured, Pass: &pass, Score: &score, Line: baseline.AppendLine(nil, &line), Finished: true,
		Samples: line.Samples, Judged: line.Pass.Of, Passes: line.Pass.Passed,
	}
	old, known := l.base[id]
	if !known {
		return []results.Entry{now}, nil
	}
	// In between another judge: what it measured is as it was.
	passed, before := old.Pass.All(), *old.Score
	rejudged := now
	rejudged.Run, rejudged.Started, rejudged.System = "20260714T080000Z-11c2", time.Date(2026, 7, 14, 8, 0, 0, 0, time.Local), "prod"
	rejudged.Pass, rejudged.Score, rejudged.Line = &passed, &before, baseline.AppendLine(nil, &old)
	rejudged.Judged, rejudged.Passes = old.Pass.Of, old.Pass.Passed
	first := rejudged
	first.Run, first.Started = "20260502T080000Z-90be", time.Date(2026, 5, 2, 8, 0, 0, 0, time.Local)
	first.Config.Judges = map[string]string{"tone": "sha256:of-spring"}
	return []results.Entry{now, rejudged, first}, nil
}

// memory is a session that forgets everything when it is gone.
type memory struct {
	log, undone []tui.Decision
	before      []tui.Mark
}

func (m *memory) Marks() []tui.Mark { return m.before }

func (m *memory) Decide(_ context.Context, d tui.Decision) ([]tui.Mark, error) {
	m.log, m.undone = append(m.log, d), nil
	return m.marks(d, d.Verdict), nil
}

func (m *memory) marks(d tui.Decision, verdict string) []tui.Mark {
	marks := make([]tui.Mark, len(d.Rows))
	for i, row := range d.Rows {
		marks[i] = tui.Mark{Row: row, Part: d.Part, Verdict: verdict, Text: d.Text}
	}
	return marks
}

func (m *memory) Undo(context.Context) ([]tui.Mark, error) {
	if len(m.log) == 0 {
		return nil, nil
	}
	last := m.log[len(m.log)-1]
	m.log, m.undone = m.log[:len(m.log)-1], append(m.undone, last)
	return m.marks(last, ""), nil
}

func (m *memory) Redo(context.Context) ([]tui.Mark, error) {
	if len(m.undone) == 0 {
		return nil, nil
	}
	last := m.undone[len(m.undone)-1]
	m.undone, m.log = m.undone[:len(m.undone)-1], append(m.log, last)
	return m.marks(last, last.Verdict), nil
}

func (m *memory) Plan(context.Context) (tui.Plan, error) {
	return tui.Plan{Lines: []string{fmt.Sprintf("would write baselines/desk/live.jsonl: %d accepted", len(m.log))}}, nil
}

func (m *memory) Write(context.Context) (tui.Closing, error) {
	return tui.Closing{Lines: []string{"wrote"}}, nil
}
