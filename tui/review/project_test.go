package review_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine"
	"docket/tui"
	"docket/tui/review"
	"docket/tui/tuitest"
)

const configuration = `version: 1
suites:
  desk:
    cases: cases
    system: candidate
    labels: [open, closed]
    expires: never
systems:
  prod: {kind: outputs, file: outputs/prod.jsonl, model: m}
  candidate: {kind: outputs, file: outputs/candidate.jsonl, model: m}
`

// project writes a suite of five questions below a new folder, with a baseline
// of the old answers: the new ones change the label of three, lose the fact of
// one and leave one as it was. A sixth case is in the baseline alone.
func project(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file(".docket.yaml", configuration)
	var before, after strings.Builder
	for i, text := range []string{"Ely is closed today.", "Bath is closed today.", "Cork is closed today.", "Deal is shut.", "Diss is open until 17:30."} {
		id := fmt.Sprintf("q-%d", i+1)
		file("cases/"+id+".yaml", "id: "+id+"\nadded: 2026-01-0"+fmt.Sprint(i+1)+"\nprovenance: incident INC-"+fmt.Sprint(i)+"\ninput: {question: \"When?\"}\nexpect:\n  must_contain_fact:\n    - {key: hours, any: [\"17:30\", closed]}\n")
		fmt.Fprintf(&before, `{"id":"%s","text":"It is open until 17:30 in branch %d."}`+"\n", id, i)
		fmt.Fprintf(&after, `{"id":"%s","text":%q}`+"\n", id, text)
	}
	file("cases/old.yaml", "id: q-0\nadded: 2025-01-01\nprovenance: asked once\ninput: {question: \"Where?\"}\n")
	fmt.Fprintln(&before, `{"id":"q-0","text":"It is open over there."}`)
	file("outputs/prod.jsonl", before.String())
	file("outputs/candidate.jsonl", after.String())
	calibrate(t, dir)
	if err := os.Remove(filepath.Join(dir, "cases", "old.yaml")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func calibrate(t testing.TB, dir string) {
	t.Helper()
	s := suiteOf(t, dir, "prod")
	if _, err := s.Calibrate(context.Background(), engine.RunOptions{}); err != nil {
		t.Fatal(err)
	}
}

func suiteOf(t testing.TB, dir, system string) *engine.Suite {
	t.Helper()
	p, err := engine.Load(filepath.Join(dir, ".docket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Open("desk", system, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// open makes the review of the project, as docket review does.
func open(t testing.TB, dir string) *engine.Review {
	t.Helper()
	v, err := tryOpen(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func tryOpen(dir string) (*engine.Review, error) {
	p, err := engine.Load(filepath.Join(dir, ".docket.yaml"))
	if err != nil {
		return nil, err
	}
	s, err := p.Open("desk", "", "")
	if err != nil {
		return nil, err
	}
	base, err := s.Baseline()
	if err != nil {
		return nil, err
	}
	r, _, err := s.Latest(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	d, err := s.Compare(context.Background(), r, base)
	if err != nil {
		return nil, err
	}
	return s.Review(context.Background(), d, r, base)
}

// ready opens the screen over a review.
func ready(v *engine.Review) tui.Opener {
	screen, _ := review.Open(v, "docket review desk", false)
	return tuitest.Ready(screen)
}

func baselineOf(t testing.TB, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "baselines", "desk", "live.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
