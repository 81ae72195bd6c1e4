package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"docket/engine/canonical"
	"docket/engine/field"
)

const goRace = "atexit_sleep_ms=0"

// TestMain lets the test binary stand in for the program, and for the systems
// that its exec adapter starts.
func TestMain(m *testing.M) {
	// Under the race detector every process sleeps for a second before it ends,
	// and the tests start hundreds.
	os.Setenv("GORACE", goRace)
	testscript.Main(m, map[string]func(){
		"docket":     main,
		"fakesystem": fakeSystem,
		"fakecheck":  fakeCheck,
		"fakeagent":  fakeAgent,
		"fakeleak":   fakeLeak,
	})
}

// TestScripts runs every command as people and programs do, with its exit code
// and what it prints. Besides testscript's own commands there are:
//
//	suite                     copies testdata/suite here
//	exits CODE PROGRAM ARG…   runs a program that must end with the code
//	json PATH VALUE           looks into the JSON that the last program printed; ~VALUE is a pattern
//	holds FILE                the last program printed the file's lines on stdout, in one piece
//	onesentence               the last program said one line on stderr, nothing on stdout
//	remember, same            the files here, .docket apart, are as they were
//	lines FILE ID…            the lines of these cases in two baselines are the same bytes
//	fill FILE                 writes the address of the fake vendor in the place of ${VENDOR}
//	nowhere TEXT              no file here holds it, apart from what the vendor was asked
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			// A repository of its own, so that nothing above it is looked at.
			env.Setenv("GIT_AUTHOR_NAME", "Ada Tester")
			env.Setenv("GORACE", goRace)
			startVendor(env)
			env.Values[remembered{}] = map[string]map[string]string{}
			return os.Mkdir(filepath.Join(env.WorkDir, ".git"), 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"suite":       scriptSuite,
			"exits":       scriptExits,
			"json":        scriptJSON,
			"holds":       scriptHolds,
			"onesentence": scriptOneSentence,
			"remember":    scriptRemember,
			"same":        scriptSame,
			"lines":       scriptLines,
			"fill":        scriptFill,
			"nowhere":     scriptNowhere,
		},
	})
}

func scriptSuite(ts *testscript.TestScript, _ bool, _ []string) {
	here, err := filepath.Abs(filepath.Join(packageDir, "testdata", "suite"))
	ts.Check(err)
	ts.Check(os.CopyFS(ts.MkAbs("."), os.DirFS(here)))
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	err = ts.Exec(args[1], args[2:]...)
	var exited *exec.ExitError
	switch {
	case errors.As(err, &exited):
		code = exited.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json PATH VALUE")
	}
	doc, err := canonical.Parse([]byte(strings.TrimSpace(ts.ReadFile("stdout"))))
	if err != nil {
		ts.Fatalf("stdout is not one JSON value: %v", err)
	}
	path, err := field.Parse(args[0])
	ts.Check(err)
	found := path.Find(doc)
	got := string(canonical.Marshal(found))
	if len(found) == 1 && !strings.Contains(args[0], "[]") {
		got = string(canonical.Marshal(found[0]))
	}
	want := args[1]
	same := got == want || got == strconv.Quote(want)
	if pattern, ok := strings.CutPrefix(want, "~"); ok {
		same = regexp.MustCompile(pattern).MatchString(got)
	}
	if same == neg {
		ts.Fatalf("%s is %s, want %s", args[0], got, want)
	}
}

func scriptHolds(ts *testscript.TestScript, neg bool, args []string) {
	if want := ts.ReadFile(args[0]); strings.Contains(ts.ReadFile("stdout"), want) == neg {
		ts.Fatalf("stdout does not hold:\n%s", want)
	}
}

func scriptOneSentence(ts *testscript.TestScript, _ bool, _ []string) {
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("an error printed on stdout: %q", out)
	}
	if said := ts.ReadFile("stderr"); !isOneSentence(said) {
		ts.Fatalf("not one sentence on stderr: %q", said)
	}
}

// isOneSentence reports whether an error is one line that begins with the
// program's name and shows nothing of Go.
func isOneSentence(said string) bool {
	return strings.HasPrefix(said, "docket: ") && strings.Count(said, "\n") == 1 &&
		!strings.Contains(said, "goroutine ") && !strings.Contains(said, "%!") && !strings.Contains(said, "*errors.")
}

type remembered struct{}

func scriptRemember(ts *testscript.TestScript, _ bool, _ []string) {
	files, err := tree(ts.MkAbs("."))
	ts.Check(err)
	ts.Value(remembered{}).(map[string]map[string]string)["tree"] = files
}

func scriptSame(ts *testscript.TestScript, _ bool, _ []string) {
	files, err := tree(ts.MkAbs("."))
	ts.Check(err)
	if d := difference(ts.Value(remembered{}).(map[string]map[string]string)["tree"], files); d != "" {
		ts.Fatalf("files changed: %s", d)
	}
}

func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: lines BASELINE BASELINE ID…")
	}
	for _, id := range args[2:] {
		old, new := lineOf(ts.ReadFile(args[0]), id), lineOf(ts.ReadFile(args[1]), id)
		if same := old == new; same == neg {
			ts.Fatalf("the line of %s:\n%s\n%s", id, old, new)
		}
	}
}

func lineOf(baseline, id string) string {
	for line := range strings.Lines(baseline) {
		if strings.HasPrefix(line, `{"id":`+strconv.Quote(id)+",") {
			return line
		}
	}
	return ""
}

// tree returns the files below a folder with their content, local state and
// the repository's own files apart.
func tree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == ".docket" || entry.Name() == ".git" || entry.Name() == ".tmp" {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if info.Size() > 64<<20 {
			files[name] = fmt.Sprintf("%d bytes", info.Size())
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	})
	return files, err
}

// difference names what differs between two trees, "" for nothing.
func difference(old, new map[string]string) string {
	var found []string
	for name, content := range new {
		was, ok := old[name]
		switch {
		case !ok:
			found = append(found, name+" is new")
		case was != content:
			found = append(found, name+" changed")
		}
	}
	for name := range old {
		if _, ok := new[name]; !ok {
			found = append(found, name+" is gone")
		}
	}
	return strings.Join(found, ", ")
}

// packageDir is the folder of this package, in which go test starts.
var packageDir, _ = os.Getwd()

// A said is what one command line printed, and its exit code.
type said struct {
	out, err string
	code     int
}

// invoke runs a command line in this process, in the working directory, with
// no environment variable set but those given as NAME=value.
func invoke(env []string, args ...string) said {
	var out, err bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &out, err: &err, getenv: func(name string) string {
		for _, set := range env {
			if value, ok := strings.CutPrefix(set, name+"="); ok {
				return value
			}
		}
		return ""
	}}
	code := a.execute(context.Background(), args)
	return said{out.String(), err.String(), code}
}

// inSuite makes a copy of testdata/suite the working directory.
func inSuite(t *testing.T) string {
	t.Helper()
	dir := copySuite(t)
	t.Chdir(dir)
	return dir
}

// copySuite copies testdata/suite into a folder of the test, as a repository.
func copySuite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(packageDir, "testdata", "suite"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// must runs a command line that has to end with a code.
func must(t *testing.T, code int, args ...string) said {
	t.Helper()
	s := invoke(nil, args...)
	if s.code != code {
		t.Fatalf("docket %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), s.code, code, s.out, s.err)
	}
	return s
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
