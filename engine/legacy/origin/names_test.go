package origin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes files, each with its own name in it.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("# "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestNames finds the files that a name stands for, and says of one that stands
// for none what to do.
func TestNames(t *testing.T) {
	dir := tree(t, "test_a.py", "tests/test_b.py", "tests/deep/er/test_c.py", "tests/.venv/test_d.py", "tests/notes.txt", "odd:name.py")
	for name, want := range map[string][]string{
		"test_a.py":                {"test_a.py"},
		"tests/*.py":               {"tests/test_b.py"},
		"**/test_*.py":             {"test_a.py", "tests/deep/er/test_c.py", "tests/test_b.py"},
		"tests/**/er/test_*.py":    {"tests/deep/er/test_c.py"},
		dir + "/tests/**/test_b.*": {dir + "/tests/test_b.py"},
	} {
		got, err := expand(dir, name)
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]string{
		"tests":    "is a folder: name its files, such as tests/test_*.py",
		"none.py":  "REV:PATH for one of the history",
		"none*.py": "matches no file",
		"a[.py":    "is not a valid glob",
	} {
		if _, err := expand(dir, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if rev, file, ok := revision(dir, "HEAD~3:./tests/test_b.py"); !ok || rev != "HEAD~3" || file != "tests/test_b.py" {
		t.Errorf("a revision: %q %q %v", rev, file, ok)
	}
	if _, _, ok := revision(dir, "odd:name.py"); ok {
		t.Error("a file whose name holds a colon is taken for a revision")
	}
}

// TestNothingBeyondTheRepositoryIsRead gives a test file its neighbours, and
// nothing above the repository.
func TestNothingBeyondTheRepositoryIsRead(t *testing.T) {
	dir := tree(t, "secret.txt", "repo/.git/HEAD", "repo/data.txt", "repo/tests/near.txt")
	read := besideTree(filepath.Join(dir, "repo", "tests"))
	for _, name := range []string{"near.txt", "../data.txt"} {
		if _, err := read(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "secret.txt"), filepath.Join(dir, "repo", "tests", "link.txt")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../../secret.txt", "link.txt", "../tests"} {
		if data, err := read(name); err == nil {
			t.Errorf("%s was read: %q", name, data)
		}
	}
}
