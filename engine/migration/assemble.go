package migration

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/phrase"
	"docket/engine/source"
	"docket/engine/suite"
)

// A Target is where the files of a migration go: paths relative to the folder
// of the configuration, with slashes.
type Target struct {
	Suite string
	Cases string // the folder of the suite's cases
}

// ContractPath is where the contract of a suite lies, or, where Of is not empty,
// that of one of several functions that the old tests called; n counts from 1,
// and every migration after the first writes a file of its own beside the
// others.
func (t Target) ContractPath(of string, n int) string {
	stem := "contracts/" + draft.FileStem(t.Suite)
	if of != "" {
		stem += "-" + draft.FileStem(strings.ToLower(of))
	}
	if n > 1 {
		stem += fmt.Sprintf("-%d", n)
	}
	return stem + ".yaml"
}

// LogPath is where the log of all decisions lies.
func (t Target) LogPath() string { return path.Join(t.Cases, "migration.jsonl") }

// ReportPath is where the report lies; n counts from 1, see ContractPath.
func (t Target) ReportPath(n int) string {
	if n > 1 {
		return path.Join(t.Cases, fmt.Sprintf("migration-%d.md", n))
	}
	return path.Join(t.Cases, "migration.md")
}

// A File is one that is to be written.
type File struct {
	Path string
	Data []byte
	Key  string // of the test that it is made of; "" for none
}

// A Trouble is why a decision cannot be written.
type Trouble struct {
	Key     string // of the test
	Message string
}

// A Work is all that the decisions of a session come to.
type Work struct {
	Fixtures  []File
	Cases     []File
	IDs       []string
	Contracts []Contracted
	Records   Log
	Undecided int
	Troubles  []Trouble
}

// A Contracted is a contract that is to be written.
type Contracted struct {
	// Of tells it from the others of the suite: the function whose answers it is
	// about, where that is not the one of most tests, and the argument by which the
	// function chose the format. It is "" for the main one.
	Of string
	draft.Contract
}

// Assemble makes the files that choices come to. It decides nothing: tests
// without a verdict are counted and left.
func (s *Suite) Assemble(choices map[string]Choice, t Target, taken func(id string) bool) *Work {
	a := assembler{s: s, choices: choices, target: t, taken: taken, work: &Work{}, ids: map[string]string{}, paths: map[string]string{}, merged: map[string][]Merged{}}
	a.gatherMerged()
	formats := newFormats(s.Asks())
	used := map[string]bool{}
	for i := range s.Tests {
		test := &s.Tests[i]
		choice, ok := choices[test.Key]
		if !ok || choice.Verdict == "" {
			a.work.Undecided++
			continue
		}
		record := a.record(test, choice)
		switch choice.Verdict {
		case Situation, Split:
			a.situation(test, choice, &record, used)
		case Merge:
			record.Cases = a.into(test, choice)
		}
		piles := test.Piles(choice)
		formats.add(test, piles, len(a.work.Records))
		if choice.Verdict == Contract {
			record.Left = append(record.Left, test.unsorted(piles)...)
		}
		a.work.Records = append(a.work.Records, record)
	}
	a.fixtures(used)
	a.work.Contracts = formats.contracts(t.Suite)
	for _, l := range formats.left {
		r := &a.work.Records[l.record]
		r.Left = append(r.Left, l.Left)
	}
	return a.work
}

type assembler struct {
	s       *Suite
	choices map[string]Choice
	target  Target
	taken   func(id string) bool
	work    *Work
	ids     map[string]string // which test has an id
	paths   map[string]string
	merged  map[string][]Merged
}

func (a *assembler) trouble(key, format string, args ...any) {
	a.work.Troubles = append(a.work.Troubles, Trouble{key, fmt.Sprintf(format, args...)})
}

func (a *assembler) gatherMerged() {
	for i := range a.s.Tests {
		test := &a.s.Tests[i]
		if c := a.choices[test.Key]; c.Verdict == Merge {
			a.merged[c.Into] = append(a.merged[c.Into], Merged{test, c})
		}
	}
}

// record is what the log keeps of a decision.
func (a *assembler) record(test *Test, c Choice) Record {
	r := Record{
		Test: test.Name, File: test.File, Source: test.Hash, Line: test.Line, Lines: test.Lines(),
		Verdict: c.Verdict, Provenance: c.Provenance, By: c.By, At: c.At,
	}
	piles := test.Piles(c)
	for i := range test.Claims {
		r.Claims = append(r.Claims, RecordedClaim{test.Claims[i].Line, test.Claims[i].Text, piles[i]})
	}
	return r
}

// situation makes the case, or the cases, of a test.
func (a *assembler) situation(test *Test, c Choice, r *Record, used map[string]bool) {
	if c.Provenance == "" && c.Draft == nil {
		a.trouble(test.Key, "why the case exists was not confirmed: p confirms it")
		return
	}
	if c.Draft != nil {
		doc, problems := source.Parse(test.Name, c.Draft)
		if len(problems) > 0 {
			a.trouble(test.Key, "the draft that was edited cannot be read: %v", problems[0])
			return
		}
		id := doc.Get("id").Scalar()
		if why, ok := doc.Get("provenance").Text(); ok {
			r.Provenance = why
		}
		mark(used, doc.Get("input").JSON())
		for _, claim := range test.Claims {
			if claim.Pile != legacy.SDK && claim.Left != "" {
				r.Left = append(r.Left, Left{claim.Line, claim.Text, claim.Left})
			}
		}
		a.file(test, id, c.Draft, r)
		return
	}
	cases, left := test.Cases(c)
	if c.Verdict == Situation {
		var one draft.Case
		one, left = test.Case(c, a.merged[test.Key]...)
		cases = []draft.Case{one}
	}
	r.Left = append(r.Left, left...)
	for i := range cases {
		mark(used, cases[i].Input)
		a.file(test, cases[i].ID, cases[i].YAML(), r)
	}
}

// mark notes the fixtures that an input names.
func mark(used map[string]bool, input any) {
	m, _ := input.(map[string]any)
	for key, v := range m {
		if name, ok := v.(string); ok && strings.HasSuffix(key, "_file") {
			used[name] = true
		}
	}
}

// file adds the file of one case.
func (a *assembler) file(test *Test, id string, data []byte, r *Record) {
	if err := suite.CheckID(id); err != nil {
		a.trouble(test.Key, "%v", err)
		return
	}
	if other, twice := a.ids[id]; twice {
		a.trouble(test.Key, "the id %q is that of test %q too: i gives it another", id, other)
		return
	}
	if a.taken != nil && a.taken(id) {
		a.trouble(test.Key, "the suite has a case %q already: i gives this one another id", id)
		return
	}
	a.ids[id] = test.Name
	a.work.IDs = append(a.work.IDs, id)
	r.Cases = append(r.Cases, id)
	a.work.Cases = append(a.work.Cases, File{path.Join(a.target.Cases, draft.FileName(id)), data, test.Key})
}

// into names the case that a test was merged into.
func (a *assembler) into(test *Test, c Choice) []string {
	target := a.s.Test(c.Into)
	switch into := a.choices[c.Into]; {
	case target == nil:
		a.trouble(test.Key, "the test %q, which it is merged into, is not among these", c.Into)
	case into.Verdict != Situation:
		a.trouble(test.Key, "it is merged into %q, which is no situation: decide that one first (1)", target.Name)
	case into.Draft != nil:
		a.trouble(test.Key, "it is merged into %q, whose draft was edited by hand: put its assertions there, and drop this one (3)", target.Name)
	default:
		if into.ID != "" {
			return []string{into.ID}
		}
		return []string{target.Draft.ID}
	}
	return nil
}

// fixtures adds the files that a case asks for.
func (a *assembler) fixtures(used map[string]bool) {
	for _, f := range a.s.Fixtures.All() {
		if used[f.Name] {
			a.work.Fixtures = append(a.work.Fixtures, File{path.Join(a.target.Cases, f.Name), []byte(f.Text), ""})
		}
	}
}

// Planned says in sentences what would be written.
func (w *Work) Planned(t Target) []string {
	c := w.Records.Count()
	lines := []string{fmt.Sprintf("%s, %s", phrase.Count(len(w.Cases), "case", "cases"), phrase.Count(len(w.Fixtures), "fixture", "fixtures")) + " below " + t.Cases}
	for _, c := range w.Contracts {
		lines = append(lines, "the contract "+t.ContractPath(c.Of, 1)+": "+phrase.Series(sortedKeys(c.Expect), "and"))
	}
	lines = append(lines, "the report "+t.ReportPath(1)+" and the log "+t.LogPath())
	lines = append(lines, c.Summary()...)
	if w.Undecided > 0 {
		lines = append(lines, phrase.Count(w.Undecided, "test is undecided and becomes nothing yet", "tests are undecided and become nothing yet"))
	}
	return lines
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
