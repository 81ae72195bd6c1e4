package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"docket/engine/legacy"
	"docket/engine/legacy/tables"
)

func TestRead(t *testing.T) {
	f, err := tables.Read("t.csv", []byte("\ufeffid,ticket,Expected Label,must contain,must_not_contain,notes\nt-1,\"a\nb\",theft,8812,,from INC-7\nt-2,c,,,x,\n"), nil)
	if err != nil || len(f.Tests) != 2 {
		t.Fatal(err, f)
	}
	got := fmt.Sprintln(f.Tests[0].Name, f.Tests[0].Line, f.Tests[0].End, f.Tests[0].Comments, f.Tests[0].Inputs, len(f.Tests[0].Claims))
	if want := "t-1 2 3 [from INC-7] [{ticket a\nb  }] 2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if c := f.Tests[0].Claims[0]; c.Op != legacy.Equals || c.Values[0] != "theft" || c.Line != 3 {
		t.Errorf("the label is %+v", c)
	}
	if c := f.Tests[1].Claims[0]; !c.Not || c.Op != legacy.Contains || c.Values[0] != "x" {
		t.Errorf("what is forbidden is %+v", c)
	}
}

func TestATableThatExpectsNothingIsRefused(t *testing.T) {
	_, err := tables.Read("t.csv", []byte("a,b\n1,2\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "no column says what is expected") {
		t.Errorf("the error is %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("id,q,expected\n1,\"a\n\",b\n2,c\n\"x"))
	f.Add([]byte("expected\n\"\n\n\"\n\n\n'x'\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := tables.Read("a.csv", data, nil)
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
