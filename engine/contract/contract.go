// Package contract holds outputs to the format that the production path asks
// for: a prefix, a number of lines, JSON with given keys. What it checks stands
// in a file of its own and not in the cases, so that no model is marked down in
// a comparison for what a prompt asks of its format.
//
// The package refuses to know cases: every output is held to every check. It
// reads no results store and writes nothing.
package contract

import (
	"context"
	"fmt"
	"slices"

	"docket/engine/check"
	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/source"
)

// Version is the version of the files that this docket reads.
const Version = "1"

// A Contract is a file of checks that is ready to judge.
type Contract struct {
	File   string
	Checks []check.Compiled
}

// Parse reads a contract, {version: 1, expect: {…}}. ReadFile reads a schema
// file that it names; nil refuses one. The problems are all that is wrong.
func Parse(file string, data []byte, readFile func(string) ([]byte, error)) (*Contract, source.Problems) {
	doc, problems := source.Parse(file, data)
	if len(problems) > 0 {
		return nil, problems
	}
	problems = source.Known(doc, "a contract", "version", "expect")
	if v := doc.Get("version"); v.IsZero() {
		problems = append(problems, doc.Problemf("version is missing; write version: %s", Version))
	} else if n, _ := v.Number(); n.String() != Version {
		problems = append(problems, v.Problemf("version: expected %s, got %s", Version, v.Describe()))
	}
	expect := doc.Get("expect")
	if expect.IsZero() {
		return nil, append(problems, doc.Problemf("expect is missing; write what every answer is held to, such as expect: {max_words: 60}"))
	}
	for _, e := range expect.Entries() {
		if why, ok := foreign()[e.Key]; ok {
			problems = append(problems, e.KeyAt.Problemf("%s cannot stand in a contract: %s", e.Key, why))
		}
	}
	compiled, more := check.Compile(expect, check.Env{ReadFile: readFile, Case: check.CaseInfo{Scoring: "deterministic"}})
	if problems = append(problems, more...); len(problems) > 0 {
		problems.Sort()
		return nil, slices.CompactFunc(problems, func(a, b source.Problem) bool { return a.Position == b.Position })
	}
	return &Contract{File: file, Checks: compiled}, nil
}

// foreign are the keys of expect that ask about the case.
func foreign() map[string]string {
	return map[string]string{
		"label":     "which label is right depends on the case",
		"citations": "they are resolved in the documents of a case",
		"command":   "a contract starts no program",
	}
}

// A Breach is a check that an output did not pass.
type Breach struct {
	ID      string
	Sample  int
	Line    int // of the outputs
	Check   string
	Message string
}

// A Tally is how often one check held.
type Tally struct {
	Check        string
	Held, Broken int
}

// A Result is what became of a file of outputs.
type Result struct {
	Contract string // its file
	Outputs  int    // that were held to the contract
	Failed   int    // that are errors of their system, and say nothing of a format
	Broken   int    // that broke at least one check
	Breaches []Breach
	Tallies  []Tally // one for each check, in the order of the contract
}

// Hold holds every output of a file to the contract.
func (c *Contract) Hold(ctx context.Context, rows []interchange.Row) (*Result, error) {
	r := &Result{Contract: c.File, Tallies: make([]Tally, len(c.Checks))}
	for i := range c.Checks {
		r.Tallies[i].Check = c.Checks[i].Name()
	}
	for i := range rows {
		row := &rows[i]
		if row.Error != "" {
			r.Failed++
			continue
		}
		r.Outputs++
		document, has := output.Document(row.Output.Text)
		subject := &check.Subject{ID: row.ID, Sample: row.Sample, Input: row.Input, Output: &row.Output, Document: document, HasDocument: has}
		broke := false
		for j := range c.Checks {
			v, err := c.Checks[j].Judge(ctx, subject)
			if err != nil {
				return nil, fmt.Errorf("%s of %q, line %d: %w", c.Checks[j].Name(), row.ID, row.Line, err)
			}
			if v.Pass {
				r.Tallies[j].Held++
				continue
			}
			r.Tallies[j].Broken++
			broke = true
			r.Breaches = append(r.Breaches, Breach{row.ID, row.Sample, row.Line, c.Checks[j].Name(), v.Message})
		}
		if broke {
			r.Broken++
		}
	}
	return r, nil
}

// Headline says the result in one sentence.
func (r *Result) Headline() string {
	s := phrase.Count(r.Outputs, "output", "outputs") + ", " + phrase.Count(len(r.Tallies), "check", "checks") + ": "
	if r.Broken == 0 {
		s += "all hold"
	} else {
		s += fmt.Sprintf("%d broke the contract", r.Broken)
	}
	if r.Failed > 0 {
		s += fmt.Sprintf("; %s of the system itself, not judged", phrase.Count(r.Failed, "more is an error", "more are errors"))
	}
	return s
}
