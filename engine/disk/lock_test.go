package disk_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine/disk"
)

// holdVariable tells the test binary, run again, to take a lock and hold it.
const holdVariable = "DOCKET_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holdVariable); path != "" {
		if _, err := (disk.OS{}).Lock(path); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Minute)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestALockEndsWithItsProcessAndNamesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file"+disk.LockSuffix)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holdVariable+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Process.Kill() }()
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the child says %q", line)
	}
	var held *disk.HeldError
	if _, err := (disk.OS{}).Lock(path); !errors.As(err, &held) {
		t.Fatalf("got %v", err)
	}
	if held.PID != 0 && held.PID != child.Process.Pid || !strings.Contains(held.Error(), path) {
		t.Errorf("got %v, the holder is %d", held, child.Process.Pid)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	lock, err := (disk.OS{}).Lock(path)
	if err != nil {
		t.Fatalf("after the holder's death: %v", err)
	}
	for range 2 {
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOnlyOneHoldsALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file"+disk.LockSuffix)
	var wg sync.WaitGroup
	var mu sync.Mutex
	holders, taken := 0, 0
	for range 8 {
		wg.Go(func() {
			for range 200 {
				lock, err := (disk.OS{}).Lock(path)
				var held *disk.HeldError
				if errors.As(err, &held) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				holders++
				taken++
				if holders != 1 {
					t.Errorf("%d hold the lock", holders)
				}
				mu.Unlock()
				mu.Lock()
				holders--
				mu.Unlock()
				if err := lock.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if taken == 0 {
		t.Error("nobody took the lock")
	}
	if _, err := os.Lstat(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
