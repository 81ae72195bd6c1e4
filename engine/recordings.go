package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"docket/engine/disk"
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

// missesName is where the requests of a suite's last run that found no
// recording are kept for docket rekey.
func missesName(suiteName string) string {
	return filepath.Join(".docket", "misses", suiteName+".jsonl")
}

// KeepMisses keeps the requests of a run that found no recording, for docket
// rekey, in place of those of the run before.
func (p *Project) KeepMisses(suiteName string, s *recording.Store) error {
	name := filepath.Join(p.Dir, missesName(suiteName))
	data := s.AppendMisses(nil)
	if len(data) == 0 {
		return p.forgetMisses(suiteName)
	}
	if err := disk.MakeFolders(p.fsys, p.Dir, filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return disk.Write(p.fsys, name, data, 0o600)
}

func (p *Project) forgetMisses(suiteName string) error {
	err := p.fsys.Remove(filepath.Join(p.Dir, missesName(suiteName)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// A Rekeying is what docket rekey would do to the recordings of one suite.
type Rekeying struct {
	*recording.Rekeying
	Suite string

	project *Project
	root    *os.Root
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
	misses, err := p.misses(config.Name)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	plan, err := recording.PlanRekey(root, options, filepath.ToSlash(missesName(config.Name)), misses)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Rekeying{Rekeying: plan, Suite: config.Name, project: p, root: root}, nil
}

func (p *Project) misses(suiteName string) ([]byte, error) {
	const most = 256 << 20
	data, err := disk.Read(disk.OS{}, filepath.Join(p.Dir, missesName(suiteName)), most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Apply renames what was planned, and forgets the requests that missed.
func (r *Rekeying) Apply() error {
	if err := r.Rekeying.Apply(); err != nil {
		return err
	}
	return r.project.forgetMisses(r.Suite)
}

// Close lets go of the suite's folder.
func (r *Rekeying) Close() error { return r.root.Close() }
