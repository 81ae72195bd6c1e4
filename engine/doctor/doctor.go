// Package doctor looks at what docket needs around it: a terminal, git, an
// editor, a configuration, a store, keys; and says of each what it found and
// what to do about it.
//
// It refuses to mend: it writes nothing, starts no program but git, and asks no
// model. It tells which keys are set and never what they are. What only a
// terminal library can tell it is told.
package doctor

import (
	"context"

	"docket/engine/results"
	"docket/engine/suite"
)

// Surroundings are what doctor looks at. Paths are as people type them where
// docket runs.
type Surroundings struct {
	Version  string // of docket, with its commit
	Dir      string // where docket runs
	Getenv   func(string) string
	CI       bool // a machine runs docket
	Terminal Terminal
	Settings Settings
	Project  Project
	State    string // the folder of what belongs to no repository
	NoState  error  // why there is none
}

// A Terminal is where screens are drawn.
type Terminal struct {
	None    bool // the output goes elsewhere
	Columns int
	Rows    int
	Unsized error // why the size is not known
	Colours bool
	ASCII   bool // the locale says that it speaks ASCII alone
	// Under these sizes a screen takes no decision.
	LeastColumns, LeastRows int
}

// Settings are how the user wants the screens.
type Settings struct {
	File     string // "" where there is no folder for it
	Found    bool
	Theme    string // "" for the default
	Variable string // of the environment, that names a theme
	Colours  int    // chosen
	Keys     int    // chosen
	Wrong    error
	Hint     string // what becomes of the hint on a first screen
}

// A Project is the configuration that holds here, with the ways into what it
// names.
type Project struct {
	Config *suite.Config // nil where none could be read
	Unread error         // why
	Opens  func(suite string) error
	Store  string // the file of the results store
	Open   func(context.Context) (*results.Store, error)
}

// A Finding is what doctor says of one thing. Its texts are untrusted.
type Finding struct {
	Name string
	Text string
	Mend string // what to do about it; "" where all is well
}

// A probe looks at one thing, says what it found, and what is to be done about
// it, if anything.
type probe struct {
	name string
	look func(context.Context, *Surroundings) (found, mend string)
}

// probes is the table of what doctor looks at, in the order in which it tells.
func probes() []probe {
	return []probe{
		{"docket", lookAtDocket},
		{"terminal", lookAtTerminal},
		{"settings", lookAtSettings},
		{"editor", lookAtEditor},
		{"git", lookAtGit},
		{"configuration", lookAtConfiguration},
		{"store", lookAtStore},
		{"keys", lookAtKeys},
		{"state folder", lookAtState},
	}
}

// Examine looks at everything.
func Examine(ctx context.Context, s *Surroundings) []Finding {
	var all []Finding
	for _, p := range probes() {
		found, mend := p.look(ctx, s)
		all = append(all, Finding{p.name, found, mend})
	}
	return all
}
