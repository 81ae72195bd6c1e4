package pruning

import (
	"fmt"
	"path"
	"strings"

	"docket/engine/source"
	"docket/engine/suggestion"
	"docket/engine/suite"
)

// Named returns the cases that names and globs mean, each once, with what was
// found against them. A name that means none is an error.
func Named(s *suite.Suite, names []string, found suggestion.Found) ([]Proposal, error) {
	findings := map[string][]suggestion.Finding{}
	for _, f := range found.Suggestions {
		findings[f.ID] = f.Findings
	}
	asked := map[string]bool{}
	var proposals []Proposal
	add := func(id, how string) {
		if !asked[id] {
			asked[id] = true
			proposals = append(proposals, Proposal{ID: id, Findings: findings[id], Asked: how})
		}
	}
	for _, name := range names {
		if s.Case(name) != nil { // ids may hold the signs of globs
			add(name, "named")
			continue
		}
		matched := false
		for _, c := range s.Cases {
			if matches(name, s.Dir, c) {
				matched = true
				add(c.ID, "matches "+name)
			}
		}
		if !matched {
			ids := make([]string, len(s.Cases))
			for i, c := range s.Cases {
				ids[i] = c.ID
			}
			return nil, fmt.Errorf("no case of suite %s is called %q, and no id or file matches it as a glob%s", s.Name, name, near(name, ids))
		}
	}
	return proposals, nil
}

// matches reports whether a glob means a case: its id, or its file, from the
// folder of the configuration, from that of the suite, or by its name alone.
func matches(glob, dir string, c *suite.Case) bool {
	for _, name := range []string{c.ID, c.Path, strings.TrimPrefix(c.Path, dir+"/"), path.Base(c.Path)} {
		if ok, err := path.Match(glob, name); ok && err == nil {
			return true
		}
	}
	return false
}

func near(typed string, known []string) string {
	if name := source.Nearest(typed, known); name != "" {
		return fmt.Sprintf("; did you mean %s?", name)
	}
	return ""
}
