package provenance

import (
	"docket/engine/decision"
	"docket/engine/suite"
)

// A Story is all there is to say to the question why a case exists.
type Story struct {
	Suite string
	ID    string
	// Gone says that the case has no file any more: what is told of it is what
	// git, or the decision to retire it, has kept.
	Gone bool
	// Renamed is the id that a case which is gone has now, where its file is there
	// and was given another; "" where it was not.
	Renamed string
	File    string // relative to the configuration; of a case that is gone, where it was; "" unknown

	Provenance string
	Added      string // the date that the case gives
	Version    int
	Weight     float64
	Family     string
	Tags       []string
	Rules      []suite.Link // what references in all its texts are turned into addresses by

	Past      Past
	Decisions []decision.Past // the oldest first
	// Results counts the results that the store has of the case, and Failed those
	// that failed.
	Results, Failed int
	Caught          []Catch // the newest first
}

// Of fills in what the file of a case says.
func (s *Story) Of(c *suite.Case) {
	s.File, s.Provenance, s.Added = c.Path, c.Provenance, c.Added
	s.Version, s.Weight, s.Family, s.Tags = c.Version, c.Weight, c.Family, c.Tags
}

// References are what the provenance refers to.
func (s *Story) References() []Reference { return References(s.Provenance, s.Rules) }
