package source_test

import (
	"strings"
	"testing"

	"docket/engine/source"
)

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a: 1\n b: 2\n", "2:3: a key cannot stand here"},
		{"a: 1\r\n b: 2\r\n", "2:3: a key cannot stand here"},
		{"id: x\nprovenance: incident: y\n", "2:21: a key cannot stand here"},
		{"id: a\ninput:\n  x: 1\n  y: 2\n   z: 3\nfoo: bar\n", "5:5: a key cannot stand here"},
		{"a:\n  - b\n  c: d\n", `3:3: expected an item of the list ("- ") here`},
		{"- a\nb: c\n", `2:1: expected an item of the list ("- ") here`},
		{"a: b\n- c\n", "2:1: expected a key here"},
		{"x:\n  y: 1\n z: 2\n", "3:2: expected a key here"},
		{"b: 1\na: 'it's'\nc: 2\n", "2:1: expected a key here; check the indentation of this line, and that a quote"},
		{"\n\n  a: 1\n b: 2\n", "4:2: this line does not belong to what stands above it"},
		{"a: [1, 2\nb: 3\n", `1:4: this list is not closed; expected "," or "]"`},
		{"a: {b: 1\nc: 2\n", `1:4: this mapping is not closed; expected "," or "}"`},
		{"x: \"q\n  r\"\na: \"日本\nb: c\n", "3:4: this quote is never closed"},
		{"a: 'abc", "1:4: this quote is never closed"},
		{"a: 'x\n---\n'", "2:3: a line of --- or ... stands inside a quoted text"},
		{"a:\n\t- b\n", "2:1: this line is indented with a tab"},
		{"a:\n  b: 1\n\tc: 2\n", "3:1: this line is indented with a tab"},
		{"é: x\nb: @x\n", "2:4: a text cannot begin with this character; put it in quotes"},
		{"é: `x`\n", "1:4: a text cannot begin with this character; put it in quotes"},
		{"a: \"日\\q\"\n", "1:6: a backslash must not stand before this character"},
		{"a: [x, *nope]\n", "1:8: the alias *nope stands for nothing: no anchor &nope comes before it"},
		{"a: !foo!bar x\n", "1:9: a tag (!…) means nothing here"},
		{"a: !!binary x\n", `1:4: the tag "!!binary" means nothing here; leave it out`},
		{"a: |\n x\nb\n", `3:1: expected "key: value"; the colon is missing`},
		{"a: - b\n", "1:4: a list cannot begin here"},
		{"a: |x\n y\n", "1:5: only a comment may follow here"},
		{"a: ]\n", "1:4: expected a value here"},
		{"%FOO\n---\na: b", "1:2: this is not YAML: found unknown directive name"},
		{strings.Repeat("[", 20_000), "lists and mappings nest too deep"},
		{"a: 1\n---\nb: 2\n", "2:1: a second document begins here"},
		{"a: 1\n---\n", "2:1: a second document begins here"},
	} {
		_, problems := source.Parse("f", []byte(tt.text))
		if got := problems.Error(); !strings.Contains(got, tt.want) {
			t.Errorf("Parse(%.60q)\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// The place of a fault is looked for only as long as the search is cheap.
func TestSyntaxErrorInALargeFile(t *testing.T) {
	filler := strings.Repeat("- {a: 1, b: [2, 3]}\n", 4_000)
	for _, tt := range []struct{ text, want string }{
		{filler + "- b: @\n" + filler, "f:4001:6: a text cannot begin"},
		{"a: {\n" + strings.Repeat(" b: c,\n", 5_000), "f:"},
		{"a: \"" + strings.Repeat("x\n", 10_000), "this quote is never closed"},
		{strings.Repeat("a: [", 9_000), "f:1:"},
	} {
		_, problems := source.Parse("f", []byte(tt.text))
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), tt.want) {
			t.Errorf("got %.200v\nwant %s", problems, tt.want)
		}
	}
}
