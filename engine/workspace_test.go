package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/run"
)

// A workspace is a folder as a user of docket has one: a configuration with
// one suite, s, its cases and files of outputs, one for each system.
type workspace struct {
	t   testing.TB
	dir string
}

// A testCase is written as the YAML of one case.
type testCase struct {
	ID     string
	Input  map[string]any
	Expect map[string]any
	Tags   []string
	Mock   any
}

// newWorkspace writes the folder. settings is YAML below the suite's name,
// such as "labels: [a, b]"; outputs are the bytes of a file by system.
func newWorkspace(t testing.TB, cases []testCase, settings string, outputs map[string][]byte) *workspace {
	t.Helper()
	w := &workspace{t: t, dir: t.TempDir()}
	for i, c := range cases {
		w.write(caseFile(i), caseYAML(t, c))
	}
	systems := "  canned: {kind: canned}\n"
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		w.write("outputs/"+name+".jsonl", outputs[name])
		systems += fmt.Sprintf("  %q: {kind: outputs, file: %q}\n", name, "outputs/"+name+".jsonl")
	}
	w.write(".docket.yaml", fmt.Appendf(nil, "version: 1\nsuites:\n  s:\n    cases: cases\n    expires: never\n    system: canned\n%ssystems:\n%s", indented(settings), systems))
	return w
}

func caseFile(i int) string { return fmt.Sprintf("cases/%05d.yaml", i) }

func caseYAML(t testing.TB, c testCase) []byte {
	t.Helper()
	fields := map[string]any{"id": c.ID, "provenance": "written by a test", "input": c.Input}
	if c.Input == nil {
		fields["input"] = map[string]any{}
	}
	if len(c.Expect) > 0 {
		fields["expect"] = c.Expect
	}
	if len(c.Tags) > 0 {
		fields["tags"] = c.Tags
	}
	if c.Mock != nil {
		fields["mock"] = c.Mock
	}
	data, err := yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func indented(settings string) string {
	if settings == "" {
		return ""
	}
	return "    " + settings + "\n"
}

func (w *workspace) write(name string, data []byte) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// open opens the suite with a system, afresh as a new process does.
func (w *workspace) open(system string) *engine.Suite {
	w.t.Helper()
	p, err := engine.Load(filepath.Join(w.dir, ".docket.yaml"))
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := p.Open("", system, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *workspace) calibrate(system string) *engine.Calibration {
	w.t.Helper()
	c, err := w.open(system).Calibrate(w.t.Context(), engine.RunOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// A comparison is a run beside the baseline.
type comparison struct {
	*diff.Diff
	suite *engine.Suite
	run   *run.Run
	base  *baseline.File
}

// compare runs a system and compares.
func (w *workspace) compare(system string, o engine.RunOptions) *comparison {
	w.t.Helper()
	s := w.open(system)
	made, err := s.Run(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.against(s, made.Run)
}

// against compares a run with the baseline, and holds the diff to what every
// diff promises: statuses that add up, cases in the order of their ids.
func (w *workspace) against(s *engine.Suite, r *run.Run) *comparison {
	w.t.Helper()
	base, err := s.Baseline()
	if err != nil {
		w.t.Fatal(err)
	}
	d, err := s.Compare(w.t.Context(), r, base)
	if err != nil {
		w.t.Fatal(err)
	}
	all, listed := 0, 0
	for status, n := range d.Summary.Statuses {
		all += n
		if status.Listed() {
			listed += n
		}
	}
	if all != d.Summary.Cases || listed != len(d.Cases) {
		w.t.Errorf("%d cases, %d listed: the statuses %v do not add up", d.Summary.Cases, len(d.Cases), d.Summary.Statuses)
	}
	if !slices.IsSortedFunc(d.Cases, func(a, b diff.Case) int { return compareIDs(a.ID, b.ID) }) {
		w.t.Error("the cases are out of order")
	}
	return &comparison{d, s, r, base}
}

func compareIDs(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// decidable returns the ids of the cases that a person can decide.
func (c *comparison) decidable() []string {
	var ids []string
	for i := range c.Cases {
		if c.Cases[i].Status.Decidable() {
			ids = append(ids, c.Cases[i].ID)
		}
	}
	return ids
}

// decide accepts the cases of the ids one after another, rejects others, and
// writes.
func (w *workspace) decide(c *comparison, accept, reject []string) decision.Outcome {
	w.t.Helper()
	v, err := c.suite.Review(w.t.Context(), c.Diff, c.run, c.base)
	if err != nil {
		w.t.Fatal(err)
	}
	for verdict, ids := range map[decision.Verdict][]string{decision.Accept: accept, decision.Reject: reject} {
		for _, id := range ids {
			if err := v.Decide([]string{id}, "", verdict, "as the test has it"); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	outcome, err := v.Write(w.t.Context())
	if err := errors.Join(err, v.Close()); err != nil {
		w.t.Fatal(err)
	}
	return outcome
}

// decideAtOnce accepts all that can be decided in one decision, as a group is,
// and writes.
func (w *workspace) decideAtOnce(c *comparison) decision.Outcome {
	w.t.Helper()
	v, err := c.suite.Review(w.t.Context(), c.Diff, c.run, c.base)
	must(w.t, err)
	must(w.t, v.Decide(c.decidable(), "", decision.Accept, "as the test has it"))
	outcome, err := v.Write(w.t.Context())
	must(w.t, errors.Join(err, v.Close()))
	return outcome
}

// baseline returns the bytes of the baseline of a mode.
func (w *workspace) baseline(mode string) []byte {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, "baselines", "s", mode+".jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	return data
}

// lines maps the lines of a baseline to their bytes by id; the header is "".
func lines(t testing.TB, data []byte) map[string]string {
	t.Helper()
	f, err := baseline.Parse("baseline", data)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"": string(f.HeaderBytes)}
	for _, l := range f.Lines {
		all[l.ID] = string(l.Bytes)
	}
	return all
}

// touched returns the ids whose line differs between two baselines, sorted;
// "" is the header.
func touched(t testing.TB, before, after []byte) []string {
	t.Helper()
	old, new := lines(t, before), lines(t, after)
	var ids []string
	for id, line := range old {
		if new[id] != line {
			ids = append(ids, id)
		}
	}
	for id := range new {
		if _, both := old[id]; !both {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
