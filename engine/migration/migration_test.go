package migration_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"docket/engine/canonical"
	"docket/engine/disk"
	"docket/engine/legacy"
	"docket/engine/migration"
)

// suite is an old suite of six tests of a clerk that sorts letters.
func suite(o migration.Options) *migration.Suite {
	letter := strings.Repeat("The reader asks for a deposit of 12 euros.\n", 4)
	in := []legacy.Input{{Value: letter, From: "LETTER_7"}}
	n := func(s string) json.Number { return json.Number(s) }
	contains := func(line int, s string) legacy.Claim {
		return legacy.Claim{Line: line, Text: fmt.Sprintf("assert %q in out", s), Subject: legacy.Answer, Op: legacy.Contains, Values: []any{s}}
	}
	short := legacy.Claim{Line: 31, Text: "assert len(out.split()) <= 60", Subject: legacy.Answer, Path: "words", Op: legacy.AtMost, Values: []any{n("60")}}
	shape := legacy.Claim{Line: 41, Text: "assert response.usage", Subject: legacy.Response, Path: "usage", Op: legacy.Truthy}
	test := func(name string, line int, claims ...legacy.Claim) legacy.Test {
		return legacy.Test{Name: name, Line: line, End: line + 4, Doc: "LIB-7: a deposit was forgotten.", Source: "def " + name + "(): ...", Inputs: in, Call: "summarise(LETTER_7)", Claims: claims}
	}
	return migration.Propose([]*legacy.File{{Name: "tests/test_letters.py", Language: "python", Lines: 60, Tests: []legacy.Test{
		test("test_deposit", 10, contains(11, "12 euros"), short),
		test("test_deposit_again", 20, contains(21, "deposit")),
		test("test_short", 30, short),
		test("test_usage", 40, shape),
		test("test_two_facts", 45, contains(46, "deposit"), contains(47, "reader")),
		test("test_unclear", 50, legacy.Claim{Line: 51, Text: "check(out)", Subject: legacy.Other, Op: legacy.Unknown}),
	}}}, o)
}

var target = migration.Target{Suite: "letters", Cases: "cases/letters"}

const file = "tests/test_letters.py::"

func choose(verdict migration.Verdict) migration.Choice {
	return migration.Choice{Verdict: verdict, Provenance: "LIB-7 — a deposit was forgotten", By: "Ada", At: time.Date(2026, 8, 11, 10, 0, 0, 0, time.UTC)}
}

func choices() map[string]migration.Choice {
	merge := choose(migration.Merge)
	merge.Into = file + "test_deposit"
	return map[string]migration.Choice{
		file + "test_deposit": choose(migration.Situation), file + "test_deposit_again": merge, file + "test_short": choose(migration.Contract),
		file + "test_usage": choose(migration.Drop), file + "test_two_facts": choose(migration.Split),
	}
}

func TestAssemble(t *testing.T) {
	w := suite(migration.Options{}).Assemble(choices(), target, nil)
	if len(w.Troubles) > 0 {
		t.Fatal(w.Troubles)
	}
	want := `# with test_deposit_again, which was merged into it
id: deposit
added: 2026-08-11
provenance: LIB-7 — a deposit was forgotten
input: {letter_7_file: fixtures/letter_7.txt}
expect:
  must_contain_fact:
    - key: "12_euros"
      value: "12 euros"
    - key: deposit
      value: deposit
`
	if got := string(w.Cases[0].Data); got != want {
		t.Errorf("the case is\n%s\nwant\n%s", got, want)
	}
	if ids := strings.Join(w.IDs, " "); ids != "deposit two-facts-1 two-facts-2" {
		t.Errorf("the ids are %s", ids)
	}
	if len(w.Fixtures) != 1 || w.Fixtures[0].Path != "cases/letters/fixtures/letter_7.txt" {
		t.Errorf("the fixtures are %v", w.Fixtures)
	}
	if len(w.Contracts) != 1 || string(canonical.Marshal(w.Contracts[0].Expect)) != `{"max_words":60}` {
		t.Errorf("the contracts are %v", w.Contracts)
	}
	if w.Undecided != 1 {
		t.Errorf("%d are undecided, want 1", w.Undecided)
	}
	c := w.Records.Count()
	if c.Situations != 2 || c.Merged != 1 || c.Contracts != 1 || c.Dropped != 1 || c.Cases != 3 {
		t.Errorf("the counts are %+v", c)
	}
	if got := c.Summary()[1]; got != "80% of tests and 80% of lines survived: 4 of 5 tests, 20 of 25 lines" {
		t.Errorf("it says %s", got)
	}
}

func TestAssembleRefuses(t *testing.T) {
	s := suite(migration.Options{})
	for name, change := range map[string]struct {
		key    string
		choice migration.Choice
		want   string
	}{
		"no reason":    {"test_deposit", migration.Choice{Verdict: migration.Situation}, "was not confirmed"},
		"a taken id":   {"test_deposit", func() migration.Choice { c := choose(migration.Situation); c.ID = "taken"; return c }(), "has a case \"taken\" already"},
		"one id twice": {"test_deposit", func() migration.Choice { c := choose(migration.Situation); c.ID = "two-facts-1"; return c }(), "is that of test"},
		"a lost merge": {"test_deposit", choose(migration.Drop), "is no situation"},
		"a bad draft":  {"test_deposit", func() migration.Choice { c := choose(migration.Situation); c.Draft = []byte("id: ["); return c }(), "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			all := choices()
			all[file+change.key] = change.choice
			w := s.Assemble(all, target, func(id string) bool { return id == "taken" })
			if !slices.ContainsFunc(w.Troubles, func(tr migration.Trouble) bool { return strings.Contains(tr.Message, change.want) }) {
				t.Errorf("the troubles are %v, want %s", w.Troubles, change.want)
			}
			if _, err := w.Write(disk.OS{}, t.TempDir(), target); err == nil {
				t.Error("it was written all the same")
			}
		})
	}
}

// TestSecondMigration proposes only what the log has not.
func TestSecondMigration(t *testing.T) {
	dir := t.TempDir()
	w := suite(migration.Options{}).Assemble(choices(), target, nil)
	out, err := w.Write(disk.OS{}, dir, target)
	if err != nil {
		t.Fatal(err)
	}
	log, err := migration.ReadLog(disk.OS{}, dir, target)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(log.Append(nil)), string(out.All.Append(nil)); got != want || len(log) != 5 {
		t.Errorf("the log reads as\n%s\nwant\n%s", got, want)
	}
	again := suite(migration.Options{Decided: log.Decided()})
	if len(again.Tests) != 1 || again.Tests[0].Name != "test_unclear" || again.Known != 5 {
		t.Errorf("%d are proposed again, %d known", len(again.Tests), again.Known)
	}
	// The same write again changes nothing.
	if _, err := w.Write(disk.OS{}, dir, target); err != nil {
		t.Errorf("a second time: %v", err)
	}
	w.Cases[0].Data = append(w.Cases[0].Data, "# another\n"...)
	if _, err := w.Write(disk.OS{}, dir, target); err == nil || !strings.Contains(err.Error(), "is there already and holds something else") {
		t.Errorf("over a case that is there: %v", err)
	}
}

// TestReportThatWasEdited is kept, and the next one goes beside it.
func TestReportThatWasEdited(t *testing.T) {
	dir := t.TempDir()
	write := func(keys ...string) *migration.Written {
		some := map[string]migration.Choice{}
		for _, key := range keys {
			some[file+key] = choices()[file+key]
		}
		out, err := suite(migration.Options{}).Assemble(some, target, nil).Write(disk.OS{}, dir, target)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := write("test_usage"); out.Report != "cases/letters/migration.md" {
		t.Errorf("the report is %s", out.Report)
	}
	if out := write("test_short"); out.Report != "cases/letters/migration.md" || out.Contracts[0] != "contracts/letters.yaml" {
		t.Errorf("the second is %s, the contract %s", out.Report, out.Contracts)
	}
	path := dir + "/cases/letters/migration.md"
	text, err := disk.Read(disk.OS{}, path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := disk.Write(disk.OS{}, path, append(text, "we decided so on Monday\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := write("test_two_facts"); out.Report != "cases/letters/migration-2.md" {
		t.Errorf("an edited report was replaced: %s", out.Report)
	}
}

// TestPlan: what is printed, unchanged but confirmed, stands for the decisions
// that are proposed.
func TestPlan(t *testing.T) {
	s := suite(migration.Options{})
	plan := s.Plan("letters")
	_, _, _, problems, err := migration.ReadPlan(plan, false)
	if err != nil || len(problems) != 3 || problems[0].Pointer != "/tests/0/confirmed" {
		t.Errorf("unconfirmed: %v, %v", problems, err)
	}
	name, read, chosen, problems, err := migration.ReadPlan(plan, true)
	if err != nil || len(problems) > 0 || name != "letters" {
		t.Fatal(name, problems, err)
	}
	var verdicts []string
	for _, key := range slices.Sorted(maps.Keys(chosen)) {
		verdicts = append(verdicts, strings.TrimPrefix(key, file+"test_")+" "+string(chosen[key].Verdict))
	}
	if got := strings.Join(verdicts, ", "); got != "deposit situation, deposit_again situation, short contract, two_facts situation, usage drop" {
		t.Errorf("it stands for %s", got)
	}
	w := read.Assemble(chosen, target, nil)
	if len(w.Troubles) > 0 || len(w.Cases) != 3 || len(w.Contracts) != 1 || len(w.Fixtures) != 1 {
		t.Errorf("it comes to %+v", w)
	}
}

// TestPlanCanBeShown: a terminal is not driven by the texts of old tests.
func TestPlanCanBeShown(t *testing.T) {
	s := suite(migration.Options{})
	const name = "a\u202eb\u009b31m\u200b\x1b"
	s.Tests[0].Name = name
	plan := s.Plan("letters")
	if strings.ContainsFunc(string(plan), func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }) {
		t.Errorf("the plan holds what a terminal would obey or not show:\n%q", plan)
	}
	_, read, _, problems, err := migration.ReadPlan(plan, true)
	if err != nil || len(problems) > 0 || read.Tests[0].Name != name {
		t.Errorf("it comes back as %q, %v, %v", read.Tests[0].Name, problems, err)
	}
}

func TestPlanProblems(t *testing.T) {
	plan := string(suite(migration.Options{}).Plan("letters"))
	for name, edit := range map[string]struct{ old, now, want string }{
		"a pile":        {`"pile": "sdk"`, `"pile": "skd"`, `/tests/3/assertions/0/pile: "skd" is no pile`},
		"a key":         {`"confirmed"`, `"confirmd"`, "/tests/0/confirmd: unknown key"},
		"an id":         {`"id": "deposit"`, `"id": 7`, "/tests/0/case/id: expected a text"},
		"a blank why":   {`"provenance": "LIB-7`, `"provenance": "  ", "was": "LIB-7`, "/tests/0/case/provenance: it is blank"},
		"a fixture":     {`"fixtures/letter_7.txt":`, `"fixtures/../../x":`, "/fixtures/fixtures~1..~1..~1x: expected a name"},
		"a format":      {`"format": 1`, `"format": 2`, "/format: expected 1"},
		"moved by half": {`"pile": "situation",` + "\n" + `          "sure"`, `"pile": "contract",` + "\n" + `          "sure"`, "/tests/0/assertions/0: its pile is \"contract\", and the case asks for it all the same"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(plan, edit.old) {
				t.Fatalf("the plan has no %s:\n%s", edit.old, plan)
			}
			_, _, _, problems, err := migration.ReadPlan([]byte(strings.Replace(plan, edit.old, edit.now, 1)), true)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(problems, func(p migration.PlanProblem) bool { return strings.HasPrefix(p.Error(), edit.want) }) {
				t.Errorf("the problems are %v, want %s", problems, edit.want)
			}
		})
	}
}

// FuzzReadPlan reads plans as people may have edited them. Like FuzzParseLog it
// finds little unless -fuzzminimizetime is 1x: making one find smaller takes go
// test a minute otherwise.
func FuzzReadPlan(f *testing.F) {
	f.Add(suite(migration.Options{}).Plan("letters"))
	f.Add([]byte(`{"format":1,"tests":[{"name":"a","source":"b","pile":"situation","case":{"input":{"x_file":"y"}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, s, chosen, problems, err := migration.ReadPlan(data, true)
		if err == nil && len(problems) == 0 {
			s.Assemble(chosen, target, nil)
		}
	})
}

func FuzzParseLog(f *testing.F) {
	w := suite(migration.Options{}).Assemble(choices(), target, nil)
	f.Add(w.Records.Append(nil))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		log, err := migration.ParseLog("l", data)
		if err != nil {
			return
		}
		again, err := migration.ParseLog("l", log.Append(nil))
		if err != nil || len(again) != len(log) {
			t.Fatalf("%v: %d records read as %d", err, len(log), len(again))
		}
		log.Report("s")
	})
}

// TestPropertyLog: what a log says reads back, whatever people wrote.
func TestPropertyLog(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringN(1, 20, -1)
		r := migration.Record{
			Test: text.Draw(rt, "test"), File: text.Draw(rt, "file"), Source: "sha256:1", Line: 3, Lines: 7, Verdict: migration.Situation,
			Cases: []string{text.Draw(rt, "case")}, Provenance: text.Draw(rt, "why"), Claims: []migration.RecordedClaim{{Line: 4, Text: text.Draw(rt, "claim"), Pile: legacy.Contract}},
			Left: []migration.Left{{Line: 5, Text: text.Draw(rt, "left"), Why: text.Draw(rt, "why left")}}, By: text.Draw(rt, "by"), At: time.Unix(7, 0).UTC(),
		}
		log, err := migration.ParseLog("l", migration.Log{r}.Append(nil))
		if err != nil {
			rt.Fatal(err)
		}
		if got, want := string(log.Append(nil)), string(migration.Log{r}.Append(nil)); got != want {
			rt.Fatalf("reads as %s, want %s", got, want)
		}
		if !migration.Sealed(log.Report("s")) {
			rt.Fatal("the report is not known again")
		}
	})
}
