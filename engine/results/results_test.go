package results_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/baseline"
	"docket/engine/output"
	"docket/engine/results"
	"docket/engine/run"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("DOCKET_TEST_STORE"); path != "" {
		if err := fillStore(path, os.Getenv("DOCKET_TEST_RUN"), 2000); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if os.Getenv("DOCKET_TEST_HANG") != "" {
			fmt.Println("filled")
			time.Sleep(time.Hour)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fillStore keeps a run with results of one sample each, in small batches.
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
		return nil
	}
	return w.Finish(ctx, aRun(id))
}

func aRun(id string) *run.Run {
	at := time.Date(2026, 8, 11, 10, 22, 3, 123456789, time.UTC)
	return &run.Run{
		ID: id, Started: at, Finished: at.Add(time.Minute), Whole: true, Services: "replay",
		Config: baseline.Header{Format: baseline.Format, Suite: "invoices", Mode: "live", System: "prod", Model: "m-1", Answered: []string{"m-1a"}, Samples: 1},
	}
}

func aResult(i int) run.Result {
	yes, score := true, 0.5
	latency, tokens, cost := 812.25, int64(310), 0.0012
	return run.Result{
		ID: fmt.Sprintf("inv-%05d", i), Version: 2, Outcome: run.Measured,
		Line: fmt.Appendf(nil, `{"id":"inv-%05d","version":2,"pass":true,"score":0.5,"checks":{},"projections":{"label":"overdue","length":"short","shape":["amount:number","currency:string"]},"samples":1}`, i),
		Samples: []run.Sample{{
			Number: 1, Pass: &yes, Score: &score,
			Output: output.Output{
				Text: fmt.Sprintf("Invoice %d is overdue <since> March; a reminder went out, and the customer has not answered yet.", i), Model: "m-1a",
				ToolCalls: []output.ToolCall{{Name: "lookup", Arguments: []byte(`{"id":1}`)}},
				LatencyMS: &latency, InputTokens: &tokens, OutputTokens: &tokens, CostUSD: &cost,
			},
			Checks: []run.Verdict{{Check: "refund_window", Pass: true, Score: 1}, {Check: "max_words", Pass: false, Score: 0, Message: "72 words, the most is 60"}},
		}},
	}
}

func openStore(t *testing.T, path string) *results.Store {
	t.Helper()
	s, err := results.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func keep(t *testing.T, s *results.Store, r *run.Run, kept ...run.Result) {
	t.Helper()
	w, err := s.Begin(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range kept {
		if err := w.Put(t.Context(), result); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsKeptComesBack keeps results of each kind and reads them again.
func TestWhatIsKeptComesBack(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	measured := aResult(2)
	measured.Samples = append(measured.Samples,
		run.Sample{Number: 2, Error: "HTTP 529"},
		run.Sample{Number: 5, Output: output.Output{Text: "", ToolCalls: []output.ToolCall{}, ToolCallsError: "cut short", Raw: []byte(`{"k":[1]}`), StopReason: "length"}},
	)
	want := aRun("r-1")
	want.Results = []run.Result{
		{ID: "A [x] | 日本 :/", Outcome: run.Missed, Error: "no recording", Samples: []run.Sample{{Number: 1, Error: "no recording"}}},
		measured,
		{ID: "inv-9", Version: 1, Outcome: run.NotRun},
		{ID: "inv-a", Version: 1, Outcome: run.Failed, Error: "HTTP 529", Samples: []run.Sample{{Number: 1, Error: "HTTP 529"}}},
	}
	keep(t, s, want, want.Results...)
	got, err := s.RunWithSamples(t.Context(), "r-1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	light, err := s.LastRun(t.Context(), "invoices", "live")
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Results {
		want.Results[i].Samples = nil
	}
	if diff := cmp.Diff(want, light); diff != "" {
		t.Error(diff)
	}
	samples, err := s.Samples(t.Context(), "r-1", measured.ID)
	if err != nil || len(samples) != 3 || samples[2].Number != 5 {
		t.Errorf("samples are %+v, %v", samples, err)
	}
}

func TestOutputsAreFoundByTheirHash(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	keep(t, s, aRun("20260101T000000Z-0001"), aResult(1), aResult(2))
	keep(t, s, aRun("20260101T000000Z-0002"), aResult(2))
	hash := run.OutputsHash(aResult(2).Samples)
	found, err := s.Outputs(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	if found.Run != "20260101T000000Z-0002" || found.Case != aResult(2).ID || run.OutputsHash(found.Samples) != hash {
		t.Errorf("found %+v", found)
	}
	for _, other := range []string{run.OutputsHash(aResult(3).Samples), "", "sha256:zz"} {
		if _, err := s.Outputs(t.Context(), other); !errors.Is(err, results.ErrNone) {
			t.Errorf("outputs %q: %v", other, err)
		}
	}
}

func TestRunsAndHistory(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	no := false
	for i, mode := range []string{"mock", "live", "live"} {
		r := aRun(fmt.Sprint("r-", i))
		r.Config.Mode = mode
		r.Started = r.Started.Add(time.Duration(i) * time.Hour)
		result := aResult(1)
		if i == 1 {
			result.Samples[0].Pass = &no
		}
		keep(t, s, r, result, run.Result{ID: "other", Outcome: run.NotRun})
	}
	other := aRun("r-9")
	other.Config.Suite = "support"
	other.Started = other.Started.Add(-time.Hour)
	keep(t, s, other, aResult(1))
	under, err := s.Begin(t.Context(), &run.Run{ID: "r-3", Started: aRun("").Started.Add(9 * time.Hour), Config: aRun("").Config})
	if err != nil {
		t.Fatal(err)
	}
	if err := under.Put(t.Context(), aResult(1)); err != nil {
		t.Fatal(err)
	}
	if err := under.Close(); err != nil {
		t.Fatal(err)
	}

	ids := func(f results.Filter) (ids []string) {
		t.Helper()
		runs, err := s.Runs(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			ids = append(ids, r.ID)
		}
		return ids
	}
	for _, tt := range []struct {
		filter results.Filter
		want   []string
	}{
		{results.Filter{}, []string{"r-3", "r-2", "r-1", "r-0", "r-9"}},
		{results.Filter{Suite: "invoices", Finished: true}, []string{"r-2", "r-1", "r-0"}},
		{results.Filter{Mode: "live", System: "prod", Limit: 2}, []string{"r-3", "r-2"}},
		{results.Filter{Suite: "unheard of"}, nil},
	} {
		if diff := cmp.Diff(tt.want, ids(tt.filter)); diff != "" {
			t.Errorf("%+v: %s", tt.filter, diff)
		}
	}
	for mode, want := range map[string]string{"": "r-2", "live": "r-2", "mock": "r-0"} {
		if r, err := s.LastRun(t.Context(), "invoices", mode); err != nil || r.ID != want {
			t.Errorf("the last run in mode %q is %v, %v", mode, r, err)
		}
	}
	if _, err := s.LastRun(t.Context(), "invoices", "replay"); !errors.Is(err, results.ErrNone) {
		t.Errorf("a run that is not there: %v", err)
	}
	if _, err := s.Run(t.Context(), "r-8"); !errors.Is(err, results.ErrNone) || !strings.Contains(err.Error(), `the run "r-8" is not in the results store`) {
		t.Errorf("a run that is not there: %v", err)
	}
	// The run that was broken off has what it had, and is not finished.
	broken, err := s.Run(t.Context(), "r-3")
	if err != nil || !broken.Finished.IsZero() || broken.Whole || len(broken.Results) != 1 {
		t.Errorf("the broken run is %+v, %v", broken, err)
	}

	history, err := s.History(t.Context(), "invoices", aResult(1).ID)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, e := range history {
		told = append(told, fmt.Sprint(e.Run, " ", e.Mode, " ", e.Outcome, " ", *e.Pass, " ", *e.Score, " ", e.Config.Model, " ", e.Finished))
	}
	want := []string{"r-3 live measured true 0.5 m-1 false", "r-2 live measured true 0.5 m-1 true", "r-1 live measured false 0.5 m-1 true", "r-0 mock measured true 0.5 m-1 true"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if none, err := s.History(t.Context(), "invoices", "other"); err != nil || len(none) != 0 {
		t.Errorf("a case that was never reached has a history: %v, %v", none, err)
	}
}

// TestResultsAreOnDiskSoon looks from a second store while a run goes on.
func TestResultsAreOnDiskSoon(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	s, other := openStore(t, path), openStore(t, path)
	w, err := s.Begin(t.Context(), aRun("r-1"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Put(t.Context(), aResult(1)); err != nil {
		t.Fatal(err)
	}
	for {
		r, err := other.Run(t.Context(), "r-1")
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) == 1 {
			return
		}
		time.Sleep(20 * time.Millisecond) // go test's own time limit bounds this
	}
}

func TestWriterRefuses(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	if _, err := s.Begin(t.Context(), &run.Run{}); err == nil {
		t.Error("a run without an id is kept")
	}
	keep(t, s, aRun("r-1"))
	if _, err := s.Begin(t.Context(), aRun("r-1")); err == nil {
		t.Error("two runs of one id are kept")
	}
	w, err := s.Begin(t.Context(), aRun("r-2"))
	if err != nil {
		t.Fatal(err)
	}
	w.Put(t.Context(), aResult(1))
	w.Put(t.Context(), aResult(1))
	if err := w.Finish(t.Context(), aRun("r-2")); err == nil {
		t.Error("two results of one case are kept")
	}
	if err := w.Put(t.Context(), aResult(2)); err == nil {
		t.Error("a finished run takes a result")
	}
}

// TestWhatASystemMayAnswer keeps outputs that have no JSON form.
func TestWhatASystemMayAnswer(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	r := aResult(1)
	nan := math.NaN()
	r.Samples[0].Output.CostUSD = &nan
	r.Samples[0].Output.Raw = []byte("{broken")
	r.Samples[0].Output.ToolCalls[0].Arguments = []byte("nonsense")
	r.Samples[0].Output.Text = "\x00\x1b[2J\xff\u2028"
	keep(t, s, aRun("r-1"), r)
	samples, err := s.Samples(t.Context(), "r-1", r.ID)
	if err != nil {
		t.Fatal(err)
	}
	o := samples[0].Output
	if o.CostUSD != nil || string(o.Raw) != `"{broken"` || string(o.ToolCalls[0].Arguments) != `"nonsense"` || o.Text != "\x00\x1b[2J\ufffd\u2028" {
		t.Errorf("the output is %+v", o)
	}
	if string(r.Samples[0].Output.ToolCalls[0].Arguments) != "nonsense" {
		t.Error("keeping changed the output")
	}
}

func TestAnyTextComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	s := openStore(t, path)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		r := aResult(1)
		r.ID = rapid.StringN(1, 40, 256).Draw(rt, "id")
		r.Samples[0].Output.Text = rapid.String().Draw(rt, "text")
		r.Samples[0].Checks[1].Message = rapid.String().Draw(rt, "message")
		keep(t, s, aRun(fmt.Sprint("r-", n)), r)
		got, err := s.RunWithSamples(t.Context(), fmt.Sprint("r-", n))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff([]run.Result{r}, got.Results); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("permissions are another matter here")
		return
	}
	dir := filepath.Join(t.TempDir(), ".docket")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "results.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	keep(t, s, aRun("r-1"), aResult(1))
	seen := 0
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has permissions %v", path, info.Mode().Perm())
		}
		seen++
		return nil
	})
	if seen != 4 { // the folder, the database, -wal and -shm
		t.Errorf("%d files looked at", seen)
	}
	made := filepath.Join(t.TempDir(), "a", "b", "r.db")
	openStore(t, made)
	if info, err := os.Stat(filepath.Dir(made)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("a folder that was made: %v, %v", info.Mode(), err)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for _, name := range []string{"with space.db", "50%.db", "a?b=c.db", "a#b.db", "日本.db", "%41.db"} {
		path := filepath.Join(t.TempDir(), name)
		s := openStore(t, path)
		keep(t, s, aRun("r-1"))
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDatabasesThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	sqlite := func(name, statements string) {
		db, err := sql.Open("sqlite", filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(statements); err != nil {
			t.Fatal(err)
		}
	}
	openStore(t, filepath.Join(dir, "newer.db")).Close()
	sqlite("newer.db", "PRAGMA user_version = 99")
	sqlite("other.db", "CREATE TABLE customers (name TEXT)")
	if err := os.WriteFile(filepath.Join(dir, "text.db"), bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := openStore(t, filepath.Join(dir, "torn.db"))
	var many []run.Result
	for i := range 500 {
		many = append(many, aResult(i))
	}
	keep(t, whole, aRun("r-1"), many...)
	whole.Close()
	torn, err := os.ReadFile(filepath.Join(dir, "torn.db"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(torn); i++ {
		torn[i] = 0xa5
	}
	if err := os.WriteFile(filepath.Join(dir, "torn.db"), torn, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"newer.db":      "was written by a newer docket (schema 99, this one knows 1); upgrade docket",
		"other.db":      "it is a database of another program; name another file under results",
		"text.db":       "is damaged: move it away and docket starts a new one",
		"folder.db":     "is not a regular file",
		"other.db/x.db": "the folder of the results store cannot be made",
		"torn.db":       "is damaged: move it away and docket starts a new one",
	} {
		path := filepath.Join(dir, name)
		s, err := results.Open(t.Context(), path)
		if err == nil {
			_, err = s.Run(t.Context(), "r-1")
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s says %v, want %s", name, err, want)
		}
	}
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
		r, err := s.RunWithSamples(t.Context(), fmt.Sprint("r-", i))
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
	r, err := s.RunWithSamples(t.Context(), "r-1")
	if err != nil {
		t.Fatal(err)
	}
	if !r.Finished.IsZero() || r.Whole || len(r.Results) < 1500 {
		t.Errorf("the killed run has %d results, finished %v", len(r.Results), r.Finished)
	}
}

func BenchmarkKeep(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("results=%d", n), func(b *testing.B) {
			var made []run.Result
			for i := range n {
				made = append(made, aResult(i))
			}
			turn := 0
			for b.Loop() {
				b.StopTimer()
				turn++
				path := filepath.Join(b.TempDir(), fmt.Sprint(turn, ".db"))
				b.StartTimer()
				s, err := results.Open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				w, err := s.Begin(b.Context(), aRun("r-1"))
				if err != nil {
					b.Fatal(err)
				}
				for _, r := range made {
					if err := w.Put(b.Context(), r); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Finish(b.Context(), aRun("r-1")); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				s.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/result")
		})
	}
}

func BenchmarkLastRun(b *testing.B) {
	path := filepath.Join(b.TempDir(), "results.db")
	if err := fillStore(path, "r-1", 10_000); err != nil {
		b.Fatal(err)
	}
	s, err := results.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if r, err := s.LastRun(b.Context(), "invoices", ""); err != nil || len(r.Results) != 10_000 {
			b.Fatal(err)
		}
	}
}
