package disktest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"docket/engine/disk"
)

// The variables with which a test binary is run again, to be killed.
const (
	childName   = "DOCKET_TEST_CHILD"
	childFolder = "DOCKET_TEST_CHILD_FOLDER"
	childCall   = "DOCKET_TEST_CHILD_CALL"
)

// A Child writes in a folder, in a process of its own that is killed meanwhile.
type Child func(fsys disk.FS, dir string) error

// Main is the TestMain of a package whose tests call [Killed]: it runs the
// tests, or in a process that Killed started the child of that name.
func Main(m *testing.M, children map[string]Child) {
	name := os.Getenv(childName)
	if name == "" {
		os.Exit(m.Run())
	}
	n, err := strconv.Atoi(os.Getenv(childCall))
	write, ok := children[name]
	if err != nil || !ok {
		err = fmt.Errorf("child %q, call %d: %w", name, n, errors.Join(err, os.ErrInvalid))
	} else {
		err = write(&Faults{FS: disk.OS{}, Plan: At(n, Fault{Kill: true})}, os.Getenv(childFolder))
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Killed starts a process in which a child writes, and which is killed, as
// SIGKILL does, at its nth system call. It returns what the child printed until
// then, and false where it was done before that call. A child that fails fails
// the test.
func Killed(t *testing.T, name, dir string, n int) (out string, killed bool) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childName+"="+name, childFolder+"="+dir, childCall+"="+strconv.Itoa(n))
	data, err := child.CombinedOutput()
	if err != nil && child.ProcessState == nil {
		t.Fatal(err)
	}
	if child.ProcessState.ExitCode() == 1 {
		t.Fatalf("call %d: %s", n, data)
	}
	return string(data), err != nil
}
