package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// read gives the texts of a source: strings whole, f-strings by their parts with
// "{}" for a field.
func read(src string) (texts []string, problems []string) {
	t := Parse(src)
	var parts func(list []FormatPart) string
	parts = func(list []FormatPart) string {
		var b strings.Builder
		for _, p := range list {
			if p.X == nil {
				b.WriteString(p.Text)
				continue
			}
			b.WriteString("{" + t.Text(p.X))
			if p.Conversion != "" {
				b.WriteString("!" + p.Conversion)
			}
			if f := parts(p.Format); f != "" {
				b.WriteString(":" + f)
			}
			b.WriteString("}")
		}
		return b.String()
	}
	Walk(t.Body, func(n Node) bool {
		switch n := n.(type) {
		case *String:
			if n.Why != "" {
				texts = append(texts, "("+n.Why+")")
			} else {
				texts = append(texts, n.Value)
			}
		case *Format:
			texts = append(texts, parts(n.Parts))
			return false
		}
		return true
	})
	for _, p := range t.Problems {
		problems = append(problems, fmt.Sprintf("%d: %s", t.Line(p.At), p.Message))
	}
	return texts, problems
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`'a' "b" '''c'''`, "abc"},
		{`"\n\t\x41\u00e9\U0001F600\101\0\q"`, "\n\tAé😀A\x00\\q"},
		{`r"\n\""`, `\n\"`},
		{"'a\\\nb'", "ab"},
		{"\"\"\"a\\\nb\n\"\"\"", "ab\n"},
		{"'''a\"\"\"b''c'''", `a"""b''c`},
		{"x = ('a'\n  # why\n  'b')", "ab"},
		{`f"{x}" "b" f'{{{y!r:>10}}}'`, "{x}b{{y!r:>10}}"},
		{`f"{a["b"]} {f'{c}'}"`, `{a["b"]} {f'{c}'}`},
		{`f"{x:{w}.{p}}"`, "{x:{w}.{p}}"},
		{`f"{x = }"`, "x = {x!r}"},
		{`f"{a != b} {c:=^5}"`, "{a != b} {c:=^5}"},
		{`f"\N{EM DASH}{x}"`, "—{x}"},
		{`f"""{
    a  # why
}"""`, "{a}"},
		{`rf"\d{{3}} {x}"`, `\d{3} {x}`},
		{`"\N{LATIN SMALL LETTER THORN}"`, "(a character that is given by its name)"},
		{`"\ud800"`, "(half a surrogate pair)"},
		{`t"{x}"`, "{x}"},
	} {
		got, problems := read(c.src + "\n")
		if len(problems) > 0 || len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q %v, want %q", c.src, got, problems, c.want)
		}
	}
}

// TestAsFarAsItGoes holds files with errors to what is kept of them.
func TestAsFarAsItGoes(t *testing.T) {
	for _, c := range []struct{ name, src, defs, problem string }{
		{"an open bracket", "def test_a():\n    x = f(1,\n\ndef test_b():\n    assert y\n", "test_a test_b", "2: a bracket is not closed before the statement on line 4"},
		{"a head", "def test_a(:\n    assert x\ndef test_b(): pass\n", "test_a test_b", "1: a bracket is not closed before the statement on line 2"},
		{"a string", "def test_a():\n    x = 'abc\n    assert x\ndef test_b(): pass\n", "test_a test_b", "2: a string is not closed"},
		{"a line", "def test_a():\n    x = = 1\n    assert x\ndef test_b(): pass\n", "test_a test_b", `2: "=" was not expected here`},
		{"Python 2", "def test_a():\n    print 'x'\ndef test_b(): pass\n", "test_a test_b", `2: "'x'" was not expected here`},
		{"an indentation", "def test_a():\n        x\n    y\ndef test_b(): pass\n", "test_a test_b", "3: the indentation fits no block around it"},
		{"conflict marks", "def test_a(): pass\n<<<<<<< ours\ndef test_b(): pass\n=======\n>>>>>>> theirs\n", "test_a test_b", `2: "<<" was not expected here`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := Parse(c.src)
			var defs []string
			Walk(tree.Body, func(n Node) bool {
				if d, ok := n.(*Def); ok {
					defs = append(defs, d.Name)
				}
				return true
			})
			if got := strings.Join(defs, " "); got != c.defs {
				t.Errorf("kept %q, want %q", got, c.defs)
			}
			_, problems := read(c.src)
			if len(problems) == 0 || problems[0] != c.problem {
				t.Errorf("said %q, want %q first", problems, c.problem)
			}
		})
	}
}

// TestNesting holds deep nesting to a problem, and not to an exhausted stack.
func TestNesting(t *testing.T) {
	for _, src := range []string{
		strings.Repeat("(", 100000), strings.Repeat("not ", 100000) + "x", strings.Repeat("if x: ", 100000) + "y",
		"x" + strings.Repeat(".a", 100000), "x" + strings.Repeat("+ 1", 100000), strings.Repeat("f'{", 20000), strings.Repeat("lambda: ", 100000),
		strings.Repeat("-", 100000) + "x", strings.Repeat("a if b else ", 100000) + "c", strings.Repeat("f\"{f'{", 5000),
	} {
		if tree := Parse(src + "\ndef test_a(): pass\n"); len(tree.Problems) == 0 {
			t.Errorf("%.20s… has no problem", src)
		}
	}
}
