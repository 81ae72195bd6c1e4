//go:build unix

package suite_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"docket/engine/suite"
)

// A pipe would block the reader for ever.
func TestPipesAreNotOpened(t *testing.T) {
	dir := files(t, map[string]string{suite.ConfigFile: small, "cases/s/a.yaml": "id: a\nprovenance: p\ninput: {x_file: fixtures/pipe}\n", "cases/s/fixtures/": ""})
	for _, name := range []string{"pipe.yaml", "fixtures/pipe"} {
		if err := syscall.Mkfifo(filepath.Join(dir, "cases", "s", filepath.FromSlash(name)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, problems, err := load(t, dir).Open("s")
	want := `cases/s/a.yaml:3:17: input.x_file: "fixtures/pipe" is not a regular file but a pipe, a socket or a device
cases/s/pipe.yaml: is not a regular file but a pipe, a socket or a device`
	if got := said(dir, problems, err); got != want {
		t.Errorf("got %s", got)
	}
}
