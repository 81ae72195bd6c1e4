package engine_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestArrowsPointDown holds the packages to their order: cmd may import tui
// and engine, tui may import engine, engine imports neither, nor a terminal
// library or a flag parser; and no room of the engine imports the root.
func TestArrowsPointDown(t *testing.T) {
	root := ".."
	forbidden := map[string][]string{
		"engine/": {"docket/cmd", "docket/tui", "github.com/charmbracelet/", "github.com/muesli/", "github.com/spf13/", "github.com/creack/pty", "flag"},
		"tui/":    {"docket/cmd", "github.com/spf13/", "flag"},
	}
	checked := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		isTest := strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "tui/tuitest/")
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			checked++
			for below, bans := range forbidden {
				if !strings.HasPrefix(path, below) {
					continue
				}
				for _, ban := range bans {
					if imported == "flag" && isTest {
						continue // a test may take -update
					}
					if imported == ban || strings.HasSuffix(ban, "/") && strings.HasPrefix(imported, ban) || strings.HasPrefix(imported, ban+"/") {
						t.Errorf("%s imports %s: arrows point down", path, imported)
					}
				}
			}
			if imported == "docket/engine" && strings.HasPrefix(path, "engine/") && strings.Count(path, "/") > 1 {
				t.Errorf("%s imports the root package of the engine: the root wires its rooms, not the other way round", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked == 0 {
		t.Fatal("no import was looked at")
	}
}
