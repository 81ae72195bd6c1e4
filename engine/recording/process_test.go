//go:build unix

package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("DOCKET_TEST_RECORDINGS"); dir != "" {
		n, _ := strconv.Atoi(os.Getenv("DOCKET_TEST_DIE_AT"))
		os.Exit(dying(dir, n))
	}
	os.Exit(m.Run())
}

// recordAndDie records in a process that is killed at its nth system call, and
// returns how much it said was saved, and whether it came to its end.
func recordAndDie(t *testing.T, dir string, n int) (saved int, ended bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DOCKET_TEST_RECORDINGS="+dir, fmt.Sprint("DOCKET_TEST_DIE_AT=", n))
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	err := cmd.Run()
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		if status, ok := exited.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
			t.Fatalf("the process failed by itself: %v\n%s", err, failed.String())
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(out.Bytes(), []byte("saved\n")), err == nil
}
