package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/run"
	"docket/engine/source"
)

// answersOf is a suite of the cases with one line of outputs each.
func answersOf(t testing.TB, answers map[string]string) *workspace {
	t.Helper()
	var cases []testCase
	var rows []row
	for _, id := range slices.Sorted(maps.Keys(answers)) {
		cases = append(cases, testCase{ID: id, Tags: []string{"t-" + id}, Expect: map[string]any{"label": "paid"}, Mock: answers[id]})
		rows = append(rows, row{ID: id, Sample: 1, Text: answers[id], Calls: []any{}})
	}
	return newWorkspace(t, cases, "labels: [overdue, paid]", map[string][]byte{"stored": jsonLines(t, rows)})
}

// fails asserts that an error is there and says each of the words.
func fails(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("there is no error, want one that says %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error is %q and does not say %q", err, w)
		}
	}
}

// TestNamesThatMatchNothing tells what there is, and the nearest name.
func TestNamesThatMatchNothing(t *testing.T) {
	w := answersOf(t, map[string]string{"inv-0031": "paid"})
	p, err := engine.Load(filepath.Join(w.dir, ".docket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Open("x", "", "")
	fails(t, err, `no suite "x"`, "there is s")
	_, err = p.Open("s", "storde", "")
	fails(t, err, `no system "storde"`, "canned, stored", "did you mean stored?")
	_, err = p.Open("s", "stored", "mock")
	fails(t, err, "always live", "leave out --mode mock")
	s := w.open("stored")
	_, err = s.Run(t.Context(), engine.RunOptions{Cases: []string{"inv-003"}})
	fails(t, err, `no case "inv-003"`, "did you mean inv-0031?")
	_, err = s.Run(t.Context(), engine.RunOptions{Tags: []string{"none"}})
	fails(t, err, "no case of suite s matches")
	_, err = s.Calibrate(t.Context(), engine.RunOptions{Cases: []string{"inv-003"}})
	fails(t, err, `no case "inv-003"`)
	_, err = s.StoredRun(t.Context(), "20260811T102203Z-7f3a")
	fails(t, err, `no run "20260811T102203Z-7f3a"`)
	_, err = s.Baseline()
	fails(t, err, "baselines/s/live.jsonl", "docket calibrate s")
	if !errors.Is(err, engine.ErrNoBaseline) {
		t.Errorf("%v is not ErrNoBaseline", err)
	}
}

// TestAStoredRunIsOfTheBaseline refuses runs whose lines must not get into the
// baseline that is meant.
func TestAStoredRunIsOfTheBaseline(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid"})
	canned := w.calibrate("canned")
	w.calibrate("stored")
	live, mock := w.compare("stored", engine.RunOptions{}), w.compare("canned", engine.RunOptions{})
	_, err := w.open("stored").StoredRun(t.Context(), mock.run.ID)
	fails(t, err, "mode mock", "say --mode mock --system canned")
	_, err = w.open("canned").StoredRun(t.Context(), live.run.ID)
	fails(t, err, "mode live", "say --mode live --system stored")
	_, err = w.open("canned").StoredRun(t.Context(), canned.Run.ID)
	fails(t, err, "proposes nothing", "docket run s")
	if r, err := w.open("canned").StoredRun(t.Context(), mock.run.ID); err != nil || r.ID != mock.run.ID {
		t.Errorf("the run itself: %v, %v", r, err)
	}

	app := newScripted(t, map[string]string{"a": overdue}, "")
	app.calibrate("")
	found, err := app.open("").Again(t.Context(), engine.RunOptions{})
	must(t, err)
	_, err = app.open("").StoredRun(t.Context(), found.Report.Run.ID)
	fails(t, err, "counted false alarms", "proposes nothing")
}

// TestAllProblemsAtOnce reads a suite in which several files are wrong.
func TestAllProblemsAtOnce(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid"})
	w.write("cases/b.yaml", []byte("id: b\nprovenance: a ticket\ninput: {}\nexpect: {max_word: 3}\n"))
	w.write("cases/c.yaml", []byte("id: c\nprovenance: a ticket\ninput: {}\nexpect: {must_match: ['(']}\nmock: 5\n"))
	p, err := engine.Load(filepath.Join(w.dir, ".docket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Open("s", "", "")
	fails(t, err, "b.yaml:4:10", "max_words", "c.yaml:4:23", "c.yaml:5:7", "mock must be a string")
	var problems source.Problems
	if !errors.As(err, &problems) || len(problems) != 3 {
		t.Errorf("%d problems: %v", len(problems), err)
	}

	w.write(".docket.yaml", []byte("version: 1\nsuites:\n  s: {system: canned}\nsystems:\n  canned: {kind: canned}\n"))
	if p, err = engine.Load(filepath.Join(w.dir, ".docket.yaml")); err == nil {
		_, err = p.Open("s", "", "")
	}
	fails(t, err, ".docket.yaml:3", "cases")
}

// TestLatest makes a run of outputs that exist only where what it depends on
// has changed.
func TestLatest(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid", "b": "overdue"})
	latest := func(want bool, why string) *run.Run {
		t.Helper()
		r, made, err := w.open("stored").Latest(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if made != want {
			t.Errorf("%s: made %v", why, made)
		}
		return r
	}
	first := latest(true, "the first")
	if again := latest(false, "nothing changed"); again.ID != first.ID || len(again.Results) != 2 {
		t.Errorf("another run: %s, %d results", again.ID, len(again.Results))
	}
	w.write("outputs/stored.jsonl", []byte(`{"id":"a","text":"overdue"}`+"\n"))
	latest(true, "other outputs")
	w.write(caseFile(0), caseYAML(t, testCase{ID: "a", Expect: map[string]any{"label": "overdue"}}))
	latest(true, "an expectation was edited")
	w.write(".docket.yaml", []byte("version: 1\nsuites:\n  s: {cases: cases, labels: [paid, overdue, void]}\nsystems:\n  stored: {kind: outputs, file: outputs/stored.jsonl}\n"))
	latest(true, "other labels")
	latest(false, "nothing changed")
}

// TestLatestIsOfTheSystemThatRan goes on with the system that a person ran by
// name, although the suite's own is another whose outputs exist too.
func TestLatestIsOfTheSystemThatRan(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid"})
	const stored = "version: 1\nsuites:\n  s: {cases: cases, system: stored, labels: [paid, overdue]}\nsystems:\n  stored: {kind: outputs, file: outputs/stored.jsonl}\n"
	w.write(".docket.yaml", []byte(stored+"  candidate: {kind: outputs, file: outputs/candidate.jsonl}\n"))
	w.write("outputs/candidate.jsonl", []byte(`{"id":"a","text":"overdue"}`+"\n"))
	latest := func(why, system string, want bool) *run.Run {
		t.Helper()
		r, made, err := w.open(system).Latest(t.Context(), nil)
		must(t, err)
		if made != want {
			t.Errorf("%s: made %v", why, made)
		}
		return r
	}
	latest("the suite's own, nothing ran yet", "", true)
	ran, err := w.open("candidate").Run(t.Context(), engine.RunOptions{})
	must(t, err)
	if r := latest("nothing changed", "", false); r.ID != ran.Run.ID {
		t.Errorf("run %s of %s", r.ID, r.Config.System)
	}
	w.write("outputs/candidate.jsonl", []byte(`{"id":"a","text":"void"}`+"\n"))
	if r := latest("its outputs changed", "", true); r.Config.System != "candidate" {
		t.Errorf("run %s of %s", r.ID, r.Config.System)
	}
	if r := latest("the suite's own, by name", "stored", false); r.Config.System != "stored" {
		t.Errorf("run %s of %s", r.ID, r.Config.System)
	}
	w.write(".docket.yaml", []byte(stored))
	if r := latest("the system is not declared any more", "", false); r.Config.System != "candidate" {
		t.Errorf("run %s of %s", r.ID, r.Config.System)
	}
}

// TestADiffNeedsNoProgram compares, decides and writes where the program that
// made the run is not there.
func TestADiffNeedsNoProgram(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue}, "")
	w.calibrate("")
	w.says("a", paid)
	ran := w.compare("", engine.RunOptions{})
	config := regexp.MustCompile(`command: \[[^\]]*\]`).ReplaceAll(w.read(".docket.yaml"), []byte("command: [no-program-of-this-name]"))
	w.write(".docket.yaml", config)
	s := w.open("")
	r, made, err := s.Latest(t.Context(), nil)
	must(t, err)
	if made || r.ID != ran.run.ID {
		t.Errorf("run %s, made %v", r.ID, made)
	}
	if outcome := w.decide(w.against(s, r), []string{"a"}, nil); outcome.Receipt.Replaced != 1 {
		t.Errorf("%+v", outcome)
	}
	_, err = s.Run(t.Context(), engine.RunOptions{})
	fails(t, err, "no-program-of-this-name")
}

// TestANamedSystemIsTheOneThatIsShown takes the last run of the system that was
// named, although another one ran later; of any where none was named.
func TestANamedSystemIsTheOneThatIsShown(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue}, "")
	self, err := os.Executable()
	must(t, err)
	w.configure(fmt.Sprintf("}\n  twin: {kind: exec, command: [%q], env: {DOCKET_TEST_ANSWERS: %q}", self, filepath.Join(w.dir, "answers")))
	w.calibrate("")
	w.says("a", paid)
	first := w.compare("app", engine.RunOptions{})
	w.says("a", disputed)
	second := w.compare("twin", engine.RunOptions{})
	for system, want := range map[string]string{"app": first.run.ID, "twin": second.run.ID, "": second.run.ID} {
		r, made, err := w.open(system).Latest(t.Context(), nil)
		must(t, err)
		if r.ID != want || made {
			t.Errorf("system %q: run %s of %s, made %v", system, r.ID, r.Config.System, made)
		}
	}

	// A later run of another system makes no decision on this one stale.
	s := w.open("app")
	base, err := s.Baseline()
	must(t, err)
	d, err := s.Compare(t.Context(), first.run, base)
	must(t, err)
	v, err := s.Review(t.Context(), d, first.run, base)
	must(t, err)
	defer v.Close()
	must(t, v.Decide([]string{"a"}, "", decision.Accept, "it was paid"))
	outcome, err := v.Write(t.Context())
	must(t, err)
	if len(outcome.Stale) > 0 || outcome.Receipt.Replaced != 1 {
		t.Errorf("%+v", outcome)
	}
}

// TestInterrupted proposes no disappearance, and leaves the baseline alone.
func TestInterrupted(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid", "b": "overdue"})
	w.calibrate("canned")
	before := w.baseline("mock")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := w.open("canned")
	made, err := s.Run(ctx, engine.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !made.Run.Interrupted || made.Run.Whole {
		t.Errorf("interrupted %v, whole %v", made.Run.Interrupted, made.Run.Whole)
	}
	c := w.against(s, made.Run)
	if got := c.Summary.Statuses[diff.NotRun]; got != 2 || len(c.decidable()) > 0 {
		t.Errorf("the statuses are %v", c.Summary.Statuses)
	}
	w.decide(c, nil, nil)
	if moved := touched(t, before, w.baseline("mock")); len(moved) > 0 {
		t.Errorf("%q moved", moved)
	}
}

// TestAComparisonEndsWithItsContext does not go on once nobody waits for it.
func TestAComparisonEndsWithItsContext(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid"})
	w.calibrate("canned")
	c := w.compare("canned", engine.RunOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.suite.Compare(ctx, c.run, c.base); !errors.Is(err, context.Canceled) {
		t.Errorf("compare: %v", err)
	}
	v, err := c.suite.Review(t.Context(), c.Diff, c.run, c.base)
	must(t, err)
	defer v.Close()
	if _, err := v.Plan(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("plan: %v", err)
	}
	if _, err := v.Write(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
}

// TestCalibrateTakesWhatIsMissing adds the line of a new case and leaves the
// others as they are.
func TestCalibrateTakesWhatIsMissing(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid", "c": "overdue"})
	w.calibrate("canned")
	before := w.baseline("mock")
	w.write("cases/b.yaml", caseYAML(t, testCase{ID: "b", Mock: "paid"}))
	c := w.calibrate("canned")
	if !c.Existing || c.Skipped != 2 {
		t.Errorf("%+v", c)
	}
	if moved := touched(t, before, w.baseline("mock")); !slices.Equal(moved, []string{"b"}) {
		t.Errorf("%q moved", moved)
	}
	again := w.baseline("mock")
	w.calibrate("canned")
	if moved := touched(t, again, w.baseline("mock")); len(moved) > 0 {
		t.Errorf("with nothing missing, %q moved", moved)
	}
}

// TestCalibrateAddsNoLineOfAnotherConfiguration refuses lines for which the
// header of the baseline would not speak, before anything is asked where that
// is known beforehand.
func TestCalibrateAddsNoLineOfAnotherConfiguration(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue}, ", model: acorn-1")
	w.calibrate("")
	before := w.read("baselines/s/live.jsonl")
	w.write(caseFile(1), caseYAML(t, testCase{ID: "b"}))
	w.says("b", paid)

	w.configure(", model: acorn-2")
	_, err := w.open("").Calibrate(t.Context(), engine.RunOptions{})
	fails(t, err, "model acorn-1 → acorn-2", "no line is added", "docket calibrate s --recapture --reason TEXT", "--across")
	if r, _, err := w.open("").Latest(t.Context(), nil); err == nil {
		t.Errorf("run %s was made", r.ID)
	}

	w.configure(", model: acorn-1")
	w.says("model", "acorn-1-turbo")
	_, err = w.open("").Calibrate(t.Context(), engine.RunOptions{})
	fails(t, err, "answered acorn-1 → acorn-1-turbo", "no line is added")
	if !bytes.Equal(w.read("baselines/s/live.jsonl"), before) {
		t.Error("the baseline was written")
	}

	c, err := w.open("").Calibrate(t.Context(), engine.RunOptions{Across: true})
	must(t, err)
	if c.Receipt.Added != 1 || c.Receipt.Untouched != 1 {
		t.Errorf("%+v", c.Receipt)
	}
}

// TestCannedIsHeldToTheSchema makes an answer that breaks what its system
// declares an error of its case, in a run and without one.
func TestCannedIsHeldToTheSchema(t *testing.T) {
	w := answersOf(t, map[string]string{"good": `{"status":"paid"}`, "wrong": `{"state":"paid"}`})
	w.write("schema.json", []byte(`{"type":"object","required":["status"]}`))
	w.write(".docket.yaml", []byte("version: 1\nsuites:\n  s: {cases: cases, system: canned, labels: [paid]}\nsystems:\n  canned: {kind: canned, output_schema: schema.json}\n"))
	s := w.open("canned")
	made, err := s.Run(t.Context(), engine.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range made.Run.Results {
		if failed := r.Outcome == run.Failed; failed != (r.ID == "wrong") {
			t.Errorf("case %s: %s %s", r.ID, r.Outcome, r.Error)
		}
	}
	problems, err := s.Lint(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	fails(t, problems.Err(), "cases/00001.yaml", `case "wrong"`, "status")
}

// TestLint finds lines without cases, cases without lines, and an expectation
// that changed under one version.
func TestLint(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid", "b": "overdue"})
	w.calibrate("stored")
	clean, err := w.open("stored").Lint(t.Context(), time.Now())
	if err != nil || len(clean) > 0 {
		t.Fatal(clean, err)
	}
	if err := os.Remove(filepath.Join(w.dir, filepath.FromSlash(caseFile(1)))); err != nil {
		t.Fatal(err)
	}
	w.write(caseFile(0), caseYAML(t, testCase{ID: "a", Expect: map[string]any{"label": "overdue"}}))
	w.write("cases/c.yaml", caseYAML(t, testCase{ID: "c"}))
	problems, err := w.open("stored").Lint(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	fails(t, problems.Err(), `baselines/s/live.jsonl:3:1: case "b" has a line and no case file`, `case "c" has no line`, `expectation of case "a" changed`)
}

// TestFilesThatDoNotPair says of each pair what is wrong with it.
func TestFilesThatDoNotPair(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid", "b": "overdue"})
	w.calibrate("stored")
	outputs := filepath.Join(w.dir, "outputs", "stored.jsonl")
	master := filepath.Join(w.dir, "baselines", "s", "live.jsonl")
	missing := filepath.Join(w.dir, "outputs", "none.jsonl")
	w.write("outputs/empty.jsonl", nil)
	for _, tt := range []struct {
		old, new string
		words    []string
	}{
		{outputs, missing, []string{"none.jsonl cannot be read", "no such file"}},
		{w.dir, outputs, []string{"is a folder, not a file"}},
		{outputs, master, []string{"not of one kind", "two baselines"}},
		{outputs, filepath.Join(w.dir, "outputs", "empty.jsonl"), []string{"empty.jsonl", "empty"}},
	} {
		_, err := engine.Files(t.Context(), tt.old, tt.new)
		fails(t, err, tt.words...)
	}
	pair, err := engine.Files(t.Context(), master, master)
	if err != nil {
		t.Fatal(err)
	}
	if got := pair.Diff.Summary.Statuses[diff.Same]; got != 2 {
		t.Errorf("a baseline differs from itself: %v", pair.Diff.Summary.Statuses)
	}
}
