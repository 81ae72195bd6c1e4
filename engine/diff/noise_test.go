package diff_test

import (
	"math/rand/v2"
	"testing"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/label"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/run"
	"docket/engine/source"
	"docket/engine/stats"
)

// TestNoiseOfKnownFlipRates draws samples of cases whose label flips at a known
// rate, calibrates on some, runs on others, and holds what docket admits and
// what it calls changed to what the theory says: (1−ε)^k + ε^k are admitted, and
// after c confirming samples (1−ε)^k·ε^(1+c) + ε^k·(1−ε)^(1+c) are false alarms.
func TestNoiseOfKnownFlipRates(t *testing.T) {
	labels, err := label.New([]string{"paid", "overdue"}, "")
	if err != nil {
		t.Fatal(err)
	}
	set, problems := projection.Compile(source.Value{}, labels)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	const cases = 4000
	draws := rand.New(rand.NewPCG(20260811, 4))
	s := sampler{t: t, instrument: &measure.Instrument{Projections: set}, draws: draws}
	o := diff.Options{Comparer: set, Tolerance: 1e-6}
	t.Log("flip rate, k: admitted (expected); changed with one sample (expected); with two more (expected); unsettled")
	for _, k := range []int{3, 5} {
		for _, flip := range []float64{0.02, 0.05, 0.10, 0.20, 0.50} {
			admitted, alarms, confirmed, unsettled := 0, 0, 0, 0
			for range cases {
				old := s.line(s.take(nil, k, flip))
				parsed, err := baseline.ParseLine(old)
				if err != nil {
					t.Fatal(err)
				}
				if _, stable := parsed.Projections["label"]; !stable {
					continue
				}
				admitted++
				samples := s.take(nil, 1, flip)
				if !changed(t, old, s.line(samples), o) {
					continue
				}
				alarms++
				if differs, err := diff.Unconfirmed(old, s.line(samples), o); err != nil || !differs {
					t.Fatalf("a change is not to be confirmed: %v", err)
				}
				if changed(t, old, s.line(s.take(samples, 2, flip)), o) {
					confirmed++
				} else {
					unsettled++
				}
			}
			t.Logf("%.2f, %d: %.3f (%.3f); %.4f (%.4f); %.4f (%.4f); %.4f", flip, k,
				share(admitted, cases), stats.Admitted(flip, k), share(alarms, cases), stats.FalseAlarm(flip, k, 0),
				share(confirmed, cases), stats.FalseAlarm(flip, k, 2), share(unsettled, cases))
			within(t, "admitted", admitted, cases, stats.Admitted(flip, k))
			within(t, "false alarms", alarms, cases, stats.FalseAlarm(flip, k, 0))
			within(t, "confirmed false alarms", confirmed, cases, stats.FalseAlarm(flip, k, 2))
		}
	}
}

func share(n, of int) float64 { return float64(n) / float64(of) }

// within holds a count to an expected share: inside its Wilson interval of 95%,
// taken twice as wide since thirty of them are looked at.
func within(t *testing.T, what string, n, of int, want float64) {
	t.Helper()
	i := stats.Wilson(n, of)
	slack := (i.High - i.Low) / 2
	if want < i.Low-slack || want > i.High+slack {
		t.Errorf("%s: %.4f, expected %.4f", what, share(n, of), want)
	}
}

func changed(t *testing.T, old, new []byte, o diff.Options) bool {
	t.Helper()
	c, err := diff.One(old, new, o)
	if err != nil {
		t.Fatal(err)
	}
	return c.Status == diff.Changed
}

// A sampler draws answers and measures them as a run does.
type sampler struct {
	t          *testing.T
	instrument *measure.Instrument
	draws      *rand.Rand
}

func (s sampler) take(before []run.Sample, n int, flip float64) []run.Sample {
	for range n {
		text := "Ticket 12345 is paid."
		if s.draws.Float64() < flip {
			text = "Ticket 12345 is overdue."
		}
		before = append(before, run.Sample{Number: len(before) + 1, Output: output.Output{Text: text}})
	}
	return before
}

func (s sampler) line(samples []run.Sample) []byte {
	line, err := s.instrument.Case(s.t.Context(), &measure.Subject{ID: "a", Version: 1}, samples)
	if err != nil {
		s.t.Fatal(err)
	}
	return baseline.AppendLine(nil, line)
}
