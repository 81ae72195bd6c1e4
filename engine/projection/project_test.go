package projection_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/projection"
)

func project(set *projection.Set, name string, s *projection.Subject) string {
	v, applies := set.Project(s)[name]
	if !applies {
		return "absent"
	}
	return string(canonical.Marshal(v))
}

func TestShape(t *testing.T) {
	set := projection.Default()
	deep := strings.Repeat(`{"a":`, 900) + "1" + strings.Repeat("}", 900)
	for _, tc := range []struct{ text, want string }{
		{`{"amount":1,"items":[{"sku":"x"},{"sku":"y"}],"tags":[]}`, `["amount:number","items[].sku:string","tags:array"]`},
		{"Here:\n```json\n{\"amount\":1.5}\n```", `["amount:number"]`},
		{`{"a":{},"b":null,"c":true}`, `["a:object","b:null","c:boolean"]`},
		{`[1,"x",[],[2]]`, `["[]:array","[]:number","[]:string","[][]:number"]`},
		{`[]`, `["$:array"]`},
		{`{}`, `["$:object"]`},
		{`"overdue"`, `["$:string"]`},
		{
			`{"a.b":1,"c:string":2,"":3,"d[]":4,"$":5,"first name":6,"größe":7}`,
			`["\"\":number","\"$\":number","\"a.b\":number","\"c:string\":number","\"d[]\":number","\"first name\":number","größe:number"]`,
		},
		{"the invoice is overdue", "null"},
		{"42", "null"},
		{"", "null"},
	} {
		if got := project(set, "shape", subject(tc.text, nil)); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.text, got, tc.want)
		}
	}
	if got := project(set, "shape", subject(deep, nil)); !strings.HasSuffix(got, `:object"]`) || len(got) > 600 {
		t.Errorf("a document nested 900 deep gives %d bytes", len(got))
	}
	var wide strings.Builder
	wide.WriteString(`{"k":0`)
	for i := range 5000 {
		fmt.Fprintf(&wide, `,"id%d":1`, i)
	}
	wide.WriteString("}")
	first := project(set, "shape", subject(wide.String(), nil))
	if members := strings.Count(first, `","`) + 1; members != 1001 || !strings.HasSuffix(first, `,"… and more"]`) {
		t.Errorf("5,001 members give %d", members)
	}
	if again := project(set, "shape", subject(wide.String(), nil)); again != first {
		t.Error("a document with too many members has another shape each time")
	}
}

func call(name, arguments string) output.ToolCall {
	return output.ToolCall{Name: name, Arguments: json.RawMessage(arguments)}
}

func TestTools(t *testing.T) {
	set := projection.Default()
	for _, tc := range []struct {
		name           string
		output         output.Output
		tools, toolset string
	}{
		{"unknown", output.Output{Text: "hello"}, "absent", "absent"},
		{"none", output.Output{ToolCalls: []output.ToolCall{}}, `[]`, `[]`},
		{
			"in call order, keys sorted",
			output.Output{ToolCalls: []output.ToolCall{call("refund", `{"order":1,"amount":2}`), call("look.up", `{}`), call("refund", `{"order":2}`)}},
			`["refund(amount, order)","look.up()","refund(order)"]`, `["look.up","refund"]`,
		},
		{"no arguments", output.Output{ToolCalls: []output.ToolCall{call("ping", "")}}, `["ping()"]`, `["ping"]`},
		{"arguments that are no object", output.Output{ToolCalls: []output.ToolCall{call("ping", `"x"`)}}, `"unparsable"`, `["ping"]`},
		{"a call that did not parse", output.Output{ToolCallsError: "unexpected end"}, `"unparsable"`, `null`},
		{"hostile names", output.Output{ToolCalls: []output.ToolCall{call("a(b", `{"c, d":1,"":2}`)}}, `["\"a(b\"(\"\", \"c, d\")"]`, `["\"a(b\""]`},
	} {
		s := &projection.Subject{Output: &tc.output}
		if got := project(set, "tools", s); got != tc.tools {
			t.Errorf("%s: tools %s, want %s", tc.name, got, tc.tools)
		}
		if got := project(set, "toolset", s); got != tc.toolset {
			t.Errorf("%s: toolset %s, want %s", tc.name, got, tc.toolset)
		}
	}
}

func TestEntities(t *testing.T) {
	set := projection.Default()
	for _, tc := range []struct{ name, input, output, want string }{
		{"order number", "order 4417 is late", "Your order #4417 ships today.", `["4417"]`},
		{"a longer number is another", "order 4417", "order 44170", `[]`},
		{"leading zeros count", "order 0042", "order 42", `[]`},
		{"marked with #", "case #12", "case 12 is closed", `["12"]`},
		{"a small number is no identifier", "2 items", "2 items", "absent"},
		{"nothing owed is no identifier", "balance 0.00", "0 left", "absent"},
		{"amount and currency", "paid $20.00", "we return $20.00", `["20","USD"]`},
		{"ten times the amount", "paid $20.00", "we return $200.00", `["USD"]`},
		{"currency by code, sign, name", "20 EUR", "€20", `["20","EUR"]`},
		{"currency by name", "twenty? no, 20 dollars", "USD 20.00", `["20","USD"]`},
		{"glued", "EUR20", "20EUR", `["20","EUR"]`},
		{"an amount in JSON", "paid $20.50", `{"amount":20.5,"currency":"USD"}`, `["20.5","USD"]`},
		{"grouping: comma", "total 1,000.00", "total 1000", `["1000"]`},
		{"grouping: point", "total 1.000,00", "total 1,000", `["1000"]`},
		{"grouping: no-break space", "total 1\u00a0000,00", "total 1'000.00", `["1000"]`},
		{"decimal comma", "128,40 €", "128.4 EUR", `["128.4","EUR"]`},
		{"a word in capitals is no currency", "ALL items", "ALL items", "absent"},
		{"unless a number stands beside it", "ALL 500", "500 ALL", `["500","ALL"]`},
		{"ISO date", "due 2026-08-11", "due August 11, 2026", `["2026-08-11"]`},
		{"date with time", "at 2026-08-11T10:22:03Z.", "on 11 Aug 2026", `["2026-08-11"]`},
		{"ordinals", "on the 11th of August 2026", "2026-08-11", `["2026-08-11"]`},
		{"a day over twelve", "14/05/1969", "1969-05-14", `["1969-05-14"]`},
		{"points have the day first", "11.08.2026", "2026-08-11", `["2026-08-11"]`},
		{"a date that nobody can order", "11/08/2026", "on 11/08/2026", `["11/08/2026"]`},
		{"month names between hyphens", "14-May-1969", "1969-05-14", `["1969-05-14"]`},
		{"Japanese date", "2026年8月11日に到着", "2026-08-11", `["2026-08-11"]`},
		{"Japanese order number", "注文4417が未着", "注文番号4417を確認しました", `["4417"]`},
		{"the year alone is not the date", "December 31, 2021", "in 2021", `[]`},
		{"code", "incident INC-219 and TICKET_4471", "see inc-219, (TICKET_4471).", `["INC-219","TICKET_4471"]`},
		{"codes are whole", "INC-219", "INC-2190", `[]`},
		{"lower-case code", "case inv-0031", "inv-0031: done", `["inv-0031"]`},
		{"a quantity is no code", "a 30-day window, the 3rd, 100ml at 10AM", "30-day 3rd 100ml 10AM", "absent"},
		{"addresses are passed over", "mail jane99@example.com, see https://example.com/INC-219", "jane99 INC-219", "absent"},
		{"telephone", "call 555-123-4567", "555-123-4567", `["555-123-4567"]`},
		{"in JSON strings", "order 4417", `{"note":"first line\n4417"}`, `["4417"]`},
		{"a list is no grouped number", "total 1,200", `[1,200]`, `[]`},
		{"in a fenced block", "order 4417 for $20", "Order 4417:\n```json\n{\"amount\":20}\n```", `["20","4417"]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := project(set, "entities", subject(tc.output, map[string]any{"ticket": tc.input})); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestEntitiesOfInputAndCalls(t *testing.T) {
	set := projection.Default()
	input := map[string]any{
		"body":      "order 4417",
		"body_file": "fixtures/tickets/9999.txt",
		"customer":  map[string]any{"id": json.Number("70001"), "refs": []any{"AB12CD", json.Number("1e3")}},
	}
	s := subject("9999 and AB12CD", input)
	s.Output.ToolCalls = []output.ToolCall{call("lookup", `{"order":"4417","customer":70001,"limit":1000}`)}
	want := `["1000","4417","70001","AB12CD"]`
	if got := project(set, "entities", s); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.Prepared = set.Prepare(input)
	if got := project(set, "entities", s); got != want {
		t.Errorf("prepared: got %s, want %s", got, want)
	}
	if got := project(set, "entities", subject("order 4417", nil)); got != "absent" {
		t.Errorf("without an input: %s", got)
	}
}

func TestEntitiesByPattern(t *testing.T) {
	set := compile(t, `entities: {patterns: ['order (\d+)', 'Gate [A-Z]', '\$[\d.,]+']}`)
	input := map[string]any{"ticket": "order 12, boarding at Gate B, paid $1,000.00. INC-219"}
	for text, want := range map[string]string{
		"Order no. 12, gate b, 1000 dollars":   `["1000","12","Gate B"]`,
		"order 123, Gate BC, $10,000, INC-219": `[]`,
	} {
		if got := project(set, "entities", subject(text, input)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	set := compile(t, `
numbers:
  amount: {path: order.amount, within: 0.01}
  fee: {pattern: 'fee of ((?:EUR )?\S+(?: %)?)'}
  days: {pattern: '\d+ days'}
`)
	for text, want := range map[string]string{
		`{"order":{"amount":128.40}}`:            `{"amount":128.4,"days":null,"fee":null}`,
		`{"order":{"amount":"$1,000.00"}}`:       `{"amount":1000,"days":null,"fee":null}`,
		`{"order":{"amount":"about twenty"}}`:    `{"amount":null,"days":null,"fee":null}`,
		`{"order":{"amount":true}}`:              `{"amount":null,"days":null,"fee":null}`,
		`{"order":{"amount":1e999}}`:             `{"amount":null,"days":null,"fee":null}`,
		"A fee of €12,50. Wait 30 days.":         `{"amount":null,"days":30,"fee":12.5}`,
		"A fee of EUR 12.50":                     `{"amount":null,"days":null,"fee":12.5}`,
		"A fee of nothing, which is fine":        `{"amount":null,"days":null,"fee":null}`,
		"A fee of (20.00) then":                  `{"amount":null,"days":null,"fee":-20}`,
		"A fee of -20.00":                        `{"amount":null,"days":null,"fee":-20}`,
		"A fee of 3% then":                       `{"amount":null,"days":null,"fee":3}`,
		"A fee of 3 %":                           `{"amount":null,"days":null,"fee":3}`,
		"A fee of 192.168.0.1":                   `{"amount":null,"days":null,"fee":null}`,
		"A fee of 12.50, the first of 2 days":    `{"amount":null,"days":2,"fee":12.5}`,
		"A fee of 12345678901234567890123456789": `{"amount":null,"days":null,"fee":12345678901234567890123456789}`,
	} {
		if got := project(set, "numbers", subject(text, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	if got := project(projection.Default(), "numbers", subject("20", nil)); got != "absent" {
		t.Errorf("unconfigured: %s", got)
	}
}

func TestBands(t *testing.T) {
	set := projection.Default()
	own := compile(t, "length: {short: 2, medium: 4}")
	for _, tc := range []struct {
		set  *projection.Set
		n    int
		want string
	}{
		{set, 0, "short"},
		{set, 50, "short"},
		{set, 51, "medium"},
		{set, 200, "medium"},
		{set, 201, "long"},
		{own, 2, "short"},
		{own, 3, "medium"},
		{own, 5, "long"},
	} {
		if got := project(tc.set, "length", subject(strings.Repeat("word ", tc.n), nil)); got != `"`+tc.want+`"` {
			t.Errorf("%d words are %s, want %s", tc.n, got, tc.want)
		}
	}
}

func TestLanguageAndRefusal(t *testing.T) {
	set := projection.Default()
	const english = "We have looked at your order and the parcel left the warehouse on Monday, so it should be with you by the end of this week at the latest."
	for _, tc := range []struct{ text, language, refusal string }{
		{english, `"en"`, "false"},
		{"yes", `"unknown"`, "false"},
		{`{"answer":"` + english + `","status":"open"}`, `"en"`, "false"},
		{`{"status":"open","answer":"` + english + `"}`, `"en"`, "false"},
		{"I'm sorry, but I can't help with that.", `"unknown"`, "true"},
		{`{"answer":"I'm sorry, but I can't help with that."}`, `"unknown"`, "true"},
	} {
		s := subject(tc.text, nil)
		if got := project(set, "language", s); got != tc.language {
			t.Errorf("%s: language %s, want %s", tc.text, got, tc.language)
		}
		if got := project(set, "refusal", s); got != tc.refusal {
			t.Errorf("%s: refusal %s, want %s", tc.text, got, tc.refusal)
		}
	}
}

func TestLabel(t *testing.T) {
	set := compile(t, "label: {path: status}", "overdue", "paid")
	for text, want := range map[string]string{
		`{"status":"overdue"}`: `"overdue"`,
		"It is paid.":          `"paid"`,
		"Nobody knows.":        "null",
	} {
		if got := project(set, "label", subject(text, nil)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if got := project(projection.Default(), "label", subject("paid", nil)); got != "absent" {
		t.Errorf("without labels: %s", got)
	}
}

func TestNullProjectionIsNotAbsent(t *testing.T) {
	values := projection.Default().Project(subject("prose", nil))
	if v, there := values["shape"]; !there || v != nil {
		t.Errorf("shape of prose: %v, %v", v, there)
	}
}
