//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// longest is how long a command may take over a hostile file: a guard against
	// one that hangs, and no measure.
	longest = time.Minute
	// largest is the memory, in bytes, that a command may have over a hostile
	// file: about 1 GB, and twice that under the race detector.
	largest = 2500 << 20
)

// hostileFilesSuite makes a suite in which every kind of file is there and sound.
func hostileFilesSuite(t *testing.T) {
	t.Helper()
	badSuite(t)
	replacing("expires: never\n", "expires: never\nservices:\n  search: {url: 'https://search.example'}\n")(t, ".docket.yaml")
	replacing("systems:\n", "systems:\n  prod: {kind: openai, model: m-1, prompt: p.md}\n")(t, ".docket.yaml")
	for path, text := range hostileSeeds {
		write(t, path, text)
	}
	if err := os.RemoveAll(".docket/retiring"); err != nil { // until its turn comes
		t.Fatal(err)
	}
	write(t, "old.jsonl", read(t, "baselines/mail/live.jsonl"))
	write(t, "plan.json", must(t, codeOK, "migrate", "test_old.py", "--plan").out)
}

// measured runs a command line in a process of its own, and tells the most memory
// that it had; where the system counts what this process had when it started the
// other, that is in it.
func measured(t *testing.T, args ...string) (s said, peak int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, "docket", args...)
	cmd.Env = append(withoutDocketVariables(os.Environ()), "XDG_CONFIG_HOME="+here(t))
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Errorf("docket %s was not done after %v", strings.Join(args, " "), longest)
	}
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	if usage, known := cmd.ProcessState.SysUsage().(*syscall.Rusage); known {
		if peak = usage.Maxrss; runtime.GOOS != "darwin" {
			peak <<= 10
		}
	}
	return said{out.String(), failed.String(), cmd.ProcessState.ExitCode()}, peak
}

func here(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "home")
}

// TestHostileFiles puts each hostile shape in the place of each kind of file, and
// runs every command that reads it: no command hangs, grows without bound, or
// shows its insides; each ends with 2 and a sentence that names the file.
func TestHostileFiles(t *testing.T) {
	hostileFilesSuite(t)
	huge := filepath.Join(t.TempDir(), "huge")
	hugeLine(t, huge)
	env := []string{"XDG_CONFIG_HOME=" + here(t)}
	for _, kind := range hostileKinds {
		path := kind.path
		if text, seeded := hostileSeeds[path]; seeded {
			write(t, path, text) // a command may have done away with it
		}
		if found, err := filepath.Glob(path); err != nil || len(found) != 1 {
			t.Fatalf("%s: %v %v", path, found, err)
		} else {
			path = found[0]
		}
		sound := []byte(read(t, path))
		for _, shape := range hostileShapes(huge) {
			if shape.heavy && kind.light || shape.only != "" && shape.only != kind.name {
				continue
			}
			t.Run(kind.name+"/"+shape.name, func(t *testing.T) {
				state := snapshot(t, ".docket")
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				defer func() {
					// A command may have done away with it.
					if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Fatal(err)
					}
					restoreFiles(t, state)
					if err := os.WriteFile(path, sound, 0o644); err != nil {
						t.Fatal(err)
					}
				}()
				if err := shape.make(path, sound); err != nil {
					t.Fatal(err)
				}
				fine := kind.fine == "*" || strings.Contains(", "+kind.fine+",", ", "+shape.name+",")
				commands := kind.commands
				if shape.heavy {
					commands = commands[:min(2, len(commands))] // the others read by the same way
				}
				for _, args := range commands {
					var s said
					var peak int64
					if shape.alone {
						s, peak = measured(t, args...)
					} else {
						s = invoke(env, args...)
					}
					command := "docket " + strings.Join(args, " ")
					t.Logf("%s: exit code %d, %d MB, %.200q", command, s.code, peak>>20, s.err)
					if peak > largest {
						t.Errorf("%s took %d MB", command, peak>>20)
					}
					inertText(t, command, s.out+s.err)
					if strings.Contains(s.err, "goroutine ") || strings.Contains(s.err, "panic") || s.code < 0 {
						t.Errorf("%s: exit code %d\n%s", command, s.code, clipped(s.err))
					}
					if fine {
						continue
					}
					if s.code != codeWrong && !(args[0] == "lint" && s.code == codeChange) {
						t.Errorf("%s: exit code %d, want %d\n%s%s", command, s.code, codeWrong, clipped(s.out), clipped(s.err))
					}
					if !strings.Contains(s.out+s.err, filepath.Base(path)) {
						t.Errorf("%s does not name %s\n%s", command, path, clipped(s.err))
					}
				}
			})
		}
	}
}

// hugeLine writes 300 MB without the end of a line: more than any line may have.
func hugeLine(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte("x"), 1<<20)
	copy(block, "{\"zz\":\"")
	for range 300 {
		if _, err := f.Write(block); err != nil {
			t.Fatal(err)
		}
		copy(block, "xxxxxxx")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
