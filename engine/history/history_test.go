package history

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/results"
	"docket/engine/run"
)

var first = time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)

// entry is the result of one day: p passed, f failed, x an error.
func entry(day int, outcome byte, edit func(e *results.Entry)) results.Entry {
	score := map[byte]float64{'p': 1, 'f': 0.25}[outcome]
	e := results.Entry{
		Run: fmt.Sprint("run-", day), Case: "c", Started: first.AddDate(0, 0, day), System: "prod", Mode: "live",
		Config: baseline.Header{Answered: []string{"m-1"}, Ruler: "r1"}, Version: 1, Outcome: run.Measured,
		Line: []byte(`{"id":"c","version":1,"input":"sha256:i","pass":true}`), Finished: true,
		Samples: 1, Judged: 1, Score: &score,
	}
	switch outcome {
	case 'p':
		e.Passes = 1
	case 'x':
		e.Outcome, e.Line, e.Judged, e.Score = run.Failed, nil, 0, nil
	}
	if edit != nil {
		edit(&e)
	}
	return e
}

func of(outcomes string) Timeline {
	var entries []results.Entry
	for i := range len(outcomes) {
		entries = append([]results.Entry{entry(i, outcomes[i], nil)}, entries...) // the newest first, as stored
	}
	return Of("c", entries, nil)
}

func TestStory(t *testing.T) {
	day := func(n int) string { return first.AddDate(0, 0, n).Local().Format(time.DateOnly) }
	for outcomes, want := range map[string]string{
		"ppp":   "it passed whenever it was judged, first " + day(0),
		"ppfff": "failing since " + day(2) + " under prod (m-1); it last passed " + day(1),
		"ppfxf": "failing since " + day(2) + " under prod (m-1); it last passed " + day(1),
		"ff":    "failing since " + day(0) + " under prod (m-1), its first result; it never passed",
		"pfp":   "it passes, and last failed " + day(1),
		"xx":    "it never passed, and never failed",
	} {
		timeline := of(outcomes)
		if got := Story(&timeline); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", outcomes, got, want)
		}
	}
}

func TestMarks(t *testing.T) {
	line := func(text string) func(e *results.Entry) {
		return func(e *results.Entry) { e.Line = []byte(text) }
	}
	entries := []results.Entry{
		entry(0, 'p', nil),
		entry(1, 'x', nil),
		entry(2, 'p', line(`{"id":"c","version":1,"input":"sha256:other","pass":true}`)),
		entry(3, 'p', func(e *results.Entry) { e.Version = 2 }),
		entry(4, 'p', func(e *results.Entry) { e.Version, e.Config.Judges = 2, map[string]string{"tone": "a"} }),
		entry(5, 'f', func(e *results.Entry) {
			e.Version, e.Config.Judges, e.Config.Ruler = 2, map[string]string{"tone": "b"}, "r2"
		}),
	}
	timeline := Of("c", entries, []decision.Past{{Decision: decision.Decision{
		At: first.AddDate(0, 0, 4).Add(time.Hour), By: "ada", Verdict: decision.Accept, Reason: "policy 12",
	}}})
	var got []string
	for _, m := range timeline.Marks {
		got = append(got, fmt.Sprintf("%d %s", int(m.At.Sub(first).Hours()/24), m.Text))
	}
	want := []string{
		"2 the case was edited", "3 the case: version 1 → 2", "4 decision: accept, by ada: policy 12",
		"5 the judge tone is another", "5 what judges: labels, settings or versions of checks",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the marks are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFailingSince(t *testing.T) {
	var entries []results.Entry
	for id, outcomes := range map[string]string{"a": "pff", "b": "ppf", "c": "ffp", "d": "fff"} {
		for i := range len(outcomes) {
			entries = append(entries, entry(i, outcomes[i], func(e *results.Entry) { e.Case = id }))
		}
	}
	var ids []string
	for _, kept := range FailingSince(Group(entries, nil), first.AddDate(0, 0, 1)) {
		ids = append(ids, kept.Case)
	}
	if got := strings.Join(ids, " "); got != "a d" {
		t.Errorf("failing for two days or longer: %s, want a and d", got)
	}
}

func TestTextIsInert(t *testing.T) {
	evil := "\x1b[2J\u202ex\n"
	e := entry(0, 'f', func(e *results.Entry) { e.System, e.Config.Answered = evil, []string{evil} })
	timeline := Of(evil, []results.Entry{e}, []decision.Past{{Decision: decision.Decision{At: first, By: evil, Reason: evil}}})
	for _, one := range []bool{true, false} {
		var b strings.Builder
		if err := writeText(&b, &Page{Suite: "s", One: one, About: evil, Cases: []Timeline{timeline}}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b\u202e") {
			t.Errorf("a control character is written: %q", b.String())
		}
	}
}

func TestSparkTakesTheLast(t *testing.T) {
	timeline := of("fpxp")
	if got := Spark(timeline.Entries, 3); got != "█.█" {
		t.Errorf("drawn %q", got)
	}
	if got := Spark(timeline.Entries, 10); got != "▃█.█" {
		t.Errorf("drawn %q", got)
	}
}
