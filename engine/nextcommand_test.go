package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"docket/engine"
)

// TestTheNextCommandMeansTheSame spells the flags that are needed to mean the
// same system and mode, and no others.
func TestTheNextCommandMeansTheSame(t *testing.T) {
	m := newModelled(t)
	m.write("outputs/new.jsonl", []byte("{\"id\":\"b\",\"text\":\"paid\"}\n"))
	m.write(".docket.yaml", append([]byte(m.config()), "  new: {kind: outputs, file: outputs/new.jsonl}\n"...))
	for _, tt := range []struct{ system, mode, want string }{
		{"", "", "docket diff s"},
		{"", "mock", "docket diff s"},
		{"", "live", "docket diff s --mode live"},
		{"", "record", "docket diff s --mode live"},
		{"new", "", "docket diff s --system new"},
		{"new", "live", "docket diff s --system new"},
		{"prod", "replay", "docket diff s --system prod --mode replay"},
	} {
		p, err := engine.Load(filepath.Join(m.dir, ".docket.yaml"))
		must(t, err)
		s, err := p.Open("s", tt.system, tt.mode)
		must(t, err)
		if got := s.Command("diff"); got != tt.want {
			t.Errorf("system %q, mode %q: %s, want %s", tt.system, tt.mode, got, tt.want)
		}
		if _, err := s.Baseline(); tt.mode == "replay" {
			fails(t, err, "make it with `docket calibrate s --system prod --mode replay`")
		}
	}
}

// TestAMergeNamesTheModeThatItMerged in the command that goes on: without it
// another baseline would be reviewed.
func TestAMergeNamesTheModeThatItMerged(t *testing.T) {
	const configuration = "version: 1\nsuites:\n  mail: {cases: cases/mail, system: prod}\nsystems:\n  prod: {kind: openai, model: m, prompt: p.md}\n"
	for mode, want := range map[string]string{
		"mock":   "docket review mail",
		"replay": "docket review mail --mode replay",
		"live":   "docket review mail --mode live",
	} {
		header := strings.Replace(liveHeader, `"mode":"live"`, `"mode":"`+mode+`"`, 1)
		file := "baselines/mail/" + mode + ".jsonl"
		r := newRepo(t, "evals", "", content(liveHeader, "a=x"))
		change := func(what, label string) {
			r.file(file, content(header, "a="+label))
			r.commit(what)
		}
		r.file(".docket.yaml", configuration)
		r.file("p.md", "{{.mail}}")
		change("base", "base")
		r.git("checkout", "-q", "-b", "topic")
		change("theirs", "one")
		r.git("checkout", "-q", "main")
		change("ours", "two")
		if _, err := r.try("merge", "topic"); err == nil {
			t.Fatal("git has no conflict")
		}
		p, err := engine.Load(filepath.Join(r.dir, ".docket.yaml"))
		must(t, err)
		merges, err := p.Merge(t.Context(), engine.MergeOptions{})
		must(t, err)
		if len(merges) != 1 || merges[0].Review != want {
			t.Errorf("%s: %+v, want %q", mode, merges, want)
		}
	}
}
