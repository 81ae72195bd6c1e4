package suite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/source"
	"docket/engine/suite"
)

// files writes a tree of files into a new folder and returns it. A name that
// ends in a slash is an empty folder.
func files(t testing.TB, tree map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range tree {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(file, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load reads a configuration that must be right.
func load(t testing.TB, dir string) *suite.Config {
	t.Helper()
	c, err := suite.LoadConfig(filepath.Join(dir, suite.ConfigFile))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// open reads a suite that must be right.
func open(t testing.TB, dir, name string) *suite.Suite {
	t.Helper()
	s, problems, err := load(t, dir).Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return s
}

// said joins problems and error as a user would see them, with paths relative
// to dir.
func said(dir string, problems source.Problems, err error) string {
	var lines []string
	if err != nil {
		lines = append(lines, err.Error())
	}
	if len(problems) > 0 {
		lines = append(lines, problems.Error())
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), filepath.ToSlash(dir)+"/", "")
}

// small is the configuration of most tests: one suite, "s".
const small = "version: 1\nsuites:\n  s:\n    cases: cases/s\n"

// minimal returns a case with an id and more lines.
func minimal(id string, more ...string) string {
	return "id: " + id + "\nprovenance: ticket 7\ninput: {q: x}\n" + strings.Join(more, "\n") + "\n"
}
