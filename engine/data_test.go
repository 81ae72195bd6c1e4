package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/engine"
	"docket/engine/diff"
)

// A dataSet is a folder of real outputs with what docket is told about it.
type dataSet struct {
	folder   string
	settings string // of the suite, in YAML
	// expect makes an expectation of what the source says of a case; nil
	// leaves all cases without checks.
	expect func(input, source map[string]any) map[string]any
}

func dataSets() []dataSet {
	return []dataSet{
		{folder: "tool-tau-airline-gpt4o-4trials", expect: actions},
		{folder: "tool-tau2-airline-3systems", expect: actions},
		{folder: "tool-tau2-telecom-solo", expect: actions},
		{folder: "tool-tau2-telecom-solo-4trials", expect: actions},
		{folder: "tool-bfcl-simple-2systems", expect: acceptedCall},
		{folder: "extract-ner-3systems-5runs", expect: entityKinds},
		{folder: "classify-intent-4systems-10runs", settings: "projections: {label: {path: $}, shape: {}, length: {short: 4, medium: 8}}", expect: intents},
		{folder: "ifeval-en-3systems", expect: constraints},
		{folder: "ifeval-fr-2systems", expect: constraints},
		{folder: "prose-userinstr-2systems"},
	}
}

// TestRealOutputs takes each set of real outputs the whole way: a baseline of
// one system's outputs, the same outputs again, another system's outputs,
// every change accepted by its id, the same outputs again.
func TestRealOutputs(t *testing.T) {
	data := dataFolder(t)
	for _, set := range dataSets() {
		t.Run(set.folder, func(t *testing.T) {
			t.Parallel()
			cases, outputs := set.load(t, data)
			systems := slices.Sorted(maps.Keys(outputs))
			for i, system := range systems {
				w := newWorkspace(t, cases, set.settings, outputs)
				w.calibrate(system)
				w.keepsIDs(t, cases)
				same := w.compare(system, engine.RunOptions{})
				tell(t, system+", the same outputs", same)
				if ids := same.decidable(); len(ids) > 0 {
					t.Errorf("the same outputs leave %d cases to decide: %.5q", len(ids), ids)
				}
				if i+1 == len(systems) {
					continue
				}
				w.switchTo(t, system, systems[i+1])
			}
		})
	}
}

// keepsIDs holds the baseline to the ids of the cases, byte for byte. Those of
// the telecom sets have brackets, bars and colons and run to 227 characters.
func (w *workspace) keepsIDs(t *testing.T, cases []testCase) {
	t.Helper()
	found := lines(t, w.baseline("live"))
	for _, c := range cases {
		delete(found, c.ID)
	}
	if len(found) != 1 {
		t.Errorf("the baseline has ids that no case has: %q", slices.Sorted(maps.Keys(found)))
	}
}

// TestLaterSamples measures false alarms: a baseline of the first samples of a
// system, and then the other samples of the same system, of which nothing
// changed but the dice.
func TestLaterSamples(t *testing.T) {
	data := dataFolder(t)
	for _, set := range dataSets() {
		if !strings.HasSuffix(set.folder, "runs") && !strings.HasSuffix(set.folder, "trials") {
			continue
		}
		t.Run(set.folder, func(t *testing.T) {
			t.Parallel()
			cases, outputs := set.load(t, data)
			for _, system := range slices.Sorted(maps.Keys(outputs)) {
				first, later, one := split(t, outputs[system])
				w := newWorkspace(t, cases, set.settings, map[string][]byte{"first": first, "later": later, "one": one})
				w.calibrate("first")
				tell(t, system+", as many later samples", w.compare("later", engine.RunOptions{}))
				tell(t, system+", one later sample", w.compare("one", engine.RunOptions{}))
			}
		})
	}
}

// split parts the samples of every case into the first half and the second, and
// takes one of the second half alone.
func split(t *testing.T, outputs []byte) (first, later, one []byte) {
	t.Helper()
	samples := map[string][][]byte{}
	var ids []string
	for line := range bytes.Lines(outputs) {
		var row struct{ ID string }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if samples[row.ID] == nil {
			ids = append(ids, row.ID)
		}
		samples[row.ID] = append(samples[row.ID], line)
	}
	for _, id := range ids {
		all := samples[id]
		half := len(all) / 2
		first = append(first, bytes.Join(all[:half], nil)...)
		later = append(later, bytes.Join(all[half:], nil)...)
		one = append(one, all[half]...)
	}
	return first, later, one
}

// switchTo takes the workspace from one system to the next, by accepting.
func (w *workspace) switchTo(t *testing.T, from, to string) {
	t.Helper()
	before := w.baseline("live")
	c := w.compare(to, engine.RunOptions{})
	tell(t, from+" → "+to, c)
	ids := c.decidable()
	if len(ids) == 0 {
		t.Fatal("another system's outputs change nothing")
	}
	// Half first, the other half rejected: only the accepted lines move.
	half := ids[:(len(ids)+1)/2]
	outcome := w.decide(c, half, ids[len(half):])
	if len(outcome.Stale) > 0 || outcome.Accepted != len(half) {
		t.Errorf("%d of %d accepted, stale: %+v", outcome.Accepted, len(half), outcome.Stale)
	}
	if moved := touched(t, before, w.baseline("live")); !slices.Equal(moved, half) {
		t.Errorf("accepted %d lines, %d others or none moved", len(half), len(moved))
	}
	rest := w.compare(to, engine.RunOptions{})
	if got := rest.decidable(); !slices.Equal(got, ids[len(half):]) {
		t.Errorf("after %d of %d were accepted, %d are left", len(half), len(ids), len(got))
	}
	w.decide(rest, rest.decidable(), nil)
	if moved := touched(t, before, w.baseline("live")); !slices.Equal(moved, ids) {
		t.Errorf("accepted %d lines, %d moved", len(ids), len(moved))
	}
	last := w.compare(to, engine.RunOptions{})
	tell(t, to+", accepted", last)
	if left := last.decidable(); len(left) > 0 {
		for i := range last.Cases {
			if last.Cases[i].Status.Decidable() {
				t.Errorf("%q is %s after it was accepted: %s", last.Cases[i].ID, last.Cases[i].Status, last.Cases[i].Signature())
			}
		}
	}
}

// TestFilesOfRealOutputs compares the files of each set with no suite around
// them.
func TestFilesOfRealOutputs(t *testing.T) {
	data := dataFolder(t)
	for _, set := range dataSets() {
		t.Run(set.folder, func(t *testing.T) {
			t.Parallel()
			files := outputFiles(t, filepath.Join(data, set.folder))
			for i, file := range files {
				for j, other := range []string{file, files[(i+1)%len(files)]} {
					if j == 1 && len(files) == 1 {
						continue
					}
					pair, err := engine.Files(t.Context(), file, other)
					if err != nil {
						t.Fatal(err)
					}
					undecided := pair.Diff.Summary.Undecided()
					t.Logf("%s → %s: %s", filepath.Base(file), filepath.Base(other), counts(&pair.Diff.Summary))
					if other == file && undecided > 0 {
						t.Errorf("the same file leaves %d cases to decide", undecided)
					}
					if other != file && undecided == 0 {
						t.Errorf("another system's outputs leave %d cases to decide", undecided)
					}
				}
			}
		})
	}
}

// tell logs the counts of a comparison.
func tell(t *testing.T, what string, c *comparison) {
	t.Helper()
	t.Logf("%s: %s", what, counts(&c.Summary))
}

func counts(s *diff.Summary) string {
	var parts []string
	for _, status := range diff.Statuses() {
		if n := s.Statuses[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	return fmt.Sprintf("%d cases: %s", s.Cases, strings.Join(parts, ", "))
}

// load reads the cases of a set and the outputs of each of its systems.
func (d dataSet) load(t *testing.T, data string) ([]testCase, map[string][]byte) {
	t.Helper()
	folder := filepath.Join(data, d.folder)
	var cases []testCase
	eachLine(t, filepath.Join(folder, "cases.jsonl"), func(line []byte) {
		var c struct {
			ID            string
			Input, Expect map[string]any
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		made := testCase{ID: c.ID, Input: c.Input}
		if d.expect != nil {
			made.Expect = d.expect(c.Input, c.Expect)
		}
		cases = append(cases, made)
	})
	outputs := map[string][]byte{}
	for _, file := range outputFiles(t, folder) {
		bytes, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		outputs[strings.TrimSuffix(filepath.Base(file), ".jsonl")] = bytes
	}
	return cases, outputs
}

func outputFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(files) < 2 {
		t.Fatalf("no outputs in %s: %v", folder, err)
	}
	return slices.DeleteFunc(files, func(f string) bool { return filepath.Base(f) == "cases.jsonl" })
}

// actions asks for the calls that the source's own solution makes.
func actions(_, source map[string]any) map[string]any {
	var names []any
	list, _ := source["actions"].([]any)
	for _, item := range list {
		action, _ := item.(map[string]any)
		names = append(names, action["name"])
	}
	if len(names) == 0 {
		return nil
	}
	return map[string]any{"tool_calls": map[string]any{"contains": names}}
}

// acceptedCall asks for the one call that the source accepts.
func acceptedCall(_, source map[string]any) map[string]any {
	var names []any
	list, _ := source["calls"].([]any)
	for _, item := range list {
		call, _ := item.(map[string]any)
		for name := range call {
			names = append(names, name)
		}
	}
	return map[string]any{"tool_calls": map[string]any{"sequence": names}}
}

// entityKinds asks that every expected entity is named somewhere.
func entityKinds(_, source map[string]any) map[string]any {
	seen := map[string]bool{}
	kinds, _ := source["labels"].(map[string]any)
	for _, list := range kinds {
		values, _ := list.([]any)
		for _, v := range values {
			if text, ok := v.(string); ok && strings.TrimSpace(text) != "" {
				seen[text] = true
			}
		}
	}
	if len(seen) == 0 {
		return nil
	}
	return map[string]any{"covers": slices.Sorted(maps.Keys(seen))}
}

// intents asks for every intent once; the source names some twice.
func intents(_, source map[string]any) map[string]any {
	var labels []any
	list, _ := source["labels"].([]any)
	for _, label := range list {
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return map[string]any{"covers": map[string]any{"path": "$", "expected": labels}}
}

// constraints maps the constraints that leave nothing to interpret; engine/check
// maps more of them and compares the verdicts with the source's.
func constraints(input, _ map[string]any) map[string]any {
	expect := map[string]any{}
	list, _ := input["constraints"].([]any)
	for _, item := range list {
		c, _ := item.(map[string]any)
		kind, _ := c["type"].(string)
		args, _ := c["args"].(map[string]any)
		_, kind, _ = strings.Cut(kind, ":")
		switch kind {
		case "punctuation:no_comma":
			expect["must_not_contain"] = []any{","}
		case "detectable_format:json_format":
			expect["json_schema"] = map[string]any{}
		case "detectable_format:number_bullet_lists":
			expect["structure"] = map[string]any{"bullets": args["num_bullets"]}
		case "length_constraints:number_words":
			n, _ := args["num_words"].(float64)
			if relation := args["relation"]; relation == "less than" || relation == "moins de" {
				expect["max_words"] = int(n) - 1
			} else {
				expect["min_words"] = int(n)
			}
		}
	}
	return expect
}

// dataFolder finds the real outputs, which lie beside the repository and not
// in it.
func dataFolder(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("..", "..", "shared", "data"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the real outputs are not here (../shared/data beside the repository): nothing is compared")
	}
	return folder
}

func eachLine(t *testing.T, file string, use func(line []byte)) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		use(line)
	}
}
