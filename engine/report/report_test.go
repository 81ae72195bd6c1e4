package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/projection"
	"docket/engine/run"
)

var update = flag.Bool("update", false, "write the golden files anew")

var today = time.Date(2026, 8, 20, 0, 0, 0, 0, time.UTC)

// hostile is what an output may hold against a terminal, a table, a forge and
// a reader's eyes.
const hostile = "\x1b[2J\x1b]52;c;aGk=\a\r\u009b31m <b>@all</b> [x](http://e.example) | `q` \u202eevil\u200b #1\nnext"

// answered makes a line that passes its one check, of samples outputs.
func answered(id, label string, edit func(l *baseline.Line)) *baseline.Line {
	score := 1.0
	l := &baseline.Line{
		ID: id, Version: 1, Input: "sha256:in", Expect: "sha256:ex", Samples: 5,
		Pass: &baseline.Tally{Passed: 5, Of: 5}, Score: &score,
		Checks:      map[string]baseline.Check{"refund_window": {Tally: baseline.Tally{Passed: 5, Of: 5}, Low: 1, High: 1}},
		Params:      map[string]string{"refund_window": "01234567"},
		Projections: map[string]any{"label": label, "tools": []any{"lookup_invoice(invoice_id)"}, "toolset": []any{"lookup_invoice"}},
	}
	if edit != nil {
		edit(l)
	}
	return l
}

func failing(l *baseline.Line) {
	zero := 0.0
	l.Samples, l.Pass, l.Score = 3, &baseline.Tally{Of: 3}, &zero
	l.Checks = map[string]baseline.Check{"refund_window": {Tally: baseline.Tally{Of: 3}}}
}

// compared is the report of a diff with a case of each status.
func compared(t testing.TB) *Report {
	t.Helper()
	old := []*baseline.Line{
		answered("inv-0001", "overdue", nil),
		answered("inv-0007", "overdue", nil),
		answered("inv-0031", "overdue", nil),
		answered("inv-0040", "overdue", nil),
		answered("inv-0044", "overdue", nil),
		answered("inv-0050", "overdue", failing),
		answered("inv-0060", "overdue", nil),
		answered("inv-0070", "overdue", nil),
		answered("inv-0080", "overdue", nil),
	}
	results := []run.Result{
		measured(answered("inv-0001", "overdue", nil)),
		measured(answered("inv-0007", "overdue", func(l *baseline.Line) {
			l.Projections["tools"], l.Projections["toolset"] = []any{}, []any{}
		})),
		measured(answered("inv-0031", "paid", failing)),
		measured(answered("inv-0040", "overdue", func(l *baseline.Line) {
			delete(l.Projections, "label")
			l.Unstable = map[string]map[string]int{"label": {"overdue": 3, "paid": 2}}
		})),
		measured(answered("inv-0044", hostile, nil)),
		measured(answered("inv-0050", "overdue", nil)),
		measured(answered("inv-0060", "overdue", func(l *baseline.Line) { l.Input, l.Projections["label"] = "sha256:other", "paid" })),
		{ID: "inv-0070", Version: 1, Outcome: run.Failed, Error: "HTTP 529 " + hostile},
		measured(answered("new "+hostile[:4]+"|請求", "paid", nil)),
	}
	return reportOf(t, old, results)
}

func measured(l *baseline.Line) run.Result {
	return run.Result{ID: l.ID, Version: l.Version, Outcome: run.Measured, Line: baseline.AppendLine(nil, l)}
}

func reportOf(t testing.TB, old []*baseline.Line, results []run.Result) *Report {
	t.Helper()
	base := &baseline.File{Header: baseline.Header{
		Format: 1, Suite: "invoices", Mode: "live", System: "prod", Model: "m-1", Captured: "2026-08-11", Prompt: "sha256:a",
	}}
	for _, l := range old {
		base.Lines = append(base.Lines, baseline.Raw{ID: l.ID, Bytes: baseline.AppendLine(nil, l)})
	}
	header := base.Header
	header.System, header.Captured, header.Prompt = "candidate", "", "sha256:b"
	r := &run.Run{ID: "20260820T102203Z-7f3a", Config: header, Whole: true, Results: results}
	d, err := diff.Compare(base, r, diff.Options{
		Comparer: projection.Default(), Tolerance: 1e-6, Today: today, Weights: map[string]float64{"inv-0031": 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Report{
		Diff: d, RunID: r.ID, Notes: []string{"run " + r.ID},
		Next:    []string{"docket review invoices"},
		Decided: map[string]Decision{"inv-0007": {"accept", "the tool is gone"}, "inv-0031": {"reject", "wrong " + hostile}},
		Past: func(c *diff.Case) (decision.Decision, bool) {
			return decision.Decision{At: today.AddDate(0, -1, 0), Reason: "wrong then " + hostile}, c.ID == "inv-0031"
		},
		Messages: func(c *diff.Case) map[string]string {
			return map[string]string{"refund_window": "14 days are given and 30 were asked for " + hostile}
		},
	}
}

func written(t testing.TB, format string, r *Report) string {
	t.Helper()
	f, err := FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGoldens writes a diff with a case of each status, hostile text in every
// place, and grounds, in each format.
func TestGoldens(t *testing.T) {
	grounds := compared(t)
	grounds.Diff.Grounds = []diff.Ground{{Field: "model", Old: "m-1", New: "m-2 " + hostile}}
	empty := reportOf(t, nil, nil)
	empty.Decided, empty.Next = nil, nil
	colored := compared(t)
	colored.Color = true
	for name, r := range map[string]*Report{"all": compared(t), "grounds": grounds, "empty": empty} {
		for _, f := range Formats() {
			golden(t, name+"."+f.Name, written(t, f.Name, r))
		}
	}
	golden(t, "colored.text", written(t, "text", colored))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not as in %s (-update writes it anew):\n%s", name, path, got)
	}
}

// TestNothingHidden holds every format to characters that a terminal shows and
// a reader sees.
func TestNothingHidden(t *testing.T) {
	for _, f := range Formats() {
		out := written(t, f.Name, compared(t))
		if !utf8.ValidString(out) {
			t.Errorf("%s is not UTF-8", f.Name)
		}
		for _, r := range out {
			if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Errorf("%s holds %U", f.Name, r)
			}
		}
	}
}

// TestJSONKeepsValues reads the JSON back: what was made inert is the same text.
func TestJSONKeepsValues(t *testing.T) {
	var got jsonReport
	if err := json.Unmarshal([]byte(written(t, "json", compared(t))), &got); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(got.Changes, func(c jsonCase) bool { return c.ID == "inv-0044" })
	if i < 0 || got.Changes[i].Changes[0].New != hostile {
		t.Errorf("the label is %q", got.Changes[i].Changes[0].New)
	}
	sum := 0
	for _, n := range got.Statuses {
		sum += n
	}
	if sum != got.Cases {
		t.Errorf("%d cases, statuses %v", got.Cases, got.Statuses)
	}
}

// TestJSONKeysAreDocumented finds every key of the JSON in the README.
func TestJSONKeysAreDocumented(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), "\n### JSON\n")
	section, _, ends := strings.Cut(section, "\n### ")
	if !found || !ends {
		t.Fatal("the README has no section on the JSON")
	}
	for _, key := range jsonKeys(reflect.TypeFor[jsonReport]()) {
		if !strings.Contains(section, `"`+key+`"`) && !strings.Contains(section, "`"+key+"`") {
			t.Errorf("the README does not say what %q is", key)
		}
	}
}

func jsonKeys(t reflect.Type) []string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return jsonKeys(t.Elem())
	case reflect.Struct:
		var keys []string
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			keys = append(append(keys, key), jsonKeys(t.Field(i).Type)...)
		}
		return keys
	default:
		return nil
	}
}

// TestMarkdownFits keeps a comment below what forges take, whatever the run,
// and says what it left out.
func TestMarkdownFits(t *testing.T) {
	var old []*baseline.Line
	var results []run.Result
	for i := range 2000 {
		id := fmt.Sprintf("case-%04d%s", i, strings.Repeat("請", 60))
		check := fmt.Sprintf("must_match:%s-%d", strings.Repeat("x", 100), i) // a name of its own
		named := func(l *baseline.Line) {
			l.Checks = map[string]baseline.Check{check: l.Checks["refund_window"]}
			l.Params = nil
		}
		old = append(old, answered(id, strings.Repeat(hostile, 20), named))
		results = append(results, measured(answered(id, strings.Repeat("paid ", 500), func(l *baseline.Line) {
			failing(l)
			named(l)
		})))
	}
	r := reportOf(t, old, results)
	out := written(t, "markdown", r)
	if n := utf8.RuneCountInString(out); n > 60_000 {
		t.Errorf("%d characters", n)
	}
	rows := strings.Count(out, "\n| regressed |")
	if want := fmt.Sprintf("%d more cases were left out", 2000-rows); rows == 0 || !strings.Contains(out, want) {
		t.Errorf("%d rows, and it does not say: %s", rows, want)
	}
	for _, line := range Headlines(r) {
		if len(line) > 2000 {
			t.Errorf("a headline of %d bytes", len(line))
		}
	}
}

// TestFlipsThatNoListHas says beside the counts of what passes how many flips are
// not below.
func TestFlipsThatNoListHas(t *testing.T) {
	r := compared(t)
	r.Diff.Summary.Unlisted = 2
	if text := written(t, "text", r); !strings.Contains(text, "\n2 of the cases that flipped split before and now, and are not listed\n") {
		t.Errorf("the text says\n%s", text)
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := FormatNamed("htlm"); err == nil || !strings.Contains(err.Error(), "text, json, markdown") {
		t.Errorf("the error is %v", err)
	}
}
