package migration

import (
	"bytes"
	"fmt"
	"strings"

	"docket/engine/canonical"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/safetext"
)

// PlanFormat is the format of the plans that this version writes and reads.
const PlanFormat = 1

// Plan writes what is proposed as JSON, for people and programs to edit and to
// hand back. Each test has its pile, the case that it would become and its
// assertions; "confirmed" is false until somebody says that the provenance was
// read and holds.
func (s *Suite) Plan(suite string) []byte {
	tests := make([]any, 0, len(s.Tests))
	used := map[string]bool{}
	for i := range s.Tests {
		t := &s.Tests[i]
		made, _ := t.Case(Choice{Verdict: verdictOf(t.Pile)})
		mark(used, made.Input)
		assertions := make([]any, 0, len(t.Claims))
		for j := range t.Claims {
			assertions = append(assertions, t.Claims[j].plan())
		}
		test := map[string]any{
			"name": t.Name, "file": t.File, "line": t.Line, "end": t.End, "source": t.Hash, "pile": string(t.Pile), "why": t.Why, "sure": t.Sure,
			"confirmed": false, "asks": t.Asked, "case": planned(&made), "assertions": assertions,
		}
		if len(t.Draft.Notes) > 0 {
			test["unresolved"] = anyTexts(t.Draft.Notes)
		}
		tests = append(tests, test)
	}
	fixtures := map[string]any{}
	for _, f := range s.Fixtures.All() {
		if used[f.Name] {
			fixtures[f.Name] = f.Text
		}
	}
	problems := []any{}
	for _, p := range s.Problems {
		problems = append(problems, map[string]any{"file": p.File, "line": p.Line, "message": p.Message})
	}
	doc := map[string]any{
		"format": PlanFormat, "source": strings.Join(s.Files, ", "), "suite": suite, "tests": tests, "fixtures": fixtures,
		"known": s.Known, "problems": problems,
	}
	var out bytes.Buffer
	if err := safetext.IndentedJSON(&out, doc); err != nil {
		// Everything in it is of the JSON model.
		panic(fmt.Sprintf("a plan is no JSON: %v", err))
	}
	return out.Bytes()
}

func (c *Claim) plan() map[string]any {
	a := map[string]any{"line": c.Line, "text": c.Text, "pile": string(c.Pile), "why": c.Why, "sure": c.Sure}
	if c.Expect != nil {
		a["expect"] = c.Expect
	} else {
		a["left"] = c.Left
	}
	return a
}

func planned(c *draft.Case) map[string]any {
	doc := map[string]any{"id": c.ID, "provenance": c.Provenance, "input": c.Input}
	if c.Added != "" {
		doc["added"] = c.Added
	}
	if len(c.Tags) > 0 {
		doc["tags"] = anyTexts(c.Tags)
	}
	if c.Expect != nil {
		doc["expect"] = c.Expect
	}
	return doc
}

// verdictOf is the verdict that follows from a pile that nobody changed.
func verdictOf(p legacy.Pile) Verdict {
	switch p {
	case legacy.Situation:
		return Situation
	case legacy.Contract:
		return Contract
	case legacy.SDK:
		return Drop
	}
	return ""
}

// MaxPlan bounds, in bytes, a plan that is read.
const MaxPlan = 256_000_000

// ReadPlan reads a plan that was edited. What comes back is a suite whose tests
// hold what the plan says, and the choices that it stands for. The problems are
// all that is wrong in it, each with a JSON pointer. Confirm says that every
// provenance was read, in place of the word of each test.
func ReadPlan(data []byte, confirm bool) (suiteName string, s *Suite, choices map[string]Choice, problems []PlanProblem, err error) {
	doc, err := canonical.Parse(data)
	if err != nil {
		return "", nil, nil, nil, err
	}
	p := &planReader{confirm: confirm, s: &Suite{Fixtures: &draft.Fixtures{}, at: map[string]int{}}, choices: map[string]Choice{}}
	root, ok := doc.(map[string]any)
	if !ok {
		return "", nil, nil, nil, fmt.Errorf("a plan is one JSON object, as docket migrate --plan prints it")
	}
	name := p.root(root)
	return name, p.s, p.choices, p.problems, nil
}

// A PlanProblem is one thing that is wrong in a plan.
type PlanProblem struct {
	Pointer string // to the value, as RFC 6901 has it
	Message string
}

// Error implements error.
func (p PlanProblem) Error() string { return p.Pointer + ": " + p.Message }
