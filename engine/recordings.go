package engine

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"docket/engine/judge"
	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/source"
	"docket/engine/suite"
)

// recordings opens the folder of a suite and says how its recordings are read
// and written. The caller closes the folder.
func (p *Project) recordings(config suite.SuiteConfig) (*os.Root, recording.Options, error) {
	services, problems := p.services()
	if err := problems.Err(); err != nil {
		return nil, recording.Options{}, err
	}
	root, err := os.OpenRoot(filepath.Join(p.Dir, filepath.FromSlash(config.Cases)))
	if err != nil {
		return nil, recording.Options{}, fmt.Errorf("the folder of the suite %s cannot be read: %w", config.Name, err)
	}
	o := recording.Options{
		Rules:   map[string]recording.Rules{},
		Secrets: p.secrets(),
		Shown:   path.Join(filepath.ToSlash(p.Config.Dir), config.Cases),
	}
	for name, s := range services {
		o.Rules[name] = s.rules
	}
	return root, o, nil
}

// lintRecordings looks for recordings of no case or service, and for stale and
// damaged ones. Those of models expire as the suite's baselines do.
func (s *Suite) lintRecordings(now time.Time) (source.Problems, error) {
	root, options, err := s.Project.recordings(s.Config)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	o := recording.LintOptions{Options: options, Providers: provider.Providers(), Expires: map[string]int{}, Today: now}
	for _, name := range o.Providers {
		o.Expires[name] = s.Config.Expires.Days
	}
	services, _ := s.Project.services() // the problems were those of recordings
	for name, v := range services {
		o.Services = append(o.Services, name)
		o.Expires[name] = v.expires
	}
	for _, c := range s.data.Cases {
		o.Cases = append(o.Cases, c.ID)
		for _, j := range s.judges {
			o.Cases = append(o.Cases, judge.Recorded(j.Name, c.ID)...)
		}
	}
	return recording.Lint(root, o)
}

// misses is where the requests of a suite that found no recording are kept.
func (p *Project) misses(suiteName string) recording.Misses {
	return recording.Misses{FS: p.fsys, Dir: p.Dir, Suite: suiteName}
}

// A Rekeying is what docket rekey would do to the recordings of one suite.
type Rekeying struct {
	*recording.Rekeying
	Suite string

	misses recording.Misses
	root   *os.Root
}

// Rekey plans the renaming of a suite's recordings: to the rules that the
// configuration has now, and to the requests of the suite's last run that found
// none. It writes nothing before Apply. The caller closes it.
func (p *Project) Rekey(name string) (*Rekeying, error) {
	config, _, err := p.Choose(name)
	if err != nil {
		return nil, err
	}
	root, options, err := p.recordings(config)
	if err != nil {
		return nil, err
	}
	misses := p.misses(config.Name)
	requests, err := misses.Read()
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	plan, err := recording.PlanRekey(root, options, misses.Name(), requests)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Rekeying{Rekeying: plan, Suite: config.Name, misses: misses, root: root}, nil
}

// Apply renames what was planned, and forgets the requests that missed.
func (r *Rekeying) Apply() error {
	if err := r.Rekeying.Apply(); err != nil {
		return err
	}
	return r.misses.Forget()
}

// Close lets go of the suite's folder.
func (r *Rekeying) Close() error { return r.root.Close() }
