package label_test

import (
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/label"
	"docket/engine/output"
)

func find(t testing.TB, f *label.Finder, text string) string {
	t.Helper()
	doc, has := output.Document(text)
	return string(canonical.Marshal(f.Find(&output.Output{Text: text}, doc, has)))
}

func TestFind(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, tc := range []struct {
		name   string
		labels []string
		path   string
		text   string
		want   string
	}{
		// At the path.
		{"a string", nil, "status", `{"status":"overdue"}`, `"overdue"`},
		{"in a fenced block", nil, "status", "Here:\n```json\n{\"status\":\"overdue\"}\n```", `"overdue"`},
		{"one that is not listed", []string{"paid"}, "status", `{"status":"Overdue!"}`, `"Overdue!"`},
		{"a list, sorted, each once", nil, "$", `["b","a","b"]`, `["a","b"]`},
		{"an empty list", nil, "tags", `{"tags":[]}`, `[]`},
		{"every item", nil, "rows[].status", `{"rows":[{"status":"b"},{"status":"a"}]}`, `["a","b"]`},
		{"every item of one", nil, "rows[].status", `{"rows":[{"status":"b"}]}`, `["b"]`},
		{"true and numbers as JSON spells them", nil, "status", `{"status":true}`, `"true"`},
		{"numbers", nil, "status", `{"status":1.0}`, `"1"`},
		{"null is no label", []string{"paid"}, "status", `{"status":null,"note":"paid"}`, `null`},
		{"prose is no label", nil, "status", `{"status":"` + long + `"}`, `null`},
		{"a container is no label", nil, "status", `{"status":{"code":"paid"}}`, `null`},
		{"nothing there", nil, "status", `{"state":"paid"}`, `null`},
		{"no JSON and no labels", nil, "status", "paid", `null`},

		// The only listed label in the document.
		{"the only one", []string{"paid", "overdue"}, "", `{"x":{"y":["OVERDUE"]},"note":"see paid"}`, `"overdue"`},
		{"twice the same", []string{"paid", "overdue"}, "", `["paid","paid"]`, `"paid"`},
		{"two", []string{"paid", "overdue"}, "", `["paid","overdue"]`, `"ambiguous"`},
		{"the path leads nowhere", []string{"paid"}, "status", `{"state":"paid"}`, `"paid"`},
		{"a quoted answer", []string{"paid"}, "", `"paid"`, `"paid"`},
		{"only a word in a string", []string{"paid"}, "", `{"note":"was paid in May"}`, `"paid"`},

		// As a whole word in the text.
		{"in prose", []string{"paid", "overdue"}, "", "The invoice is Overdue.", `"overdue"`},
		{"bold", []string{"paid"}, "", "It is **paid**", `"paid"`},
		{"several", []string{"paid", "overdue"}, "", "paid or overdue?", `"ambiguous"`},
		{"the same several times", []string{"paid", "overdue"}, "", "paid, paid, PAID", `"paid"`},
		{"none", []string{"paid"}, "", "unpaid, prepaid, paid_out, paid2", `null`},
		{"tied by a hyphen", []string{"paid"}, "", "non-paid", `null`},
		{"a dash is no hyphen", []string{"paid"}, "", "status - paid -", `"paid"`},
		{"behind an elided article", []string{"avoir"}, "", "l'avoir", `"avoir"`},
		{"inside a longer label", []string{"paid", "partially paid"}, "", "It was partially\n paid.", `"partially paid"`},
		{"beside a longer label", []string{"paid", "partially paid"}, "", "partially paid, then paid", `"ambiguous"`},
		{"other alphabets", []string{"оплачен"}, "", "Счёт ОПЛАЧЕН.", `"оплачен"`},
		{"no spaces between words", []string{"返金"}, "", "全額返金します", `"返金"`},
		{"composed and decomposed", []string{"caf\u00e9"}, "", "cafe\u0301", "\"caf\u00e9\""},
		{"label with punctuation", []string{"c++", "c"}, "", "Written in C++.", `"c++"`},
		{"nothing", []string{"paid"}, "", "", `null`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := label.New(tc.labels, tc.path)
			if err != nil {
				t.Fatal(err)
			}
			if !f.Measures() {
				t.Error("measures nothing")
			}
			if got := find(t, f, tc.text); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestNew(t *testing.T) {
	for _, tc := range []struct {
		labels []string
		path   string
		says   string
	}{
		{[]string{"a", " "}, "", "blank"},
		{[]string{"Paid", "paid"}, "", "differ only in case"},
		{[]string{"past due", "past  due"}, "", "differ only in case"},
		{[]string{strings.Repeat("x", 257)}, "", "limit"},
		{nil, "a[", "never closed"},
	} {
		if _, err := label.New(tc.labels, tc.path); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q %q: got %v, want an error that says %q", tc.labels, tc.path, err, tc.says)
		}
	}
	f, err := label.New(nil, "")
	if err != nil || f.Measures() || find(t, f, "paid") != "null" {
		t.Errorf("nothing configured: %v", err)
	}
	var none *label.Finder
	if none.Measures() {
		t.Error("no finder measures")
	}
}

func TestSettings(t *testing.T) {
	f, err := label.New([]string{"b", "a"}, "$.x")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(canonical.Marshal(f.Settings())); got != `{"labels":["a","b"],"path":"x"}` {
		t.Errorf("settings are %s", got)
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"paid", `{"status":"paid"}`, "non-paid", "全額返金", `["paid","overdue"]`, "\xff paid-", "PAİD", "ﬀ paid"} {
		f.Add(s, "paid")
	}
	f.Fuzz(func(t *testing.T, text, listed string) {
		finder, err := label.New([]string{listed, "overdue", "返金"}, "status")
		if err != nil {
			return
		}
		if once, again := find(t, finder, text), find(t, finder, text); once != again {
			t.Fatalf("%s, then %s", once, again)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	f, err := label.New([]string{"overdue", "paid", "disputed", "partially paid", "refund", "reject"}, "")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("The customer wrote about a parcel that came late. ", 10) + "The invoice is overdue."
	for b.Loop() {
		f.Find(&output.Output{Text: text}, nil, false)
	}
}
