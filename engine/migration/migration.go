// Package migration takes an old suite from what is proposed for each of its
// tests, through what a person decided, to the files of a new one: cases with
// their fixtures, a contract, a report, and a log of every decision.
//
// The package refuses to decide: a test on which nobody said anything becomes
// nothing. It writes over no file that a person may have touched, runs no test
// and asks no model. It knows no screen and no git.
package migration

import (
	"slices"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
)

// A Test is an old test with what is proposed for it.
type Test struct {
	Key        string // its identity among the tests at hand: file::name
	File, Name string
	Line, End  int
	Language   string
	Asked      string // the function that asked the model, such as "summarise"; "" where none was found
	Source     string
	Hash       string // of Source: what is decided holds for these bytes
	Pile       legacy.Pile
	Why        string
	Sure       float64
	Claims     []Claim
	// Draft is the case that it would become, without its expectation. Its notes
	// say what of the input could not be read.
	Draft  draft.Case
	Origin draft.Origin
}

// Lines is how many lines of source the test has.
func (t *Test) Lines() int { return max(t.End-t.Line+1, 1) }

// A Claim is one assertion of a test, with what is proposed for it and what it
// would become.
type Claim struct {
	Line, End int
	Text      string
	Helper    string
	Pile      legacy.Pile
	Why       string
	Sure      float64
	draft.Check
}

// A Suite is what was read of an old suite.
type Suite struct {
	Tests    []Test
	Fixtures *draft.Fixtures
	Files    []string // as they were named
	Lines    int
	Known    int // tests that were decided in an earlier migration, and are not proposed again
	Problems []Problem
	at       map[string]int
}

// A Problem is something that was not read.
type Problem struct {
	File    string
	Line    int
	Message string
}

// Options say what proposals may count on.
type Options struct {
	Labels []string // of the suite
	// Taken reports the ids of cases that are there; Decided the tests, by name and
	// hash, that an earlier migration decided; Existing what a fixture holds
	// already; Origin where a test comes from. Each may be nil.
	Taken    func(id string) bool
	Decided  func(name, hash string) bool
	Existing func(name string) (string, bool)
	Origin   func(file string, t *legacy.Test) draft.Origin
}

// Propose makes proposals for every test of the files that was not decided
// before.
func Propose(files []*legacy.File, o Options) *Suite {
	s := &Suite{Fixtures: &draft.Fixtures{Existing: o.Existing}, at: map[string]int{}}
	ids := map[string]bool{}
	taken := func(id string) bool { return ids[id] || o.Taken != nil && o.Taken(id) }
	for _, f := range files {
		s.Files = append(s.Files, f.Name)
		s.Lines += f.Lines
		for _, p := range f.Problems {
			s.Problems = append(s.Problems, Problem{f.Name, p.Line, p.Message})
		}
		for i := range f.Tests {
			test := &f.Tests[i]
			hash := canonical.HashBytes([]byte(test.Source))
			if o.Decided != nil && o.Decided(test.Name, hash) {
				s.Known++
				continue
			}
			id := draft.ID(test.Name, taken)
			ids[id] = true
			s.add(f, test, hash, id, o)
		}
	}
	if len(s.Asks()) > 1 {
		for i := range s.Tests {
			if t := &s.Tests[i]; t.Asked != "" {
				t.Draft.Tags = []string{t.Asked} // the input alone does not say what is asked
			}
		}
	}
	return s
}

// add proposes what becomes of one test.
func (s *Suite) add(f *legacy.File, test *legacy.Test, hash, id string, o Options) {
	origin := draft.Origin{File: f.Name, Line: test.Line}
	if o.Origin != nil {
		origin = o.Origin(f.Name, test)
	}
	proposal := legacy.Classify(test)
	t := Test{
		Asked: function(test.Call), Key: s.key(f.Name + "::" + test.Name), File: f.Name, Name: test.Name, Line: test.Line, End: test.End,
		Language: f.Language, Source: test.Source, Hash: hash, Pile: proposal.Pile, Why: proposal.Why, Sure: proposal.Sure, Origin: origin,
	}
	t.Draft = draft.Case{ID: id, Added: origin.Added(), Provenance: draft.Provenance(test, origin)}
	t.Draft.Input, t.Draft.Notes = draft.Input(test, s.Fixtures)
	for _, p := range test.Unresolved {
		t.Draft.Notes = append(t.Draft.Notes, "line "+strconv.Itoa(p.Line)+": "+p.Message)
	}
	for i := range test.Claims {
		c := &test.Claims[i]
		var v legacy.Verdict
		if i < len(proposal.Claims) {
			v = proposal.Claims[i]
		}
		t.Claims = append(t.Claims, Claim{
			Line: c.Line, End: max(c.End, c.Line), Text: c.Text, Helper: c.Helper, Pile: v.Pile, Why: v.Why, Sure: v.Sure,
			Check: draft.Translate(c, draft.Options{Labels: o.Labels}),
		})
	}
	s.at[t.Key] = len(s.Tests)
	s.Tests = append(s.Tests, t)
}

// function is the name of what a call calls: summarise of "app.summarise(ticket)".
func function(call string) string {
	name, _, _ := strings.Cut(call, "(")
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "await "))
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// Asks are the functions that the tests call to ask the model, the one of most
// tests first. Where there are several each has a format of its own.
func (s *Suite) Asks() []string {
	counts := map[string]int{}
	var names []string
	for i := range s.Tests {
		if name := s.Tests[i].Asked; name != "" && s.Tests[i].Pile != legacy.SDK {
			if counts[name]++; counts[name] == 1 {
				names = append(names, name)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	return names
}

// key makes the identity of a test unique: some files have two of one name.
func (s *Suite) key(name string) string {
	key := name
	for n := 2; ; n++ {
		if _, taken := s.at[key]; !taken {
			return key
		}
		key = name + "#" + strconv.Itoa(n)
	}
}

// Index is the place of a test by its key; -1 where there is none.
func (s *Suite) Index(key string) int {
	if i, ok := s.at[key]; ok {
		return i
	}
	return -1
}

// Test returns a test by its key; nil where there is none.
func (s *Suite) Test(key string) *Test {
	if i, ok := s.at[key]; ok {
		return &s.Tests[i]
	}
	return nil
}

// Named returns the test of a name, or of a key: nil where there is none, or
// where several have that name.
func (s *Suite) Named(name string) *Test {
	if t := s.Test(name); t != nil {
		return t
	}
	var found *Test
	for i := range s.Tests {
		if s.Tests[i].Name == name {
			if found != nil {
				return nil
			}
			found = &s.Tests[i]
		}
	}
	return found
}

// Exact returns the texts that claims say an answer equals, sorted: in a suite
// that lists no labels they are what its labels could be.
func Exact(files []*legacy.File) []string {
	seen := map[string]bool{}
	for _, f := range files {
		for i := range f.Tests {
			for _, c := range f.Tests[i].Claims {
				if c.Subject != legacy.Answer || c.Op != legacy.Equals || c.Not || c.Path != "" || len(c.Values) != 1 {
					continue
				}
				if s, ok := c.Values[0].(string); ok && label(s) {
					seen[s] = true
				}
			}
		}
	}
	var all []string
	for s := range seen {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

// label reports a text that could be one: a word or two without punctuation.
func label(s string) bool {
	if s == "" || len(s) > 32 {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != ' ' {
			return false
		}
	}
	return s[0] != ' ' && s[len(s)-1] != ' '
}
