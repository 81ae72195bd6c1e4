package python

import (
	"testing"

	"docket/engine/canonical"
)

// TestWhatIsInTheRepositoryIsRead: files beside the tests, constants that become
// JSON, and marks of a whole module are in the source.
func TestWhatIsInTheRepositoryIsRead(t *testing.T) {
	siblings := files(map[string]string{"alert.txt": "disk of db2 is full\n", "data/log.txt": "boot\n", "case.json": `{"text": "late"}`})
	for body, want := range map[string]string{
		`page(open("alert.txt").read())`:                                        `"disk of db2 is full\n"`,
		`page(open("tests/unit/alert.txt", "r", encoding="utf-8").read())`:      `"disk of db2 is full\n"`,
		`page(Path("alert.txt").read_text())`:                                   `"disk of db2 is full\n"`,
		`page((Path(__file__).parent / "data" / "log.txt").read_text("utf-8"))`: `"boot\n"`,
		`page(HERE.joinpath("data", "log.txt").read_text())`:                    `"boot\n"`,
		`page(json.loads(Path("case.json").read_text())["text"])`:               `"late"`,
		`page(json.load(open("case.json"))["text"])`:                            `"late"`,
		`page(json.dumps({"a": [1, True, None], "b": "é\n"}))`:                  `"{\"a\": [1, true, null], \"b\": \"\\u00e9\\n\"}"`,
		`page(open("/etc/hosts").read())`:                                       "",
		`page(open("../secret.txt").read())`:                                    "",
		`page(open("none.txt").read())`:                                         "",
		`page(open("alert.txt", "rb").read())`:                                  "",
		`page(json.dumps({"a": 1}, indent=2))`:                                  "",
	} {
		src := "import json\nfrom pathlib import Path\nfrom app import page\nHERE = Path(__file__).resolve().parent\n\ndef test_it():\n    out = " + body + "\n    assert \"x\" in out\n"
		f, err := Read("tests/unit/test_it.py", []byte(src), siblings)
		if err != nil || len(f.Tests) != 1 || len(f.Tests[0].Inputs) != 1 {
			t.Errorf("%s: %v, %+v", body, err, f)
			continue
		}
		in := f.Tests[0].Inputs[0]
		switch {
		case want == "" && in.Why == "":
			t.Errorf("%s: %q was read", body, in.Value)
		case want != "" && (in.Why != "" || string(canonical.Marshal(in.Value)) != want):
			t.Errorf("%s: %v (%s), want %s", body, in.Value, in.Why, want)
		}
	}
}

func TestMarksOfAModule(t *testing.T) {
	src := `import pytest
from app import page
pytestmark = [pytest.mark.slow, pytest.mark.parametrize("style", ["pager", "mail"])]

def test_it(style):
    assert "x" in page("disk", style=style)

class TestMore:
    pytestmark = pytest.mark.parametrize("host", ["db1"])

    def test_host(self, host, style):
        assert host in page(host, style=style)
`
	f, err := Read("test_it.py", []byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, test := range f.Tests {
		got += test.Name + " "
	}
	if want := "test_it[pager] test_it[mail] TestMore.test_host[db1-pager] TestMore.test_host[db1-mail] "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
