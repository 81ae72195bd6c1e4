package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/pruning"
)

// A writing is one thing that docket does to the files of a repository, as its
// command does it. It is done whole or not at all, once the next command has
// completed what was cut short.
type writing struct {
	name    string
	prepare func(w *workspace)
	act     func(t *testing.T, p *engine.Project, fsys disk.FS) error
}

func writings() []writing {
	return []writing{
		{"calibrate", func(*workspace) {}, calibrates},
		{"calibrate, a line more", func(w *workspace) {
			w.calibrate("old")
			w.write(caseFile(3), caseYAML(w.t, testCase{ID: "d", Input: map[string]any{"n": 3}}))
		}, calibrates},
		{"write", decided, writes},
		{"write what was judged again", rescored, func(t *testing.T, p *engine.Project, _ disk.FS) error { return writesOf(t, p, "old") }},
		{"add", func(w *workspace) { w.write("in.json", []byte(`{"n": 4}`)) }, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			s, err := p.Open("", "new", "")
			if err == nil {
				_, err = s.Add(t.Context(), engine.AddOptions{ID: "added", Provenance: "incident INC-7, a mail was lost", Input: filepath.Join(p.Dir, "in.json"), Now: time.Unix(1e9, 0)})
			}
			return err
		}},
		{"retire, merge and mend", func(w *workspace) { w.calibrate("old") }, prunes},
		{"restore", func(w *workspace) {
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
		}},
		{"write what two files come to", func(w *workspace) {
			// The old file becomes a baseline first, which is a step of its own.
			pair, err := engine.Files(w.t.Context(), filepath.Join(w.dir, "outputs/old.jsonl"), filepath.Join(w.dir, "outputs/new.jsonl"))
			if err == nil {
				err = pair.Begin(disk.OS{}, filepath.Join(w.dir, "reviewed"))
			}
			if err != nil {
				w.t.Fatal(err)
			}
		}, writesPair},
	}
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
func committed(t *testing.T, dir string) (files, decisions string) {
	t.Helper()
	var all []string
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
	return strings.Join(all, "\n"), decisions
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

// changing are the calls that a folder on a disk for reading refuses.
func changing(op string) bool {
	return slices.Contains([]string{"Mkdir", "Link", "Rename", "Remove", "File.Write", "File.Truncate", "Lock"}, op)
}

// TestWhatIsWrittenIsOldOrNew lets each thing that docket writes fail at each of
// its system calls: a process that dies, a loss of power that takes entries or
// contents that were not on disk, a full disk, an error of the device, a folder
// that became one for reading. What is committed is then as before or as it was
// to be, every file loads, no decision is there by half, and the same command
// again ends as if nothing had been.
func TestWhatIsWrittenIsOldOrNew(t *testing.T) {
	faults := []struct {
		name string
		loss disktest.Loss
		plan func(n int) func(disktest.Call) disktest.Fault
	}{
		{"killed", -1, func(n int) func(disktest.Call) disktest.Fault { return disktest.At(n, disktest.Fault{Crash: true}) }},
		{"power lost with entries", disktest.LosesEntries, func(n int) func(disktest.Call) disktest.Fault { return disktest.At(n, disktest.Fault{Crash: true}) }},
		{"power lost with contents", disktest.LosesContent, func(n int) func(disktest.Call) disktest.Fault { return disktest.At(n, disktest.Fault{Crash: true}) }},
		{"full", -1, func(n int) func(disktest.Call) disktest.Fault {
			return disktest.At(n, disktest.Fault{Err: syscall.ENOSPC})
		}},
		{"device error", -1, func(n int) func(disktest.Call) disktest.Fault {
			return disktest.At(n, disktest.Fault{Err: syscall.EIO, After: true})
		}},
		{"read-only", -1, func(n int) func(disktest.Call) disktest.Fault {
			return func(c disktest.Call) disktest.Fault {
				if c.N >= n && changing(c.Op) {
					return disktest.Fault{Err: syscall.EROFS}
				}
				return disktest.Fault{}
			}
		}},
	}
	for _, wr := range writings() {
		t.Run(wr.name, func(t *testing.T) {
			t.Parallel()
			template := newWorkspace(t, []testCase{
				{ID: "a", Input: map[string]any{"n": 0}}, {ID: "b", Input: map[string]any{"n": 1}}, {ID: "c", Input: map[string]any{"n": 2}},
			}, "labels: [paid, overdue]", map[string][]byte{"old": statusOf("overdue", "a", "b", "c", "d"), "new": statusOf("paid", "a", "b", "c", "d")})
			wr.prepare(template)
			fresh := func() (string, *engine.Project) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(template.dir)); err != nil {
					t.Fatal(err)
				}
				p, err := engine.Load(filepath.Join(dir, ".docket.yaml"))
				if err != nil {
					t.Fatal(err)
				}
				return dir, p
			}
			oldFiles, oldDecisions := committed(t, template.dir)
			dir, p := fresh()
			count := &disktest.Faults{FS: disk.OS{}}
			p.Through(count)
			if err := wr.act(t, p, count); err != nil {
				t.Fatal(err)
			}
			newFiles, newDecisions := committed(t, dir)
			if newFiles == oldFiles {
				t.Fatal("it writes nothing")
			}
			calls, sides := count.Calls(), map[string]int{}
			for n := 1; n <= len(calls); n++ {
				if !changing(calls[n-1].Op) && !strings.Contains(calls[n-1].Op, "Sync") {
					continue // what only looks cannot leave anything behind
				}
				for i, fault := range faults {
					if len(calls) > 100 && i > 0 && i != 1+n%(len(faults)-1) {
						continue // a death at every call; the others take turns
					}
					when := fmt.Sprintf("%s at call %d, %s", fault.name, n, calls[n-1].Op)
					dir, p := fresh()
					mirror, err := disktest.NewMirror(dir)
					if err != nil {
						t.Fatal(err)
					}
					faulty := &disktest.Faults{FS: mirror, Plan: fault.plan(n)}
					p.Through(faulty)
					acted := wr.act(t, p, faulty)
					if fault.loss >= 0 {
						if err := mirror.PowerLoss(fault.loss); err != nil {
							t.Fatal(err)
						}
					}
					again := loads(t, dir)
					files, decisions := committed(t, dir)
					switch {
					case files != oldFiles && files != newFiles:
						t.Fatalf("%s: a third state:\n%s", when, files)
					case decisions != oldDecisions && decisions != newDecisions:
						t.Fatalf("%s: some decisions only: %q", when, decisions)
					case files == newFiles && decisions != newDecisions:
						t.Fatalf("%s: an effect without its decision", when)
					case acted == nil && files != newFiles:
						t.Fatalf("%s: reported as written, and it is not", when)
					}
					sides[fmt.Sprint(files == newFiles, decisions == newDecisions)]++
					err = wr.act(t, again, disk.OS{})
					if files, decisions := committed(t, dir); files != newFiles || decisions != newDecisions {
						t.Fatalf("%s: the same again: %v\n%s%s", when, err, files, decisions)
					}
				}
			}
			t.Logf("%d calls; found afterwards (files as they were to be, decisions): %v", len(calls), sides)
		})
	}
}

// statusOf are lines of outputs that give every id one status.
func statusOf(status string, ids ...string) []byte {
	var lines []byte
	for _, id := range ids {
		lines = fmt.Appendf(lines, "{\"id\":%q,\"text\":\"{\\\"status\\\": \\\"%s\\\"}\"}\n", id, status)
	}
	return lines
}
