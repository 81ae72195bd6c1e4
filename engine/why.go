package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/phrase"
	"docket/engine/provenance"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/source"
	"docket/engine/suite"
)

// caseFolders are the folders that hold cases, and what they read.
func caseFolders(config *suite.Config) []string {
	var folders []string
	for _, s := range config.Suites {
		for _, folder := range []string{s.Cases, s.Fixtures} {
			if folder != "" && !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
	}
	return folders
}

// Why answers why the case of that id exists: what is known of it in the suite
// of that name; for "" in the one suite that has it. A case that was deleted,
// or given another id, is found by what git and the decisions have kept. An id that several suites have
// is an error that names them.
func (p *Project) Why(ctx context.Context, suiteName, id string) (*provenance.Story, error) {
	names := p.Names()
	if suiteName != "" {
		config, _, err := p.Choose(suiteName)
		if err != nil {
			return nil, err
		}
		names = []string{config.Name}
	}
	var known []string
	holders := map[string]*suite.Case{}
	var broken error
	for _, name := range names {
		s, problems, err := p.Config.Open(name)
		if err != nil {
			return nil, err
		}
		if broken == nil && len(problems) > 0 {
			broken = problems
		}
		for _, c := range s.Cases {
			known = append(known, c.ID)
			if c.ID == id {
				holders[name] = c
			}
		}
	}
	switch len(holders) {
	case 1:
		for name, c := range holders {
			return p.story(ctx, name, id, c, nil)
		}
	case 0:
		for _, name := range names {
			if story, err := p.goneStory(ctx, name, id); err != nil || story != nil {
				return story, err
			}
		}
		if broken != nil {
			return nil, fmt.Errorf("no case %q could be read, since the suite has errors:\n%w", id, broken)
		}
		return nil, fmt.Errorf("no case %q in %s, and neither git nor a decision remembers one%s", id, phrase.Series(names, "or"), nearest(id, known))
	}
	var in []string
	for _, name := range names {
		if holders[name] != nil {
			in = append(in, name)
		}
	}
	return nil, fmt.Errorf("%q is in the suites %s: say which with --suite", id, phrase.Series(in, "and"))
}

// Why answers why a case of the suite exists. Where two files are reviewed
// nothing is known.
func (v *Review) Why(ctx context.Context, id string) (*provenance.Story, error) {
	if v.Suite == nil {
		return nil, nil
	}
	p := v.Suite.Project
	c, ok := v.Suite.Case(id)
	if !ok {
		story, err := p.goneStory(ctx, v.Suite.Name, id)
		if err == nil && story == nil {
			story = &provenance.Story{Suite: v.Suite.Name, ID: id, Gone: true, Rules: p.Config.Links}
			err = p.fill(ctx, story, nil, v.History)
		}
		return story, err
	}
	return p.story(ctx, v.Suite.Name, id, c, v.History)
}

// Prepare asks git for the history of all cases, so that Why need not wait for
// it. It is for the background.
func (v *Review) Prepare(ctx context.Context) {
	if v.Suite != nil {
		v.Suite.Project.past.Prepare(ctx)
	}
}

// story tells of a case that has a file. history is read where it is nil.
func (p *Project) story(ctx context.Context, suiteName, id string, c *suite.Case, history *decision.History) (*provenance.Story, error) {
	story := &provenance.Story{Suite: suiteName, ID: id, Rules: p.Config.Links}
	story.Of(c)
	return story, p.fill(ctx, story, c.Files, history)
}

// goneStory tells of a case that has no file any more; nil where nothing
// remembers one.
func (p *Project) goneStory(ctx context.Context, suiteName, id string) (*provenance.Story, error) {
	history, err := decision.Read(disk.OS{}, p.Dir, suiteName)
	if err != nil {
		return nil, err
	}
	story := &provenance.Story{Suite: suiteName, ID: id, Gone: true, Rules: p.Config.Links}
	past := history.Of(id)
	for _, d := range past {
		if d.Provenance != "" {
			story.Provenance = d.Provenance
		}
		if d.CaseFile != nil {
			fromText(story, d.CaseFile.Path, d.CaseFile.Data)
		}
	}
	lost, ok, err := p.past.Lost(ctx, id, p.Config.ReadFile)
	if err != nil {
		return nil, err
	}
	config, _, err := p.Choose(suiteName)
	if err != nil {
		return nil, err
	}
	if ok = ok && strings.HasPrefix(lost.Path, config.Cases+"/"); ok {
		fromText(story, lost.Path, lost.Text)
		story.Renamed = lost.Renamed
	}
	if !ok && len(past) == 0 {
		return nil, nil
	}
	return story, p.fill(ctx, story, nil, history)
}

// fromText fills a story with what the text of a case says, as far as it reads.
func fromText(story *provenance.Story, path string, text []byte) {
	story.File = path
	v, problems := source.Parse(path, text)
	if len(problems) > 0 {
		return
	}
	if said := v.Get("provenance").Scalar(); said != "" {
		story.Provenance = said
	}
	story.Added, story.Family = v.Get("added").Scalar(), v.Get("family").Scalar()
	story.Tags = nil
	for _, tag := range v.Get("tags").Items() {
		story.Tags = append(story.Tags, tag.Scalar())
	}
}

// fill adds what git, the decisions and the store know.
func (p *Project) fill(ctx context.Context, story *provenance.Story, fixtures []string, history *decision.History) (err error) {
	if history == nil {
		if history, err = decision.Read(disk.OS{}, p.Dir, story.Suite); err != nil {
			return err
		}
	}
	story.Decisions = history.Of(story.ID)
	if story.Past, err = p.past.Past(ctx, story.ID, story.File, fixtures, p.Config.ReadFile); err != nil {
		return err
	}
	entries, err := p.resultsOf(ctx, story.Suite, story.ID)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Outcome == run.Measured && e.Pass != nil {
			story.Results++
			if !*e.Pass {
				story.Failed++
			}
		}
	}
	story.Caught = provenance.Caught(entries, story.Decisions)
	return nil
}

// resultsOf returns every result of a case, the newest first; none where there
// is no store, which it does not make.
func (p *Project) resultsOf(ctx context.Context, suiteName, id string) ([]results.Entry, error) {
	if !p.hasStore() {
		return nil, nil
	}
	store, err := p.Store(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := store.History(ctx, suiteName, id)
	return entries, errors.Join(err, store.Close())
}

// hasStore reports whether a results store is there, for those who only read.
func (p *Project) hasStore() bool {
	_, err := os.Stat(p.storePath())
	return !errors.Is(err, fs.ErrNotExist)
}

func (p *Project) storePath() string {
	path := p.Config.Results
	if path == "" {
		path = ".docket/results.db"
	}
	return filepath.Join(p.Dir, filepath.FromSlash(path))
}
