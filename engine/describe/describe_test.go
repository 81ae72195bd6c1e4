package describe

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"docket/engine/baseline"
	"docket/engine/canonical"
)

var update = flag.Bool("update", false, "write the golden files anew")

// invented is a baseline of a dozen letters to a library that never was.
func invented() (*baseline.File, Options) {
	letter := func(id, label, length string, shape, tools []any, fine float64) baseline.Line {
		l := baseline.Line{
			ID: id, Version: 1, Input: "sha256:aa", Samples: 5,
			Projections: map[string]any{
				"label": label, "length": length, "language": "en", "refusal": false,
				"shape": shape, "tools": tools, "toolset": toolset(tools), "entities": []any{id},
				"numbers": map[string]any{"fine": json.Number(fmt.Sprint(fine))},
			},
			Pass: &baseline.Tally{Passed: 5, Of: 5}, Score: one(),
			Checks: map[string]baseline.Check{"tone": passing(5, 5)},
		}
		return l
	}
	usual := []any{"fine:number", "reader:string", "shelf:string"}
	dated := append(slices.Clone(usual), "due:string")
	none := []any{}
	renew := []any{"find_book(title)", "find_book(title)", "renew(book, days)"}
	lines := []baseline.Line{
		letter("late-01", "late", "short", dated, none, 1.5),
		letter("late-02", "late", "short", dated, none, 2),
		letter("late-03", "late", "short", dated, none, 2.5),
		letter("late-04", "late", "short", dated, none, 40),
		letter("late 05", "late", "medium", dated, none, 3),
		letter("lost-01", "lost", "short", usual, none, 12),
		letter("lost-02", "lost", "short", usual, none, 12),
		letter("renew-01", "renewed", "short", usual, renew, 0),
		letter("renew-02", "renewed", "short", usual, renew, 0),
		letter("renew-03", "renewed", "short", usual, renew, 0),
		letter("odd-01", "late", "short", nil, none, 0),
		letter("odd-02", "late", "short", usual, none, 0),
	}
	odd := &lines[10]
	odd.Projections["shape"], odd.Projections["label"], odd.Projections["refusal"] = nil, nil, true
	odd.Projections["numbers"] = map[string]any{"fine": nil}
	odd.Projections["entities"] = []any{}
	odd.Pass, odd.Checks = &baseline.Tally{Passed: 0, Of: 5}, map[string]baseline.Check{"tone": passing(0, 5)}
	wobbly := &lines[11]
	delete(wobbly.Projections, "label")
	wobbly.Unstable = map[string]map[string]int{"label": {"late": 3, "lost": 2}, "shape": {"note:string": 4}}
	wobbly.Pass, wobbly.Checks = &baseline.Tally{Passed: 4, Of: 5}, map[string]baseline.Check{"tone": passing(4, 5)}
	lines[0].Unstable = map[string]map[string]int{"shape": {"note:string": 1}}
	lines[5].Projections["label"] = map[string]any{"any": []any{"late", "lost"}}
	lines[6].Pass, lines[6].Score, lines[6].Checks = nil, nil, nil

	tags := map[string][]string{}
	for _, l := range lines {
		if strings.HasPrefix(l.ID, "renew") {
			tags[l.ID] = []string{"phone", "renewal"}
		}
		if strings.HasSuffix(l.ID, "1") {
			tags[l.ID] = append(tags[l.ID], "first")
		}
	}
	h := baseline.Header{
		Format: 1, Suite: "library", Mode: "live", System: "desk", Model: "owl-2", Answered: []string{"owl-2"},
		Params: map[string]any{"temperature": json.Number("0.2")}, Environment: "staging", Captured: "2026-04-01", Samples: 5,
	}
	return file(h, lines...), Options{Tags: tags, Short: 40, Medium: 120}
}

func toolset(calls []any) []any {
	set := []any{}
	for _, c := range calls {
		name, _, _ := strings.Cut(c.(string), "(")
		if !slices.Contains(set, any(name)) {
			set = append(set, name)
		}
	}
	return set
}

func one() *float64 { f := 1.0; return &f }

func passing(passed, of int) baseline.Check {
	c := baseline.Check{Tally: baseline.Tally{Passed: passed, Of: of}}
	if passed > 0 {
		c.High = 1
	}
	if passed == of {
		c.Low = 1
	}
	return c
}

func file(h baseline.Header, lines ...baseline.Line) *baseline.File {
	slices.SortFunc(lines, func(a, b baseline.Line) int { return strings.Compare(a.ID, b.ID) })
	data := append(baseline.AppendHeader(nil, &h), '\n')
	for i := range lines {
		data = append(baseline.AppendLine(data, &lines[i]), '\n')
	}
	f, err := baseline.Parse("m.jsonl", data)
	if err != nil {
		panic(err)
	}
	return f
}

func written(t testing.TB, format string, base *baseline.File, o Options) string {
	t.Helper()
	d, err := Describe(base, o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// flat is the text with its lines joined, for tests of sentences.
func flat(t testing.TB, base *baseline.File, o Options) string {
	return strings.Join(strings.Fields(written(t, "text", base, o)), " ")
}

func TestTheInventedLibraryReadsAsWritten(t *testing.T) {
	for _, format := range []string{"text", "markdown", "json"} {
		base, o := invented()
		got := written(t, format, base, o)
		path := filepath.Join("testdata", "library."+format+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is\n%s\nwant (go test -update writes it)\n%s", format, got, want)
		}
		for range 10 {
			if again := written(t, format, base, o); again != got {
				t.Fatalf("%s differs from one time to the next:\n%s", format, again)
			}
		}
	}
}

func labels(mode string, samples int, of ...string) *baseline.File {
	var lines []baseline.Line
	for i, label := range of {
		l := baseline.Line{ID: fmt.Sprintf("c-%02d", i), Samples: samples, Projections: map[string]any{"label": label}}
		switch label {
		case "null":
			l.Projections["label"] = nil
		case "?":
			l.Projections = nil
			l.Unstable = map[string]map[string]int{"label": {"a": samples - 1, "b": 1}}
		}
		lines = append(lines, l)
	}
	return file(baseline.Header{Format: 1, Suite: "s", Mode: mode}, lines...)
}

func repeat(label string, n int) []string { return slices.Repeat([]string{label}, n) }

func TestSentences(t *testing.T) {
	tests := []struct {
		name string
		base *baseline.File
		says []string
		not  []string
	}{
		{
			"mock is said first", labels("mock", 1, "a"),
			[]string{"prompt does =========================================== Mode mock: canned answers", "test the pipeline and not the model"},
			[]string{"which model answered"},
		},
		{"replay is said first", labels("replay", 1, "a"), []string{"Mode replay: recorded answers"}, nil},
		{"a model that nobody knows is said", labels("live", 1, "a"), []string{"which model answered is not known"}, nil},
		{
			"one sample is no evidence", labels("live", 1, "a", "a"),
			[]string{"Each case was asked once, so nothing is known", "1/1 agree, flips up to 95% possible"},
			[]string{"agree on all that was measured"},
		},
		{"three are few", labels("live", 3, "a"), []string{"3/3 agree", "too few to tell what is stable from luck"}, nil},
		{"five are provisional", labels("live", 5, "a"), []string{"5/5 agree, flips up to 45% possible: enough to compare by"}, nil},
		{"fourteen are enough", labels("live", 14, "a"), []string{"14/14 agree", "enough to call it stable"}, nil},
		{
			"shares are of all cases, and rare ones are not rounded away",
			labels("live", 5, slices.Concat(repeat("paid", 300), []string{"null", "ambiguous", "?"})...),
			[]string{"Of 303 cases, 99% (300) are labelled paid, under 1% (1) names several labels at once, under 1% (1) carries no label and under 1% (1) is labelled one way"},
			nil,
		},
		{"what is rare among many stands out", labels("live", 5, append(repeat("paid", 20), "lost")...), []string{"c-20 is labelled lost."}, []string{"c-19"}},
		{
			"free text is no exception", labels("live", 5, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"),
			[]string{"33% (4) carry one of 4 other labels"},
			[]string{"Cases that stand out"},
		},
		{"an unsettled label has its evidence", labels("live", 5, "a", "?"), []string{"The label is unsettled in 1 case: c-01 has a in 4 of 5 samples and b in 1 (4/5 agree, flips up to 66% possible)."}, nil},
		{"no case", labels("live", 5), []string{"The baseline has no case, so it says nothing yet."}, []string{"What comes out"}},
		{"no check", labels("live", 5, "a"), []string{"No case has a check"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := flat(t, test.base, Options{})
			for _, want := range test.says {
				if !strings.Contains(got, want) {
					t.Errorf("it does not say %q:\n%s", want, got)
				}
			}
			for _, not := range test.not {
				if strings.Contains(got, not) {
					t.Errorf("it says %q:\n%s", not, got)
				}
			}
		})
	}
}

func TestSentencesOfToolsAndOfOneCase(t *testing.T) {
	tools := func(known, calling, all int) []baseline.Line {
		var lines []baseline.Line
		for i := range all {
			l := baseline.Line{ID: fmt.Sprintf("c-%02d", i), Samples: 5, Projections: map[string]any{"label": "a"}}
			switch {
			case i < calling:
				l.Projections["toolset"] = []any{"find"}
			case i < known:
				l.Projections["toolset"] = []any{}
			}
			lines = append(lines, l)
		}
		return lines
	}
	for _, test := range []struct {
		known, calling, all int
		want                string
	}{
		{12, 12, 12, "Tools are called in every case: find in 12."},
		{1, 1, 1, "Tools are called in every case: find in 1."},
		{10, 10, 12, "of the cases. Tools are called in all of these: find in 10."},
		{1, 1, 12, "of the cases. Tools are called in it: find in 1."},
		{10, 5, 12, "of the cases. Tools are called in 50% (5) of these: find in 5."},
		{12, 6, 12, "Tools are called in 50% (6) of 12 cases: find in 6."},
		{12, 0, 12, "No tool is called."},
		{1, 1, 1, "This is 1 case"},
		{2, 2, 2, "These are 2 cases"},
	} {
		base := file(baseline.Header{Format: 1, Suite: "s", Mode: "live"}, tools(test.known, test.calling, test.all)...)
		if got := flat(t, base, Options{}); !strings.Contains(got, test.want) {
			t.Errorf("%d of %d known, %d calling: it does not say %q:\n%s", test.known, test.all, test.calling, test.want, got)
		}
	}
}

func TestWhatATagLacksIsNotDeniedOfTheOthers(t *testing.T) {
	for _, test := range []struct {
		of          string
		tagged, not any
		want        string
	}{
		{"label", nil, "a", "none are labelled a, and all of the others; all go without a label, and none of the others."},
		{"entities", []any{}, []any{"x"}, "all leave out every identifier of the input, and none of the others."},
		{"refusal", false, true, "all answer instead of refusing, and none of the others"},
		{"numbers", map[string]any{"fine": nil}, map[string]any{"fine": json.Number("2")}, "all leave out fine, and none of the others."},
	} {
		var lines []baseline.Line
		tags := map[string][]string{}
		for i := range 12 {
			l := baseline.Line{ID: fmt.Sprintf("c-%02d", i), Samples: 5, Projections: map[string]any{test.of: test.not}}
			if i < 6 {
				tags[l.ID] = []string{"agent"}
				l.Projections[test.of] = test.tagged
			}
			lines = append(lines, l)
		}
		base := file(baseline.Header{Format: 1, Suite: "s", Mode: "live"}, lines...)
		if got := flat(t, base, Options{Tags: tags}); !strings.Contains(got, test.want) {
			t.Errorf("it does not say %q:\n%s", test.want, got)
		}
	}
}

func TestATagIsComparedOnWhatWasMeasured(t *testing.T) {
	var lines []baseline.Line
	tags := map[string][]string{}
	for i := range 12 {
		l := baseline.Line{ID: fmt.Sprintf("c-%02d", i), Samples: 5, Projections: map[string]any{"label": "a"}}
		if i < 6 {
			tags[l.ID] = []string{"agent"}
			l.Projections["toolset"] = []any{"find"}
		}
		lines = append(lines, l)
	}
	base := file(baseline.Header{Format: 1, Suite: "s", Mode: "live"}, lines...)
	if got := flat(t, base, Options{Tags: tags}); strings.Contains(got, "tagged agent") {
		t.Errorf("tools that were not measured count as not called:\n%s", got)
	}
	for i := 6; i < 12; i++ {
		lines[i].Projections["toolset"] = []any{}
	}
	base = file(base.Header, lines...)
	if got := flat(t, base, Options{Tags: tags}); !strings.Contains(got, "Of the 6 cases tagged agent, all call find, and none of the others.") {
		t.Errorf("it says\n%s", got)
	}
}

func TestWhatAFileSaysCannotReachTheTerminalOrTheMarkup(t *testing.T) {
	hostile := "a\x1b[2J\x01\x02\n`<script>` @all \u202egpj"
	l := baseline.Line{
		ID: hostile, Samples: 5,
		Projections: map[string]any{
			"label": hostile, "shape": []any{hostile}, "toolset": []any{hostile}, "tools": []any{hostile}, "length": hostile,
			"numbers": map[string]any{hostile: json.Number("1")}, hostile: hostile,
		},
		Unstable: map[string]map[string]int{"language": {hostile: 3, "en": 2}, "shape": {hostile + "2": 1}},
		Pass:     &baseline.Tally{Passed: 0, Of: 5}, Checks: map[string]baseline.Check{hostile: passing(0, 5)},
	}
	h := baseline.Header{
		Format: 1, Suite: "s", Mode: "live", System: hostile, Model: hostile, Answered: []string{hostile},
		Environment: hostile, Captured: hostile, Params: map[string]any{hostile: hostile},
	}
	base := file(h, l)
	for _, format := range []string{"text", "markdown", "json"} {
		got := written(t, format, base, Options{Tags: map[string][]string{hostile: {hostile}}})
		for _, r := range got {
			if r != '\n' && unicode.IsControl(r) || format != "json" && r == '\u202e' {
				t.Fatalf("%s holds %U:\n%q", format, r, got)
			}
		}
	}
	for line := range strings.Lines(written(t, "markdown", base, Options{})) {
		if before, _, found := strings.Cut(line, "<script>"); found && !strings.Contains(before, "``") {
			t.Errorf("markup outside code: %s", line)
		}
	}
	doc, err := canonical.Parse([]byte(strings.TrimSpace(written(t, "json", base, Options{}))))
	if err != nil {
		t.Fatal(err)
	}
	if doc.(map[string]any)["checks"].([]any)[0].(map[string]any)["check"] != any(hostile) {
		t.Error("the JSON does not hold the name as it is")
	}
}

func TestLinesOfTextAreNarrow(t *testing.T) {
	base, o := invented()
	for line := range strings.Lines(written(t, "text", base, o)) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > lineWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestADamagedLineIsAnErrorWithItsPlace(t *testing.T) {
	base, err := baseline.Parse("m.jsonl", []byte(`{"_config":{"format":1,"suite":"s","mode":"mock"}}`+"\n"+`{"id":"a"}`+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Describe(base, Options{}); err == nil || !strings.HasPrefix(err.Error(), "m.jsonl:2: ") {
		t.Errorf("got %v", err)
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := FormatNamed("yaml"); err == nil || err.Error() != `unknown format "yaml": write one of text, markdown, json` {
		t.Errorf("got %v", err)
	}
}

func TestPercent(t *testing.T) {
	for _, test := range []struct {
		part, of int
		want     string
	}{{0, 10, "0%"}, {1, 10, "10%"}, {10, 10, "100%"}, {1, 300, "under 1%"}, {299, 300, "over 99%"}, {2, 3, "67%"}, {1, 200, "1%"}, {0, 0, "0%"}} {
		if got := percent(test.part, test.of); got != test.want {
			t.Errorf("%d of %d: %s, want %s", test.part, test.of, got, test.want)
		}
	}
}

// Whatever a baseline holds, the numbers add up to the cases and every format
// is written.
func TestNumbersAddUp(t *testing.T) {
	values := rapid.OneOf(
		rapid.Just(any(nil)), rapid.Just(any("paid")), rapid.Just(any("lost")), rapid.Just(any([]any{})), rapid.Just(any([]any{"a", "b"})),
		rapid.Just(any(map[string]any{"any": []any{"paid", "lost"}})), rapid.Just(any(map[string]any{"any": []any{[]any{"a"}, []any{"a", "b"}}})),
		rapid.Just(any(map[string]any{"fine": json.Number("3"), "due": nil})), rapid.Just(any(true)), rapid.Just(any(json.Number("1"))),
	)
	projections := rapid.MapOfN(rapid.SampledFrom([]string{"label", "shape", "tools", "toolset", "entities", "numbers", "length", "language", "refusal", "later"}), values, 0, 9)
	unstable := rapid.MapOfN(rapid.SampledFrom([]string{"label", "shape", "toolset", "tools", "entities", "numbers", "refusal"}),
		rapid.MapOfN(rapid.SampledFrom([]string{"null", "a", "b", "fine:3", "[]", `["a"]`, "true"}), rapid.IntRange(1, 4), 1, 3), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		var lines []baseline.Line
		tags := map[string][]string{}
		for i := range rapid.IntRange(0, 14).Draw(t, "cases") {
			l := baseline.Line{
				ID: fmt.Sprintf("c-%02d", i), Samples: rapid.IntRange(1, 5).Draw(t, "samples"),
				Projections: projections.Draw(t, "projections"), Unstable: unstable.Draw(t, "unstable"),
			}
			lines = append(lines, l)
			tags[l.ID] = rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", "z"}), 0, 2).Draw(t, "tags")
		}
		base := file(baseline.Header{Format: 1, Suite: "s", Mode: "live"}, lines...)
		d, err := Describe(base, Options{Tags: tags})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range d.Values {
			sum := v.Unsettled
			for _, c := range v.Counts {
				sum += c.Cases
			}
			if sum != v.Of || v.Of > d.Cases {
				t.Fatalf("%s: %d of %d of %d", v.Name, sum, v.Of, d.Cases)
			}
		}
		for _, s := range d.Sets {
			for _, m := range s.Members {
				if m.Always+m.Sometimes > s.Of-s.Without+d.Cases || m.Always > s.Of {
					t.Fatalf("%s %+v of %+v", s.Name, m, s)
				}
			}
		}
		for _, tag := range d.Tags {
			for _, f := range tag.Findings {
				if f.In > f.Of || f.Of > tag.Cases || f.Outside > f.OutsideOf || f.OutsideOf > tag.Rest {
					t.Fatalf("%+v", tag)
				}
			}
		}
		for _, f := range Formats() {
			var b bytes.Buffer
			if err := f.Write(&b, d); err != nil {
				t.Fatal(err)
			}
			if strings.ContainsAny(b.String(), "\x01\x02") || strings.Contains(b.String(), "%!") {
				t.Fatalf("%s: %q", f.Name, b.String())
			}
		}
	})
}
