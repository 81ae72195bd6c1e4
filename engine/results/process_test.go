package results_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"docket/engine/results"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("DOCKET_TEST_STORE"); path != "" {
		if err := fillStore(path, os.Getenv("DOCKET_TEST_RUN"), 2000); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fillStore keeps a run with n results of one sample each, and hangs before it
// finishes where it is told to.
func fillStore(path, id string, n int) error {
	ctx := context.Background()
	s, err := results.Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	w, err := s.Begin(ctx, aRun(id))
	if err != nil {
		return err
	}
	for i := range n {
		if err := w.Put(ctx, aResult(i)); err != nil {
			return err
		}
	}
	if os.Getenv("DOCKET_TEST_HANG") != "" {
		fmt.Println("filled")
		time.Sleep(time.Hour)
	}
	return w.Finish(ctx, aRun(id))
}

// TestTwoProcesses has two processes make one database and write to it at once,
// while this one reads.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".docket", "results.db")
	var dockets []*exec.Cmd
	for i := range 2 {
		docket := exec.Command(os.Args[0])
		docket.Env = append(os.Environ(), "DOCKET_TEST_STORE="+path, fmt.Sprint("DOCKET_TEST_RUN=r-", i))
		docket.Stderr = os.Stderr
		if err := docket.Start(); err != nil {
			t.Fatal(err)
		}
		dockets = append(dockets, docket)
	}
	s := openStore(t, path)
	for range 20 {
		if _, err := s.Runs(t.Context(), results.Filter{}); err != nil {
			t.Error(err)
		}
	}
	for _, docket := range dockets {
		if err := docket.Wait(); err != nil {
			t.Error(err)
		}
	}
	for i := range 2 {
		r, err := whole(t.Context(), s, fmt.Sprint("r-", i))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) != 2000 || !r.Whole || len(r.Results[1999].Samples) != 1 {
			t.Errorf("run %d has %d results, whole %v", i, len(r.Results), r.Whole)
		}
	}
}

// TestKilledProcess kills a docket in the middle of a run.
func TestKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	docket := exec.Command(os.Args[0])
	docket.Env = append(os.Environ(), "DOCKET_TEST_STORE="+path, "DOCKET_TEST_RUN=r-1", "DOCKET_TEST_HANG=1")
	stdout, err := docket.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := docket.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	docket.Process.Kill()
	docket.Wait()
	s := openStore(t, path)
	r, err := whole(t.Context(), s, "r-1")
	if err != nil {
		t.Fatal(err)
	}
	if !r.Finished.IsZero() || r.Whole || len(r.Results) < 1500 {
		t.Errorf("the killed run has %d results, finished %v", len(r.Results), r.Finished)
	}
}
