package python

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/engine/legacy"
)

// files gives the siblings of a test file from a map.
func files(m map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if s, ok := m[name]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("there is none")
	}
}

// line says a claim in one line.
func line(c legacy.Claim) string {
	var b strings.Builder
	b.WriteString(string(c.Subject))
	if c.Path != "" {
		b.WriteString(" " + c.Path)
	}
	if c.Not {
		b.WriteString(" not")
	}
	b.WriteString(" " + string(c.Op))
	if c.Any {
		b.WriteString(" any")
	}
	if c.IgnoreCase {
		b.WriteString(" (case)")
	}
	for _, v := range c.Values {
		j, _ := json.Marshal(v)
		b.WriteString(" " + string(j))
	}
	if c.Why != "" {
		b.WriteString(" ?" + c.Why)
	}
	return b.String()
}

// TestClaims reads bodies of a test into claims.
func TestClaims(t *testing.T) {
	const head = "import json, re, math, pytest\nfrom app import summarise\nFACTS = ['a1', 'b2']\nP = re.compile(r'x\\d', re.I)\n"
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"a fact", "assert 'x1' in summarise(t)", []string{`answer contains "x1"`}},
		{"case", "assert 'x1' in summarise(t).lower()", []string{`answer contains (case) "x1"`}},
		{"and", "r = summarise(t)\nassert 'a' in r and 'b' not in r", []string{`answer contains "a"`, `answer not contains "b"`}},
		{"or", "r = summarise(t)\nassert 'a' in r or 'b' in r", []string{`answer contains any "a" "b"`}},
		{"or of labels", "r = summarise(t)\nassert r == 'a' or r == 'b'", []string{`answer one of "a" "b"`}},
		{"or of different things", "r = summarise(t)\nassert 'a' in r or len(r) > 3", []string{"answer unknown ?one of several different things is enough"}},
		{"none of", "r = summarise(t)\nassert not any(f in r for f in FACTS)", []string{`answer not contains "a1" "b2"`}},
		{"not all of", "r = summarise(t)\nassert not all(f in r for f in FACTS)", []string{`answer not contains any "a1" "b2"`}},
		{"a loop", "r = summarise(t)\nfor f in FACTS:\n    assert f in r", []string{`answer contains "a1" "b2"`}},
		{"words", "assert 3 <= len(summarise(t).split()) < 60", []string{"answer words at least 3", "answer words at most 59"}},
		{"characters", "assert len(summarise(t)) < 500", []string{"answer characters at most 499"}},
		{"lines", "assert len(summarise(t).strip().split('\\n')) == 3", []string{"answer lines equals 3"}},
		{"bullets", "assert len(re.findall(r'^- ', summarise(t), re.M)) == 3", []string{"answer bullets equals 3"}},
		{"occurrences", "assert summarise(t).count('x') >= 1", []string{`answer contains "x"`}},
		{"a pattern", "assert P.search(summarise(t))", []string{`answer matches (case) "x\\d"`}},
		{"no match", "assert re.match('a', summarise(t)) is None", []string{`answer not matches "^(?:a)"`}},
		{"a key", "assert 'label' in json.loads(summarise(t))", []string{"answer parses", `document has key "label"`}},
		{"a field", "d = json.loads(summarise(t))\nassert d['a']['b'][0] == 'x'", []string{"answer parses", `document a.b[0] equals "x"`}},
		{"near", "assert json.loads(summarise(t))['n'] == pytest.approx(2.5, abs=0.1)", []string{"answer parses", "document n near 2.5 0.1"}},
		{"is close", "assert math.isclose(summarise(t).amount, 2, abs_tol=0.5)", []string{"document amount near 2 0.5"}},
		{"above", "assert summarise(t).score > 0.5", []string{"document score not at most 0.5"}},
		{"tools", "assert [c.name for c in summarise(t).tool_calls] == ['a', 'b']", []string{`tools equals "a" "b"`}},
		{"no tools", "assert summarise(t).tool_calls == []", []string{"tools equals"}},
		{"an exception", "with pytest.raises(ValueError):\n    summarise(t)", []string{`raised pytest.raises(ValueError) raises "ValueError"`}},
		{"fail", "if 'x' in summarise(t):\n    pytest.fail('no')", []string{`answer not contains "x"`}},
		{"match", "match json.loads(summarise(t)):\n    case {'label': 'a' | 'b'}:\n        pass\n    case _:\n        pytest.fail()", []string{"answer parses", `document label one of "a" "b"`}},
		{"walrus", "assert (r := summarise(t)) and 'x' in r", []string{"answer truthy", `answer contains "x"`}},
		{"run time", "assert load() in summarise(t)", []string{"answer contains ?computed at run time by load()"}},
		{"a branch", "x = 'a' if flag() else 'b'\nassert x in summarise(t)", []string{"answer contains ?one of several, chosen at run time"}},
		{"a loop that leaves", "x = 'a'\nfor f in FACTS:\n    x = f\n    if flag():\n        break\nassert x in summarise(t)", []string{"answer contains ?one of several, chosen at run time"}},
		{"nothing known", "assert flag", []string{"other unknown ?the source does not tell what it judges"}},
		{"a snapshot", "assert summarise(t) == snapshot", []string{"answer snapshot"}},
		{"type", "assert isinstance(summarise(t), str)", []string{`type summarise(t) is a "str"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := head + "def test_it(t, snapshot):\n    " + strings.ReplaceAll(c.body, "\n", "\n    ") + "\n"
			f, err := Read("test_it.py", []byte(src), nil)
			if err != nil || len(f.Tests) != 1 || len(f.Problems) > 0 {
				t.Fatalf("%v %v", err, f)
			}
			var got []string
			for _, c := range f.Tests[0].Claims {
				got = append(got, line(c))
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestInputs holds what is put in for the argument of a call, and what held it.
func TestInputs(t *testing.T) {
	siblings := files(map[string]string{
		"texts.py":       "A = 'from texts'\nLIST = []\nLIST.append('x')\n",
		"conftest.py":    "import pytest\n@pytest.fixture\ndef far():\n    return 'from conftest'\n",
		"../conftest.py": "import pytest\n@pytest.fixture\ndef farther():\n    yield 'from above'\n",
	})
	const head = "import pytest, textwrap\nfrom app import ask\nfrom .texts import A as B, LIST\nN = 3\nT = '  x y '\nS = T.strip()\nif N:\n    Q = 1\nelse:\n    Q = 2\n"
	for _, c := range []struct{ expr, want, from string }{
		{"'a' 'b'", `"ab"`, ""},
		{"S", `"x y"`, "S"},
		{"B", `"from texts"`, "A"},
		{"B + '!' * N", `"from texts!!!"`, ""},
		{"f'{N:>3}|{S!s:^5}|{N * 1000:,}|{2.5:.2f}'", `"  3| x y |3,000|2.50"`, ""},
		{"'{} {x}'.format(1, x='y')", `"1 y"`, ""},
		{"'%s-%d' % ('a', 2)", `"a-2"`, ""},
		{"textwrap.dedent('''\n      a\n        b\n    ''')", `"\na\n  b\n"`, ""},
		{"'\\n'.join([f'- {i}' for i in range(2)])", `"- 0\n- 1"`, ""},
		{"{'a': [1, 2.0, None, True], **{'b': 'c'}}", `{"a":[1,2.0,null,true],"b":"c"}`, ""},
		{"sorted({'b', 'a'})", `["a","b"]`, ""},
		{"T[2:3]", `"x"`, ""},
		{"far", `"from conftest"`, "far"},
		{"farther", `"from above"`, "farther"},
		{"LIST", "?LIST, which is changed in place or set in a branch", "LIST"},
		{"Q", "?Q, which is changed in place or set in a branch", "Q"},
		{"open('x').read()", "?read at run time by open('x').read()", ""},
		{"'%r' % N", "?a %-format that docket does not read", ""},
		{"f'{N:%Y}'", `?a text with the format "%Y" in it`, ""},
	} {
		src := head + "def test_it(far, farther):\n    assert 'x' in ask(" + c.expr + ")\n"
		f, err := Read("tests/unit/test_it.py", []byte(src), siblings)
		if err != nil || len(f.Tests) != 1 || len(f.Tests[0].Inputs) != 1 {
			t.Fatalf("%s: %v %+v", c.expr, err, f)
		}
		in := f.Tests[0].Inputs[0]
		j, _ := json.Marshal(in.Value)
		got := string(j)
		if in.Why != "" {
			got = "?" + in.Why
		}
		if got != c.want || in.From != c.from {
			t.Errorf("%s: %s from %q, want %s from %q", c.expr, got, in.From, c.want, c.from)
		}
	}
}

// TestNames holds the names of tests to what their runners print.
func TestNames(t *testing.T) {
	const src = `
import pytest, unittest

CASES = [("a b", 1), pytest.param("c", 2, id="see")]

@pytest.fixture(params=["x", 2])
def kind(request):
    return request.param

@pytest.mark.parametrize("n", [None, True, 1.5, "é"])
def test_n(n): pass

@pytest.mark.parametrize("s, n", CASES)
@pytest.mark.parametrize("k", [{}, []], ids=["one", None])
def test_s(s, n, k): pass

@pytest.mark.parametrize("a", make())
def test_made(a): pass

class TestIt:
    def test_kind(self, kind): pass
    class TestInner:
        async def test_b(self): pass

class Other:
    def test_not(self): pass

class Old(unittest.TestCase):
    def test_old(self): pass
    def helper(self): pass
`
	f, err := Read("test_names.py", []byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, test := range f.Tests {
		got = append(got, test.Name)
	}
	want := []string{
		"test_n[None]", "test_n[True]", "test_n[1.5]", `test_n[\xe9]`,
		"test_s[one-a b-1]", "test_s[one-see]", "test_s[k1-a b-1]", "test_s[k1-see]",
		"test_made", "TestIt.test_kind[x]", "TestIt.test_kind[2]", "TestIt.TestInner.test_b", "Old.test_old",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, test := range f.Tests {
		if test.Name == "test_made" && (len(test.Unresolved) == 0 || !strings.Contains(test.Unresolved[0].Message, "make()")) {
			t.Errorf("parameters of run time are not marked: %v", test.Unresolved)
		}
	}
}

// TestRefusals holds what is no Python text to a sentence.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"x = '\xff'\n", `"test_a.py": it is not UTF-8: convert it first`},
		{"a\x00b", `"test_a.py": it is not text: it holds a zero byte`},
	} {
		_, err := Read("test_a.py", []byte(c.data), nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.data, err, c.want)
		}
	}
	f, err := Read("test_a.py", []byte("# -*- coding: latin-1 -*-\ndef test_a():\n    assert ask('\xe9') == 'x'\n"), nil)
	if err != nil || f.Tests[0].Inputs[0].Value != "é" {
		t.Errorf("Latin-1 that says so: %v %v", f, err)
	}
}

// TestBudget holds a test that multiplies itself to its budget, and says so.
func TestBudget(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f0(x):\n    assert x in ask()\n")
	for i := 1; i < 11; i++ {
		fmt.Fprintf(&b, "def f%d(x):\n    for i in range(300):\n        f%d(x)\n        f%d(x)\n", i, i-1, i-1)
	}
	b.WriteString("def test_it():\n    f10('a')\ndef test_other():\n    assert 'x' in ask('y')\n")
	f, err := Read("test_it.py", []byte(b.String()), nil)
	if err != nil || len(f.Tests) != 2 {
		t.Fatal(err)
	}
	if len(f.Tests[0].Unresolved) == 0 || len(f.Tests[0].Claims) > maxClaims {
		t.Errorf("%d claims, %v", len(f.Tests[0].Claims), f.Tests[0].Unresolved)
	}
	if len(f.Tests[1].Claims) != 1 {
		t.Error("the test behind it is not read")
	}
}
