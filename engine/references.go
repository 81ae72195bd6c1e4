package engine

import (
	"context"
	"path/filepath"
	"strings"

	"docket/engine/provenance"
	"docket/engine/suite"
)

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
