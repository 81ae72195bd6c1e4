//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python is what the example agent is written in.
const python = "python3"

// hasPython reports whether the example agent can run here.
func hasPython() bool {
	_, err := exec.LookPath(python)
	return err == nil
}

// examples copies the repository's example suites to a repository of their own.
func examples(t *testing.T) (dir string) {
	t.Helper()
	root := filepath.Join(packageDir, "..", "..")
	dir = t.TempDir()
	write(t, filepath.Join(dir, ".docket.yaml"), read(t, filepath.Join(root, ".docket.yaml")))
	for _, name := range []string{"cases", "baselines", "engine/legacy/testdata"} { // the last is what the README migrates
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTheExampleAgent runs the agent of cases/support from a fresh clone, with
// no key in the environment: on canned answers and on recordings it does what
// the baselines say. An edit of its prompt leaves the canned answers as they
// are, and is told of the recordings.
func TestTheExampleAgent(t *testing.T) {
	if !hasPython() {
		t.Skip("the example agent is written in Python, and there is no " + python + " in PATH")
	}
	dir := examples(t)
	docket := func(arguments ...string) said {
		cmd := exec.Command("docket", arguments...)
		cmd.Dir, cmd.Env = dir, keyless(os.Environ())
		return finish(t, cmd)
	}
	for _, mode := range []string{"mock", "replay"} {
		if s := docket("run", "agent", "--mode", mode); s.code != codeOK || !strings.Contains(s.out, "4 cases: 4 same") {
			t.Errorf("run --mode %s: exit code %d\n%s%s", mode, s.code, s.out, s.err)
		}
		if s := docket("diff", "agent", "--mode", mode); s.code != codeOK {
			t.Errorf("diff --mode %s: exit code %d\n%s%s", mode, s.code, s.out, s.err)
		}
	}
	prompt := filepath.Join(dir, "cases/support/agent/prompt.md")
	write(t, prompt, read(t, prompt)+"Be kind.\n")
	if s := docket("run", "agent"); s.code != codeOK {
		t.Errorf("mock under another prompt: exit code %d\n%s%s", s.code, s.out, s.err)
	}
	s := docket("run", "agent", "--mode", "replay")
	if s.code == codeOK || !strings.Contains(s.out, "4 cases: 4 missed") || !strings.Contains(s.out, "cases/agent/recordings/openai/") || !strings.Contains(s.out, "/body/messages/0/content") {
		t.Errorf("replay under another prompt: exit code %d\n%s%s", s.code, s.out, s.err)
	}
}

// keyless is an environment without the variables that clients of models read.
func keyless(env []string) []string {
	var kept []string
	for _, v := range withoutDocketVariables(env) {
		if !strings.HasPrefix(v, "OPENAI_") && !strings.HasPrefix(v, "ANTHROPIC_") {
			kept = append(kept, v)
		}
	}
	return kept
}
