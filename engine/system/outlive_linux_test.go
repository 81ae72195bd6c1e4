package system_test

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestChildrenDieWithDocket kills a docket with -9 while a program of its is
// busy, and looks whether the program is gone.
func TestChildrenDieWithDocket(t *testing.T) {
	docket := exec.Command(os.Args[0])
	docket.Env = append(os.Environ(), role+"=docket")
	stdout, err := docket.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := docket.Start(); err != nil {
		t.Fatal(err)
	}
	defer docket.Process.Kill()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(line) // pid NUMBER <nil>
	if len(words) != 3 {
		t.Fatalf("docket says %q", line)
	}
	pid, err := strconv.Atoi(words[1])
	if err != nil {
		t.Fatalf("docket says %q", line)
	}
	time.Sleep(50 * time.Millisecond) // until it is busy with the second request
	docket.Process.Kill()
	docket.Wait()
	for range 100 {
		if !running(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("process %d lives on", pid)
}

// running reports whether a process runs; one that has ended and waits for
// somebody to ask how does not.
func running(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
