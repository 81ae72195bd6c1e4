//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestReadme runs the command lines of README.md: in each fenced block tagged
// `console`, the lines that begin with "$ ", in order, in one copy of the
// repository's examples. Each must end with exit code 0, or with 1, which says
// that there is something to decide or a finding. `go run ./cmd/docket` is this
// program. A review is opened on a terminal and left with q. Blocks
// with another tag are not run, nor is `go test`, which is what runs this, nor
// the example agent where there is no Python.
func TestReadme(t *testing.T) {
	root := filepath.Join(packageDir, "..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := consoleCommands(string(readme))
	if len(commands) == 0 {
		t.Fatal("README.md has no console block with a command")
	}
	dir := examples(t)
	env := []string{"HOME=" + t.TempDir(), "XDG_STATE_HOME=" + t.TempDir(), "TERM=xterm-256color"}
	ran := 0
	for _, command := range commands {
		if strings.HasPrefix(command, "go test ") {
			continue
		}
		line, ours := strings.CutPrefix(command, "go run ./cmd/docket")
		if !ours {
			line, ours = strings.CutPrefix(command, "docket")
		}
		if !ours || line != "" && line[0] != ' ' {
			t.Errorf("README.md: %q is no command of docket; tag its block otherwise", command)
			continue
		}
		if strings.HasPrefix(line, " run agent") && !hasPython() {
			t.Logf("left out, since there is no %s in PATH: %s", python, command)
			continue
		}
		ran++
		cmd := exec.Command("sh", "-c", "exec docket"+line)
		cmd.Dir, cmd.Env = dir, append(withoutDocketVariables(os.Environ()), env...)
		if strings.HasPrefix(line, " review") && !strings.Contains(line, "--plain") {
			quitReview(t, command, cmd)
			continue
		}
		if s := finish(t, cmd); s.code != codeOK && s.code != codeChange || s.out == "" {
			t.Errorf("README.md: %s: exit code %d\n%s%s", command, s.code, s.out, s.err)
		}
	}
	if ran == 0 {
		t.Error("README.md has no command of docket that is run here")
	}
}

// consoleCommands returns what stands behind "$ " in the console blocks of a
// markdown text.
func consoleCommands(text string) []string {
	var commands []string
	console := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if tag, fence := strings.CutPrefix(line, "```"); fence {
			console = !console && tag == "console"
			continue
		}
		if command, ok := strings.CutPrefix(line, "$ "); ok && console {
			commands = append(commands, command)
		}
	}
	return commands
}

// quitReview opens a review on a terminal, waits until the keys are drawn, and
// leaves it with q.
func quitReview(t *testing.T, what string, cmd *exec.Cmd) {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	guard := time.AfterFunc(60*time.Second, func() { cmd.Process.Kill() })
	defer guard.Stop()
	var drawn []byte
	pressed := false
	for chunk := make([]byte, 4096); ; {
		n, err := tty.Read(chunk) // fails once the command has ended
		drawn = append(drawn, chunk[:n]...)
		if err != nil {
			break
		}
		if !pressed && bytes.Contains(drawn, []byte("quit")) {
			pressed = true
			if _, err := tty.Write([]byte("q")); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); !pressed || code != codeOK && code != codeChange {
		t.Errorf("README.md: %s: exit code %d\n%q", what, code, clipped(string(drawn)))
	}
}
