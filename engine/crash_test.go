package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/pruning"
)

// The test binary, run again with these variables, lets a path write and is
// killed at one of its system calls.
const (
	crashPath = "DOCKET_TEST_CRASH_PATH"
	crashDir  = "DOCKET_TEST_CRASH_DIR"
	crashCall = "DOCKET_TEST_CRASH_CALL"
)

// TestCrash lets everything that docket writes in a repository fail at each of
// its system calls, as disktest.Path.Attack says, and logs what was found
// afterwards.
func TestCrash(t *testing.T) {
	paths := slices.Concat(reviewing(), adopted(), merged(), stored())
	if name := os.Getenv(crashPath); name != "" {
		at := slices.IndexFunc(paths, func(p disktest.Path) bool { return p.Name == name })
		n, err := strconv.Atoi(os.Getenv(crashCall))
		if err == nil {
			err = paths[at].Die(t, os.Getenv(crashDir), n)
		}
		t.Fatalf("the process lives: %v", err)
	}
	var mu sync.Mutex
	var tallies []disktest.Tally
	t.Run("paths", func(t *testing.T) {
		for _, path := range paths {
			path.Kill = func(t *testing.T, dir string, n int) { dies(t, path.Name, dir, n) }
			t.Run(path.Name, func(t *testing.T) {
				t.Parallel()
				tally := path.Attack(t)
				mu.Lock()
				defer mu.Unlock()
				tallies = append(tallies, tally)
			})
		}
	})
	t.Log("\n" + disktest.Table(tallies))
}

// dies runs a path in a process that is killed at a call.
func dies(t *testing.T, name, dir string, n int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrash$")
	cmd.Env = append(os.Environ(), crashPath+"="+name, crashDir+"="+dir, crashCall+"="+strconv.Itoa(n))
	out, err := cmd.CombinedOutput()
	if err == nil || bytes.Contains(out, []byte("the process lives")) {
		t.Fatalf("the process was not killed: %v\n%s", err, out)
	}
}

// written is a path in the folder of a suite that has three cases and two files
// of answers.
func written(name string, prepare func(w *workspace), act func(t *testing.T, p *engine.Project, fsys disk.FS) error) disktest.Path {
	return disktest.Path{
		Name: name,
		Fresh: copied(func(t *testing.T) string {
			w := newWorkspace(t, []testCase{
				{ID: "a", Input: map[string]any{"n": 0}}, {ID: "b", Input: map[string]any{"n": 1}}, {ID: "c", Input: map[string]any{"n": 2}},
			}, "labels: [paid, overdue]", map[string][]byte{"old": statusOf("overdue", "a", "b", "c", "d"), "new": statusOf("paid", "a", "b", "c", "d")})
			prepare(w)
			return w.dir
		}),
		Act: func(t *testing.T, dir string, fsys disk.FS) error {
			p, err := engine.Load(filepath.Join(dir, ".docket.yaml"))
			if err != nil {
				return err
			}
			p.Through(fsys)
			return act(t, p, fsys)
		},
		State: func(t *testing.T, dir string) map[string]string {
			loads(t, dir)
			return committed(t, dir)
		},
		Rule: func(_, want, got map[string]string) string {
			if got["files"] == want["files"] && got["decisions"] != want["decisions"] {
				return "an effect without its decision"
			}
			return ""
		},
	}
}

// copied makes a folder once, and then copies of it.
func copied(prepare func(t *testing.T) string) func(t *testing.T) string {
	template := ""
	return func(t *testing.T) string {
		t.Helper()
		if template == "" {
			template = prepare(t)
		}
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
}

// reviewing are the paths on which decisions become baselines and cases.
func reviewing() []disktest.Path {
	retire := written("retire, merge and mend", func(w *workspace) { w.calibrate("old") }, prunes)
	restore := written("restore", func(w *workspace) {
		w.calibrate("old")
		p, err := engine.Load(filepath.Join(w.dir, ".docket.yaml"))
		if err == nil {
			err = prunes(w.t.(*testing.T), p, disk.OS{})
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}, func(t *testing.T, p *engine.Project, _ disk.FS) error {
		_, _, err := p.Restore(t.Context(), p.Names(), "c", "asked for again")
		return err
	})
	return []disktest.Path{
		written("calibrate", func(*workspace) {}, calibrates),
		written("calibrate, a line more", func(w *workspace) {
			w.calibrate("old")
			w.write(caseFile(3), caseYAML(w.t, testCase{ID: "d", Input: map[string]any{"n": 3}}))
		}, calibrates),
		written("write", decided, writes),
		written("write what was judged again", rescored, func(t *testing.T, p *engine.Project, _ disk.FS) error { return writesOf(t, p, "old") }),
		written("add", func(w *workspace) { w.write("in.json", []byte(`{"n": 4}`)) }, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			s, err := p.Open("", "new", "")
			if err == nil {
				_, err = s.Add(t.Context(), engine.AddOptions{ID: "added", Provenance: "incident INC-7, a mail was lost", Input: filepath.Join(p.Dir, "in.json"), Now: time.Unix(1e9, 0)})
			}
			return err
		}),
		retire,
		restore,
		written("write what two files come to", func(w *workspace) {
			// The old file becomes a baseline first, which is a step of its own.
			if err := beginPair(w.dir, disk.OS{}); err != nil {
				w.t.Fatal(err)
			}
		}, writesPair),
	}
}

func beginPair(dir string, fsys disk.FS) error {
	pair, err := engine.Files(context.Background(), filepath.Join(dir, "outputs/old.jsonl"), filepath.Join(dir, "outputs/new.jsonl"))
	if err != nil {
		return err
	}
	return pair.Begin(fsys, filepath.Join(dir, "reviewed"))
}

func calibrates(t *testing.T, p *engine.Project, _ disk.FS) error {
	s, err := p.Open("", "old", "")
	if err == nil {
		_, err = s.Calibrate(t.Context(), engine.RunOptions{})
	}
	return err
}

func reviewed(t *testing.T, p *engine.Project, system string) (*engine.Review, error) {
	s, err := p.Open("", system, "")
	if err != nil {
		return nil, err
	}
	last, _, err := s.Latest(t.Context(), nil)
	if err != nil {
		return nil, err
	}
	base, err := s.Baseline()
	if err != nil {
		return nil, err
	}
	d, err := s.Compare(t.Context(), last, base)
	if err != nil {
		return nil, err
	}
	return s.Review(t.Context(), d, last, base)
}

// decided leaves a journal in which two cases are accepted and one is rejected.
func decided(w *workspace) {
	w.calibrate("old")
	p, err := engine.Load(filepath.Join(w.dir, ".docket.yaml"))
	if err != nil {
		w.t.Fatal(err)
	}
	v, err := reviewed(w.t.(*testing.T), p, "new")
	if err != nil {
		w.t.Fatal(err)
	}
	err = errors.Join(v.Decide([]string{"a", "b"}, "", decision.Accept, "as the policy says"), v.Decide([]string{"c"}, "", decision.Reject, "it was not paid"), v.Close())
	if err != nil {
		w.t.Fatal(err)
	}
}

// rescored leaves a baseline whose answers were judged by another ruler, and
// nothing of it written.
func rescored(w *workspace) {
	w.calibrate("old")
	file := filepath.Join(w.dir, ".docket.yaml")
	config, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(".docket.yaml", bytes.Replace(config, []byte("labels: [paid, overdue]"), []byte("labels: [paid]"), 1))
	if _, err := w.open("old").Rescore(w.t.Context(), "overdue is no label any more", 1, nil); err != nil {
		w.t.Fatal(err)
	}
	v, err := reviewed(w.t.(*testing.T), w.open("old").Project, "old")
	if err == nil {
		for i := range v.Diff.Cases {
			err = errors.Join(err, v.Decide([]string{v.Diff.Cases[i].ID}, "", decision.Accept, "as the labels are now"))
		}
		err = errors.Join(err, v.Close())
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func writes(t *testing.T, p *engine.Project, _ disk.FS) error { return writesOf(t, p, "new") }

func writesOf(t *testing.T, p *engine.Project, system string) error {
	v, err := reviewed(t, p, system)
	if err != nil {
		return err
	}
	defer v.Close()
	_, err = v.Write(t.Context())
	return err
}

// prunes retires one case, merges another into the one that stays, and mends
// what that one says of itself.
func prunes(t *testing.T, p *engine.Project, _ disk.FS) error {
	v, err := p.Prune(t.Context(), "", engine.PruneOptions{Names: []string{"a", "b", "c"}})
	if err != nil {
		return err
	}
	defer v.Close()
	if len(v.Decided()) < 3 {
		err = errors.Join(v.Decide("c", pruning.Retire, "nobody asks any more"), v.Decide("b", pruning.Merge, "a since they ask the same"), v.Decide("a", pruning.Mend, "incident INC-9, a reminder went out twice"))
	}
	if err == nil {
		_, _, err = v.Write()
	}
	return err
}

func writesPair(t *testing.T, p *engine.Project, fsys disk.FS) error {
	pair, err := engine.Files(t.Context(), filepath.Join(p.Dir, "outputs/old.jsonl"), filepath.Join(p.Dir, "outputs/new.jsonl"))
	if err != nil {
		return err
	}
	v, err := pair.Review(t.Context(), filepath.Join(p.Dir, "reviewed"), filepath.Join(p.Dir, ".docket", "state"))
	if err != nil {
		return err
	}
	defer v.Close()
	v.Through(fsys)
	if err := v.Decide([]string{"a"}, "", decision.Accept, "as the policy says"); err != nil && !errors.Is(err, engine.ErrNotDecidable) {
		return err
	}
	_, err = v.Write(t.Context())
	return err
}

// committed is what a folder holds of what is committed: the text of every file
// but decisions, which come back as a list without their times.
func committed(t *testing.T, dir string) map[string]string {
	t.Helper()
	var all []string
	decisions := ""
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".docket" {
			return fs.SkipDir
		}
		if d.IsDir() || strings.HasSuffix(path, disk.TempSuffix) || strings.HasSuffix(path, disk.LockSuffix) || filepath.Base(filepath.Dir(path)) == "decisions" {
			return nil
		}
		data, err := os.ReadFile(path)
		text := string(data)
		all = append(all, strings.TrimPrefix(path, dir)+"\n"+text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{dir, filepath.Join(dir, "reviewed")} {
		for _, name := range []string{"s", "old"} {
			history, err := decision.Read(disk.OS{}, at, name)
			if err != nil {
				t.Fatalf("decisions do not load: %v", err)
			}
			for _, past := range history.All {
				decisions += fmt.Sprintf("%s %s %s\n", past.Mode, past.Verdict, past.Case)
			}
		}
	}
	return map[string]string{"files": strings.Join(all, "\n"), "decisions": decisions}
}

// loads fails unless the project, its cases and its baselines load.
func loads(t *testing.T, dir string) *engine.Project {
	t.Helper()
	p, err := engine.Load(filepath.Join(dir, ".docket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Settle(); err != nil {
		t.Fatalf("what was cut short is not completed: %v", err)
	}
	if _, problems, err := p.Config.Open("s"); err != nil || len(problems) > 0 {
		t.Fatalf("cases do not load: %v, %v", problems, err)
	}
	if _, err := baseline.Open(disk.OS{}, dir, "s", "live"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the baseline does not load: %v", err)
	}
	return p
}

// statusOf are lines of outputs that give every id one status.
func statusOf(status string, ids ...string) []byte {
	var lines []byte
	for _, id := range ids {
		lines = fmt.Appendf(lines, "{\"id\":%q,\"text\":\"{\\\"status\\\": \\\"%s\\\"}\"}\n", id, status)
	}
	return lines
}
