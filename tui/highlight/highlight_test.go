package highlight_test

import (
	"strings"
	"testing"

	"docket/tui/highlight"
	"docket/tui/style"
)

// spans writes a line as role:text pieces.
func spans(line style.Line) string {
	names := map[style.Role]string{style.Plain: "", style.Key: "key", style.Text: "text", style.Number: "number", style.Dim: "dim"}
	var parts []string
	for _, s := range line {
		parts = append(parts, names[s.Role]+"<"+s.Text+">")
	}
	return strings.Join(parts, "")
}

func TestLines(t *testing.T) {
	tests := []struct {
		name string
		in   highlight.Language
		line string
		want string
	}{
		{"a key and a string", highlight.JSON(), `  "status": "overdue",`, `<  >key<"status">dim<:>< >text<"overdue">dim<,>`},
		{"a number", highlight.JSON(), `"amount": 128.40`, `key<"amount">dim<:>< >number<128.40>`},
		{"a word", highlight.JSON(), `null`, `number<null>`},
		{"a broken string", highlight.JSON(), `"over`, `<"over>`},
		{"a key of YAML", highlight.YAML(), `added: 2025-04-02`, `key<added>dim<:>< >number<2025-04-02>`},
		{"a list of maps", highlight.YAML(), `    - key: refund_window`, `<    - >key<key>dim<:>< refund_window>`},
		{"a comment", highlight.YAML(), `weight: 3   # incidents count triple`, `key<weight>dim<:>< >number<3><   >dim<# incidents count triple>`},
		{"a colon inside", highlight.YAML(), `why: at 10:30 "now"`, `key<why>dim<:>< at 10:30 >text<"now">`},
		{"a carriage return", highlight.YAML(), "a: b\r", "key<a>dim<:>< b\r>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Line(tt.line); spans(got) != tt.want {
				t.Errorf("%q alone gives %s\nwant %s", tt.line, spans(got), tt.want)
			}
			if got := tt.in.Lines(tt.line); len(got) != 1 || spans(got[0]) != tt.want {
				t.Errorf("%q gives %d lines, the first\n got %s\nwant %s", tt.line, len(got), spans(got[0]), tt.want)
			}
		})
	}
}

func FuzzLinesKeepEveryByte(f *testing.F) {
	for _, seed := range []string{"", "\n", `{"a": [1, "b\"", null]}`, "a: |\n  text\n- b: \"c\n", "\xff\xfe: \x1b[2J", strings.Repeat(`"`, 300), "a:\r\n b"} {
		f.Add(seed)
	}
	json, yaml := highlight.JSON(), highlight.YAML()
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range []highlight.Language{json, yaml} {
			if got := l.Line(text).String(); got != text {
				t.Fatalf("%q came back as %q", text, got)
			}
			var back []string
			for _, line := range l.Lines(text) {
				back = append(back, line.String())
			}
			if got := strings.Join(back, "\n"); got != text {
				t.Fatalf("%q came back as %q", text, got)
			}
		}
	})
}

func TestALargeTextIsKeptWhole(t *testing.T) {
	text := strings.Repeat("key: value\n", 2*highlight.Most/11)
	lines := highlight.YAML().Lines(text)
	if n := strings.Count(text, "\n") + 1; len(lines) != n {
		t.Fatalf("%d lines, want %d", len(lines), n)
	}
	if got := spans(lines[0]); got != "key<key>dim<:>< value>" {
		t.Errorf("the first line is %s", got)
	}
	if got := spans(lines[len(lines)-2]); got != "<key: value>" {
		t.Errorf("the last line is %s", got)
	}
}
