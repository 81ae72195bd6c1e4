package engine

import (
	"context"
	"path/filepath"
	"strings"

	"docket/engine/provenance"
	"docket/engine/source"
	"docket/engine/suite"
)

// lintProvenance finds provenances that tell nothing and references that point
// to nothing. A tracker for which `links:` has no rule is told once.
func (s *Suite) lintProvenance(ctx context.Context) source.Problems {
	rules := s.Project.Config.Links
	known := s.Project.known(ctx, s.data.Cases)
	var problems source.Problems
	told := map[string]bool{}
	for _, c := range s.data.Cases {
		at := c.ProvenanceAt
		if why := provenance.Boilerplate(c, rules); why != "" {
			problems = append(problems, at.Problemf("the provenance of case %q %s: say why the case exists, such as an incident, a ticket or a commit", c.ID, why))
			continue
		}
		for _, d := range provenance.Dangles(c.Provenance, rules, known) {
			problems = append(problems, at.Problemf("the provenance of case %q refers to %q, and %s: say what has become of it, or take it out", c.ID, d.Text, d.Why))
		}
		for _, r := range provenance.Unruled(c.Provenance, rules) {
			if tracker := provenance.Tracker(r.Text); !told[tracker] {
				told[tracker] = true
				problems = append(problems, at.Problemf("%q is no link, since links: in the configuration has rules for other references and none for it: add '%s-(\\d+)', or spell it as the others", r.Text, tracker))
			}
		}
	}
	return problems
}

// known is what the references of cases may point to. git is asked once for the
// commits of all.
func (p *Project) known(ctx context.Context, cases []*suite.Case) provenance.Known {
	known := provenance.Known{File: func(name string) (there, ours bool) { return p.fileThere(ctx, name) }}
	var ids []string
	for _, c := range cases {
		for _, r := range provenance.References(c.Provenance, p.Config.Links) {
			if r.Kind == provenance.Commit && r.Certain {
				ids = append(ids, r.Text)
			}
		}
	}
	if len(ids) > 0 {
		// Where git cannot say, no commit is called unknown.
		if there, ok, err := p.past.Commits(ctx, ids); err == nil && ok {
			known.Commit = func(id string) bool { return there[id] }
		}
	}
	return known
}

// fileThere reports whether a path is in the repository, as seen from the
// configuration or from a suite, and whether it was one of it: git has had it,
// or its folder is there.
func (p *Project) fileThere(ctx context.Context, name string) (there, ours bool) {
	native := filepath.FromSlash(name)
	if !filepath.IsLocal(native) {
		return false, false
	}
	if _, err := p.root.Lstat(native); err == nil {
		return true, true
	}
	for _, s := range p.Config.Suites {
		if _, err := p.root.Lstat(filepath.Join(filepath.FromSlash(s.Cases), native)); err == nil {
			return true, true
		}
	}
	first, _, _ := strings.Cut(name, "/")
	info, err := p.root.Lstat(first)
	return false, err == nil && info.IsDir() || p.past.Had(ctx, name)
}
