package interchange_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/interchange"
)

func TestRealDeepeval(t *testing.T) {
	const path = "test_run_20260901_101500.synthetic.json"
	file := real(t, interchange.Options{}, "deepeval", path)
	got := spellAll(file)
	for i := range got[:2] { // named test_case_N: known by hashes of their inputs
		if !strings.HasPrefix(got[i], "input-") {
			t.Errorf("row %s", got[i])
		}
		got[i] = got[i][strings.Index(got[i], "#"):]
	}
	want := []string{
		`#1 "You can return any item within 30 days." deepeval:Answer Relevancy=pass(0.92) deepeval:PII Leakage=pass(1)`,
		`#1 "Booked." search_tables({"party":2,"time":"19:00"}) deepeval:Tool Correctness=fail(0) deepeval:Faithfulness=?`,
		`conv_0#1 "Hello, how can I help?" deepeval:Conversation Completeness=pass(0.8)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if out := file.Rows[0].Output; *out.LatencyMS != 1420 || out.CostUSD != nil || out.Model != "mock-model-a" {
		t.Errorf("output %+v", out)
	}
	_, err := interchange.ReadWith(t.Context(), "f", openReal(t, "deepeval", path), interchange.Options{ID: "caseId"})
	if err == nil || !strings.Contains(err.Error(), `testCases[1]: it has no field "caseId"`) {
		t.Errorf("a field that one case lacks gives %v", err)
	}
}

func deRun(cases ...string) string {
	return "{\"testFile\":\"t\",\"testCases\":[\n" + strings.Join(cases, ",\n") + "\n],\"testPassed\":1}"
}

func TestDeepeval(t *testing.T) {
	a := `{"name":"a","input":"q","actualOutput":"x","metricsData":[{"name":"M","success":false,"score":0.2,"flaky":true},{"name":"M","success":true,"score":NaN}]}`
	b := `{"name":"b","input":"r","actualOutput":"","trace":{"toolSpans":[{"name":"g","startTime":"2"},{"name":"f","startTime":"1","input":{"k":1}}]}}`
	c := `{"name":"c","input":"s","trace":{"status":"ERRORED"},"metricsData":[{"name":"M","success":false}]}`
	d := `{"name":"d","input":"s"}`
	want := []string{`a#1 "x" deepeval:M=?(0.2) deepeval:M#2=pass`, `b#1 "" f({"k":1}) g()`, `c#1 error "the trace ended in an error"`, `d#1 error "the test run holds no output of this test case"`}
	if diff := cmp.Diff(want, spellAll(read(t, deRun(a, b, c, d)))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(answers(t, deRun(a, b, c)), answers(t, deRun(c, a, b))); diff != "" {
		t.Error(diff)
	}
	cutDocument(t, deRun(a, b, c))
	if r := read(t, deRun(a, a)).Report; r.Most != 2 || r.Ordered != 2 {
		t.Errorf("a repeat is no second sample: %+v", r)
	}
	refuse(t, interchange.Options{}, deRun(a, strings.Replace(a, `"q"`, `"r"`, 1)), `f:3:1: testCases[1]: "a" names two cases`)
	refuse(t, interchange.Options{}, deRun("7"), "testCases[0]: expected an object")
}

func TestPydanticEvals(t *testing.T) {
	a := `{"name":"a [1/2]","source_case_name":"a","inputs":{"q":1},"output":{"z":1},"scores":{"s":{"name":"s","value":0.5,"reason":"so"}},"labels":{"l":{"value":"good"}},"assertions":{"ok":{"value":true}},"metrics":{"input_tokens":3,"cost":0.5},"task_duration":0.25,"evaluator_failures":[{"name":"E"}]}`
	b := `{"name":"a [2/2]","source_case_name":"a","inputs":{"q":1},"output":"x","assertions":{"ok":{"value":false}},"task_duration":1}`
	c := `{"name":"Case 3","inputs":"words","output":null,"scores":{}}`
	failed := `{"name":"f","inputs":{},"error_message":"boom","error_stacktrace":"…"}`
	report := func(cases ...string) string {
		return `{"name":"r","cases":[` + strings.Join(cases, ",") + `],"failures":[` + failed + `]}`
	}
	file := read(t, report(a, b, c))
	got := spellAll(file)
	got[2] = got[2][strings.Index(got[2], "#"):]
	want := []string{`a#1 "{\"z\":1}" pydantic-evals:ok=pass(1) pydantic-evals:s=?(0.5) pydantic-evals:l=?`, `a#2 "x" pydantic-evals:ok=fail(0)`, `#1 "null"`, `f#1 error "boom"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if out := file.Rows[0].Output; *out.LatencyMS != 250 || *out.InputTokens != 3 || *out.CostUSD != 0.5 || !strings.HasPrefix(file.Rows[2].ID, "inputs-") {
		t.Errorf("output %+v", out)
	}
	if len(file.Report.Notes) != 1 || !strings.Contains(file.Report.Notes[0], `"E"`) {
		t.Errorf("notes %q", file.Report.Notes)
	}
	if diff := cmp.Diff(answers(t, report(a, b, c)), answers(t, report(c, b, a))); diff != "" {
		t.Error(diff)
	}
	cutDocument(t, report(a, b, c))
	refuse(t, interchange.Options{}, report(a, strings.Replace(b, `"q":1`, `"q":2`, 1)), `cases[1]: "a" names two cases`)
	refuse(t, interchange.Options{}, report(a, `{"name":"x","inputs":1}`), `cases[1]: expected an "output"`)
}

func TestRealJUnit(t *testing.T) {
	file := real(t, interchange.Options{}, "promptfoo", "run_b.junit.xml")
	want := []string{
		`refund-window#1 "" junit:passed=fail(0)`, `refund-window#2 "" junit:passed=fail(0)`,
		`order-json#1 "" junit:passed=fail(0)`, `order-json#2 "" junit:passed=fail(0)`,
		`book-tool#1 "" junit:passed=fail(0)`, `book-tool#2 "" junit:passed=fail(0)`,
		`provider-error#1 error "Reason: Evaluation error"`, `provider-error#2 error "Reason: Evaluation error"`,
	}
	if diff := cmp.Diff(want, spellAll(file)); diff != "" {
		t.Error(diff)
	}
	if m := file.Rows[2].Checks[0].Message; !strings.Contains(m, "is-json") {
		t.Errorf("the message is %q", m)
	}
}

func TestJUnit(t *testing.T) {
	const suite = "<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"s\"><properties><property name=\"x\"/></properties>%s</testsuite></testsuites>\n"
	wrap := func(tests ...string) string { return strings.Replace(suite, "%s", strings.Join(tests, "\n"), 1) }
	a, b, c, s := `<testcase classname="m" name="a"/>`, `<testcase classname="m" name="b"><failure message="no"/></testcase>`, `<testcase name="c &amp; d"><error>boom</error></testcase>`, `<testcase name="s"><skipped/></testcase>`
	file := read(t, wrap(a, b, c, s))
	want := []string{`m::a#1 "" junit:passed=pass(1)`, `m::b#1 "" junit:passed=fail(0)`, `c & d#1 error "boom"`}
	if diff := cmp.Diff(want, spellAll(file)); diff != "" {
		t.Error(diff)
	}
	if len(file.Report.Notes) != 2 || file.Rows[1].Checks[0].Message != "no" || file.Rows[1].Line != 3 {
		t.Errorf("notes %q, rows %+v", file.Report.Notes, file.Rows)
	}
	if diff := cmp.Diff(answers(t, wrap(a, b, c)), answers(t, wrap(c, a, b))); diff != "" {
		t.Error(diff)
	}
	if r := read(t, wrap(a, a)).Report; r.Most != 2 {
		t.Errorf("report %+v", r)
	}
	cutDocument(t, wrap(a, b))
	two := `<testcase classname="[m1] p" name="test 1: a"/><testcase classname="[m2] p" name="test 2: a"/>`
	refuse(t, interchange.Options{}, wrap(two), `it holds 2 variants of its cases: "[m1] p", "[m2] p"`)
	refuse(t, interchange.Options{}, wrap(`<testcase/>`), "f:2:", "expected a test with a name")
	refuse(t, interchange.Options{}, strings.Replace(wrap(a), "?>", " encoding=\"latin1\"?>", 1), `it is written in "latin1"; save it as UTF-8`)
	refuse(t, interchange.Options{}, wrap("<testcase name=\"a\"></testsuite>"), "this is not XML")
	refuse(t, interchange.Options{}, wrap(), "it holds no output")
	refuse(t, interchange.Options{ID: "x"}, wrap(a), "a name and a classname")
	refuse(t, interchange.Options{}, "<project/>", "XML or HTML")
}

func FuzzDeepevalAndPydanticEvals(f *testing.F) {
	f.Add([]byte(deRun(`{"name":"a","input":["q"],"actualOutput":{},"metricsData":[{"name":"M","success":1}],"toolsCalled":[{"name":"f","inputParameters":[]}]}`)))
	f.Add([]byte(`{"testPassed":0,"conversationalTestCases":[{"turns":[{"role":"assistant","content":"x"}]}],"hyperparameters":{"model":"m"},"testCases":null}`))
	f.Add([]byte(`{"cases":[{"name":"Case 3","inputs":NaN,"output":1,"scores":{"a":1},"assertions":{"a":{"value":true}}}],"failures":[{"name":"f","error_message":null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		holds(t, bytes.NewReader(data), interchange.Options{})
		holds(t, bytes.NewReader(data), interchange.Options{ID: "name"})
	})
}

func FuzzJUnit(f *testing.F) {
	f.Add([]byte(`<testsuites><testsuite><testcase name="test 1: a" classname="b"><failure message="x">y</failure></testcase></testsuite></testsuites>`))
	f.Add([]byte("<?xml version=\"1.0\" encoding=\"utf-8\"?><testsuite><testcase name=\"a\"><skipped/><error/></testcase></testsuite>"))
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, bytes.NewReader(data), interchange.Options{}) })
}
