package startup_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	_ "docket/tui/startup"
)

// hello makes the test binary itself the program under test: it links
// bubbletea, as docket does, and prints one line.
const hello = "DOCKET_STARTUP_HELLO"

func TestMain(m *testing.M) {
	if os.Getenv(hello) != "" {
		_ = tea.Quit // link bubbletea, whose init is what asks
		os.Stdout.WriteString("hello\n")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestNoQuestionToTheTerminal holds a program that links bubbletea, and the
// real command where it can be built, to printing no escape byte on a terminal
// that answers nothing. The question would come with a wait of five seconds;
// the deadline is there to end the test, not to measure.
func TestNoQuestionToTheTerminal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a program that links bubbletea", func(t *testing.T) {
		check(t, exec.Command(self), "hello")
	})
	main := filepath.Join("..", "..", "cmd", "docket")
	if _, err := os.Stat(filepath.Join(main, "main.go")); errors.Is(err, fs.ErrNotExist) {
		return
	}
	t.Run("docket itself", func(t *testing.T) {
		binary := filepath.Join(t.TempDir(), "docket")
		if out, err := exec.Command("go", "build", "-o", binary, "./"+main).CombinedOutput(); err != nil {
			t.Fatalf("building the command: %v\n%s", err, out)
		}
		check(t, exec.Command(binary, "--version"), "docket")
	})
}

func check(t *testing.T, cmd *exec.Cmd, want string) {
	t.Helper()
	// No CI, and a TERM for which bubbletea would ask.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return bytes.HasPrefix([]byte(v), []byte("CI=")) })
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", hello+"=1")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	var out bytes.Buffer
	go func() {
		out.ReadFrom(tty) // ends with an error when the other side closes
		ended <- cmd.Wait()
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("the command failed: %v\n%s", err, out.Bytes())
		}
	case <-ctx.Done():
		cmd.Process.Kill()
		<-ended
		t.Fatalf("the command waits for an answer of the terminal; it printed %q", out.Bytes())
	}
	if bytes.ContainsRune(out.Bytes(), '\x1b') {
		t.Errorf("the command printed an escape byte: %q", out.Bytes())
	}
	if !bytes.Contains(out.Bytes(), []byte(want)) {
		t.Errorf("the command printed %q, want %q in it", out.Bytes(), want)
	}
}
