package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/disk"
)

// measured makes a line as small does, measured in another way: that is no
// difference to compare.
func measured(id, label string, samples int, outputs string) string {
	l := Line{ID: id, Version: 1, Input: "sha256:aa", Projections: map[string]any{"label": label}, Samples: samples, Outputs: outputs}
	return string(AppendLine(nil, &l))
}

func version(t testing.TB, name string, data []byte) *File {
	t.Helper()
	f, err := ParseVersion(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// mergeLines merges three versions with one header.
func mergeLines(t testing.TB, base, ours, theirs []string) *Merged {
	t.Helper()
	file := func(name string, lines []string) *File {
		return version(t, name, text(append([]string{header}, lines...)...))
	}
	m, err := Merge(Versions{file("base", base), file("ours", ours), file("theirs", theirs)}, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMergeTakesEachCaseFromWhereItChanged(t *testing.T) {
	a, b := small("a", "x"), small("b", "x")
	aNew, bNew, aOther := small("a", "new"), small("b", "new"), small("a", "other")
	unknown := strings.TrimSuffix(aNew, "}") + `,"later":{"k": 1.0}}`
	unknownOther := strings.TrimSuffix(aNew, "}") + `,"later":{"k": 2}}`
	spaced := `{ "samples": 5, "id" : "a", "odd": [1.0] }`
	none := []string{}
	tests := []struct {
		name               string
		base, ours, theirs []string
		want               []string
		conflicts          string
	}{
		{"nothing changed", []string{a, b}, []string{a, b}, []string{a, b}, []string{a, b}, ""},
		{"each side another case", []string{a, b}, []string{aNew, b}, []string{a, bNew}, []string{aNew, bNew}, ""},
		{"the same change on both", []string{a, b}, []string{aNew, b}, []string{aNew, b}, []string{aNew, b}, ""},
		{"one case changed in two ways keeps its line", []string{a, b}, []string{aNew, b}, []string{aOther, b}, []string{a, b}, "a"},
		{"changed and removed", []string{a, b}, []string{aNew, b}, []string{b}, []string{a, b}, "a"},
		{"removed and changed", []string{a, b}, []string{b}, []string{aNew, b}, []string{a, b}, "a"},
		{"removed on one side", []string{a, b}, []string{b}, []string{a, b}, []string{b}, ""},
		{"removed on both", []string{a, b}, []string{b}, []string{b}, []string{b}, ""},
		{"added on both sides, two cases, in the order of ids", []string{a}, []string{a, small("c", "x")}, []string{a, small("b", "x")}, []string{a, small("b", "x"), small("c", "x")}, ""},
		{"one case added on both alike", none, []string{a}, []string{a}, []string{a}, ""},
		{"one case added on both differently has no line", []string{b}, []string{aNew, b}, []string{aOther, b}, []string{b}, "a"},
		{"alike, other prose: more samples count", []string{a}, []string{measured("a", "new", 3, "sha256:1")}, []string{measured("a", "new", 5, "sha256:2")}, []string{measured("a", "new", 5, "sha256:2")}, ""},
		{"alike, as many samples: always the same of the two", []string{a}, []string{measured("a", "new", 5, "sha256:2")}, []string{measured("a", "new", 5, "sha256:1")}, []string{measured("a", "new", 5, "sha256:1")}, ""},
		{"measured again on one side, changed on the other", []string{a}, []string{measured("a", "x", 5, "sha256:2")}, []string{aNew}, []string{aNew}, ""},
		{"measured again on one side, removed on the other", []string{a}, []string{measured("a", "x", 5, "sha256:2")}, none, none, ""},
		{"spelt otherwise on one side, changed on the other", []string{a}, []string{strings.ReplaceAll(a, `,"`, `, "`)}, []string{aNew}, []string{aNew}, ""},
		{"unknown keys survive as they are", []string{a}, []string{a}, []string{unknown}, []string{unknown}, ""},
		{"unknown keys that differ are a conflict", []string{a}, []string{unknown}, []string{unknownOther}, []string{a}, "a"},
		{"a line of another hand survives as it is", []string{spaced, b}, []string{spaced, bNew}, []string{spaced, b}, []string{spaced, bNew}, ""},
		{"a version out of order is put in order", []string{b, a}, []string{b, aNew}, []string{bNew, a}, []string{aNew, bNew}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := mergeLines(t, test.base, test.ours, test.theirs)
			want := text(append([]string{header}, test.want...)...)
			if !bytes.Equal(m.Data, want) {
				t.Errorf("merged to\n%s\nwant\n%s", m.Data, want)
			}
			var conflicts []string
			for _, c := range m.Conflicts {
				conflicts = append(conflicts, c.ID)
			}
			if got := strings.Join(conflicts, " "); got != test.conflicts {
				t.Errorf("conflicts %q, want %q", got, test.conflicts)
			}
			if m.Lines != len(test.want) {
				t.Errorf("%d lines, want %d", m.Lines, len(test.want))
			}
			swapped := mergeLines(t, test.base, test.theirs, test.ours)
			if !bytes.Equal(m.Data, swapped.Data) || m.FromOurs != swapped.FromTheirs || m.Alike != swapped.Alike {
				t.Errorf("with the sides swapped it is\n%s", swapped.Data)
			}
		})
	}
}

func TestMergeWithoutACommonVersion(t *testing.T) {
	both := small("b", "x")
	ours := version(t, "ours", text(header, small("a", "x"), both, small("d", "x")))
	theirs := version(t, "theirs", text(header, both, small("c", "x"), small("d", "y")))
	m, err := Merge(Versions{Ours: ours, Theirs: theirs}, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := text(header, small("a", "x"), both, small("c", "x")); !bytes.Equal(m.Data, want) {
		t.Errorf("got\n%s", m.Data)
	}
	if len(m.Conflicts) != 1 || m.Conflicts[0].ID != "d" || m.Conflicts[0].Base != nil {
		t.Errorf("conflicts %+v", m.Conflicts)
	}
}

func TestHeadersThatDifferNeedAPerson(t *testing.T) {
	captured := func(day, model string) string {
		h := Header{Format: 1, Suite: "s", Mode: "mock", Model: model, Captured: day}
		return string(AppendHeader(nil, &h))
	}
	old, recaptured, again := captured("2026-01-01", "m-1"), captured("2026-02-01", "m-2"), captured("2026-03-01", "m-1")
	line := small("a", "x")
	tests := []struct {
		name               string
		base, ours, theirs string
		fields             string
		says               string
	}{
		{"one side", old, old, recaptured, "captured model", "differ in captured and model, so their side captured it anew"},
		{"the other", old, recaptured, old, "captured model", "so our side captured it anew"},
		{"both", old, recaptured, again, "captured model", "so both sides captured it anew"},
		{"an unknown field", old, old, strings.Replace(old, `"model"`, `"later":1,"model"`, 1), "later", "differ in later"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := Versions{version(t, "b", text(test.base, line)), version(t, "o", text(test.ours, line)), version(t, "t", text(test.theirs, line))}
			_, err := Merge(v, "")
			var differ *HeaderError
			if !errors.As(err, &differ) || strings.Join(differ.Fields, " ") != test.fields {
				t.Fatalf("got %v", err)
			}
			if said := err.Error(); !strings.Contains(said, test.says) || !strings.Contains(said, "--header ours or --header theirs") {
				t.Errorf("it says %q", said)
			}
			for take, want := range map[Take]string{TakeOurs: test.ours, TakeTheirs: test.theirs} {
				m, err := Merge(v, take)
				if err != nil || !bytes.Equal(m.Data, text(want, line)) {
					t.Errorf("taking %s gives %v, %v", take, m, err)
				}
			}
		})
	}
	t.Run("two spellings of one header are no difference", func(t *testing.T) {
		spaced := strings.Replace(old, ",", ", ", 1)
		v := Versions{nil, version(t, "o", text(old, line)), version(t, "t", text(spaced, line))}
		m, err := Merge(v, "")
		v.Ours, v.Theirs = v.Theirs, v.Ours
		swapped, err2 := Merge(v, "")
		if err != nil || err2 != nil || !bytes.Equal(m.Data, swapped.Data) {
			t.Errorf("got %v, %v, %v, %v", m, err, swapped, err2)
		}
	})
	t.Run("another suite is never taken", func(t *testing.T) {
		v := Versions{nil, version(t, "o", text(header, line)), version(t, "t", text(strings.Replace(header, `"s"`, `"other"`, 1), line))}
		if _, err := Merge(v, TakeTheirs); err == nil || !strings.Contains(err.Error(), `names the suite "other"`) {
			t.Errorf("got %v", err)
		}
	})
}

func TestVersionsThatCannotBeMergedAreRefusedByLine(t *testing.T) {
	a := small("a", "x")
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"markers that were committed", text(header, "<<<<<<< HEAD", a), "v:2: a conflict marker of git stands in this version itself"},
		{"markers of diff3", text(header, a, "||||||| 1a2b3c4", a), "v:3: a conflict marker of git stands in this version itself"},
		{"what a union merge leaves", text(header, a, small("a", "y")), `v:3: the id "a" stands on line 2 already`},
		{"cut short", []byte(header + "\n" + a[:len(a)-4]), "v:2: the last line has no line end"},
		{"a blank line", text(header, "", a), "v:2: the line is blank"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := ParseVersion("v", test.data); err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	t.Run("a damaged line is not taken over", func(t *testing.T) {
		damaged := strings.Replace(a, `"samples":5`, `"samples":"x"`, 1)
		v := Versions{version(t, "b", text(header, a)), version(t, "o", text(header, a)), version(t, "t", text(header, damaged))}
		if _, err := Merge(v, ""); err == nil || !strings.HasPrefix(err.Error(), "t:2:") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a whole last line without a line end is", func(t *testing.T) {
		f, err := ParseVersion("v", []byte(header+"\n"+a))
		if err != nil || len(f.Lines) != 1 || string(f.Lines[0].Bytes) != a {
			t.Errorf("got %v, %v", f, err)
		}
	})
	t.Run("nothing is no version", func(t *testing.T) {
		if f, err := ParseVersion("v", nil); f != nil || err != nil {
			t.Errorf("got %v, %v", f, err)
		}
	})
}

func TestInConflictKnowsEveryStyleAndNothingElse(t *testing.T) {
	line := small("a", "<<<<<<< ======= >>>>>>>")
	for data, want := range map[string]bool{
		header + "\n" + line + "\n":           false,
		"<<<<<<< HEAD\n" + line + "\n":        true,
		line + "\n||||||| 1a2b\n":             true,
		line + "\n=======\n" + line:           true,
		line + "\n>>>>>>> a topic":            true,
		"<<<<<<< ours\r\n" + line + "\r\n":    true,
		"":                                    false,
		`{"id":"a","x":"\n======="}` + "\n":   false,
		" <<<<<<< an indented line is none\n": false,
	} {
		if got := InConflict([]byte(data)); got != want {
			t.Errorf("%q: %v", data, got)
		}
	}
}

func TestTheMergedFileReplacesOnlyWhatWasRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), Folder, "s")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "mock.jsonl")
	was := text(header, "<<<<<<< HEAD", small("a", "x"), "=======", small("a", "y"), ">>>>>>> topic")
	if err := os.WriteFile(path, was, 0o644); err != nil {
		t.Fatal(err)
	}
	m := mergeLines(t, []string{small("a", "x")}, []string{small("a", "y")}, []string{small("a", "x")})
	if _, err := m.Write(disk.OS{}, path, []byte("another content")); err == nil || !strings.Contains(err.Error(), "was changed by somebody else") {
		t.Fatalf("got %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, was) {
		t.Fatal("it was written all the same")
	}
	f, err := m.Write(disk.OS{}, path, was)
	if err != nil || len(f.Lines) != 1 {
		t.Fatalf("got %v, %v", f, err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, m.Data) {
		t.Errorf("the file holds %s", now)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Write(disk.OS{}, path, was); err == nil {
		t.Error("a file that is gone was taken for the one that was read")
	}
	if _, err := m.Write(disk.OS{}, path, nil); err != nil {
		t.Errorf("where none was: %v", err)
	}
}

// Twenty-three cases are what a review of a suite of 220 decides; two such
// reviews meet in a handful of cases at most.
func TestTwoReviewsOfOneSuiteMergeWithoutAPerson(t *testing.T) {
	var base []string
	for i := range 220 {
		base = append(base, small(fmt.Sprintf("inv-%04d", i), "x"))
	}
	ours, theirs := slices.Clone(base), slices.Clone(base)
	for i := range 23 {
		at := i * 9
		ours[at] = measured(fmt.Sprintf("inv-%04d", at), "ours", 3, "sha256:1")
		if i%8 != 0 { // three cases that both accept alike, over other prose
			at++
			theirs[at] = measured(fmt.Sprintf("inv-%04d", at), "theirs", 3, "sha256:2")
			continue
		}
		theirs[at] = measured(fmt.Sprintf("inv-%04d", at), "ours", 3, "sha256:2")
	}
	m := mergeLines(t, base, ours, theirs)
	if len(m.Conflicts) != 0 || m.FromOurs != 20 || m.FromTheirs != 20 || m.Alike != 3 || m.Untouched != 177 {
		t.Errorf("%d from ours, %d from theirs, %d alike, %d untouched, conflicts %v", m.FromOurs, m.FromTheirs, m.Alike, m.Untouched, m.Conflicts)
	}
}

func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.Custom(func(t *rapid.T) string {
			l := genLine().Draw(t, "line")
			l.ID = ""
			return string(AppendLine(nil, &l))
		})
		// A few ids, so that the sides meet; the id is put in last.
		side := func(name string) map[string]string {
			m := rapid.MapOfN(rapid.StringMatching(`[a-d請]{1,2}`), lines, 0, 6).Draw(t, name)
			for id, line := range m {
				m[id] = strings.Replace(line, `{"id":""`, `{"id":"`+id+`"`, 1)
			}
			return m
		}
		base := side("base")
		branch := func(name string) map[string]string {
			out := map[string]string{}
			edits := side(name)
			for id, line := range base {
				if !rapid.Bool().Draw(t, "removed") {
					out[id] = line
				}
			}
			for id, line := range edits {
				out[id] = line
			}
			return out
		}
		ours, theirs := branch("ours"), branch("theirs")
		file := func(m map[string]string) *File {
			all := []string{header}
			for _, id := range slices.Sorted(maps.Keys(m)) {
				all = append(all, m[id])
			}
			f, err := Parse("m.jsonl", text(all...))
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		v := Versions{file(base), file(ours), file(theirs)}
		m, err := Merge(v, "")
		if err != nil {
			t.Fatal(err)
		}
		swapped, err := Merge(Versions{v.Base, v.Theirs, v.Ours}, "")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(m.Data, swapped.Data) || len(m.Conflicts) != len(swapped.Conflicts) {
			t.Fatalf("the sides are not alike:\n%s\n%s", m.Data, swapped.Data)
		}
		merged, err := Parse("merged", m.Data)
		if err != nil || !merged.Sorted() {
			t.Fatalf("the merged file is no baseline: %v\n%s", err, m.Data)
		}
		got := map[string]string{}
		for _, l := range merged.Lines {
			got[l.ID] = string(l.Bytes)
			if b := got[l.ID]; b != base[l.ID] && b != ours[l.ID] && b != theirs[l.ID] {
				t.Fatalf("the line of %q is of no version: %s", l.ID, b)
			}
		}
		for id, line := range base {
			if ours[id] == line && theirs[id] == line && got[id] != line {
				t.Fatalf("nobody touched %q, and it is %s", id, got[id])
			}
		}
		for _, c := range m.Conflicts {
			if got[c.ID] != base[c.ID] {
				t.Fatalf("the conflict %q was decided", c.ID)
			}
		}
		if n := m.Untouched + m.FromOurs + m.FromTheirs + m.Alike + len(m.Conflicts); n != len(union(base, ours, theirs)) {
			t.Fatalf("%d cases were counted of %d", n, len(union(base, ours, theirs)))
		}
		// To merge what is merged already changes nothing.
		again, err := Merge(Versions{v.Base, merged, v.Base}, "")
		if err != nil || !bytes.Equal(again.Data, m.Data) || len(again.Conflicts) > 0 {
			t.Fatalf("merged with the base again: %v", err)
		}
	})
}

func union(sides ...map[string]string) map[string]bool {
	all := map[string]bool{}
	for _, side := range sides {
		for id := range side {
			all[id] = true
		}
	}
	return all
}
