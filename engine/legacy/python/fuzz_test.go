package python

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/legacy"
)

// FuzzRead holds the reader to what its callers count on: it ends, lines lie in
// the file, a value and the reason for none exclude each other, and all that is
// read can be written as JSON and classified.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"test_summariser.py", "test_labels_unittest.py", "conftest.py", "ticket_texts.py"} {
		if data, err := os.ReadFile(filepath.Join("../testdata/summariser", name)); err == nil {
			f.Add(data)
		}
	}
	for _, seed := range []string{
		"def test_a():\n    assert 'x' in ask('y')\n",
		"A = A\nB = [B]\ndef test_a(a): assert A in ask(B)\n",
		"import pytest\n@pytest.fixture\ndef a(a): return a\ndef test_a(a): assert a\n",
		"def f(): return f()\ndef test_a(): assert f()\n",
		"from .x import *\nfrom x import y\ndef test_a(): assert not (y and z or w)\n",
		"class A(A): pass\nclass TestA(A):\n  x = x\n  def test_a(self): self.assertIn(self.x, self.y())\n",
		"def test_a():\n  match ask():\n    case [a, *b] | {'k': (1 | 2)}: assert a\n",
		"def test_a():\n  x = 'a' * 99999999\n  assert -x in [*x] or 10 ** 99 < len(ask(x * 99999))\n",
		"def test_a():\n  assert not any(a in ask() for a in []) and all([])\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<15 {
			return // longer than what finds anything new
		}
		// Every sibling is the file itself, which imports itself in a circle.
		file, err := Read("tests/test_a.py", data, func(string) ([]byte, error) { return data, nil })
		if err != nil {
			return
		}
		for i := range file.Tests {
			test := &file.Tests[i]
			if test.Line < 1 || test.End < test.Line || test.Line > file.Lines+1 || strings.TrimSpace(test.Name) == "" {
				t.Fatalf("test %q on lines %d to %d of %d", test.Name, test.Line, test.End, file.Lines)
			}
			for _, in := range test.Inputs {
				if in.Why != "" && in.Value != nil {
					t.Fatalf("an input with a value and a reason for none: %+v", in)
				}
			}
			for _, c := range test.Claims {
				if c.Line < 1 || c.End < c.Line || c.At < 1 || c.Text == "" || c.Why != "" && len(c.Values) > 0 && c.Op != legacy.Called {
					t.Fatalf("a claim: %+v", c)
				}
			}
			if p := legacy.Classify(test); len(p.Claims) != len(test.Claims) {
				t.Fatal("a claim without a verdict")
			}
		}
		if _, err := json.Marshal(file); err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkRead reads and classifies the suite of sixty tests; the goal is 1,000
// files of 10 MB in under 3 s on one core, 3.3 MB/s.
func BenchmarkRead(b *testing.B) {
	folder := "../testdata/summariser"
	data, err := os.ReadFile(filepath.Join(folder, "test_summariser.py"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Read("test_summariser.py", data, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) })
		if err != nil {
			b.Fatal(err)
		}
		for i := range f.Tests {
			legacy.Classify(&f.Tests[i])
		}
	}
}
