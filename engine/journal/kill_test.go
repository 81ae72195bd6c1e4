package journal

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

// The test binary, run again with these variables, decides rows, says which
// are acknowledged, and is killed at one of its system calls.
const (
	killRoot = "DOCKET_TEST_KILL_ROOT"
	killCall = "DOCKET_TEST_KILL_CALL"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(killRoot); root != "" {
		n, err := strconv.Atoi(os.Getenv(killCall))
		if err == nil {
			err = killedSession(&disktest.Faults{FS: disk.OS{}, Plan: disktest.At(n, disktest.Fault{Kill: true})}, root)
		}
		if err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func killedSession(fsys disk.FS, root string) error {
	j, err := Open(config(fsys, root))
	if err != nil {
		return err
	}
	for i := range 3 {
		row := fmt.Sprint("row", i)
		if _, err := j.Decide(group("accept", row, row+"b")); err != nil {
			return err
		}
		fmt.Println(row)
	}
	return j.Close()
}

func TestAKillLosesNoAcknowledgedDecision(t *testing.T) {
	for n := 1; ; n++ {
		root := t.TempDir()
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killRoot+"="+root, killCall+"="+strconv.Itoa(n))
		var out bytes.Buffer
		child.Stdout, child.Stderr = &out, &out
		err := child.Run()
		if child.ProcessState.ExitCode() == 1 {
			t.Fatalf("call %d: %s", n, out.String())
		}
		acknowledged := strings.Fields(out.String())
		j := open(t, config(disk.OS{}, root))
		for _, row := range acknowledged {
			if j.Of(row).Whole == nil || j.Of(row+"b").Whole == nil {
				t.Errorf("killed at call %d, %s was acknowledged and is lost", n, row)
			}
		}
		if found := j.Count(); found%2 != 0 || found > 2*len(acknowledged)+2 {
			t.Errorf("killed at call %d: %d groups acknowledged, %d rows found", n, len(acknowledged), found)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if err == nil {
			if n < 15 {
				t.Errorf("only %d calls were tried", n)
			}
			return
		}
	}
}
