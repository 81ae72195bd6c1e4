package syntax

import (
	"os"
	"strings"
	"testing"
)

// FuzzParse holds the parser to what the reader counts on: it ends, spans lie
// within the source and within those of their parents, and what it reads of a
// source does not depend on what it read before.
func FuzzParse(f *testing.F) {
	if suite, err := os.ReadFile("../../testdata/summariser/test_summariser.py"); err == nil {
		f.Add(string(suite))
	}
	for _, seed := range []string{
		"", "x = 1\n", "def f(:\n  pass\n", "f'{x!r:>{w}}' f\"{a[\"b\"]}\"\n", "match x:\n  case {'a': 1 | 2 as y, **r} if y: pass\n",
		"class A[T](B, metaclass=C):\n\tx: int = 1\n", "@d(1)\nasync def f(a, /, b=1, *, c, **k) -> int: return 1\n",
		"assert (x := f(\n", "x = (1,\ndef test_y():\n  assert y\n", "'''\\\n", "\\\n", "if x:\n    a\n  b\n", "{**a, 'b': [*c]}\n",
		"lambda *a, k=1: (yield)\n", "with (open(a) as b, c):\n  pass\n", "try: x\nexcept* E as e: y\nfinally: z\n", "rb'\\x00' B'' u'é'\n",
		"f'{f\"{f'{1}'}\"}'\n", "f'{'\n", "print 'x'\n", "x\u00a0= 1\n", "\f\tif x: pass\n", "0x_ff + 1_0.5e-3j\n", strings.Repeat("(", 300), strings.Repeat("f'{", 60),
		strings.Repeat("if x: ", 300), strings.Repeat("not ", 300) + "x", "x" + strings.Repeat(".a", 2500), "from . import (a as b,)\n", "del x; global y\n", "a if b else c, *d = e = f\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return // longer than what finds anything new
		}
		tree := Parse(src)
		n := len(tree.Source)
		Walk(tree.Body, func(node Node) bool {
			s := node.Range()
			if s.Start < 0 || s.End < s.Start || s.End > n {
				t.Fatalf("a span %v in a source of %d bytes", s, n)
			}
			return true
		})
		for _, p := range tree.Problems {
			if p.At < 0 || p.At > n || p.Message == "" || tree.Line(p.At) < 1 {
				t.Fatalf("a problem %v in a source of %d bytes", p, n)
			}
		}
	})
}
