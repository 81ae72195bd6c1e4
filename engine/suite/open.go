package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"docket/engine/source"
)

// Open reads all cases of a suite, for "" of the first one. The problems are all
// that is wrong in its files, sorted; the suite that comes with them holds every
// case that could be read far enough to have an id, so that others can add what
// they find in it. The error says why there is no suite at all: an unknown name,
// a missing folder, a folder without cases.
//
// Files are read by as many workers as there are processors; what comes out does
// not depend on it.
func (c *Config) Open(name string) (*Suite, source.Problems, error) {
	return c.OpenEach(name, func(*Suite, *Case) source.Problems { return nil })
}

// OpenEach is Open, and shows each case to a function as soon as it is read, so
// that what was written there can be compiled and let go of (see
// [Case.Release]) before the others are read: the text of ten thousand
// cases need not be in memory at once. The function is called by several
// goroutines, once for each case with an id, in no order; the problems that it
// returns join those of the suite, whose Cases are not there yet.
func (c *Config) OpenEach(name string, each func(s *Suite, c *Case) source.Problems) (*Suite, source.Problems, error) {
	config, err := c.Suite(name)
	if err != nil {
		return nil, nil, err
	}
	cases, inputs, problems, err := c.openFolders(config)
	if err != nil {
		return nil, nil, err
	}
	defer inputs.close()
	paths, found, err := c.caseFiles(cases)
	if err != nil {
		return nil, nil, fmt.Errorf("the folder %s %w", config.Cases, describe(err))
	}
	problems = append(problems, found...)
	if len(paths) == 0 && len(problems) == 0 {
		return nil, nil, fmt.Errorf("there is no case in %s: a case is a .yaml file there or in a folder below; docket add writes one", c.shown(config.Cases))
	}
	s := &Suite{Name: config.Name, Dir: config.Cases, Config: config, config: c}
	s.Cases, found = c.readAll(paths, cases, inputs, func(read *Case) source.Problems { return each(s, read) })
	problems = append(problems, found...)
	problems = append(problems, s.sortCases()...)
	problems.Sort()
	return s, problems, nil
}

// openFolders opens what a suite's files are read from. The caller closes the
// inputs.
func (c *Config) openFolders(config SuiteConfig) (cases *folder, inputs *inputFiles, problems source.Problems, err error) {
	if config.Cases == "" {
		return nil, nil, nil, source.Problems{config.At.Problemf("the suite %q names no folder; write cases: cases/%s", config.Name, config.Name)}
	}
	if cases, err = c.open(config.Cases); err != nil {
		return nil, nil, nil, source.Problems{c.folderProblem(config.casesAt, config.Cases, "cases", err)}
	}
	inputs = &inputFiles{suite: cases, known: map[string]*inputFile{}}
	if config.Fixtures != "" {
		if inputs.shared, err = c.open(config.Fixtures); err != nil {
			problems = append(problems, c.folderProblem(config.fixturesAt, config.Fixtures, "fixtures", err))
		}
	}
	return cases, inputs, problems, nil
}

// Draft returns what would be wrong with a case that is not written yet, were its
// text in the file of that name in the suite's folder. Each sees the case as that
// of [Config.OpenEach] does. That the id is free is not looked at.
func (s *Suite) Draft(name string, text []byte, each func(s *Suite, c *Case) source.Problems) (source.Problems, error) {
	cases, inputs, problems, err := s.config.openFolders(s.Config)
	if err != nil {
		return nil, err
	}
	defer inputs.close()
	read, found := s.config.parseFile(path.Join(cases.name, name), text, inputs)
	problems = append(problems, found...)
	if read != nil {
		problems = append(problems, each(s, read)...)
	}
	problems.Sort()
	return problems, nil
}

// shown names a file in messages: relative to where the configuration was named
// from.
func (c *Config) shown(name string) string {
	return path.Join(filepath.ToSlash(c.Dir), name)
}

func (c *Config) folderProblem(at source.Position, name, key string, err error) source.Problem {
	if errors.Is(err, fs.ErrNotExist) {
		return at.Problemf("the folder %q does not exist; make it, or correct %s", name, key)
	}
	if info, err := os.Stat(filepath.Join(c.repository, filepath.FromSlash(path.Join(c.inside, name)))); err == nil && !info.IsDir() {
		return at.Problemf("%q is not a folder; correct %s", name, key)
	}
	return at.Problemf("the folder %q %v", name, describe(err))
}

// outside are the folders of a suite that hold no cases.
func outside(folder string) bool {
	switch folder {
	case "fixtures", "recordings", "schemas", "outputs", "contracts", "prompts":
		return true
	}
	return false
}

// caseFiles lists the case files of a suite, sorted, and what looks like one and
// must not be read. Names that begin with a point are passed over, as editors
// and git leave such files behind.
func (c *Config) caseFiles(cases *folder) (paths []string, problems source.Problems, err error) {
	err = fs.WalkDir(cases.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		shown := source.Position{File: c.shown(path.Join(cases.name, name))}
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			problems = append(problems, shown.Problemf("the folder %v", describe(err)))
			return nil
		case name == ".":
			return nil
		case strings.HasPrefix(entry.Name(), "."), outside(entry.Name()):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return nil
		case path.Ext(name) == ".yml":
			problems = append(problems, shown.Problemf("the name of a case's file ends in .yaml; rename it"))
		case entry.Type()&fs.ModeSymlink != 0:
			if path.Ext(name) == ".yaml" {
				problems = append(problems, shown.Problemf("a link is not read as a case; put the file itself here"))
			} else if c.leadsToFolder(cases, name) {
				problems = append(problems, shown.Problemf("a link to a folder is not searched for cases; put the folder itself here, or name it in a suite of its own"))
			}
		case path.Ext(name) != ".yaml":
		case !entry.Type().IsRegular():
			problems = append(problems, shown.Problemf("is not a regular file but a pipe, a socket or a device"))
		default:
			paths = append(paths, name)
		}
		return nil
	})
	return paths, problems, err
}

// leadsToFolder looks where a link leads, and opens nothing there.
func (c *Config) leadsToFolder(cases *folder, name string) bool {
	info, err := os.Stat(filepath.Join(c.repository, filepath.FromSlash(path.Join(c.inside, cases.name, name))))
	return err == nil && info.IsDir()
}

// readAll reads the case files.
func (c *Config) readAll(paths []string, cases *folder, inputs *inputFiles, each func(*Case) source.Problems) ([]*Case, source.Problems) {
	read := make([]*Case, len(paths))
	problems := make([]source.Problems, len(paths))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) {
					return
				}
				read[i], problems[i] = c.readFile(paths[i], cases, inputs)
				if read[i] != nil {
					problems[i] = append(problems[i], each(read[i])...)
				}
			}
		})
	}
	workers.Wait()
	read = slices.DeleteFunc(read, func(c *Case) bool { return c == nil })
	return read, slices.Concat(problems...)
}

func (c *Config) readFile(name string, cases *folder, inputs *inputFiles) (*Case, source.Problems) {
	at := path.Join(cases.name, name)
	data, err := readRegular(cases.root, name, source.MaxBytes)
	if err != nil {
		return nil, source.Problems{source.Position{File: c.shown(at)}.Problemf("the file %v", err)}
	}
	return c.parseFile(at, data, inputs)
}

// parseFile reads a case from the bytes of its file, nil where it has no id.
func (c *Config) parseFile(at string, data []byte, inputs *inputFiles) (*Case, source.Problems) {
	shown := c.shown(at)
	root, problems := source.Parse(shown, data)
	if root.IsZero() || len(problems) > 0 && root.Kind() != source.Map {
		return nil, problems
	}
	parsed, found := readCase(root, at, inputs)
	problems = append(problems, found...)
	if parsed == nil || parsed.ID == "" {
		return nil, problems
	}
	return parsed, problems
}

// sortCases sorts the cases by id and takes out those whose id another file has
// already.
func (s *Suite) sortCases() (problems source.Problems) {
	slices.SortStableFunc(s.Cases, func(a, b *Case) int { return strings.Compare(a.ID, b.ID) })
	kept := s.Cases[:0]
	for _, c := range s.Cases {
		if n := len(kept); n > 0 && kept[n-1].ID == c.ID {
			problems = append(problems, c.At.Problemf("the id %q is taken by %s; every id of a suite is used once", c.ID, kept[n-1].At))
			continue
		}
		kept = append(kept, c)
	}
	clear(s.Cases[len(kept):])
	s.Cases = kept
	return problems
}
