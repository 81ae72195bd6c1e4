package projection_test

import (
	"testing"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/projection"
)

// FuzzProject: any text as output and as input is measured, twice the same,
// into values that a baseline can hold, and agrees with itself.
func FuzzProject(f *testing.F) {
	for _, s := range []string{
		`{"amount":1,"items":[{"sku":"x"}],"a.b":null}`, "Order 4417, $1,000.00, 1.000,00 €, EUR20 20EUR",
		"14 May 1969, May 14, 2021, 11/08/2026, 2026-08-11T10:22:03Z", "2026年8月11日 注文4417", "INC-219 a@b.c https://x.y/z12",
		"```json\n[1,200]\n```", "ALL 4 #12 20% 192.168.0.1 555-123-4567 1\u00a0000", "\xff\xfe1,", "1-2-3-4/5.6.7,8", "fee of (20.00)",
		"99th of", "May 9", "$", "€", "12 May", "0,", "1'", "2026-08-11T", "年月日", "1234年1月1",
	} {
		f.Add(s, s)
	}
	set := compile(f, `
label: {path: status}
numbers: {amount: {path: amount, within: 1}, fee: {pattern: 'fee of (\S+)'}, any: {pattern: '\S+'}}
`, "refund", "reject")
	own := compile(f, `entities: {patterns: ['\S+', 'order (\d*)']}`)
	f.Fuzz(func(t *testing.T, text, in string) {
		for _, set := range []*projection.Set{set, own} {
			s := subject(text, map[string]any{"text": in})
			s.Output.ToolCalls = []output.ToolCall{{Name: in, Arguments: []byte(text)}}
			once, again := set.Project(s), set.Project(s)
			spelled := canonical.Marshal(once)
			if string(spelled) != string(canonical.Marshal(again)) {
				t.Fatalf("measured twice:\n%s\n%s", spelled, canonical.Marshal(again))
			}
			m := measured(set, []map[string]any{once, again})
			if got := differences(set, m, m); len(got) > 0 {
				t.Fatalf("differs from itself: %q", got)
			}
			if once["numbers"] != nil {
				if _, err := canonical.Parse(spelled); err != nil {
					t.Fatalf("%s: %v", spelled, err)
				}
			}
		}
	})
}
