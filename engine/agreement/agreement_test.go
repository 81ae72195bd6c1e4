package agreement_test

import (
	"testing"

	"docket/engine/agreement"
	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/output"
	"docket/engine/run"
)

// TestAgreementSaysItsSource in every sentence, with what the samples cannot
// rule out.
func TestAgreementSaysItsSource(t *testing.T) {
	for _, c := range []struct {
		agreement agreement.Agreement
		want      string
	}{
		{agreement.Agreement{Agree: 5, Of: 5, Elsewhere: true}, "5/5 agree, flips up to 45% possible, over the baseline"},
		{agreement.Agreement{Agree: 60, Of: 60, Runs: 12}, "60/60 agree, flips up to 4.9% possible, over 12 runs"},
		{agreement.Agreement{Agree: 7, Of: 7, Runs: 1, Elsewhere: true}, "7/7 agree, flips up to 35% possible, over the baseline and 1 run"},
		{agreement.Agreement{}, "not sampled"},
	} {
		if got := c.agreement.String(); got != c.want {
			t.Errorf("%+v reads %q, want %q", c.agreement, got, c.want)
		}
	}
}

// TestSentencesAreOfStableValues alone: what a line does not call stable has no
// agreement, and a check is counted in its own cell.
func TestSentencesAreOfStableValues(t *testing.T) {
	line := baseline.AppendLine(nil, &baseline.Line{
		ID: "a", Version: 1, Samples: 5,
		Projections: map[string]any{"label": "paid", "length": "short", "tools": []any{}},
		Unstable:    map[string]map[string]int{"language": {"en": 3, "de": 2}},
	})
	c := &diff.Case{ID: "a", OldLine: line, OldSamples: 5, Changes: []diff.Change{
		{Kind: diff.OfProjection, Of: "length"},
		{Kind: diff.OfProjection, Of: "label"},
		{Kind: diff.OfProjection, Of: "label", Member: "x"},
		{Kind: diff.OfProjection, Of: "language"},
		{Kind: diff.OfCheck, Of: "tools"},
	}}
	got := agreement.Sentences(c, agreement.Claimed(line))
	if len(got) != 1 || got[0].String() != "old label, length: 5/5 agree, flips up to 45% possible, over the baseline" {
		t.Errorf("%v", got)
	}
	found := agreement.Claimed(line)
	found["label"] = agreement.Agreement{Agree: 14, Of: 15, Runs: 4}
	if got := agreement.Sentences(c, found); len(got) != 2 {
		t.Errorf("two grounds share a sentence: %v", got)
	}
	if got := agreement.Sentences(c, agreement.Claimed([]byte("{"))); got != nil {
		t.Errorf("of a line that cannot be read: %v", got)
	}
}

// TestRepetitionNeedsTwoSamples of one case, and every case to repeat itself.
func TestRepetitionNeedsTwoSamples(t *testing.T) {
	samples := func(texts ...string) []run.Sample {
		all := make([]run.Sample, len(texts))
		for i, text := range texts {
			all[i] = run.Sample{Number: i + 1, Output: output.Output{Text: text}}
		}
		return all
	}
	for name, c := range map[string]struct {
		cases [][]run.Sample
		want  bool
	}{
		"nothing":            {nil, false},
		"no sample":          {[][]run.Sample{nil}, false},
		"one sample of each": {[][]run.Sample{samples("a"), samples("a")}, false},
		"all alike":          {[][]run.Sample{samples("a", "a", "a"), samples("b")}, true},
		"one case varies":    {[][]run.Sample{samples("a", "a"), samples("b", "b", "c")}, false},
	} {
		var r agreement.Repetition
		for _, one := range c.cases {
			r.Look(one)
		}
		if got := r.All(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
