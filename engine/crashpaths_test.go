package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/adoption"
	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/interchange"
	"docket/engine/migration/session"
	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/results"
	"docket/engine/results/resultstest"
	"docket/engine/run"
	"docket/engine/source"
	"docket/engine/starter"
	"docket/engine/suite"
)

// times are those of decisions, which differ each time.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)

// filesBelow holds every file that is not docket's own to leave behind, each a
// part, since each is written for itself.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "migrate" || d.Name() == "recordings"):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(path, disk.TempSuffix) || strings.HasSuffix(path, disk.LockSuffix):
			return nil
		}
		data, err := os.ReadFile(path)
		files[filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))] = times.ReplaceAllString(string(data), "TIME")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// casesLoad fails where a file of cases, or a configuration, is there and is no
// such thing.
func casesLoad(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := filesBelow(t, dir)
	for name, text := range files {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		if _, problems := source.Parse(name, []byte(text)); len(problems) > 0 {
			t.Fatal(problems)
		}
		if name == suite.ConfigFile {
			if _, err := engine.Load(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

func folderWith(files map[string]string) func(t *testing.T) string {
	return copied(func(t *testing.T) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	})
}

const oldTest = `
def test_refund_names_the_window():
    answer = ask("When do I get my money back?")
    assert "30 days" in answer


def test_status_of_a_late_parcel():
    answer = ask("Where is my parcel?")
    assert "tomorrow" in answer
    assert len(answer.split()) < 60
`

// adopted are the paths on which a suite is made, or gets cases by the dozen:
// several files, each for itself, which the same again completes.
func adopted() []disktest.Path {
	results := map[string]string{"log.jsonl": `{"id":"r-1","text":"a","input":{"q":"When?"}}` + "\n" + `{"id":"r-2","text":"b","input":{"q":"Where?"}}` + "\n"}
	configured := map[string]string{
		"tests/test_desk.py": oldTest, ".docket.yaml": "version: 1\nsuites:\n  desk: {cases: cases/desk, system: app}\nsystems:\n  app: {kind: canned}\n",
		"cases/desk/first.yaml": "id: first\nprovenance: incident INC-1\ninput: {q: Who}\n",
	}
	logged := func(_, want, got map[string]string) string {
		for name := range want {
			if _, there := got[name]; !there && got["cases/desk/migration.jsonl"] == want["cases/desk/migration.jsonl"] {
				return "the log is there, and " + name + " is not"
			}
		}
		return ""
	}
	return []disktest.Path{
		{
			Name: "init", Fresh: folderWith(map[string]string{".gitignore": "node_modules"}), State: casesLoad,
			Act: func(_ *testing.T, dir string, fsys disk.FS) error {
				_, err := starter.Write(fsys, dir, time.Unix(1e9, 0))
				return err
			},
		},
		{
			Name: "import --cases", Fresh: folderWith(results), State: casesLoad,
			Act: func(t *testing.T, dir string, fsys disk.FS) error {
				i, err := engine.ImportCases(t.Context(), filepath.Join(dir, "log.jsonl"), filepath.Join(dir, "cases", "new"), interchange.Options{}, adoption.Options{Added: "2026-01-01"})
				if err != nil {
					return err
				}
				i.Through(fsys)
				return i.Write()
			},
		},
		{Name: "migrate, a first configuration too", Fresh: folderWith(map[string]string{"tests/test_desk.py": oldTest}), State: casesLoad, Rule: logged, Act: migrates()},
		{Name: "migrate into a suite", Fresh: folderWith(configured), State: casesLoad, Rule: logged, Act: migrates()},
		{
			Name: "keep what found no recording", State: filesBelow,
			Fresh: folderWith(map[string]string{".docket.yaml": configured[".docket.yaml"], "cases/desk/first.yaml": configured["cases/desk/first.yaml"], ".docket/misses/desk.jsonl": "those of the run before\n"}),
			Act:   keepsMisses,
		},
	}
}

// migrates writes what a plan comes to that a person confirmed. The plan is of
// the tests as they were before anything was migrated.
func migrates() func(t *testing.T, dir string, fsys disk.FS) error {
	var plan []byte
	return func(t *testing.T, dir string, fsys disk.FS) error {
		if plan == nil {
			m, err := session.Open(t.Context(), session.Options{Dir: t.TempDir(), Here: dir, Suite: "desk"}, []string{"tests/test_desk.py"})
			if err != nil {
				return err
			}
			plan = m.Plan("desk")
		}
		o := session.Options{Dir: dir, Here: dir, Suite: "desk", FS: fsys}
		if file := filepath.Join(dir, suite.ConfigFile); exists(file) {
			var err error
			if o.Config, err = suite.LoadConfig(file); err != nil {
				return err
			}
		}
		_, _, err := session.Apply(t.Context(), o, "plan.json", plan, true)
		return err
	}
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

func keepsMisses(t *testing.T, dir string, fsys disk.FS) error {
	root, err := os.OpenRoot(filepath.Join(dir, "cases/desk"))
	if err != nil {
		return err
	}
	defer root.Close()
	options := recording.Options{Shown: "cases/desk"}
	tape := recording.Open(root, options)
	key, get := recording.Key{Service: "search", CaseID: "first", Sample: 1}, provider.Request{Method: "GET", Path: "/find", Query: "q=a"}
	saved := provider.Exchange{Request: get, Response: provider.Response{Status: 200, Body: []byte(`{"found":1}`)}, Recorded: time.Unix(1e9, 0).UTC()}
	if err := errors.Join(tape.Save(t.Context(), key, saved), tape.Close()); err != nil {
		return err
	}
	get.Query, tape = "q=b", recording.Open(root, options)
	_, err = tape.Find(t.Context(), key, get)
	if !errors.Is(err, provider.ErrMissed) {
		return fmt.Errorf("what was not recorded is found: %w", err)
	}
	return recording.Misses{FS: fsys, Dir: dir, Suite: "desk"}.Keep(tape)
}

// merged are the paths on which git's conflicts are settled.
func merged() []disktest.Path {
	const decisions = "evals/baselines/mail/decisions/20260811T102203Z-7f3a-1.jsonl"
	load := func(dir string, fsys disk.FS) (*engine.Project, error) {
		p, err := engine.Load(filepath.Join(dir, "evals", ".docket.yaml"))
		if err == nil {
			p.Through(fsys)
		}
		return p, err
	}
	return []disktest.Path{
		{
			Name: "merge", State: filesBelow,
			Fresh: copied(func(t *testing.T) string {
				r := newRepo(t, "evals", "", content(liveHeader, "a=x", "b=x", "c=x"))
				r.branches(content(liveHeader, "a=y", "b=x", "c=x"), content(liveHeader, "a=x", "b=z", "c=x"))
				if _, err := r.try("merge", "topic"); err == nil {
					t.Fatal("git has no conflict")
				}
				return r.root
			}),
			Act: func(_ *testing.T, dir string, fsys disk.FS) error {
				p, err := load(dir, fsys)
				if err == nil {
					_, err = p.Merge(context.Background(), engine.MergeOptions{})
				}
				return err
			},
		},
		{
			Name: "merge, files of decisions", State: filesBelow,
			Fresh: copied(func(t *testing.T) string {
				r := newRepo(t, "evals", "", content(liveHeader, "a=x"))
				name := strings.TrimPrefix(decisions, "evals/")
				r.bothWrite(name)
				return r.root
			}),
			Rule: func(_, want, got map[string]string) string {
				if got[decisions] == want[decisions] && len(got) < len(want) {
					return "their decisions are lost"
				}
				return ""
			},
			Act: func(_ *testing.T, dir string, fsys disk.FS) error {
				p, err := load(dir, fsys)
				if err == nil {
					_, err = p.MergeDecisions(context.Background(), "")
				}
				return err
			},
		},
	}
}

// stored are the paths that end in the results store. A run is kept whole, or as
// far as it had come; what is reported as kept is there whatever happens.
func stored() []disktest.Path {
	ran := func(w *workspace) { w.calibrate("old") }
	paths := []disktest.Path{
		written("run", ran, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			s, err := p.Open("", "new", "")
			if err == nil {
				_, err = s.Run(t.Context(), engine.RunOptions{})
			}
			return err
		}),
		// What SQLite does when the last one closes the store is not done then.
		written("run, while another looks", ran, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			looks, err := p.Store(t.Context())
			if err != nil {
				return err
			}
			defer looks.Close()
			s, err := p.Open("", "new", "")
			if err == nil {
				_, err = s.Run(t.Context(), engine.RunOptions{})
			}
			return err
		}),
		written("run, the first", func(*workspace) {}, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			s, err := p.Open("", "new", "")
			if err == nil {
				_, err = s.Run(t.Context(), engine.RunOptions{})
			}
			return err
		}),
		written("import", ran, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			i, err := p.Import(t.Context(), filepath.Join(p.Dir, "outputs/new.jsonl"), engine.ImportOptions{System: "new"})
			if err == nil {
				_, err = i.Store(t.Context(), nil)
			}
			return err
		}),
		written("run --resume", func(w *workspace) {
			ran(w)
			if _, err := w.open("new").Run(w.t.Context(), engine.RunOptions{Cases: []string{"a"}}); err != nil {
				w.t.Fatal(err)
			}
		}, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			s, err := p.Open("", "new", "")
			if err == nil {
				_, err = s.Resume(t.Context(), engine.RunOptions{}, engine.Unreached)
			}
			return err
		}),
		written("rescore", func(w *workspace) {
			ran(w)
			file := filepath.Join(w.dir, ".docket.yaml")
			config, err := os.ReadFile(file)
			if err != nil {
				w.t.Fatal(err)
			}
			w.write(".docket.yaml", []byte(strings.Replace(string(config), "labels: [paid, overdue]", "labels: [paid]", 1)))
		}, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			s, err := p.Open("", "old", "")
			if err == nil {
				_, err = s.Rescore(t.Context(), "overdue is no label any more", 1, nil)
			}
			return err
		}),
		written("results prune", func(w *workspace) {
			for range 2 {
				if _, err := w.open("new").Run(w.t.Context(), engine.RunOptions{}); err != nil {
					w.t.Fatal(err)
				}
			}
		}, func(t *testing.T, p *engine.Project, _ disk.FS) error {
			_, err := p.PruneOutputs(t.Context(), results.Retention{Before: time.Now().Add(time.Hour)}, true, false)
			return err
		}),
	}
	for i := range paths {
		paths[i].State, paths[i].Rule, paths[i].Beside = inStore, nil, resultstest.Beside
		paths[i].Between = func(part, got string) bool { return strings.HasPrefix(got, "so far") }
	}
	return paths
}

// inStore says what the results store holds: of each system, purpose and kind of
// run the one that got furthest.
func inStore(t *testing.T, dir string) map[string]string {
	t.Helper()
	p := loads(t, dir)
	store, err := p.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	runs, err := store.Runs(t.Context(), results.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, r := range runs {
		whole, err := store.Run(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		measured, outputs := 0, 0
		for i := range whole.Results {
			if whole.Results[i].Outcome == run.Measured {
				measured++
			}
			samples, err := store.Samples(t.Context(), r.ID, whole.Results[i].ID)
			if err != nil && !errors.Is(err, results.ErrNone) {
				t.Fatal(err)
			}
			for _, s := range samples {
				if s.Output.Text != "" {
					outputs++
				}
			}
		}
		part, has := fmt.Sprint(r.Config.System, " ", r.Purpose), fmt.Sprintf("%d measured, %d outputs", measured, outputs)
		if r.Finished.IsZero() || measured < len(whole.Results) {
			has = "so far " + has
		}
		if !strings.HasPrefix(has, "so far") || parts[part] == "" {
			parts[part] = has
		}
	}
	if _, err := baseline.Open(disk.OS{}, dir, "s", "live"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return parts
}
