package decision

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var decidedAt = time.Date(2026, 8, 11, 10, 22, 3, 0, time.UTC)

func TestTheLineOfTheDesign(t *testing.T) {
	const text = `{"at":"2026-08-11T10:22:03Z","by":"ada","mode":"live","case":"inv-0031","version":2,"verdict":"accept","status":"changed","seen":"7c1e","changes":[{"of":"label","old":"overdue","new":"paid","tags":[]}],"samples":"5→3","reason":"partial refunds are paid under policy 12","provenance":"incident INC-219"}`
	d, err := ParseLine([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := Decision{
		At: decidedAt, By: "ada", Mode: "live", Case: "inv-0031", Version: 2, Verdict: Accept, Status: "changed", Seen: "7c1e",
		Changes: []Change{{Of: "label", Old: "overdue", New: "paid"}},
		Samples: Samples(5, 3), Reason: "partial refunds are paid under policy 12", Provenance: "incident INC-219",
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	if got := string(AppendLine(nil, &d)); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
}

// TestTheMemberOfAChange: which number moved is recorded, told and remembered.
func TestTheMemberOfAChange(t *testing.T) {
	number := func(member string) []Change {
		return []Change{{Kind: "projection", Of: "numbers", Member: member, Old: json.Number("20"), New: json.Number("90"), Tags: []string{}}}
	}
	if got, want := string(appendChanges(nil, number("amount"))), `[{"kind":"projection","of":"numbers","member":"amount","old":20,"new":90,"tags":[]}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if SameChanges(number("amount"), number("tax")) || !SameChanges(number("amount"), number("amount")) {
		t.Error("another member is not told from the same")
	}
	for want, c := range map[string]Change{
		"label overdue → paid":        {Of: "label", Old: "overdue", New: "paid"},
		"numbers.amount 20 → 90":      number("amount")[0],
		"entities 4417 → (none)":      {Of: "entities", Member: "4417", Old: "4417"},
		"shape total number → string": {Of: "shape", Member: "total", Old: "number", New: "string"},
		"shape a:[] {} → (none)":      {Of: "shape", Member: "a:[]", Old: map[string]any{}},
	} {
		if got := c.String(); got != want {
			t.Errorf("the change reads %q, want %q", got, want)
		}
		if got, want := c.Part(), ":"+c.Of; !strings.HasSuffix(got, want) {
			t.Errorf("the row is %q", got)
		}
	}
}

func genChange() *rapid.Generator[Change] {
	return rapid.Custom(func(t *rapid.T) Change {
		value := rapid.SampledFrom([]any{nil, true, "paid", "a\n\x1b[1m", json.Number("1.5"), json.Number("-3"), []any{"x", nil}, map[string]any{"b": json.Number("1"), "a": "y"}})
		return Change{
			Kind: rapid.SampledFrom([]string{"", "projection", "check"}).Draw(t, "kind"),
			Of:   rapid.StringN(0, 8, -1).Draw(t, "of"), Member: rapid.StringN(0, 3, -1).Draw(t, "member"), Old: value.Draw(t, "old"), New: value.Draw(t, "new"),
			Tags: rapid.SampledFrom([][]string{nil, {"knowledge"}, {"a", "b"}}).Draw(t, "tags"),
		}
	})
}

func TestWhatIsWrittenIsWhatIsRead(t *testing.T) {
	text := rapid.StringN(0, 20, -1)
	rapid.Check(t, func(t *rapid.T) {
		d := Decision{
			At: time.UnixMilli(rapid.Int64Range(0, 1<<41).Draw(t, "at")).UTC(),
			By: text.Draw(t, "by"), Mode: text.Draw(t, "mode"), Case: rapid.StringN(1, 8, -1).Draw(t, "case"),
			Version: rapid.IntRange(0, 9).Draw(t, "version"), Verdict: rapid.SampledFrom(Verdicts()).Draw(t, "verdict"),
			Status: text.Draw(t, "status"), Seen: text.Draw(t, "seen"), Samples: text.Draw(t, "samples"),
			Reason: text.Draw(t, "reason"), Provenance: text.Draw(t, "provenance"),
		}
		if changes := rapid.SliceOfN(genChange(), 0, 3).Draw(t, "changes"); len(changes) > 0 {
			d.Changes = changes
		}
		line := AppendLine(nil, &d)
		got, err := ParseLine(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if diff := cmp.Diff(d, got); diff != "" {
			t.Fatal(diff)
		}
		if again := AppendLine(nil, &got); string(again) != string(line) {
			t.Fatalf("two spellings:\n%s\n%s", line, again)
		}
	})
}

func TestWrongLinesAreRefusedWithTheColumn(t *testing.T) {
	for text, want := range map[string]string{
		`{"at":"2026-08-11T10:22:03Z","verdict":"accept"}`:              `the decision has no "case"`,
		`{"at":"2026-08-11T10:22:03Z","case":"a"}`:                      `the decision has no "verdict"`,
		`{"case":"a","verdict":"accept"}`:                               `the decision has no "at"`,
		`{"at":"yesterday"}`:                                            `column 7: "at" must be a time such as 2026-08-11T10:22:03Z, found "yesterday"`,
		`{"verdict":"accept all"}`:                                      `column 12: "verdict" must be one of accept, reject, allow, retire, recapture, restore, keep, found "accept all"`,
		`{"case":"a","case":"b"}`:                                       `column 13: the key "case" comes twice`,
		`{"changes":{}}`:                                                `column 12: "changes" must be a list, found an object`,
		`{"changes":[{"of":"a","old":{"x":1,"x":2}}]}`:                  `column 36: the key "x" stands twice`,
		`{"at":"2026-08-11T10:22:03Z","case":"a","verdict":"accept"} x`: `unexpected text after the end of the object`,
	} {
		if _, err := ParseLine([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestSeenBindsToBothLines(t *testing.T) {
	old, line := []byte(`{"id":"a","samples":5}`), []byte(`{"id":"a","pass":true,"samples":3,"outputs":"x"}`)
	seen := Seen(old, line)
	if len(seen) != 16 || strings.Trim(seen, "0123456789abcdef") != "" {
		t.Errorf("seen is %q", seen)
	}
	if again := Seen(old, []byte(`{"id":"a","pass":true,"samples":1,"outputs":"another prose"}`)); again != seen {
		t.Error("a rerun with the same structure changes it")
	}
	for name, other := range map[string]string{
		"another old line": Seen([]byte(`{"id":"a","samples":4}`), line),
		"no old line":      Seen(nil, line),
		"another new line": Seen(old, []byte(`{"id":"a","pass":false,"samples":3}`)),
	} {
		if other == seen {
			t.Errorf("%s leaves it as it is", name)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"at":"2026-08-11T10:22:03Z","by":"ada","mode":"live","case":"a","version":2,"verdict":"accept","status":"changed","seen":"7c1e","changes":[{"kind":"check","of":"label","old":null,"new":[1.0],"tags":["x"]}],"samples":"5→3","reason":"r","provenance":"p"}`))
	f.Add([]byte(`{"at":"2026-08-11T10:22:03Z","mode":"*","case":"a","verdict":"retire","reason":"r","lines":{"live":{"id":"a"}},"file":{"path":"cases/s/a.yaml","text":"id: a\n"},"fixtures":[{"path":"cases/s/a.bin","mode":"0600","base64":"/wCA"}],"into":"b"}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseLine(text)
		if err != nil {
			return
		}
		line := AppendLine(nil, &d)
		again, err := ParseLine(line)
		if err != nil {
			t.Fatalf("%s is read, and not when written as %s: %v", text, line, err)
		}
		if twice := AppendLine(nil, &again); string(twice) != string(line) {
			t.Fatalf("two spellings:\n%s\n%s", line, twice)
		}
	})
}

func FuzzParseFile(f *testing.F) {
	f.Add([]byte("{\"_config\":{\"format\":1}}\n{\"at\":\"2026-08-11T10:22:03Z\",\"case\":\"a\",\"verdict\":\"accept\"}\n"))
	f.Add([]byte("<<<<<<< HEAD\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		past, err := parseFile("x.jsonl", "run", data)
		if err != nil && !strings.HasPrefix(err.Error(), "x.jsonl:") {
			t.Fatalf("an error without a place: %v", err)
		}
		for _, p := range past {
			if p.Line < 2 {
				t.Fatalf("a decision on line %d", p.Line)
			}
		}
	})
}
