package conflict

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMarkerNames(t *testing.T) {
	tests := []struct{ name, data, ours, theirs string }{
		{"a merge", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic/one\n", "HEAD", "topic/one"},
		{"a rebase, diff3", "<<<<<<< HEAD\nb\n||||||| parent of 1a2b3c4 (a subject)\n=======\n>>>>>>> 1a2b3c4 (a subject)\n", "HEAD", "1a2b3c4 (a subject)"},
		{"Windows line ends", "<<<<<<< HEAD\r\n>>>>>>> topic\r\n", "HEAD", "topic"},
		{"the first of several", "<<<<<<< a\n>>>>>>> b\n<<<<<<< c\n>>>>>>> d\n", "a", "b"},
		{"none", "{\"x\":\"<<<<<<< a\"}\n", "", ""},
		{"markers without a name", "<<<<<<<\n>>>>>>>\n", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if ours, theirs := MarkerNames([]byte(test.data)); ours != test.ours || theirs != test.theirs {
				t.Errorf("got %q and %q", ours, theirs)
			}
		})
	}
}

// What stands in git's own files becomes an argument only where it is the name
// of an object.
func TestOnlyObjectsBecomeArguments(t *testing.T) {
	for s, want := range map[string]bool{
		strings.Repeat("a1", 20): true, strings.Repeat("0f", 32): true,
		"": false, "main": false, "--upload-pack=x": false, "--" + strings.Repeat("a", 40): false, strings.Repeat("A", 40): false,
	} {
		if isObject(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

func TestWithoutARepositoryItIsSaid(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	if _, err := List(context.Background(), dir); !errors.Is(err, ErrNoGit) {
		t.Errorf("in a plain folder: %v", err)
	}
	t.Setenv("PATH", dir)
	if _, err := List(context.Background(), dir); !errors.Is(err, ErrNoGit) || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("without git: %v", err)
	}
}

func TestPathsAreNeverPatterns(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := filepath.Join(t.TempDir(), "a*[x] 請求")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) error {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada",
			"GIT_AUTHOR_EMAIL=ada@tests.example", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@tests.example")
		return cmd.Run()
	}
	must := func(args ...string) {
		t.Helper()
		if err := run(args...); err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "f \t?.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		must("add", "-A")
		must("commit", "-q", "-m", text)
	}
	must("init", "-q", "-b", "main")
	write("base\n")
	must("checkout", "-q", "-b", "topic")
	write("theirs\n")
	must("checkout", "-q", "main")
	write("ours\n")
	if run("merge", "topic") == nil {
		t.Fatal("git has no conflict")
	}
	files, err := List(context.Background(), dir)
	if err != nil || len(files) != 1 || files[0].Path != "f \t?.jsonl" {
		t.Fatalf("got %+v, %v", files, err)
	}
	for version, want := range map[int]string{Base: "base\n", Ours: "ours\n", Theirs: "theirs\n"} {
		if got, err := files[0].Read(context.Background(), version); err != nil || string(got) != want {
			t.Errorf("version %d is %q, %v", version, got, err)
		}
	}
	sides, err := Who(context.Background(), dir)
	if err != nil || sides != (Sides{Operation: "merge", Ours: "main", Theirs: "topic"}) {
		t.Errorf("the sides are %+v, %v", sides, err)
	}
}
