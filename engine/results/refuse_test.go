package results_test

import (
	"bytes"
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"docket/engine/results"
	"docket/engine/run"
)

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("permissions are another matter here")
		return
	}
	dir := filepath.Join(t.TempDir(), ".docket")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "results.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	keep(t, s, aRun("r-1"), aResult(1))
	seen := 0
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has permissions %v", path, info.Mode().Perm())
		}
		seen++
		return nil
	})
	if seen != 4 { // the folder, the database, -wal and -shm
		t.Errorf("%d files looked at", seen)
	}
	made := filepath.Join(t.TempDir(), "a", "b", "r.db")
	openStore(t, made)
	if info, err := os.Stat(filepath.Dir(made)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("a folder that was made: %v, %v", info.Mode(), err)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for _, name := range []string{"with space.db", "50%.db", "a?b=c.db", "a#b.db", "日本.db", "%41.db"} {
		path := filepath.Join(t.TempDir(), name)
		s := openStore(t, path)
		keep(t, s, aRun("r-1"))
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDatabasesThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	sqlite := func(name, statements string) {
		db, err := sql.Open("sqlite", filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(statements); err != nil {
			t.Fatal(err)
		}
	}
	openStore(t, filepath.Join(dir, "newer.db")).Close()
	sqlite("newer.db", "PRAGMA user_version = 99")
	sqlite("other.db", "CREATE TABLE customers (name TEXT)")
	if err := os.WriteFile(filepath.Join(dir, "text.db"), bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := openStore(t, filepath.Join(dir, "torn.db"))
	var many []run.Result
	for i := range 500 {
		many = append(many, aResult(i))
	}
	keep(t, whole, aRun("r-1"), many...)
	whole.Close()
	torn, err := os.ReadFile(filepath.Join(dir, "torn.db"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(torn); i++ {
		torn[i] = 0xa5
	}
	if err := os.WriteFile(filepath.Join(dir, "torn.db"), torn, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"newer.db":      "was written by a newer docket (schema 99, this one knows 4); upgrade docket",
		"other.db":      "it is a database of another program; name another file under results",
		"text.db":       "is damaged: move it away and docket starts a new one",
		"folder.db":     "is not a regular file",
		"other.db/x.db": "the folder of the results store cannot be made",
		"torn.db":       "is damaged: move it away and docket starts a new one",
	} {
		path := filepath.Join(dir, name)
		s, err := results.Open(t.Context(), path)
		if err == nil {
			_, err = s.Run(t.Context(), "r-1")
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s says %v, want %s", name, err, want)
		}
	}
}
