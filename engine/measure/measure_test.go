package measure_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/run"
	"docket/engine/source"
)

// compile compiles an expectation in YAML, "" for none, in a suite that lists
// two labels.
func compile(t *testing.T, expect string) ([]check.Compiled, *measure.Instrument) {
	t.Helper()
	var written source.Value
	var problems source.Problems
	if expect != "" {
		written, problems = source.Parse("case.yaml", []byte(expect))
	}
	labels, more := projection.Labels([]string{"overdue", "paid"}, source.Value{}, source.Position{})
	problems = append(problems, more...)
	set, more := projection.Compile(source.Value{}, labels)
	problems = append(problems, more...)
	checks, more := check.Compile(written, check.Env{Labels: labels})
	problems = append(problems, more...)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return checks, &measure.Instrument{Projections: set}
}

func texts(texts ...string) []run.Sample {
	samples := make([]run.Sample, len(texts))
	for i, text := range texts {
		samples[i] = run.Sample{Number: i + 1, Output: output.Output{Text: text, ToolCalls: []output.ToolCall{}}}
	}
	return samples
}

// spelled is the line as a baseline holds it, without how it was measured.
func spelled(l *baseline.Line) string {
	return string(baseline.Key(baseline.AppendLine(nil, l)))
}

func TestCase(t *testing.T) {
	for _, tt := range []struct {
		name, expect string
		samples      []run.Sample
		want         string // behind the hashes
	}{
		{
			"all samples agree", "label: paid\nmax_words: 4", texts("It is paid.", "paid, I think"),
			`"pass":true,"score":1,"checks":{"label":{"pass":true,"score":1},"max_words":{"pass":true,"score":1}},"params":{"label":"…","max_words":"…"},"projections":{"label":"paid","length":"short"},"unstable":{}`,
		},
		{
			"a check and a label split", "label: paid", texts("paid", "overdue", "paid"),
			`"pass":"2/3","score":0.6666666666666666,"checks":{"label":{"pass":"2/3","score":[0,1]}},"params":{"label":"…"},"projections":{"length":"short"},"unstable":{"label":{"overdue":1,"paid":2}}`,
		},
		{
			"a sample passes when all checks do", "label: paid\nmax_words: 2", texts("paid", "it was paid before"),
			`"pass":"1/2","score":0.875,"checks":{"label":{"pass":true,"score":1},"max_words":{"pass":"1/2","score":[0.5,1]}},"params":{"label":"…","max_words":"…"},"projections":{"label":"paid","length":"short"},"unstable":{}`,
		},
		{
			"without checks nothing passes or fails", "", texts("paid"),
			`"pass":null,"score":null,"checks":{},"projections":{"label":"paid","length":"short"},"unstable":{}`,
		},
		{
			"samples that failed are left out", "label: paid",
			append(texts("paid"), run.Sample{Number: 2, Error: "HTTP 529"}),
			`"pass":true,"score":1,"checks":{"label":{"pass":true,"score":1}},"params":{"label":"…"},"projections":{"label":"paid","length":"short"},"unstable":{}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checks, instrument := compile(t, tt.expect)
			line, err := instrument.Case(t.Context(), &measure.Subject{
				ID: "inv-0031", Version: 2, InputHash: "in", ExpectHash: "ex", Checks: checks,
			}, tt.samples)
			if err != nil {
				t.Fatal(err)
			}
			for name := range line.Params {
				line.Params[name] = "…"
			}
			maps.DeleteFunc(line.Projections, func(name string, _ any) bool { return name != "label" && name != "length" })
			want := `{"id":"inv-0031","version":2,"input":"in","expect":"ex",` + tt.want
			if diff := cmp.Diff(want, spelled(line)); diff != "" {
				t.Error(diff)
			}
			good := 0
			for _, s := range tt.samples {
				if s.Error == "" {
					good++
				}
			}
			if line.Samples != good {
				t.Errorf("measured on %d samples, %d succeeded", line.Samples, good)
			}
		})
	}
}

// TestSamplesGetVerdicts fills in what the store keeps of each sample.
func TestSamplesGetVerdicts(t *testing.T) {
	checks, instrument := compile(t, "label: paid\nmust_contain_fact: [{key: days, value: 30 days}]")
	samples := append(texts("paid within 30 days", "overdue"), run.Sample{Number: 3, Error: "down"})
	if _, err := instrument.Case(t.Context(), &measure.Subject{ID: "a", Checks: checks}, samples); err != nil {
		t.Fatal(err)
	}
	if s := samples[0]; s.Pass == nil || !*s.Pass || *s.Score != 1 || len(s.Checks) != 2 {
		t.Errorf("the first sample is %+v", s)
	}
	if s := samples[1]; s.Pass == nil || *s.Pass || *s.Score != 0 || s.Checks[0].Message == "" {
		t.Errorf("the second sample is %+v: a failure says why", s)
	}
	if s := samples[2]; s.Pass != nil || s.Checks != nil {
		t.Errorf("the sample that failed is %+v", s)
	}
}

// TestSameOutputsSameLine measures the same texts in another time and by
// another model: only prose and structure count.
func TestSameOutputsSameLine(t *testing.T) {
	checks, instrument := compile(t, "label: paid")
	s := &measure.Subject{ID: "a", Version: 1, Checks: checks, Input: map[string]any{"q": "invoice 4417"}}
	first, err := instrument.Case(t.Context(), s, texts("invoice 4417 is paid"))
	if err != nil {
		t.Fatal(err)
	}
	later := texts("invoice 4417 is paid")
	took := 12.5
	later[0].Output.LatencyMS, later[0].Output.Model, later[0].Output.Raw = &took, "m-2", []byte(`{"reward":1}`)
	second, err := instrument.Case(t.Context(), s, later)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(baseline.AppendLine(nil, first), baseline.AppendLine(nil, second)); diff != "" {
		t.Error(diff)
	}
	other, err := instrument.Case(t.Context(), s, texts("yes: paid it is, invoice 4417"))
	if err != nil {
		t.Fatal(err)
	}
	if spelled(other) != spelled(first) || other.Outputs == first.Outputs {
		t.Errorf("a paraphrase changes the structure, or does not change the outputs:\n%s\n%s", spelled(first), spelled(other))
	}
}

// TestSchemaComesFirst holds an output to what its system declares before any
// check of the case.
func TestSchemaComesFirst(t *testing.T) {
	checks, instrument := compile(t, "max_words: 100")
	var err error
	instrument.Schema, err = check.Schema(nil, map[string]any{"type": "object", "required": []any{"status"}})
	if err != nil {
		t.Fatal(err)
	}
	samples := texts(`{"state":"paid"}`)
	line, err := instrument.Case(t.Context(), &measure.Subject{ID: "a", Checks: checks}, samples)
	if err != nil {
		t.Fatal(err)
	}
	if got := samples[0].Checks; len(got) != 2 || got[0].Check != "schema" || got[0].Pass || !got[1].Pass {
		t.Errorf("the verdicts are %+v", got)
	}
	if !line.Pass.None() {
		t.Errorf("an output that breaks the schema passes: %+v", line.Pass)
	}
}

// broken is a check that cannot be made.
type broken struct{ err error }

func (broken) Name() string { return "program" }

func (b broken) Judge(context.Context, *check.Subject) (check.Verdict, error) {
	return check.Verdict{}, b.err
}

func TestWhatCannotBeMeasured(t *testing.T) {
	_, instrument := compile(t, "")
	crash := errors.New("exit status 3")
	_, err := instrument.Case(t.Context(), &measure.Subject{ID: "a", Checks: []check.Compiled{{Check: broken{crash}}}}, texts("x"))
	if !errors.Is(err, crash) || !strings.Contains(err.Error(), "check program could not be made") {
		t.Errorf("the error is %v", err)
	}
	_, err = instrument.Case(t.Context(), &measure.Subject{ID: "a"}, []run.Sample{{Number: 1, Error: "down"}})
	if err == nil || !strings.Contains(err.Error(), `case "a" has no sample that succeeded`) {
		t.Errorf("the error is %v", err)
	}
}
