// Package suite reads the files that a person keeps for docket: cases, and the
// configuration .docket.yaml, as data with positions.
//
// It refuses machinery in cases (prompts, models, messages), files outside the
// folders they belong to, and whatever it does not know, with all problems of a
// suite at once. It knows no check, projection or system: their settings are
// handed on as they were written, in a [source.Value], and are compiled by the
// packages that own them. It writes nothing.
package suite

import (
	"slices"
	"strings"

	"docket/engine/source"
)

// A Case is a situation and its expected outcome.
type Case struct {
	ID         string
	Version    int     // 1 unless the case says otherwise
	Weight     float64 // above 0, 1 unless the case says otherwise
	Scoring    string  // [Deterministic] or [Judged]
	Provenance string  // why the case exists, never blank
	Added      string  // a date, YYYY-MM-DD; "" where the case gives none
	Family     string  // cases that share a source; "" for none
	Tags       []string

	// ProvenanceAt is where the provenance stands.
	ProvenanceAt source.Position

	// Path is the case's file, relative to the folder of .docket.yaml, with
	// slashes. At is where its id stands.
	Path string
	At   source.Position

	// Input is what a system is given, in the JSON model of package canonical.
	// For each key X_file it has a key X, too, with the text of that file.
	Input map[string]any
	// Files are the input files that were read, like Path.
	Files []string

	// Expect, Mock and MockVerdicts stand as they were written, absent where
	// the case has none, until [Case.Release].
	Expect, Mock, MockVerdicts source.Value

	// InputHash is the hash of Input, so of the files' texts, too. ExpectHash
	// is that of Expect and Scoring, "" without expectations. Neither depends
	// on the order of keys or on how a number is spelled.
	InputHash, ExpectHash string
}

// The values of [Case.Scoring].
const (
	Deterministic = "deterministic" // by checks that need no judge
	Judged        = "judged"        // a rubric and a pinned judge may have a say
)

// Release drops Expect, Mock and MockVerdicts, which only those who compile
// them need: for ten thousand cases they are most of the memory.
func (c *Case) Release() {
	c.Expect, c.Mock, c.MockVerdicts = source.Value{}, source.Value{}, source.Value{}
}

// A Suite is a folder of cases and what is configured for it.
type Suite struct {
	Name   string
	Dir    string  // the cases' folder, relative to the folder of .docket.yaml, with slashes
	Cases  []*Case // sorted by the bytes of their ids
	Config SuiteConfig

	config *Config // for the folders
}

// Case returns the case with an id, nil where there is none.
func (s *Suite) Case(id string) *Case {
	i, ok := slices.BinarySearchFunc(s.Cases, id, func(c *Case, id string) int { return strings.Compare(c.ID, id) })
	if !ok {
		return nil
	}
	return s.Cases[i]
}
