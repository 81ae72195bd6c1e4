package baseline

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/engine/disk"
	"docket/engine/jsonl"
)

const header = `{"_config":{"format":1,"suite":"s","mode":"mock"}}`

// text makes a file of lines.
func text(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

// small makes a canonical line that is told from others by its label.
func small(id, label string) string {
	l := Line{ID: id, Version: 1, Input: "sha256:aa", Projections: map[string]any{"label": label}, Samples: 5}
	return string(AppendLine(nil, &l))
}

func TestParse(t *testing.T) {
	odd := `{ "samples": 5, "new": {"id":"not me"}, "id" : "b\u0062" }`
	f, err := Parse("m.jsonl", text(header, small("a", "x"), odd, small("請求", "y")))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, l := range f.Lines {
		ids = append(ids, l.ID)
	}
	if want := []string{"a", "bb", "請求"}; !slices.Equal(ids, want) {
		t.Errorf("ids are %q, want %q", ids, want)
	}
	if string(f.HeaderBytes) != header || f.Header.Suite != "s" || string(f.Lines[1].Bytes) != odd || !f.Sorted() {
		t.Errorf("read as %+v", f)
	}
	for _, id := range ids {
		if at, ok := f.Find(id); !ok || f.Lines[at].ID != id {
			t.Errorf("%q is not found", id)
		}
	}
	if _, ok := f.Find("c"); ok {
		t.Error("found what is not there")
	}
	if !strings.HasPrefix(f.Hash(), "sha256:") {
		t.Errorf("the hash is %s", f.Hash())
	}
}

func TestAHeaderAloneIsABaseline(t *testing.T) {
	f, err := Parse("m.jsonl", text(header))
	if err != nil || len(f.Lines) != 0 {
		t.Errorf("got %v, %v", f, err)
	}
}

func TestDamagedFilesAreRefusedWithTheLine(t *testing.T) {
	a, b := small("a", "x"), small("b", "x")
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "m.jsonl:1: the file is empty; a baseline begins with a header line"},
		{"no header", text(a), `m.jsonl:1: the header is missing: the first line must hold "_config"`},
		{"binary", []byte("\x7fELF\x00\x00\n\x00\n"), "m.jsonl:1: the line holds a NUL byte"},
		{"zeros at the end", append(text(header, a), make([]byte, 20)...), "m.jsonl:3: the line holds a NUL byte"},
		{"UTF-16", []byte("\xff\xfe{\x00\n\x00"), "m.jsonl:1: the file is UTF-16"},
		{"byte-order mark", append([]byte("\ufeff"), text(header, a)...), "m.jsonl:1: the file begins with a byte-order mark; save it as UTF-8 without one"},
		{"Windows line ends", []byte(header + "\r\n" + a + "\r\n"), "m.jsonl:1: the line ends as on Windows (CR LF); say `text eol=lf`"},
		{"one Windows line end", []byte(header + "\n" + a + "\r\n"), "m.jsonl:2: the line ends as on Windows (CR LF)"},
		{"a newer format", text(strings.Replace(header, "1", "2", 1), a), "m.jsonl:1:22: the file has format 2 and this docket knows up to 1; install a newer docket"},
		{"conflict markers", text(header, a, "<<<<<<< HEAD", b, "=======", b, ">>>>>>> topic"), "m.jsonl:3: a conflict marker of git; resolve the file by case id with `docket merge`"},
		{"a conflict in the header", text("<<<<<<< HEAD", header), "m.jsonl:1: a conflict marker of git"},
		{"the base in a conflict", text(header, "||||||| parent", a), "m.jsonl:2: a conflict marker of git"},
		{"blank line", text(header, a, "", b), "m.jsonl:3: the line is blank"},
		{"no line end", []byte(header + "\n" + a), "m.jsonl:2: the last line has no line end, so the file may have been cut short"},
		{"header cut short", []byte(header[:20]), "m.jsonl:1: the last line has no line end"},
		{"cut short with a line end", text(header, a[:40]), "m.jsonl:2:31: the line ends inside a string"},
		{"the same id on the next line", text(header, a, a), `m.jsonl:3: the id "a" stands on line 2 already; keep one of the two lines`},
		{"the same id further on", text(header, a, b, a), `m.jsonl:4: the id "a" stands on line 2 already`},
		{"the same id in two spellings", text(header, a, `{"id":"\u0061","samples":1}`), `m.jsonl:3: the id "a" stands on line 2 already`},
		{"a second header", text(header, a, header), "m.jsonl:3: a second header; a baseline holds one, on its first line"},
		{"no id", text(header, `{"samples":1}`), `m.jsonl:2: the line has no "id"`},
		{"an empty id", text(header, `{"id":"","samples":1}`), `m.jsonl:2: the line has no "id"`},
		{"no UTF-8 in the id", text(header, "{\"id\":\"a\xff\",\"samples\":1}"), "m.jsonl:2: the line is not valid UTF-8"},
		{"no object", text(header, `"a"`), "m.jsonl:2:1: the line must be an object, found a string"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Parse("m.jsonl", test.data)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) || f != nil {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Error("more than one line")
			}
		})
	}
}

func TestTheFileMustBelongToItsPlace(t *testing.T) {
	root := t.TempDir()
	for name, want := range map[string]string{
		strings.Replace(header, "mock", "live", 1):      `the header names the mode "live" and the file belongs to "mock"; docket will not use or overwrite it`,
		strings.Replace(header, `"s"`, `"invoices"`, 1): `the header names the suite "invoices" and the file belongs to "s"`,
	} {
		path, err := Path(root, "s", "mock")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(path, text(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestALineErrorNamesItsPlace(t *testing.T) {
	f, err := Parse("m.jsonl", text(header, small("a", "x"), `{"id":"b","samples":1,"pass":3}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Line(0); err != nil {
		t.Error(err)
	}
	_, err = f.Line(1)
	if want := `m.jsonl:3:30: "pass" must be true or false, found a number`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLint(t *testing.T) {
	b, a := small("b", "x"), small("a", "x")
	f, err := Parse("m.jsonl", text(header, b, a, `{"id": "c", "samples": 1}`, `{"id":"d","samples":1,"checks":{"x":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range f.Lint(nil) {
		got = append(got, e.Error())
	}
	want := []string{
		`m.jsonl:3: the line of "a" stands behind that of "b"; lines are sorted by the bytes of the id`,
		`m.jsonl:4: the line of "c" is spelt otherwise than docket writes it, so that it compares slower and merges worse`,
		`m.jsonl:5:37: "x" must be an object, found a number`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestNoTwoModesShareAFile(t *testing.T) {
	seen := map[string]string{}
	for _, suite := range []string{"s", "t", "live"} {
		for _, mode := range Modes() {
			path, err := Path("root", suite, mode)
			if err != nil {
				t.Fatal(err)
			}
			// Some systems tell no capitals apart.
			folded := strings.ToLower(path)
			if other, ok := seen[folded]; ok {
				t.Errorf("%s/%s and %s share %s", suite, mode, other, path)
			}
			seen[folded] = suite + "/" + mode
			if s, m, ok := place(path); !ok || s != suite || m != mode {
				t.Errorf("%s is taken for %s/%s", path, s, m)
			}
		}
	}
	if want := filepath.Join("root", "baselines", "s", "live.jsonl"); seen[strings.ToLower(want)] != "s/live" {
		t.Errorf("no suite has the file %s", want)
	}
}

func TestNamesThatAreNoFoldersAreRefused(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "a b", ".hidden", "-x", "CON", "nul.txt", "a.", "a\x00b", "ä", strings.Repeat("x", 101)} {
		if path, err := Path("root", name, "mock"); err == nil {
			t.Errorf("%q gave %s", name, path)
		}
	}
	for _, mode := range []string{"", "record", "Live", "../live"} {
		if path, err := Path("root", "s", mode); err == nil {
			t.Errorf("mode %q gave %s", mode, path)
		}
	}
	for _, name := range []string{"s", "invoices-2", "a.b_c", "9"} {
		if _, err := Path("root", name, "mock"); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenSaysWhereNothingIs(t *testing.T) {
	_, err := Open(disk.OS{}, t.TempDir(), "s", "mock")
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(text(header, small("a", "x"), small("b", "y")))
	f.Add(text(header, small("b", "x"), `{ "id":"\u0061", "samples":1 }`))
	f.Add(text(header, "<<<<<<< HEAD"))
	f.Add([]byte("\ufeff" + header + "\r\n"))
	f.Add([]byte(header + "\n{\"id\":\"a\",\"samples\":1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("m.jsonl", data)
		if err != nil {
			var placed *jsonl.Error
			if !errors.As(err, &placed) || placed.Line < 1 || placed.Message == "" {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		if again := join(file.HeaderBytes, file.Lines); string(again) != string(data) {
			t.Fatalf("a file that was read and not changed is written as\n%q\nnot\n%q", again, data)
		}
		for i, line := range file.Lines {
			if at, ok := file.Find(line.ID); !ok || at != i {
				t.Fatalf("line %d is not found by its id %q", i, line.ID)
			}
		}
		file.Lint(nil)
	})
}
