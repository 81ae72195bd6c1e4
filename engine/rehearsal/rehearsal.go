// Package rehearsal reads cases before they are written, as the suite would that
// they are for, so that no file is put into a repository that does not load.
//
// It refuses to touch the suite: what it reads lies in a folder of its own, which
// is gone when it is done.
package rehearsal

import (
	"os"
	"path/filepath"
	"strings"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/label"
	"docket/engine/source"
	"docket/engine/suite"
)

// Load reads files that are not written yet, cases and their fixtures, as a
// suite would whose folder is cases; the paths of the files begin with it. It
// returns all that the suite would refuse, by those paths.
func Load(cases string, files map[string][]byte, labels *label.Finder) source.Problems {
	fail := func(err error) source.Problems {
		return source.Problems{{Position: source.Position{File: cases}, Message: err.Error()}}
	}
	dir, err := os.MkdirTemp("", "docket-cases-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	config := "version: 1\nsuites: {s: {cases: " + string(canonical.AppendString(nil, cases)) + "}}\n"
	if err := put(dir, suite.ConfigFile, []byte(config)); err != nil {
		return fail(err)
	}
	for name, data := range files {
		if err := put(dir, name, data); err != nil {
			return fail(err)
		}
	}
	loaded, err := suite.LoadConfig(filepath.Join(dir, suite.ConfigFile))
	if err != nil {
		return fail(err)
	}
	_, problems, err := loaded.OpenEach("s", func(s *suite.Suite, c *suite.Case) source.Problems {
		_, problems := check.Compile(c.Expect, check.Env{Labels: labels, Case: check.CaseInfo{ID: c.ID, Input: c.Input, Scoring: c.Scoring}, ReadFile: s.ReadFile})
		return problems
	})
	if err != nil {
		return fail(err)
	}
	for i := range problems {
		problems[i].File = strings.TrimPrefix(filepath.ToSlash(problems[i].File), filepath.ToSlash(dir)+"/")
	}
	return problems
}

func put(dir, name string, data []byte) error {
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return err
	}
	return os.WriteFile(full, data, 0o600)
}
