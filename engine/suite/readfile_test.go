package suite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"docket/engine/suite"
)

func TestReadFile(t *testing.T) {
	outer := files(t, map[string]string{"secret": "secret"})
	dir := files(t, map[string]string{
		".git/HEAD":                      "",
		"p/" + suite.ConfigFile:          "version: 1\nsuites: {s: {cases: cases/s, fixtures: ../shared}}\n",
		"p/cases/s/a.yaml":               minimal("a"),
		"p/cases/s/schemas/x.json":       "x",
		"p/prompts/p.md":                 "p",
		"shared/y.json":                  "y",
		"top.md":                         "top",
		"p/cases/s/fixtures/folder/file": "",
	})
	if err := os.Symlink(outer, filepath.Join(dir, "p", "out")); err != nil {
		t.Fatal(err)
	}
	config := load(t, filepath.Join(dir, "p"))
	s := open(t, filepath.Join(dir, "p"), "s")
	for _, tt := range []struct {
		read       func(string) ([]byte, error)
		name, want string
		problem    string
	}{
		{config.ReadFile, "prompts/p.md", "p", ""},
		{config.ReadFile, "../top.md", "top", ""},
		{config.ReadFile, "../../top.md", "", `"../../top.md" must stay inside the repository`},
		{config.ReadFile, "out/secret", "", `"out/secret" is a link, or lies behind one, that leaves the folder it must stay in`},
		{config.ReadFile, "nope", "", `"nope" does not exist`},
		{config.ReadFile, "no/pe", "", `"no/pe" does not exist`},
		{config.ReadFile, "prompts", "", `"prompts" is a folder`},
		{s.ReadFile, "schemas/x.json", "x", ""},
		{s.ReadFile, "y.json", "y", ""},
		{s.ReadFile, "nope", "", `"nope" does not exist`},
		{s.ReadFile, "fixtures/folder", "", `"fixtures/folder" is a folder`},
		{s.ReadFile, "../x.json", "", `"../x.json" leaves the folder that it must stay in`},
	} {
		data, err := tt.read(tt.name)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.problem || string(data) != tt.want {
			t.Errorf("%s: %q, %s; want %q, %s", tt.name, data, got, tt.want, tt.problem)
		}
	}
	if _, err := s.ReadFile("nope"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is missing cannot be told: %v", err)
	}
}
