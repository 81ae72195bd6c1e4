package comparison

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/results"
	"docket/engine/run"
)

func ptr[T any](v T) *T { return &v }

// sideOf makes a run of one sample a case: cases named p pass, f fail, x are
// failures of the system, by their letter in outcome.
func sideOf(name, outcomes string) Side {
	s := Side{Name: name, Run: &run.Run{
		ID: "run-" + name, Started: time.Date(2026, 8, 11, 10, 0, 0, 0, time.UTC),
		Config: baseline.Header{Suite: "s", Mode: "live", System: name, Ruler: "sha256:r", Answered: []string{"m-" + name}},
	}}
	for i, o := range outcomes {
		id := fmt.Sprintf("case-%02d", i)
		result := run.Result{ID: id, Version: 1, Outcome: run.Measured, Line: fmt.Appendf(nil, `{"id":%q,"version":1,"input":"sha256:i","pass":true}`, id)}
		took := results.Took{Case: id, Sample: 1, LatencyMS: ptr(float64(100 * (i + 1))), CostUSD: ptr(0.001), InputTokens: ptr(300), OutputTokens: ptr(40)}
		switch o {
		case 'p':
			took.Pass, took.Score = ptr(true), ptr(1.0)
		case 'f':
			took.Pass, took.Score = ptr(false), ptr(0.25)
		case 'x':
			result.Outcome, result.Line = run.Failed, nil
			took = results.Took{Case: id, Sample: 1, Failed: true}
		}
		s.Run.Results = append(s.Run.Results, result)
		s.Took = append(s.Took, took)
	}
	return s
}

func TestCompare(t *testing.T) {
	a, b := sideOf("a", "ppppppppppppffx"), sideOf("b", "ppppppfffffffpp")
	c, err := Compare("s", []Side{a, b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := c.Pairs[0]
	if want := []string{"case-06", "case-07", "case-08", "case-09", "case-10", "case-11"}; !slices.Equal(p.OnlyFirst, want) {
		t.Errorf("only a passes %v, want %v", p.OnlyFirst, want)
	}
	if want := []string{"case-13"}; !slices.Equal(p.OnlySecond, want) {
		t.Errorf("only b passes %v, want %v", p.OnlySecond, want)
	}
	if want := []string{"case-14"}; !slices.Equal(p.AloneSecond, want) || p.AloneFirst != nil {
		t.Errorf("only b measured %v, only a %v", p.AloneSecond, p.AloneFirst)
	}
	// 6 worse and 1 better of 14 that both judged: 2·(C(7,0)+C(7,1))/2^7.
	if want := 2 * 8.0 / 128; p.Passing.Worse != 6 || p.Passing.Better != 1 || math.Abs(p.Passing.P-want) > 1e-12 {
		t.Errorf("%d worse, %d better, p %v, want 6, 1 and %v", p.Passing.Worse, p.Passing.Better, p.Passing.P, want)
	}
	first := c.Systems[0]
	// Wilson's interval of 12 of 14, computed from its formula here.
	n, share, z := 14.0, 12.0/14, 1.959963984540054
	middle, half := (share+z*z/(2*n))/(1+z*z/n), z*math.Sqrt(share*(1-share)/n+z*z/(4*n*n))/(1+z*z/n)
	if r := first.Passing; math.Abs(r.Value-share) > 1e-12 || math.Abs(r.Interval.Low-(middle-half)) > 1e-9 || math.Abs(r.Interval.High-(middle+half)) > 1e-9 {
		t.Errorf("the pass rate is %+v, want %v in %v to %v", r, share, middle-half, middle+half)
	}
	if first.Measured != 14 || first.Failed != 1 || first.Samples != 15 {
		t.Errorf("%d measured, %d of %d samples failed", first.Measured, first.Failed, first.Samples)
	}
	if !math.IsNaN(first.CostUSD) || math.Abs(first.Per1000-1) > 1e-9 {
		t.Errorf("the run cost %v and 1,000 cases %v: one sample has no price", first.CostUSD, first.Per1000)
	}
	if second := c.Systems[1]; math.Abs(second.CostUSD-0.015) > 1e-12 {
		t.Errorf("the run of b cost %v", second.CostUSD)
	}
	if l := first.Latency; l.P50 != 700 || l.P95 != 1400 || l.P99 != 1400 || l.Of != 14 {
		t.Errorf("latency %+v", l)
	}
}

func TestWeightsCount(t *testing.T) {
	c, err := Compare("s", []Side{sideOf("a", "pf"), sideOf("b", "pp")}, Options{Weights: map[string]float64{"case-01": 3}})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Systems[0].Passing.Value; got != 0.25 {
		t.Errorf("a case of weight 3 that fails leaves a pass rate of %v, want 0.25", got)
	}
}

func TestRefusesWhatWasNotMeasuredAlike(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(s *Side)
		want string
	}{
		{"mode", func(s *Side) { s.Run.Config.Mode = "mock" }, "a answered in mode live, b in mode mock"},
		{"judge", func(s *Side) { s.Run.Config.Judges = map[string]string{"tone": "sha256:2"} }, "the judge tone of a is another than that of b"},
		{"ruler", func(s *Side) { s.Run.Config.Ruler = "sha256:other" }, "different rulers"},
		{"case", func(s *Side) {
			s.Run.Results[1].Line = []byte(`{"id":"case-01","version":2,"input":"sha256:j","pass":true}`)
		}, "1 case is other between a and b: case-01"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := sideOf("a", "ppf"), sideOf("b", "pff")
			a.Run.Config.Judges = map[string]string{"tone": "sha256:1"}
			test.edit(&b)
			_, err := Compare("s", []Side{a, b}, Options{})
			var unlike *MixedError
			if !errors.As(err, &unlike) || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("the error is %v, want %q", err, test.want)
			}
			c, err := Compare("s", []Side{a, b}, Options{Mixed: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range Formats() {
				var b strings.Builder
				if err := f.Write(&b, c); err != nil {
					t.Fatal(err)
				}
				if text := b.String(); !strings.Contains(text, test.want) {
					t.Errorf("%s does not say %q", f.Name, test.want)
				}
			}
		})
	}
}

// TestFormatsAreInert writes hostile names and ids in each format.
func TestFormatsAreInert(t *testing.T) {
	const evil = "\x1b[2J</li><script>x</script> | `q` \u202e@all"
	a, b := sideOf(evil, "pf"), sideOf("b", "fp")
	for i := range a.Run.Results {
		a.Run.Results[i].ID, b.Run.Results[i].ID = evil, evil
		a.Took[i].Case, b.Took[i].Case = evil+fmt.Sprint(i), evil+fmt.Sprint(i)
	}
	c, err := Compare("s", []Side{a, b}, Options{Mixed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats() {
		var out strings.Builder
		if err := f.Write(&out, c); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if f.Name == "json" {
			var read jsonComparison
			if err := json.Unmarshal([]byte(text), &read); err != nil || read.Systems[0].System != evil {
				t.Errorf("JSON reads back as %q (%v)", read.Systems[0].System, err)
			}
			continue
		}
		if strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%s holds a control character", f.Name)
		}
		if f.Name == "html" && strings.Contains(text, "<script>x") {
			t.Error("a name became an element")
		}
	}
}

// BenchmarkCompare compares two systems of 1,400 cases, three samples each.
func BenchmarkCompare(b *testing.B) {
	outcomes := strings.Repeat("ppppppf", 200)
	first, second := sideOf("a", outcomes), sideOf("b", strings.Repeat("ppfpppp", 200))
	for _, s := range []*Side{&first, &second} {
		s.Took = slices.Concat(s.Took, s.Took, s.Took)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compare("s", []Side{first, second}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
