// Package engine wires the rooms below it into docket's one job, in the order
// in which it happens:
//
//	Load      reads the configuration
//	Open      reads a suite and compiles its checks, projections and system
//	Run       asks the system, judges, stores
//	Compare   lays the run beside the baseline
//	Review    takes decisions, and writes what was decided
//
// It holds no logic of its own that a room could hold, prints nothing and
// knows no terminal. No room imports it.
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
	"sync"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/disk"
	"docket/engine/judge"
	"docket/engine/label"
	"docket/engine/measure"
	"docket/engine/projection"
	"docket/engine/provenance"
	"docket/engine/provider"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/source"
	"docket/engine/suite"
	"docket/engine/system"
)

// A Project is one configuration and the folder in which it stands.
type Project struct {
	Config *suite.Config
	Dir    string // of the configuration, absolute

	root *os.Root           // Dir; what the configuration names is read through it
	fsys disk.FS            // what is written goes through it
	past *provenance.Reader // of all suites' folders
}

// Load reads the configuration in a file. Its suites are read by Open.
func Load(file string) (*Project, error) {
	config, err := suite.LoadConfig(file)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, fmt.Errorf("the folder of %s cannot be found: %w", config.File, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder of %s cannot be read: %w", config.File, err)
	}
	return &Project{Config: config, Dir: dir, root: root, fsys: disk.OS{}, past: provenance.NewReader(dir, caseFolders(config))}, nil
}

// Names returns the names of the suites, in the order of the file.
func (p *Project) Names() []string {
	names := make([]string, len(p.Config.Suites))
	for i, s := range p.Config.Suites {
		names[i] = s.Name
	}
	return names
}

// Choose returns the suite of that name; for "" the first in the file. chosen
// says that the name was not given and there was more than one.
func (p *Project) Choose(name string) (config suite.SuiteConfig, chosen bool, err error) {
	if len(p.Config.Suites) == 0 {
		return suite.SuiteConfig{}, false, fmt.Errorf("%s names no suite: add one under suites", p.Config.File)
	}
	if name == "" {
		return p.Config.Suites[0], len(p.Config.Suites) > 1, nil
	}
	for _, s := range p.Config.Suites {
		if s.Name == name {
			return s, false, nil
		}
	}
	return suite.SuiteConfig{}, false, fmt.Errorf("no suite %q in %s: there is %s%s", name, filepath.Base(p.Config.File), strings.Join(p.Names(), ", "), nearest(name, p.Names()))
}

func nearest(typed string, known []string) string {
	if near := source.Nearest(typed, known); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// A Suite is a suite that was opened: its cases, what judges them and the
// system that answers.
type Suite struct {
	Project *Project
	Name    string
	Mode    string // who answers for models, and so which baseline is meant
	System  *system.Declared
	Config  suite.SuiteConfig
	// KeyHosts are hosts that a person allowed to be sent API keys, besides
	// the vendors' own and loopback.
	KeyHosts []string

	answers    answers
	named      bool // a person named the system: runs of another are not meant
	data       *suite.Suite
	planned    []run.Planned
	instrument *measure.Instrument
	commands   bool           // some case has a check that runs a program
	judges     []*judge.Judge // that some case asks, in the order of the configuration
	cautions   []string
	unknown    []string
}

// Open reads the suite of that name ("": the first) with the system of that
// name ("": the suite's own, and stored runs of any) and compiles all that judges it. Where the text
// of the suite is wrong, the error is a source.Problems with every problem at
// once. mode is mock, replay, live or record; "" takes what the system says,
// else mock. Who answers for services goes with it: see AnswerServices.
func (p *Project) Open(name, systemName, mode string) (*Suite, error) {
	return p.openWith(name, systemName, mode, func(d *system.Declared) *system.Declared { return d })
}

// openWith is Open, with what a function makes of the declared system in its
// place.
func (p *Project) openWith(name, systemName, mode string, of func(*system.Declared) *system.Declared) (*Suite, error) {
	config, _, err := p.Choose(name)
	if err != nil {
		return nil, err
	}
	s := &Suite{Project: p, Name: config.Name, Config: config, named: systemName != ""}
	problems, err := s.compile()
	if err != nil {
		return nil, err
	}
	declared, more, err := p.system(config, systemName)
	if err != nil && len(problems) == 0 {
		return nil, err
	}
	problems = append(problems, more...)
	_, more = p.services()
	problems = append(problems, more...)
	if len(problems) > 0 {
		problems.Sort()
		return nil, problems
	}
	return s.with(of(declared), mode)
}

// with returns the suite with a system in the place of the one that it has. The
// cases and what judges them are shared.
func (s *Suite) with(declared *system.Declared, mode string) (*Suite, error) {
	other := *s
	instrument := *s.instrument
	other.System, other.instrument = declared, &instrument
	other.cautions = slices.Clone(s.cautions)
	if problems := other.unfit(); len(problems) > 0 {
		return nil, problems
	}
	var err error
	if other.Mode, other.answers.models, err = modeOf(declared, mode); err != nil {
		return nil, err
	}
	other.answers.services = provider.ServicesFor(other.answers.models)
	other.answers.judges = other.judgesFor(other.answers.models)
	instrument.Schema = nil
	if tools, schema := declared.Tools(), declared.OutputSchema(); tools != nil || schema != nil {
		if instrument.Schema, err = check.Schema(tools, schema); err != nil {
			return nil, fmt.Errorf("system %s: %w", declared.Name, err)
		}
	}
	return &other, nil
}

// under returns the suite under another of the configured systems, in the mode
// that it has; nil where there is none of that name, or none that answers in this
// mode.
func (s *Suite) under(name string) *Suite {
	if name == s.System.Name {
		return s
	}
	declared, problems, err := s.Project.system(s.Config, name)
	if name == "" || err != nil || len(problems) > 0 {
		return nil
	}
	other, err := s.with(declared, s.Mode)
	if err != nil {
		return nil
	}
	return other
}

// compile reads the suite's cases and compiles its projections and the checks
// of every case.
func (s *Suite) compile() (source.Problems, error) {
	labels, problems := projection.Labels(s.Config.Labels, s.Config.Projections, s.Config.At)
	set, more := projection.Compile(s.Config.Projections, labels)
	problems = append(problems, more...)
	s.instrument = &measure.Instrument{Projections: set}

	var mu sync.Mutex
	checks := map[*suite.Case][]check.Compiled{}
	compile := s.caseCompiler(labels)
	data, more, err := s.Project.Config.OpenEach(s.Name, func(data *suite.Suite, c *suite.Case) source.Problems {
		compiled, problems := compile(data, c)
		c.Expect = source.Value{} // is compiled; of ten thousand cases it is half the memory
		mu.Lock()
		defer mu.Unlock()
		checks[c] = compiled
		return problems
	})
	if err != nil {
		return nil, err
	}
	if problems = append(problems, more...); data == nil {
		return problems, nil
	}
	s.data = data
	s.planned = make([]run.Planned, 0, len(data.Cases))
	for _, c := range data.Cases {
		s.planned = append(s.planned, run.Planned{Case: c, Checks: checks[c]})
		s.commands = s.commands || slices.ContainsFunc(checks[c], func(c check.Compiled) bool { return c.Key == "command" })
	}
	return append(problems, s.compileJudges()...), nil
}

// caseCompiler returns a function that compiles what a case expects, and finds
// what is wrong with that, with its canned answers and with its canned verdicts.
func (s *Suite) caseCompiler(labels *label.Finder) func(*suite.Suite, *suite.Case) ([]check.Compiled, source.Problems) {
	judges := s.Project.judgeNames()
	shared := new(check.Shared) // many cases name one schema, or one pattern
	return func(data *suite.Suite, c *suite.Case) ([]check.Compiled, source.Problems) {
		compiled, problems := check.Compile(c.Expect, check.Env{
			Labels:   labels,
			Case:     check.CaseInfo{ID: c.ID, Input: c.Input, Scoring: c.Scoring},
			ReadFile: data.ReadFile,
			Dir:      s.Project.Dir,
			Shared:   shared,
			Judges:   judges,
			Judge:    s.Config.Judge,
		})
		if !c.MockVerdicts.IsZero() {
			_, more := judge.CompileMock(c.MockVerdicts)
			problems = append(problems, more...)
		}
		if !c.Mock.IsZero() {
			_, more := system.CompileMock(c.Mock)
			problems = append(problems, more...)
		}
		return compiled, problems
	}
}

// system compiles the system of that name, or the suite's own.
func (p *Project) system(config suite.SuiteConfig, name string) (*system.Declared, source.Problems, error) {
	if name == "" {
		name = config.System
	}
	if name == "" {
		return nil, nil, fmt.Errorf("suite %s names no system: add `system: NAME` to it, or say --system NAME", config.Name)
	}
	var names []string
	for _, named := range p.Config.Systems {
		if named.Name == name {
			declared, problems := system.Compile(named.Name, named.Value, system.Env{Root: p.root, Services: p.serviceNames()})
			return declared, problems, nil
		}
		names = append(names, named.Name)
	}
	return nil, nil, fmt.Errorf("no system %q in %s: there is %s%s", name, filepath.Base(p.Config.File), strings.Join(names, ", "), nearest(name, names))
}

// Case returns the case of that id.
func (s *Suite) Case(id string) (*suite.Case, bool) {
	c := s.data.Case(id)
	return c, c != nil
}

// Cases returns the suite's cases, sorted by id.
func (s *Suite) Cases() []*suite.Case { return s.data.Cases }

// Weights returns the weight of each case by id, of those that do not weigh 1.
func (s *Suite) Weights() map[string]float64 {
	weights := map[string]float64{}
	for _, c := range s.data.Cases {
		if c.Weight != 1 {
			weights[c.ID] = c.Weight
		}
	}
	return weights
}

// ruler is the hash of what judges: labels and projection settings, the
// versions of checks and projections.
func (s *Suite) ruler() string {
	labels := make([]any, len(s.Config.Labels))
	for i, l := range s.Config.Labels {
		labels[i] = l
	}
	return canonical.Hash(map[string]any{
		"labels":      labels,
		"settings":    s.instrument.Projections.Settings(),
		"projections": versions(s.instrument.Projections.Versions()),
		"checks":      versions(check.Versions()),
	})
}

func versions(byName map[string]int) map[string]any {
	all := make(map[string]any, len(byName))
	for name, version := range byName {
		all[name] = version
	}
	return all
}

// Store opens the results store of the project, and sees to it that git passes
// over the folder of local state: it holds every output, and not every
// configuration was made by `docket init`, which says so in .gitignore.
func (p *Project) Store(ctx context.Context) (*results.Store, error) {
	for _, beside := range []string{"", "-wal", "-shm", "-journal"} { // which SQLite opens itself
		if err := p.Config.Unlinked(p.Config.Results + beside); err != nil {
			return nil, fmt.Errorf("the results store cannot be opened: %w", err)
		}
	}
	store, err := results.Open(ctx, p.storePath())
	if err != nil {
		return nil, err
	}
	state := filepath.Join(p.Dir, ".docket")
	ignore := filepath.Join(state, ".gitignore")
	_, missing := os.Lstat(ignore)
	if info, err := os.Lstat(state); err == nil && info.IsDir() && errors.Is(missing, fs.ErrNotExist) {
		_ = disk.CreateClean(p.fsys, ignore, []byte("*\n"), 0o600) // a help, and no condition of a run
	}
	return store, nil
}
