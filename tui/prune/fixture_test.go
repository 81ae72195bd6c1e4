package prune_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/provenance"
	"docket/engine/pruning"
	"docket/engine/results"
	"docket/engine/suggestion"
	"docket/engine/suite"
	"docket/tui"
	"docket/tui/prune"
	"docket/tui/tuitest"

	_ "docket/tui/startup"
)

// desk is a suite of a library's desk in a folder of its own, with cases that
// somebody would delete. It stands for an engine's prune: what git and the
// store would say is told by hand.
type desk struct {
	*pruning.Pruning
	dir     string
	catches map[string][]provenance.Catch
}

// desks writes the files of the suite.
func desks(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	lines := map[string][]byte{}
	add := func(id, why, input, expect, more string) {
		write("cases/desk/"+suite.FileName(id)+".yaml", fmt.Sprintf("id: %q\nadded: 2025-04-02\nprovenance: %s\n\ninput: {%s}\nexpect:\n%s%s", id, why, input, expect, more))
		line := baseline.Line{ID: id, Version: 1, Input: "sha256:i", Samples: 5}
		lines[id] = baseline.AppendLine(nil, &line)
	}
	write(".docket.yaml", "version: 1\nsuites: {desk: {cases: cases/desk, system: s}}\nsystems: {s: {kind: canned}}\nlinks: {'INC-(\\d+)': 'https://incidents.example/$1'}\n")
	write("cases/desk/fixtures/letter.txt", "Dear desk,\nwhat of my deposit?\n")
	hours := "  must_contain_fact:\n    - key: opening_hours\n      value: \"17:30\"   # as on the door\n"
	for n := 1; n <= 6; n++ {
		add(fmt.Sprintf("hours-%04d", n), fmt.Sprintf("ticket LIB-%d — a reader stood before a closed door", 200+n), fmt.Sprintf("question: \"When does branch %d open on day %d of the month, and who is there?\"", n, n*3), hours, "tags: [hours, en]\n")
	}
	add("hours-0101", "ticket LIB-301 — brought in twice", "question: \"When does branch 1 open on day 3 of the month, and who is there?\"", hours, "tags: [hours, en]\n")
	add("letters-0219", "incident INC-219 — the refund window was dropped, a reader was told 14 days", "letter_file: fixtures/letter.txt", "  must_contain_fact:\n    - key: refund_window\n      value: 30 days\n", "tags: [letters, en]\n")
	add("letters-0400", "ticket LIB-400 — a deposit", "question: \"What of my deposit?\"", "  must_contain_fact:\n    - key: deposit\n      value: 12 euros\n  max_words: 60\n", "tags: [letters, en]\n")
	add("schools-0007", "ticket LIB-403 — a class was sent away", "question: \"How many books may a class borrow?\"", hours+"  max_words: 80\n", "tags: [letters, en]\nweight: 3\n")
	add("返金-0007 [ja] a/b:c", "test", "question: \"返金は？\"", hours, "tags: [hours]\n")
	header := baseline.Header{Format: 1, Suite: "desk", Mode: "live", Captured: "2026-08-11"}
	if _, err := baseline.Create(disk.OS{}, dir, &header, lines); err != nil {
		t.Fatal(err)
	}
	return dir
}

// openDesk opens the proposals on a desk; with no names, those that docket
// would make.
func openDesk(dir string, names ...string) (*desk, error) {
	config, err := suite.LoadConfig(filepath.Join(dir, suite.ConfigFile))
	if err != nil {
		return nil, err
	}
	s, problems, err := config.Open("desk")
	if err = errors.Join(err, problems.Err()); err != nil {
		return nil, err
	}
	history, err := decision.Read(disk.OS{}, dir, "desk")
	if err != nil {
		return nil, err
	}
	day := func(month time.Month, n int) time.Time { return time.Date(2026, month, n, 9, 30, 0, 0, time.UTC) }
	tallies := map[string]results.Tally{}
	var subjects []suggestion.Subject
	for _, c := range s.Cases {
		tally := results.Tally{Case: c.ID, Judged: 24, First: day(5, 2), Last: day(8, 11)}
		if c.ID == "schools-0007" {
			tally.Failed, tally.LastFailed = 2, day(7, 14)
		}
		tallies[c.ID] = tally
		subjects = append(subjects, suggestion.Subject{Case: c, Judged: tally.Judged, Failed: tally.Failed, First: tally.First, Last: tally.Last})
	}
	d := &desk{dir: dir, catches: map[string][]provenance.Catch{"schools-0007": {{
		First: day(7, 13), Last: day(7, 14), Runs: []string{"20260713T093000Z-7f3a", "20260714T093000Z-80b1"}, System: "candidate", Mode: "live",
		Checks: []string{"opening_hours"}, Decisions: []decision.Past{{Decision: decision.Decision{At: day(7, 15), By: "Ada", Verdict: decision.Reject, Reason: "schools would come on the wrong day"}}},
	}}}}
	c := pruning.Config{FS: disk.OS{}, Root: dir, By: "Ada", Suite: s, Rules: config.Links, History: history, Tallies: tallies}
	found := suggestion.Find(subjects, suggestion.Options{Heavy: true})
	if len(names) == 0 {
		for _, f := range found.Suggestions {
			c.Proposals = append(c.Proposals, pruning.Proposal{ID: f.ID, Findings: f.Findings})
		}
		c.Proposals = append(c.Proposals, pruning.Proposal{ID: "schools-0007", Asked: "named"})
	} else if c.Proposals, err = pruning.Named(s, names, found); err != nil {
		return nil, err
	}
	d.Pruning, err = pruning.Open(c)
	return d, err
}

// screen opens the screen on a new desk.
func screen(t testing.TB) tui.Opener {
	t.Helper()
	d, err := openDesk(desks(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return tuitest.Ready(d.screen())
}

func (d *desk) screen() *prune.Screen {
	session := prune.NewSession(d.Pruning, func(decision.Done) string { return "git add cases/desk baselines/desk" })
	return prune.New(prune.Options{
		Suite: "desk", Cases: len(d.Suite.Cases), Proposals: d.Proposals, Found: suggestion.Found{Heavy: 2}, Evidence: d, Session: session,
		Check: d.Check, Command: "docket prune --suite desk", Notice: strings.Join(d.Notes(), "; "),
	})
}

func (d *desk) Case(id string) *suite.Case     { return d.Suite.Case(id) }
func (d *desk) Past(id string) []decision.Past { return d.History.Of(id) }
func (d *desk) Tally(id string) results.Tally  { return d.Tallies[id] }

func (d *desk) CaseFile(id string) (string, bool) {
	return filepath.Join(d.dir, filepath.FromSlash(d.Suite.Case(id).Path)), true
}

func (d *desk) CaseText(id string) (path, text string, err error) {
	c := d.Suite.Case(id)
	data, err := os.ReadFile(filepath.Join(d.dir, filepath.FromSlash(c.Path)))
	return c.Path, string(data), err
}

func (d *desk) Why(_ context.Context, id string) (*provenance.Story, error) {
	story := &provenance.Story{Suite: "desk", ID: id, Results: 24, Caught: d.catches[id], Decisions: d.History.Of(id)}
	story.Of(d.Suite.Case(id))
	story.Past = provenance.Past{State: provenance.Committed, Events: []provenance.Event{
		{Commit: "6b1f0c2d9e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c", Author: "Grace", Date: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC), Subject: "desk: the hours are those on the door", Did: provenance.Changed, Path: story.File},
		{Commit: "0c9d8e7f6a5b4c6b1f0c2d9e8a7b6c5d4e3f2a1b", Author: "Ada", Date: time.Date(2025, 4, 2, 0, 0, 0, 0, time.UTC), Subject: "desk: what readers asked in spring", Did: provenance.Added, Path: story.File},
	}}
	return story, nil
}
