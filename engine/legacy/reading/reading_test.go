package reading_test

import (
	"strings"
	"testing"

	"docket/engine/legacy/reading"
)

func TestEachKindOfFileHasItsReader(t *testing.T) {
	for _, c := range []struct{ name, data, language string }{
		{"tests/test_a.py", "def test_a():\n    assert 'x' in ask('y')\n", "python"},
		{"a.test.js", "it('a', async () => { expect(await ask('y')).toContain('x') })", "javascript"},
		{"a.spec.tsx", "it('a', async () => { expect(await ask('y')).toContain('x') })", "typescript"},
		{"evals/a.yaml", "tests:\n  - vars: {q: y}\n    assert: [{type: contains, value: x}]\n", "promptfoo"},
		{"cases.csv", "q,__expected\ny,contains: x\n", "promptfoo"},
		{"cases.csv", "q,expected\ny,x\n", "csv"},
		{"__snapshots__/a.test.ts.snap", "exports[`a 1`] = `\"x\"`;\n", "snapshot"},
	} {
		f, err := reading.Read(c.name, []byte(c.data), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if f.Language != c.language || len(f.Tests) != 1 || len(f.Tests[0].Claims) != 1 || len(f.Problems) != 0 {
			t.Errorf("%s is read as %s: %+v %v", c.name, f.Language, f.Tests, f.Problems)
		}
	}
}

func TestWhatNoReaderKnowsIsRefused(t *testing.T) {
	for _, name := range []string{"a_test.go", "Makefile", "docker-compose.yaml"} {
		_, err := reading.Read(name, []byte("services:\n  web: {}\n"), nil)
		if err == nil || !strings.Contains(err.Error(), "no reader knows") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
