package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/phrase"
	"docket/engine/run"
	"docket/engine/safetext"
	"docket/engine/source"
	"docket/engine/suite"
)

// AddLine is the git command that stages what a step changed, for a shell in the
// working directory.
func (p *Project) AddLine(s suite.SuiteConfig, done decision.Done) string {
	var folders []string
	touched := slices.Concat(done.Removed, done.Created, done.Edited)
	for _, folder := range []string{s.Cases, s.Fixtures} {
		if folder != "" && slices.ContainsFunc(touched, func(name string) bool { return strings.HasPrefix(name, folder+"/") }) {
			folders = append(folders, folder)
		}
	}
	if done.File != "" || len(done.Lines) > 0 {
		folders = append(folders, baseline.Folder+"/"+s.Name)
	}
	line := "git add"
	for _, folder := range folders {
		line += " " + safetext.Word(filepath.ToSlash(fromHere(filepath.Join(p.Dir, filepath.FromSlash(folder)))))
	}
	return line
}

// Restore brings a retired case back from the decision that retired it. Suites
// names those that are looked through. An id that was retired in two of them is
// an error that names both.
func (p *Project) Restore(ctx context.Context, suites []string, id, reason string) (suite.SuiteConfig, decision.Done, error) {
	type hit struct {
		config suite.SuiteConfig
		past   decision.Past
	}
	var hits []hit
	var retired []string
	for _, name := range suites {
		config, _, err := p.Choose(name)
		if err != nil {
			return config, decision.Done{}, err
		}
		history, err := decision.Read(disk.OS{}, p.Dir, config.Name)
		if err != nil {
			return config, decision.Done{}, err
		}
		if past, ok := history.Retired(id); ok {
			hits = append(hits, hit{config, past})
		}
		retired = append(retired, history.AllRetired()...)
	}
	switch len(hits) {
	case 0:
		return suite.SuiteConfig{}, decision.Done{}, notRetired(id, retired)
	case 1:
	default:
		return suite.SuiteConfig{}, decision.Done{}, fmt.Errorf("%q was retired in the suites %s and %s: say which with --suite", id, hits[0].config.Name, hits[1].config.Name)
	}
	h := hits[0]
	if s, _, err := p.Config.Open(h.config.Name); err == nil {
		if c := s.Case(id); c != nil && (h.past.CaseFile == nil || c.Path != h.past.CaseFile.Path) {
			return h.config, decision.Done{}, fmt.Errorf("suite %s has a case %q again, in %s: nothing was restored", h.config.Name, id, c.Path)
		}
	}
	if strings.TrimSpace(reason) == "" {
		reason = "the retirement of " + h.past.At.Format(time.DateOnly) + " is taken back"
	}
	folders := []string{h.config.Cases}
	if h.config.Fixtures != "" {
		folders = append(folders, h.config.Fixtures)
	}
	r := decision.Restoration{
		FS: p.fsys, Root: p.Dir, Suite: h.config.Name, Run: run.NewID(time.Now()), Folders: folders, Past: h.past,
		By: git.Author(ctx, p.Dir), Reason: reason, At: time.Now(),
	}
	done, err := r.Apply()
	return h.config, done, err
}

func notRetired(id string, retired []string) error {
	slices.Sort(retired)
	if near := source.Nearest(id, retired); near != "" {
		return fmt.Errorf("no case %q was retired, or it was restored since; did you mean %s?", id, near)
	}
	return fmt.Errorf("no case %q was retired, or it was restored since: the decisions below %s retire %s", id, baseline.Folder, phrase.Count(len(retired), "case", "cases"))
}

// Settle completes retirements, and their undoing, that a crash cut short, and
// says what it did, a sentence each. What another process is at work on is left
// to it.
func (p *Project) Settle() ([]string, error) {
	suites, err := decision.Pending(p.fsys, p.Dir)
	if err != nil {
		return nil, err
	}
	var notes []string
	for _, name := range suites {
		done, resumed, err := decision.Resume(p.fsys, p.Dir, name)
		var held *disk.HeldError
		switch {
		case errors.As(err, &held):
			continue
		case err != nil:
			return notes, err
		case resumed:
			notes = append(notes, "a step that was cut short is completed: "+settled(&done))
			notes = append(notes, done.Notes...)
		}
	}
	return notes, nil
}

func settled(done *decision.Done) string {
	var parts []string
	for _, part := range []struct {
		ids  []string
		what string
	}{{done.Retired, "retired"}, {done.Restored, "restored"}, {done.Kept, "kept"}, {done.Edited, "edited"}} {
		if len(part.ids) > 0 {
			parts = append(parts, part.what+" "+phrase.Few(part.ids, 5))
		}
	}
	return strings.Join(parts, "; ")
}
