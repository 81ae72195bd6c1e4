package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/git/gittest"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/suite"
)

// sound are surroundings in which there is nothing to mend.
func sound(t *testing.T) *Surroundings {
	t.Helper()
	repo := gittest.New(t)
	environment := map[string]string{"TERM": "xterm", "EDITOR": "git --no-pager"}
	store := filepath.Join(repo.Dir, "results.db")
	return &Surroundings{
		Version:  "v1",
		Dir:      repo.Dir,
		Getenv:   func(name string) string { return environment[name] },
		Terminal: Terminal{Columns: 120, Rows: 40, Colours: true, LeastColumns: 60, LeastRows: 16},
		Settings: Settings{File: "settings.yaml", Variable: "DOCKET_THEME"},
		Project: Project{
			Config: &suite.Config{File: ".docket.yaml", Suites: []suite.SuiteConfig{{Name: "mails"}}},
			Opens:  func(string) error { return nil },
			Store:  store,
			Open:   func(ctx context.Context) (*results.Store, error) { return results.Open(ctx, store) },
		},
		State: "/state/docket",
	}
}

func TestSoundSurroundingsNeedNothing(t *testing.T) {
	for _, f := range Examine(t.Context(), sound(t)) {
		if f.Mend != "" {
			t.Errorf("%s: %s: %s", f.Name, f.Text, f.Mend)
		}
	}
}

// TestWhatIsToBeMended spoils one thing at a time: that is found, with what to
// do, and nothing else is.
func TestWhatIsToBeMended(t *testing.T) {
	environ := func(s *Surroundings, name, value string) {
		before := s.Getenv
		s.Getenv = func(asked string) string {
			if asked == name {
				return value
			}
			return before(asked)
		}
	}
	for _, c := range []struct {
		name, text, mend string
		spoil            func(t *testing.T, s *Surroundings)
	}{
		{"terminal", "xterm, 40×40, colours, UTF-8", "under 60×16", func(_ *testing.T, s *Surroundings) { s.Terminal.Columns = 40 }},
		{"terminal", "dumb, ", "set TERM", func(_ *testing.T, s *Surroundings) { environ(s, "TERM", "dumb") }},
		{"terminal", "xterm, ", "its size cannot be read", func(_ *testing.T, s *Surroundings) { s.Terminal.Unsized = errors.New("no") }},
		{"settings", "they cannot be used: first", "mend settings.yaml", func(_ *testing.T, s *Surroundings) {
			s.Settings.Found, s.Settings.Wrong = true, errors.New("first\nsecond")
		}},
		{"settings", "they cannot be used", "set DOCKET_THEME to another", func(_ *testing.T, s *Surroundings) { s.Settings.Wrong = errors.New("no theme") }},
		{"editor", "VISUAL is nonesuch-editor -w", "set VISUAL to a program", func(_ *testing.T, s *Surroundings) { environ(s, "VISUAL", "nonesuch-editor -w") }},
		{"editor", "none is set", "EDITOR=nano", func(_ *testing.T, s *Surroundings) { environ(s, "EDITOR", "") }},
		{"git", "this folder is in no repository", "git init", func(t *testing.T, s *Surroundings) { s.Dir = t.TempDir() }},
		{"configuration", ".docket.yaml:1:1: wrong", "docket lint", func(_ *testing.T, s *Surroundings) {
			s.Project = Project{Unread: errors.New(".docket.yaml:1:1: wrong\nmore")}
		}},
		{"configuration", ".docket.yaml: 1 suite, 0 systems, 0 judges", "docket lint mails", func(_ *testing.T, s *Surroundings) {
			s.Project.Opens = func(string) error { return errors.New("wrong") }
		}},
		{"store", "results.db, ", "docket run --resume", func(t *testing.T, s *Surroundings) {
			store, err := s.Project.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			if _, err := store.Begin(t.Context(), &run.Run{ID: "r1", Config: baseline.Header{Suite: "mails", Mode: "mock", System: "app"}, Started: time.Now().Add(-2 * longest)}); err != nil {
				t.Fatal(err)
			}
		}},
		{"state folder", "none", "set HOME", func(_ *testing.T, s *Surroundings) { s.NoState = errors.New("set HOME") }},
	} {
		s := sound(t)
		c.spoil(t, s)
		found := false
		for _, f := range Examine(t.Context(), s) {
			switch {
			case f.Name == c.name:
				found = true
				if !strings.Contains(f.Text, c.text) || !strings.Contains(f.Mend, c.mend) || f.Mend == "" {
					t.Errorf("%s: %q, %q; want %q, %q", f.Name, f.Text, f.Mend, c.text, c.mend)
				}
			case f.Mend != "":
				t.Errorf("beside %s, %s is to be mended: %s", c.name, f.Name, f.Mend)
			}
		}
		if !found {
			t.Errorf("nothing is said of %s", c.name)
		}
	}
}

func TestKeysAreNamedAndNotShown(t *testing.T) {
	s := sound(t)
	s.Getenv = func(name string) string {
		if name == "OPENAI_API_KEY" {
			return "sk-canary"
		}
		return ""
	}
	found, mend := lookAtKeys(t.Context(), s)
	if found != "OPENAI_API_KEY is set, ANTHROPIC_API_KEY is not" || mend != "" {
		t.Errorf("%q, %q", found, mend)
	}
}
