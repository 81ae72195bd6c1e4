package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"docket/engine/source"
)

// ConfigFile is the name of the configuration's file.
const ConfigFile = ".docket.yaml"

// FormatVersion is the version of the configuration that this docket reads.
const FormatVersion = 1

// A Config is what .docket.yaml says. Systems, judges and services stand as
// they were written.
type Config struct {
	Dir      string // folder of the file, as the file was named
	File     string
	Version  int
	Suites   []SuiteConfig // in the order of the file
	Systems  []Named
	Judges   []Named
	Services []Named
	Links    []Link
	Results  string // the results store, relative to Dir, with slashes

	repository string // absolute path of the folder that nothing leaves
	inside     string // Dir relative to it, with slashes
}

// A Named is a setting under a name, uncompiled.
type Named struct {
	Name  string
	At    source.Position // of the name
	Value source.Value
}

// A Link turns references such as INC-219 in provenance into addresses.
type Link struct {
	Pattern *regexp.Regexp
	Target  string // an address, with $1 for the first group of Pattern
	At      source.Position
}

// A SuiteConfig is what .docket.yaml says of one suite.
type SuiteConfig struct {
	Name     string
	At       source.Position // of the name
	Cases    string          // the cases' folder, relative to the configuration's, with slashes
	Fixtures string          // a folder of input files that suites share, likewise; "" for none
	System   string          // the default system; "" for none
	Judge    string          // "" for none
	Labels   []string

	Projections    source.Value // as written; absent: all that apply
	Samples        int          // what calibrate takes, [DefaultSamples] unless told
	ScoreTolerance float64      // how much lower a score may be and count as the same
	Expires        Expiry
	Budget         Budget

	casesAt, fixturesAt source.Position
}

// Defaults of a suite.
const (
	DefaultSamples        = 5
	DefaultScoreTolerance = 0.000001
	DefaultExpiryDays     = 90
	DefaultResults        = ".docket/results.db"
)

// An Expiry is how long a baseline holds. The zero value is for ever.
type Expiry struct{ Days int }

// Never reports whether a baseline holds for ever.
func (e Expiry) Never() bool { return e.Days == 0 }

// String returns the expiry as .docket.yaml spells it: 90d, or never.
func (e Expiry) String() string {
	if e.Never() {
		return "never"
	}
	return strconv.Itoa(e.Days) + "d"
}

// From returns the date, YYYY-MM-DD, on which a baseline captured on day
// expires, or "never".
func (e Expiry) From(day time.Time) string {
	if e.Never() {
		return "never"
	}
	return day.AddDate(0, 0, e.Days).Format(time.DateOnly)
}

// A Budget is what one run of a suite should cost at most. A zero is no limit.
type Budget struct {
	Time time.Duration
	Cost float64 // US dollars
}

// Find returns the configuration that holds in dir: the nearest .docket.yaml in
// it or above it, up to the root of the git repository. The name is relative
// where dir is.
func Find(dir string) (file string, err error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", ConfigFile, err)
	}
	for at := dir; ; {
		file := filepath.Join(at, ConfigFile)
		if _, err := os.Lstat(file); err == nil {
			return file, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find %s: %w", ConfigFile, err)
		}
		parent := filepath.Dir(absolute)
		if parent == absolute || isRepository(absolute) {
			for _, near := range []string{"docket.yaml", "docket.yml", ".docket.yml"} {
				if _, err := os.Lstat(filepath.Join(dir, near)); err == nil {
					return "", fmt.Errorf("there is no %s in %s or above it; %s is there: rename it to %s, or docket init writes one", ConfigFile, dir, near, ConfigFile)
				}
			}
			return "", fmt.Errorf("there is no %s in %s or above it; docket init writes one", ConfigFile, dir)
		}
		absolute = parent
		at = filepath.Join(at, "..")
	}
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git")) // a file in worktrees and submodules
	return err == nil
}

// repositoryOf returns the folder that nothing named in the configuration may
// leave, the root of the git repository around dir or else dir itself, and where
// dir lies in it.
func repositoryOf(dir string) (root, inside string, err error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", "", err
	}
	for root = absolute; !isRepository(root); {
		parent := filepath.Dir(root)
		if parent == root {
			return absolute, ".", nil
		}
		root = parent
	}
	inside, err = filepath.Rel(root, absolute)
	return root, filepath.ToSlash(inside), err
}

// LoadConfig reads a configuration. Where the text is wrong the error is a
// [source.Problems] with everything that is wrong, and the configuration that
// comes with it is filled as far as it is right.
func LoadConfig(file string) (*Config, error) {
	c := &Config{Dir: filepath.Dir(file), File: file, Results: DefaultResults}
	var err error
	if c.repository, c.inside, err = repositoryOf(c.Dir); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	data, err := c.readSelf()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %w; docket init writes a first one", file, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w", file, err)
	}
	root, problems := source.Parse(filepath.ToSlash(file), data)
	if len(problems) == 0 || root.Kind() == source.Map {
		problems = append(problems, c.read(root)...)
	}
	problems.Sort()
	return c, problems.Err()
}

// readSelf reads the configuration's own file. A link that leaves the repository
// is not followed: what a message quotes of it would be somebody else's.
func (c *Config) readSelf() ([]byte, error) {
	root, err := os.OpenRoot(c.repository)
	if err != nil {
		return nil, describe(err)
	}
	defer root.Close()
	return readRegular(root, path.Join(c.inside, filepath.Base(c.File)), source.MaxBytes)
}

// Unlinked says of a path that the configuration names, relative to its own
// folder, whether there is a link on the way from the repository's root to what
// lies there: docket writes to none.
func (c *Config) Unlinked(name string) error {
	at := c.repository
	for part := range strings.SplitSeq(path.Join(c.inside, name), "/") {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("%s %w", at, describe(err))
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a symbolic link, and docket writes to real files in real folders only", at)
		}
	}
	return nil
}

// place cleans a path that the configuration names, relative to its own folder,
// and makes sure that it stays in the repository.
func (c *Config) place(name string) (string, error) {
	if err := portable(name); err != nil {
		return "", err
	}
	clean := path.Join(c.inside, name)
	if leaves(clean) {
		return "", fmt.Errorf("%q must stay inside the repository", name)
	}
	relative, err := filepath.Rel(filepath.FromSlash(c.inside), filepath.FromSlash(clean))
	return filepath.ToSlash(relative), err
}

// open opens a folder that place has cleaned.
func (c *Config) open(name string) (*folder, error) {
	repository, err := os.OpenRoot(c.repository)
	if err != nil {
		return nil, err
	}
	defer repository.Close()
	root, err := repository.OpenRoot(filepath.FromSlash(path.Join(c.inside, name)))
	if err != nil {
		return nil, err
	}
	return &folder{root, name}, nil
}

// Suite returns the suite with a name; for "" the first one. The error names the
// suites that there are.
func (c *Config) Suite(name string) (SuiteConfig, error) {
	names := make([]string, len(c.Suites))
	for i, s := range c.Suites {
		if s.Name == name || name == "" {
			return s, nil
		}
		names[i] = s.Name
	}
	if name == "" {
		return SuiteConfig{}, fmt.Errorf("%s names no suite", c.File)
	}
	return SuiteConfig{}, fmt.Errorf("there is no suite %q in %s; %s", name, c.File, source.Suggest(name, names))
}
