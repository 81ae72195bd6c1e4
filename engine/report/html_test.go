package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/junit"
	"docket/engine/run"
)

// markup is what would act in a browser if it were written as it is.
const markup = `</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>"'&`

// TestPageLetsNothingIn writes hostile text in every place of a page and reads
// the page as a browser would: the elements are those of the template.
func TestPageLetsNothingIn(t *testing.T) {
	plain, attacked := compared(t), compared(t)
	plain.Beside = func(*diff.Case) Beside {
		return Beside{Why: "why", Links: []string{"https://incidents.example/1"}, Path: "p", Old: []string{"a", "b"}, New: []string{"b"}, Past: []string{"p"}}
	}
	evil := hostile + markup
	attacked.Beside = func(*diff.Case) Beside {
		return Beside{Why: evil, Links: []string{"javascript:alert(1)"}, Path: evil, Old: []string{evil, evil}, New: []string{evil}, Past: []string{evil}}
	}
	attacked.Notes = []string{evil}
	attacked.Decided["inv-0044"] = Decision{"accept", evil}
	plain.Decided["inv-0044"] = Decision{"accept", "fine"}
	want, got := elements(t, written(t, "html", plain)), elements(t, written(t, "html", attacked))
	if want != got {
		t.Errorf("hostile text changed the elements of the page:\n%s\nwant\n%s", got, want)
	}
	if out := written(t, "html", attacked); strings.Contains(out, `href="javascript:`) {
		t.Error("a link runs a program")
	}
}

// elements lists the elements of a page in their order, with the names of their
// attributes.
func elements(t *testing.T, page string) string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var b strings.Builder
	raw := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("the page does not read: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if raw != "" {
				continue // a script may hold what looks like an element
			}
			fmt.Fprintf(&b, "%s", token.Name.Local)
			for _, a := range token.Attr {
				fmt.Fprintf(&b, " %s", a.Name.Local)
			}
			b.WriteByte('\n')
			if name := token.Name.Local; name == "style" || name == "script" {
				raw = name
			}
		case xml.EndElement:
			if token.Name.Local == raw {
				raw = ""
			}
		}
	}
}

// TestPageStaysSmall gives a page more prose than a browser takes at once.
func TestPageStaysSmall(t *testing.T) {
	var old []*baseline.Line
	var results []run.Result
	for i := range 2000 {
		id := fmt.Sprintf("case-%04d", i)
		old = append(old, answered(id, "overdue", nil))
		results = append(results, measured(answered(id, "paid", nil)))
	}
	r := reportOf(t, old, results)
	long := strings.Repeat("請求書の金額は。\n", 4000)
	r.Beside = func(*diff.Case) Beside { return Beside{Old: []string{long}, New: []string{long}} }
	out := written(t, "html", r)
	if len(out) > proseRoom+8<<20 {
		t.Errorf("the page has %d bytes", len(out))
	}
	if !strings.Contains(out, "cut here: docket review shows all of it") || !strings.Contains(out, "left out, since the page would grow too large") {
		t.Error("the page does not say that it left prose out")
	}
	if n := strings.Count(out, `<details class="row">`); n != 2000 {
		t.Errorf("%d cases are listed, want all", n)
	}
}

func TestPageDrawsTheHistory(t *testing.T) {
	r := compared(t)
	r.Trend = []PastRun{
		{Label: "2026-08-01", Score: 0.9, Cost: math.NaN(), Changed: map[string]int{"label": 0}},
		{Label: "2026-08-08", Score: 0.8, Cost: math.NaN(), Changed: map[string]int{"label": 3}},
	}
	out := written(t, "html", r)
	for _, want := range []string{"score of each run: 2026-08-01 0.900, 2026-08-08 0.800", "label: cases that changed against the baseline of today: 2026-08-01 0, 2026-08-08 3"} {
		if !strings.Contains(out, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(out, "cost of each run") {
		t.Error("a cost that nobody knows is drawn")
	}
}

// TestJUnitCounts reads the report back: every test is counted once, and a
// change that waits is a failure.
func TestJUnitCounts(t *testing.T) {
	r := compared(t)
	var got junit.Suites
	if err := xml.NewDecoder(bytes.NewReader([]byte(written(t, "junit", r)))).Decode(&got); err != nil {
		t.Fatal(err)
	}
	failures, failed := 0, 0
	for _, c := range got.Suite.Cases {
		if c.Failure != nil {
			failures++
		}
		if c.Error != nil {
			failed++
		}
	}
	if got.Tests != len(got.Suite.Cases) || got.Failures != failures || got.Errors != failed {
		t.Errorf("says %d tests, %d failures, %d errors; has %d, %d, %d", got.Tests, got.Failures, got.Errors, len(got.Suite.Cases), failures, failed)
	}
	if failures != r.Diff.Summary.Undecided() || failed != 1 {
		t.Errorf("%d failures and %d errors, want %d changes that wait and 1", failures, failed, r.Diff.Summary.Undecided())
	}
}
