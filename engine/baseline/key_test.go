package baseline

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestKeyEndsBeforeTheOutermostSamples(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"plain", `{"id":"a","pass":null,"samples":5}`, `{"id":"a","pass":null`},
		{"with all that follows", `{"id":"a","samples":5,"captured":"2026-08-11","outputs":"sha256:aa"}`, `{"id":"a"`},
		{"an unknown key behind", `{"id":"a","samples":5,"new":{"a":1,"samples":2}}`, `{"id":"a"`},
		{"a check of that name", `{"id":"a","checks":{"a":{},"samples":{"pass":true}},"samples":5}`, `{"id":"a","checks":{"a":{},"samples":{"pass":true}}`},
		{"a number of that name", `{"id":"a","projections":{"numbers":{"a":1,"samples":5}},"samples":7}`, `{"id":"a","projections":{"numbers":{"a":1,"samples":5}}`},
		{"an id like it", `{"id":",\"samples\":5}","samples":7}`, `{"id":",\"samples\":5}"`},
		{"an output hash with an escape", `{"id":"a","samples":7,"outputs":"a\",\"samples\":5"}`, `{"id":"a"`},
		{"odd spacing", `{"id":"a" , "samples" : 7 }`, `{"id":"a"`},
		{"an escaped key", `{"id":"a","s\u0061mples":7}`, `{"id":"a"`},
		{"what is compared behind it", `{"id":"a","samples":7,"pass":true}`, `{"id":"a","samples":7,"pass":true}`},
		{"samples first", `{"samples":7,"id":"a"}`, `{"samples":7,"id":"a"}`},
		{"no samples", `{"id":"a"}`, `{"id":"a"}`},
		{"only an inner one", `{"id":"a","numbers":{"x":1,"samples":5}}`, `{"id":"a","numbers":{"x":1,"samples":5}}`},
		{"no line", ``, ``},
		{"a long tail", `{"id":"a","samples":5,"outputs":"` + strings.Repeat("x", 300) + `"}`, `{"id":"a"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Key([]byte(test.line))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestDated(t *testing.T) {
	for _, test := range []struct{ name, line, want string }{
		{"samples alone", `{"id":"a","samples":15}`, `{"id":"a","samples":15,"captured":"2026-08-11"}`},
		{"before the outputs", `{"id":"a","samples":5,"outputs":"sha256:aa"}`, `{"id":"a","samples":5,"captured":"2026-08-11","outputs":"sha256:aa"}`},
		{"one that says it", `{"id":"a","samples":5,"captured":"2026-01-01"}`, `{"id":"a","samples":5,"captured":"2026-01-01"}`},
		{"one of another hand", `{"id":"a","samples":5,"owner":"b"}`, `{"id":"a","samples":5,"owner":"b"}`},
		{"no samples", `{"id":"a"}`, `{"id":"a"}`},
	} {
		if got := string(Dated([]byte(test.line), "2026-08-11")); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		line := genLine().Draw(t, "line")
		line.Captured, line.Extra, line.Outputs = "", nil, "sha256:aa"
		bare := AppendLine(nil, &line)
		line.Captured = "2026-08-11"
		if got, want := string(Dated(bare, line.Captured)), string(AppendLine(nil, &line)); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

func TestKeyHoldsWhatIsComparedAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := genLine().Draw(t, "line")
		key := string(Key(AppendLine(nil, &line)))
		other := line
		other.Captured, other.Outputs, other.Extra = "2030-01-01", "sha256:other", nil
		if got := string(Key(AppendLine(nil, &other))); got != key {
			t.Fatalf("how it was measured is part of the key:\n%s\n%s", key, got)
		}
		whole := string(AppendLine(nil, &line))
		if rest := whole[len(key):]; !strings.HasPrefix(rest, samplesKey) {
			t.Fatalf("behind the key stands %s", rest)
		}
	})
}
