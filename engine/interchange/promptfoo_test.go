package interchange_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/interchange"
)

// promptfooFacts are what the notes on the two runs at hand say of them.
var promptfooFacts = map[string][]string{
	"run_a": {
		`refund-window#1 "You can return any item within 30 days of delivery." promptfoo:facts=pass(1) promptfoo:forbidden=pass(1) promptfoo:length=pass(1)`,
		`refund-window#2 "You can return any item within 30 days of delivery." promptfoo:facts=pass(1) promptfoo:forbidden=pass(1) promptfoo:length=pass(1)`,
		`order-json#1 "{\"id\":77,\"total\":41.5,\"items\":[\"mug\"]}" promptfoo:schema=pass(1) promptfoo:number=pass(1)`,
		`order-json#2 "{\"id\":77,\"total\":41.5,\"items\":[\"mug\"]}" promptfoo:schema=pass(1) promptfoo:number=pass(1)`,
		`book-tool#1 "" book_table({"party":2,"time":"19:00"}) promptfoo:tools=pass(1) promptfoo:latency=pass(1) promptfoo:cost=pass(1)`,
		`book-tool#2 "" book_table({"party":2,"time":"19:00"}) promptfoo:tools=pass(1) promptfoo:latency=pass(1) promptfoo:cost=pass(1)`,
		`provider-error#1 error "HTTP 529 overloaded"`,
		`provider-error#2 error "HTTP 529 overloaded"`,
	},
	"run_b": {
		`refund-window#1 "Returns are accepted within 14 days, lifetime members get longer." promptfoo:facts=fail(0) promptfoo:forbidden=fail(0) promptfoo:length=pass(1)`,
		`refund-window#2 "Returns are accepted within 14 days, lifetime members get longer." promptfoo:facts=fail(0) promptfoo:forbidden=fail(0) promptfoo:length=pass(1)`,
		`order-json#1 "{\"id\":\"77\",\"total\":41.5}" promptfoo:schema=fail(0) promptfoo:number=pass(1)`,
		`order-json#2 "{\"id\":\"77\",\"total\":41.5}" promptfoo:schema=fail(0) promptfoo:number=pass(1)`,
		`book-tool#1 "" search_tables({"party":2,"time":"19:00"}) promptfoo:tools=fail(0) promptfoo:latency=pass(1) promptfoo:cost=pass(1)`,
		`book-tool#2 "" search_tables({"party":2,"time":"19:00"}) promptfoo:tools=fail(0) promptfoo:latency=pass(1) promptfoo:cost=pass(1)`,
		`provider-error#1 error "HTTP 529 overloaded"`,
		`provider-error#2 error "HTTP 529 overloaded"`,
	},
}

func TestRealPromptfoo(t *testing.T) {
	for file, run := range map[string]string{"run_a.v3.results.json": "run_a", "run_b.v3.results.json": "run_b", "run_b.v3.results.jsonl": "run_b"} {
		t.Run(file, func(t *testing.T) {
			read := real(t, interchange.Options{}, "promptfoo", file)
			if diff := cmp.Diff(promptfooFacts[run], spellAll(read)); diff != "" {
				t.Error(diff)
			}
			r := read.Report
			if r.Rows != 8 || r.Cases != 4 || r.Fewest != 2 || r.Most != 2 || r.Errors != 2 || r.Ordered != 8 || !strings.Contains(r.Rule, "description") {
				t.Errorf("the report is %+v", r)
			}
			out := read.Rows[0].Output
			if out.Model != "mock:model-a" || out.LatencyMS == nil || *out.InputTokens != 21 || *out.OutputTokens != 9 || *out.CostUSD != 0.00021 {
				t.Errorf("measured is %+v", out)
			}
			if got := fmt.Sprint(read.Rows[0].Input); got != "map[q:How long do I have to return an item?]" {
				t.Errorf("input is %s", got)
			}
		})
	}
	byField := real(t, interchange.Options{ID: "q"}, "promptfoo", "run_b.v3.results.jsonl")
	if got := byField.Rows[2].ID; got != "Give order 77 as JSON" {
		t.Errorf("by the variable q the id is %q", got)
	}
}

func TestRealPromptfooCSV(t *testing.T) {
	file := real(t, interchange.Options{}, "promptfoo", "run_a.csv")
	got := spellAll(file)
	want := []string{
		`refund-window#1 "You can return any item within 30 days of delivery." promptfoo:facts=?(1) promptfoo:forbidden=?(1) promptfoo:length=?(1) promptfoo:success=pass(1)`,
		`refund-window#2 "You can return any item within 30 days of delivery." promptfoo:facts=?(1) promptfoo:forbidden=?(1) promptfoo:length=?(1) promptfoo:success=pass(1)`,
		`order-json#1 "{\"id\":77,\"total\":41.5,\"items\":[\"mug\"]}" promptfoo:number=?(1) promptfoo:schema=?(1) promptfoo:success=pass(1)`,
		`order-json#2 "{\"id\":77,\"total\":41.5,\"items\":[\"mug\"]}" promptfoo:number=?(1) promptfoo:schema=?(1) promptfoo:success=pass(1)`,
		`book-tool#1 "" book_table({"party":2,"time":"19:00"}) promptfoo:tools=?(1) promptfoo:success=pass(1)`,
		`book-tool#2 "" book_table({"party":2,"time":"19:00"}) promptfoo:tools=?(1) promptfoo:success=pass(1)`,
		`provider-error#1 error "promptfoo reports an error"`,
		`provider-error#2 error "promptfoo reports an error"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if file.Rows[0].Output.Model != "mock-a" || file.Rows[7].Line != 9 {
		t.Errorf("rows %+v", file.Rows)
	}
}

func TestPromptfooCSV(t *testing.T) {
	const header = "Description,q,[m1] p,Status,Score,Grader Reason,[m2] p,Status,Score,Grader Reason\n"
	const rows = "a,1,\"two\nlines\",PASS,1.00,ok,no,FAIL,0.00,bad\nb,2,x,PASS,1,,,ERROR,0,down\n"
	refuse(t, interchange.Options{}, header+rows, `it holds 2 variants of its cases: "m1, p", "m2, p"`)
	file, err := interchange.ReadWith(t.Context(), "f", strings.NewReader(header+rows), interchange.Options{Variant: "[m2] p"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`a#1 "no" promptfoo:success=fail(0)`, `b#1 error "down"`}
	if diff := cmp.Diff(want, spellAll(file)); diff != "" || file.Rows[1].Line != 4 {
		t.Error(diff, file.Rows)
	}
	const one = "q,[m1] p,Status,Score,Grader Reason\n"
	byVars := read(t, one+"1,x,PASS,1,\n2,y,PASS,1,\n1,z,PASS,1,\n")
	if r := byVars.Report; r.Cases != 2 || r.Most != 2 {
		t.Errorf("report %+v", r)
	}
	if diff := cmp.Diff(answers(t, one+"1,x,PASS,1,\n2,y,PASS,1,\n"), answers(t, one+"2,y,PASS,1,\n1,x,PASS,1,\n")); diff != "" {
		t.Error(diff)
	}
	refuse(t, interchange.Options{ID: "r"}, one+"1,x,PASS,1,\n", `f:2:1: it has no column "r"`)
	refuse(t, interchange.Options{}, one+"1,x,PASS,1", "f:2:", "another number of columns")
	refuse(t, interchange.Options{}, one+"1,\"x,PASS,1,\n", "a quote is never closed")
	refuse(t, interchange.Options{}, one+"1,x,MAYBE,1,\n", `expected PASS, FAIL or ERROR, got "MAYBE"`)
	refuse(t, interchange.Options{}, one+"1,\xff,PASS,1,\n", "it is not UTF-8")
	refuse(t, interchange.Options{}, "Description"+one[1:]+"a,x,PASS,1,\n"+"a,y,FAIL,1,\n"+"\x00", "")
	refuse(t, interchange.Options{}, "Description,"+one+"a,1,x,PASS,1,\na,2,y,PASS,1,\n", `"a" names two cases`)
	refuse(t, interchange.Options{}, one, "it holds no output")
}

func FuzzPromptfooCSV(f *testing.F) {
	f.Add([]byte("Description,q,[m1] p,Status,Score,Metric: a,Grader Reason\na,\"1\n\",x,PASS,1,.5,\n,2,[],ERROR,,,why\n"))
	f.Add([]byte("x,Status,Score,Grader Reason\n[{},PASS,NaN,\n"))
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, bytes.NewReader(data), interchange.Options{}) })
}

// A pfRow is a row of a small run of our own.
type pfRow struct{ id, desc, vars, provider, prompt, rest string }

func (r pfRow) String() string {
	if r.provider == "" {
		r.provider = "m1"
	}
	if r.prompt == "" {
		r.prompt = "ask"
	}
	test := `"assert":[{"type":"equals"}]`
	if r.desc != "" {
		test += `,"description":"` + r.desc + `"`
	}
	return fmt.Sprintf(`{"id":%q,"testCase":{%s},"vars":{%s},"provider":{"id":"vendor:%s","label":%q},"prompt":{"raw":"R","label":%q},"promptId":"%s-id","success":true,"score":1,%s}`,
		r.id, test, r.vars, r.provider, r.provider, r.prompt, r.prompt, r.rest)
}

func pfFile(version int, rows ...pfRow) string {
	var all []string
	for _, r := range rows {
		all = append(all, r.String())
	}
	return fmt.Sprintf("{\n\"evalId\":\"e\",\"results\":{\"version\":%d,\"timestamp\":\"t\",\n\"results\":[\n%s\n],\"stats\":{}},\"config\":{}}\n", version, strings.Join(all, ",\n"))
}

func pfLines(rows ...pfRow) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.String() + "\n")
	}
	return b.String()
}

const said = `"response":{"output":"yes"},"gradingResult":{"pass":true,"score":1,"componentResults":[{"pass":true,"score":1,"assertion":{"type":"equals"}}]}`

func TestPromptfooRows(t *testing.T) {
	for name, tt := range map[string]struct{ rest, want string }{
		"plain":                  {said, `a#1 "yes" promptfoo:equals=pass(1)`},
		"object":                 {`"response":{"output":{"b":1,"a":[2]}},"gradingResult":null`, `a#1 "{\"a\":[2],\"b\":1}"`},
		"a reason is no error":   {`"error":"Expected x","failureReason":1,"response":{"output":"no"},"gradingResult":{"componentResults":[{"pass":false,"score":0.25,"assertion":null}]}`, `a#1 "no" promptfoo:check=fail(0.25)`},
		"error null":             {`"error":null,"failureReason":0,"response":{"output":"no"}`, `a#1 "no"`},
		"an error":               {`"error":"down","failureReason":2,"response":{"output":"partial"}`, `a#1 error "down"`},
		"an error unsaid":        {`"failureReason":2`, `a#1 error "promptfoo reports an error and does not say which"`},
		"an error, version 2":    {`"error":"down","response":{}`, `a#1 error "down"`},
		"a reason, version 2":    {`"error":"Expected x","response":{"output":"no"},"gradingResult":{"componentResults":[]}`, `a#1 "no" promptfoo:success=pass(1)`},
		"a name twice":           {`"response":{"output":""},"gradingResult":{"componentResults":[{"pass":true,"assertion":{"type":"t"}},{"pass":false,"assertion":{"type":"t"}},{"pass":true,"assertion":{"type":"t#2"}}]}`, `a#1 "" promptfoo:t=pass promptfoo:t#2=fail promptfoo:t#2#2=pass`},
		"measured only":          {`"response":{"output":""},"gradingResult":{"componentResults":[{"pass":false,"score":0.5,"assertion":{"type":"t","weight":0}}]}`, `a#1 "" promptfoo:t=?(0.5)`},
		"ungraded":               {`"response":{"output":""},"gradingResult":{"pass":true,"score":1,"reason":"No assertions"}`, `a#1 ""`},
		"calls of another kind":  {`"response":{"output":[{"type":"text","text":"Let me see."},{"type":"tool_use","name":"f","input":{"k":1}}]}`, `a#1 "Let me see." f({"k":1})`},
		"a list that is no call": {`"response":{"output":"[1, 2]"}`, `a#1 "[1, 2]"`},
	} {
		t.Run(name, func(t *testing.T) {
			row := pfRow{id: "1", desc: "a", vars: `"q":1`, rest: tt.rest}
			for kind, text := range map[string]string{"document": pfFile(3, row), "lines": pfLines(row)} {
				file := read(t, text)
				if got := spell(file.Rows[0]); got != tt.want || len(file.Rows) != 1 {
					t.Errorf("%s: %s, want %s", kind, got, tt.want)
				}
			}
		})
	}
	cached := read(t, pfFile(3, pfRow{id: "1", desc: "a", rest: `"latencyMs":3,"cost":0,"response":{"output":"x","cached":true,"tokenUsage":{"cached":9,"total":9}}`})).Rows[0].Output
	if cached.LatencyMS != nil || cached.CostUSD != nil || cached.InputTokens != nil {
		t.Errorf("what a cache gave is taken for measured: %+v", cached)
	}
}

func TestPromptfooPairing(t *testing.T) {
	one, two := pfRow{id: "1", desc: "a", vars: `"q":1,"ticket":"T-1"`, rest: said}, pfRow{id: "2", desc: "a", vars: `"q":2,"ticket":"T-2"`, rest: said}
	refuse(t, interchange.Options{}, pfFile(3, one, two), "f:5:1: results.results[1]: ", `"a" names two cases, with different inputs`, "--id")
	file, err := interchange.ReadWith(t.Context(), "f", strings.NewReader(pfFile(3, one, two)), interchange.Options{ID: "ticket"})
	if err != nil {
		t.Fatal(err)
	}
	if file.Rows[0].ID != "T-1" || file.Rows[1].ID != "T-2" || file.Report.Rule != "" {
		t.Errorf("rows %v", spellAll(file))
	}
	refuse(t, interchange.Options{ID: "tocket"}, pfFile(3, one), `it has no field "tocket"`)
	refuse(t, interchange.Options{ID: "a..b"}, pfFile(3, one), `is not a field`)

	// Without a description the variables tell cases apart, in whatever order
	// they stand.
	nameless := read(t, pfFile(3, pfRow{id: "1", vars: `"q":1,"r":2`, rest: said}, pfRow{id: "2", vars: `"r":2.0,"q":1`, rest: said}, pfRow{id: "3", vars: `"q":3`, rest: said}))
	if r := nameless.Report; r.Cases != 2 || r.Most != 2 || !strings.HasPrefix(nameless.Rows[0].ID, "vars-") {
		t.Errorf("rows %v", spellAll(nameless))
	}
	// Version 2 keeps descriptions in a table beside the results.
	table := strings.Replace(pfFile(2, pfRow{id: "", vars: `"q":7`, rest: said}, pfRow{vars: `"q":8`, rest: said}),
		`"stats":{}`, `"table":{"head":{"vars":["q"]},"body":[{"description":"seven","vars":["7"],"outputs":[]},{"vars":["8"],"outputs":[]}]}`, 1)
	if got := read(t, table); got.Rows[0].ID != "seven" || !strings.HasPrefix(got.Rows[1].ID, "vars-") {
		t.Errorf("rows %v", spellAll(got))
	}
}

func TestPromptfooVariants(t *testing.T) {
	rows := []pfRow{
		{id: "1", desc: "a", provider: "m1", prompt: "short", rest: said},
		{id: "2", desc: "a", provider: "m2", prompt: "short", rest: said},
		{id: "3", desc: "a", provider: "m2", prompt: "long", rest: said},
	}
	refuse(t, interchange.Options{}, pfFile(3, rows...), `it holds 3 variants of its cases: "m1, short", "m2, short", "m2, long"; choose one with --variant NAME`)
	refuse(t, interchange.Options{Variant: "m2"}, pfFile(3, rows...), `"m2" stands for 2 of its variants, "m2, short", "m2, long"`)
	refuse(t, interchange.Options{Variant: "m3"}, pfLines(rows...), `it holds no variant "m3"`)
	for _, name := range []string{"m1", "vendor:m1", "m1, short"} {
		file, err := interchange.ReadWith(t.Context(), "f", strings.NewReader(pfLines(rows...)), interchange.Options{Variant: name})
		if err != nil {
			t.Fatal(err)
		}
		if len(file.Rows) != 1 || file.Rows[0].Output.Model != "vendor:m1" || file.Report.Skipped != 2 {
			t.Errorf("%s: %v", name, spellAll(file))
		}
	}
	refuse(t, interchange.Options{Variant: "m1"}, `{"id":"a","text":""}`, "it holds no variants")
}

func TestPromptfooCutSwappedDuplicated(t *testing.T) {
	other := strings.Replace(said, "yes", "no", 1)
	a, b, c := pfRow{id: "1", desc: "a", vars: `"q":1`, rest: said}, pfRow{id: "2", desc: "b", vars: `"q":2`, rest: other}, pfRow{id: "3", desc: "a", vars: `"q":1`, rest: other}
	cutDocument(t, pfFile(3, a, b, c))
	for _, form := range []func(...pfRow) string{func(r ...pfRow) string { return pfFile(3, r...) }, pfLines} {
		if diff := cmp.Diff(answers(t, form(a, b, c)), answers(t, form(c, b, a))); diff != "" {
			t.Error(diff)
		}
		refuse(t, interchange.Options{}, form(a, b, c, b), "this result is there twice, first at")
	}
	refuse(t, interchange.Options{}, pfFile(3, a)+pfFile(3, b), "expected the end of the file")
	refuse(t, interchange.Options{}, strings.Replace(pfFile(3, a), `"evalId":"e"`, `"results":{}`, 1), "comes twice")
	refuse(t, interchange.Options{}, strings.Replace(pfFile(3, a), `"id":"1"`, `"id":"1","id":"2"`, 1), "f:4:", `"id"`)
	refuse(t, interchange.Options{}, strings.Replace(pfFile(3, a), `"stats":{}`, `"stats":[}`, 1), `'}' closes nothing`)
	refuse(t, interchange.Options{}, `{"results":{"version":3,"results":[7]}}`, "results.results[0]: expected an object")
	refuse(t, interchange.Options{}, `{"results":{"version":3,"results":[]}}`, "it holds no output")
	cut := pfLines(a, b)
	refuse(t, interchange.Options{}, cut[:len(cut)-20], "the file is cut short")
}

func FuzzPromptfoo(f *testing.F) {
	a := pfRow{id: "1", desc: "a", vars: `"q":1`, rest: said}
	for _, seed := range []string{
		pfFile(3, a, pfRow{id: "2", provider: "m2", rest: said}), pfFile(2, a), pfLines(a, a),
		`{"results":{"version":2,"table":{"head":{"vars":["q"]},"body":[{"vars":["7",null],"description":"d"}]},"results":[{"vars":{"q":"7"},"success":true}]}}`,
		`{"results":{"version":3,"results":[{"success":true,"vars":{"a":NaN},"response":{"output":"[{\"type\":\"tool_use\",\"name\":\"f\"}]"}}]}}`,
	} {
		f.Add([]byte(seed), "q", "m1")
	}
	f.Fuzz(func(t *testing.T, data []byte, id, variant string) {
		holds(t, bytes.NewReader(data), interchange.Options{})
		holds(t, bytes.NewReader(data), interchange.Options{ID: id, Variant: variant})
	})
}
