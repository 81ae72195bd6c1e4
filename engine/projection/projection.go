// Package projection measures the structure of an output and discards its
// prose: the shape of its JSON, the label it chose, the tools it called, the
// identifiers and numbers it carries, how long it is, in which language, and
// whether it refused. What it measures goes into a baseline; how measurements
// over several samples agree, and how two sides differ, is decided here, too,
// for each kind of projection.
//
// The package refuses to read meaning: it calls no model, compares no text for
// similarity, and never looks at what another output said. A projection is a
// deterministic function of one output and of its case's input.
//
// A projection that varies from sample to sample is no evidence. Fold keeps
// what all samples agree on and counts the rest, and Compare never calls
// changed what was not stable.
package projection

import (
	"docket/engine/output"
)

// A Subject is what a projection may look at.
type Subject struct {
	Input  map[string]any // of the case, in the JSON model of package canonical; nil when unknown
	Output *output.Output
	// Document is the JSON in the output's text, see output.Document; nil and
	// false in HasDocument where there is none.
	Document    any
	HasDocument bool
	// Prepared is what Set.Prepare made of Input, for callers that measure
	// several outputs of one case. It may be nil.
	Prepared *Prepared
}

// A Projection measures one thing of an output. It must be safe for concurrent
// use.
type Projection interface {
	// Name is the projection's name in files and on screens.
	Name() string
	// Project returns the measured value in the JSON model of package
	// canonical; lists are sorted where order means nothing. It reports false
	// where the projection does not apply, which is not the same as null.
	Project(s *Subject) (value any, applies bool)
}

// A Set is the projections of a suite. It is safe for concurrent use.
type Set struct {
	members []compiled
}

// Names returns the names of the projections in the set, in the order of the
// table.
func (s *Set) Names() []string {
	names := make([]string, len(s.members))
	for i, m := range s.members {
		names[i] = m.projection.Name()
	}
	return names
}

// Versions returns the version of each projection in the set. A version counts
// up when the same output would be measured otherwise than before.
func (s *Set) Versions() map[string]int {
	versions := make(map[string]int, len(s.members))
	for _, m := range s.members {
		versions[m.projection.Name()] = m.version
	}
	return versions
}

// Settings returns what the suite configured of each projection, defaults
// filled in, in the JSON model of package canonical. With Versions it is all
// that a measurement depends on besides the output and the input.
func (s *Set) Settings() any {
	settings := make(map[string]any, len(s.members))
	for _, m := range s.members {
		settings[m.projection.Name()] = m.settings
	}
	return settings
}

// Project measures one output. A projection that does not apply is absent.
func (s *Set) Project(sub *Subject) map[string]any {
	values := make(map[string]any, len(s.members))
	for _, m := range s.members {
		if v, applies := m.projection.Project(sub); applies {
			values[m.projection.Name()] = v
		}
	}
	return values
}

// Prepared is what a set keeps of a case's input, so that it is read once for
// all outputs of the case.
type Prepared struct {
	identifiers *identifiers
}

// Prepare reads a case's input once. It returns nil where no projection of the
// set looks at the input.
func (s *Set) Prepare(input map[string]any) *Prepared {
	for _, m := range s.members {
		if e, ok := m.projection.(*entities); ok {
			return &Prepared{identifiers: e.identify(input)}
		}
	}
	return nil
}

// rule returns how the named projection is folded and compared. A name that
// the set does not know, of another version perhaps, is compared as a whole.
func (s *Set) rule(name string) rule {
	for _, m := range s.members {
		if m.projection.Name() == name {
			return m.rule
		}
	}
	return whole{}
}
