package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine"
)

// anID draws an id as hostile as ids may be: what file systems, globs, YAML,
// JSON and terminals take for something else, and up to 227 characters of it.
func anID() *rapid.Generator[string] {
	pieces := []string{"a", "Z", "0", "[", "]", "|", ":", "/", "..", "\\", `"`, "'", " ", "*", "?", "#", "- ", "{", "}", ",", "%", "~", "null", "é", "請求", "\u202e", "\u200d", "👩", "&", "@"}
	piece := rapid.SampledFrom(pieces)
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
			long := []rune("x" + strings.Repeat(piece.Draw(t, "piece"), 227))
			for len(string(long)) > 227 {
				long = long[:len(long)-1]
			}
			return string(long)
		}
		return "x" + strings.Join(rapid.SliceOfN(piece, 1, 12).Draw(t, "pieces"), "")
	})
}

// A drawnSuite has cases, and the outputs of two systems for them.
type drawnSuite struct {
	cases    []testCase
	old, new []row
}

// A row is one line of a file of outputs.
type row struct {
	ID     string `json:"id"`
	Sample int    `json:"sample"`
	Text   string `json:"text"`
	Calls  []any  `json:"tool_calls"`
}

func aSuite() *rapid.Generator[drawnSuite] {
	return rapid.Custom(func(t *rapid.T) drawnSuite {
		var d drawnSuite
		texts := rapid.SampledFrom([]string{
			"", "overdue", "It is paid, invoice 4417.", `{"status":"paid","items":[{"name":"a"}]}`, `{"status":"overdue","note":null}`,
			"```json\n[1, 2]\n```", "zero\x00width\u200b and \x1b[31mcolour", strings.Repeat("word ", 80),
		})
		tools := rapid.SampledFrom([]string{"lookup", "refund"})
		answer := func(id string, samples int) (rows []row) {
			for n := range samples {
				r := row{ID: id, Sample: n + 1, Text: texts.Draw(t, "text"), Calls: []any{}}
				for range rapid.IntRange(0, 2).Draw(t, "calls") {
					r.Calls = append(r.Calls, map[string]any{"name": tools.Draw(t, "tool"), "arguments": map[string]any{"id": 1}})
				}
				rows = append(rows, r)
			}
			return rows
		}
		for _, id := range rapid.SliceOfNDistinct(anID(), 1, 12, rapid.ID[string]).Draw(t, "ids") {
			c := testCase{ID: id, Input: map[string]any{"question": "What of invoice 4417?"}}
			if rapid.Bool().Draw(t, "checked") {
				c.Expect = map[string]any{"label": "paid", "max_words": 20}
			}
			d.cases = append(d.cases, c)
			d.old = append(d.old, answer(id, rapid.IntRange(1, 3).Draw(t, "old samples"))...)
			d.new = append(d.new, answer(id, rapid.IntRange(1, 3).Draw(t, "new samples"))...)
		}
		return d
	})
}

func jsonLines(t testing.TB, rows []row) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range rows {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	return b.Bytes()
}

const drawnSettings = "labels: [overdue, paid]"

// TestSameRunSameBytes runs the same outputs one after another and eight at
// once, from a file in its order and from one that is shuffled: the baselines
// are the same bytes, and nothing is to decide.
func TestSameRunSameBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d := aSuite().Draw(r, "suite")
		shuffled := rapid.Permutation(d.old).Draw(r, "shuffled")
		outputs := map[string][]byte{"plain": jsonLines(t, d.old), "shuffled": jsonLines(t, shuffled)}

		var first []byte
		for _, way := range []struct {
			system string
			jobs   int
		}{{"plain", 1}, {"plain", 8}, {"shuffled", 8}} {
			w := newWorkspace(t, d.cases, drawnSettings, outputs)
			if _, err := w.open(way.system).Calibrate(t.Context(), engine.RunOptions{Jobs: way.jobs}); err != nil {
				r.Fatal(err)
			}
			data := bytes.Replace(w.baseline("live"), []byte(`"shuffled"`), []byte(`"plain"`), 1) // the name of the system
			switch {
			case first != nil && !bytes.Equal(first, data):
				r.Fatalf("%s with %d jobs:\n%s\nbefore:\n%s", way.system, way.jobs, data, first)
			case first == nil:
				first = data
				if ids := w.compare(way.system, engine.RunOptions{Jobs: 8}).decidable(); len(ids) > 0 {
					r.Fatalf("the same outputs leave %q to decide", ids)
				}
			}
		}
	})
}

// TestAcceptedIsSettled accepts, by id, what a filtered run of other outputs
// changed: no other line moves, and the same outputs then change nothing more.
func TestAcceptedIsSettled(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d := aSuite().Draw(r, "suite")
		w := newWorkspace(t, d.cases, drawnSettings, map[string][]byte{"old": jsonLines(t, d.old), "new": jsonLines(t, d.new)})
		w.calibrate("old")
		before := w.baseline("live")

		var chosen []string
		for _, c := range d.cases {
			if rapid.Bool().Draw(r, "chosen") {
				chosen = append(chosen, c.ID)
			}
		}
		if len(chosen) == 0 {
			return
		}
		c := w.compare("new", engine.RunOptions{Cases: chosen})
		ids := c.decidable()
		for _, id := range ids {
			if !slices.Contains(chosen, id) {
				r.Fatalf("case %q was not run and can be decided", id)
			}
		}
		w.decide(c, ids, nil)
		if moved := touched(t, before, w.baseline("live")); !slices.Equal(moved, ids) {
			r.Fatalf("accepted %q, moved %q", ids, moved)
		}
		if left := w.compare("new", engine.RunOptions{Cases: chosen}).decidable(); len(left) > 0 {
			r.Fatalf("after all was accepted, %q are left", left)
		}
	})
}

// TestFilesFindNothingInThemselves compares a file of outputs with itself, in
// another order.
func TestFilesFindNothingInThemselves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d := aSuite().Draw(r, "suite")
		shuffled := rapid.Permutation(d.old).Draw(r, "shuffled")
		w := newWorkspace(t, nil, "", map[string][]byte{"a": jsonLines(t, d.old), "b": jsonLines(t, shuffled)})
		pair, err := engine.Files(t.Context(), filepath.Join(w.dir, "outputs", "a.jsonl"), filepath.Join(w.dir, "outputs", "b.jsonl"))
		if err != nil {
			r.Fatal(err)
		}
		if n := pair.Diff.Summary.Undecided(); n > 0 {
			r.Fatal(fmt.Sprint(n, " to decide: ", pair.Diff.Cases))
		}
	})
}
