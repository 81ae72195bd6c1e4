package snapshot_test

import (
	"testing"

	"docket/engine/legacy"
	"docket/engine/legacy/snapshot"
)

const file = "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`summarise keeps it 1`] = `\"a \\\"b\\\" c\"`;\n\nexports[`summarise keeps it 2`] = `\n\"## One\ntwo \\`x\\`\"\n`;\n\nexports[`triage 1`] = `\nObject {\n  \"queue\": \"theft\",\n}\n`;\nnonsense();\n"

func TestRead(t *testing.T) {
	f, err := snapshot.Read("a.test.ts.snap", []byte(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Tests) != 2 || len(f.Problems) != 1 || f.Problems[0].Line != 15 {
		t.Fatalf("%v, %v", f.Tests, f.Problems)
	}
	first, second := f.Tests[0], f.Tests[1]
	if first.Name != "summarise keeps it" || first.Line != 3 || first.End != 8 || len(first.Claims) != 2 {
		t.Errorf("the first test is %+v", first)
	}
	if got := first.Claims[0].Values[0]; got != `a "b" c` {
		t.Errorf("the first snapshot is %q", got)
	}
	if got := first.Claims[1].Values[0]; got != "## One\ntwo `x`" {
		t.Errorf("the second snapshot is %q", got)
	}
	if c := second.Claims[0]; c.Subject != legacy.Document || c.Op != legacy.Snapshot || c.Line != 10 {
		t.Errorf("the third snapshot is %+v", c)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(file))
	f.Add([]byte("exports[`a`] = `${b}`; exports['c'] = 1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := snapshot.Read("a.snap", data, nil)
		if err != nil {
			return
		}
		for _, test := range got.Tests {
			if test.Line < 1 || test.End < test.Line || test.End > got.Lines+1 {
				t.Fatalf("a test on lines %d to %d of %d", test.Line, test.End, got.Lines)
			}
		}
	})
}
