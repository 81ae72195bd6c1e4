package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/source"
	"docket/engine/suite"
	"github.com/google/go-cmp/cmp"
)

const fullConfig = `version: 1
suites:
  summarise:
    cases: cases/summarise
    fixtures: shared
    system: prod                 # the default system
    judge: tone
    labels: [overdue, paid, 404]
    projections: {label: {path: status}, numbers: {amount: {path: amount, within: 0.01}}, length: {short: 50, medium: 200}}
    samples: 7
    score_tolerance: 0.01
    expires: 30d
    budget: {time: 10m, cost: 5}
  another:
    cases: ./cases/another/
    expires: never
systems:
  prod:
    kind: anthropic
    model: claude-sonnet-4-5-20250929
  candidate: {kind: outputs, file: runs/candidate.jsonl}
judges:
  tone: {kind: openai, model: gpt-4o-2024-08-06, prompt: judges/tone.md}
services:
  search: {url: 'https://search.staging.example', ignore: [request_id], expires: 90d}
links: {'INC-(\d+)': 'https://incidents.example/$1'}
results: .docket/other.db
`

func TestConfig(t *testing.T) {
	dir := files(t, map[string]string{suite.ConfigFile: fullConfig})
	c := load(t, dir)
	if len(c.Suites) != 2 || c.Suites[0].Name != "summarise" || c.Suites[1].Name != "another" {
		t.Fatalf("suites are %v", c.Suites)
	}
	s := c.Suites[0]
	if got := fmt.Sprintln(s.Cases, s.Fixtures, s.System, s.Judge, s.Labels, s.Samples, s.ScoreTolerance, s.Expires, s.Budget.Time, s.Budget.Cost); got !=
		"cases/summarise shared prod tone [overdue paid 404] 7 0.01 30d 10m0s 5\n" {
		t.Errorf("got %s", got)
	}
	if got := s.Projections.Get("label").Get("path").Scalar(); got != "status" {
		t.Errorf("projections are lost: %q", got)
	}
	if got := s.Expires.From(time.Date(2026, 8, 11, 23, 0, 0, 0, time.UTC)); got != "2026-09-10" {
		t.Errorf("expires on %s", got)
	}
	other := c.Suites[1]
	if got := fmt.Sprintln(other.Cases, other.Fixtures, other.System, other.Samples, other.ScoreTolerance, other.Expires, other.Expires.From(time.Now()), other.Budget); got !=
		"cases/another   5 1e-06 never never {0s 0}\n" {
		t.Errorf("got %s", got)
	}
	if len(c.Systems) != 2 || c.Systems[1].Name != "candidate" || c.Systems[1].Value.Get("file").Scalar() != "runs/candidate.jsonl" || c.Systems[1].At.Line != 21 {
		t.Errorf("systems are %v", c.Systems)
	}
	if len(c.Judges) != 1 || len(c.Services) != 1 || c.Results != ".docket/other.db" || c.Version != 1 {
		t.Errorf("got %+v", c)
	}
	if len(c.Links) != 1 || c.Links[0].Pattern.ReplaceAllString("INC-219", c.Links[0].Target) != "https://incidents.example/219" {
		t.Errorf("links are %v", c.Links)
	}
	if s, err := c.Suite(""); err != nil || s.Name != "summarise" {
		t.Errorf("the first suite is %v, %v", s.Name, err)
	}
	if s, err := c.Suite("another"); err != nil || s.Name != "another" {
		t.Errorf("got %v, %v", s.Name, err)
	}
	if _, err := c.Suite("sumarise"); err == nil || !strings.Contains(err.Error(), `there is no suite "sumarise"`) || !strings.Contains(err.Error(), `did you mean "summarise"?`) {
		t.Errorf("got %v", err)
	}
}

func TestConfigProblems(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", ":1:1: the file is empty, or holds nothing but comments"},
		{"list", "[]", ":1:1: expected the configuration, which is a mapping, got a list"},
		{"nothing", "{}", `:1:1: suites is missing; name at least one, such as suites: {support: {cases: cases/support}}
:1:1: version is missing; write version: 1`},
		{"newer", "version: 2\nsweets: {}\n", ":1:10: this file is of version 2, and this docket reads version 1; install a newer docket"},
		{"version", "version: one\nsuites: {s: {cases: c}}\n", `:1:10: version must be a whole number of at least 1, got the text "one"`},
		{"keys", "version: 1\nsuite: {}\nsuites: {s: {case: c}}\n", `:2:1: unknown key "suite" in the configuration; did you mean "suites"?
:3:10: the suite "s" names no folder; write cases: cases/s
:3:14: unknown key "case" in a suite; did you mean "cases"?`},
		{"types", `version: 1
suites:
  s:
    cases: [c]
    fixtures: ../../x
    system: prood
    judge: tone
    labels: [Paid, paid, x, x]
    samples: 0
    score_tolerance: -1
    expires: 3 weeks
    budget: {time: 10, cost: free, money: 1}
  t: c
  U: {cases: /etc}
  u: {cases: c}
  a/b: {cases: c}
  .hidden: {cases: c}
systems: {prod: {}}
links: {'(': 'https://x', y: 'javascript:x'}
results: ../../x.db
`, `:4:12: cases must be text, got a list
:5:15: fixtures: "../../x" must stay inside the repository
:6:13: no system "prood" is declared under systems; did you mean "prod"?
:7:12: no judge "tone" is declared under judges; none is known here
:8:13: the labels "Paid" and "paid" differ only in case, and cannot be told apart in a text
:8:29: "x" stands twice in labels; leave one of them
:9:14: samples must be a whole number of at least 1, got the number 0
:10:22: score_tolerance must be a number of at least 0, got the number -1
:11:14: expires must be a number of days such as 90d, or never, got the text "3 weeks"
:12:20: time must be a duration such as 90s, 10m or 1h30m, got the number 10
:12:30: cost must be a number above 0, got the text "free"
:12:36: unknown key "money" in a budget; expected one of time, cost
:13:6: expected a suite, which is a mapping, got the text "c"
:14:14: cases: "/etc" is an absolute path; docket reads only files of the repository, by relative paths
:15:3: the names "U" and "u" in suites differ only in case, and some file systems take them for the same
:16:3: the name "a/b" in suites must be made of letters and digits, and after the first of "-", "_" and ".", since it becomes part of a path
:17:3: the name ".hidden" in suites must be made of letters and digits, and after the first of "-", "_" and ".", since it becomes part of a path
:19:9: the pattern "(" is not a regular expression: missing closing ): ` + "`(`" + `
:19:30: the address of a link must begin with https:// or http://, got the text "javascript:x"
:20:10: results: "../../x.db" must stay inside the repository`},
	} {
		dir := files(t, map[string]string{suite.ConfigFile: tt.text})
		_, err := suite.LoadConfig(filepath.Join(dir, suite.ConfigFile))
		if got := strings.ReplaceAll(said(dir, nil, err), suite.ConfigFile, ""); got != tt.want {
			t.Errorf("%s: %s", tt.name, cmp.Diff(tt.want, got))
		}
	}
	dir := files(t, map[string]string{"folder/": ""})
	for file, want := range map[string]string{
		"nope":   "nope does not exist; docket init writes a first one",
		"folder": "folder is a folder",
	} {
		_, err := suite.LoadConfig(filepath.Join(dir, file))
		if got := said(dir, nil, err); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFind(t *testing.T) {
	dir := files(t, map[string]string{
		"outer/" + suite.ConfigFile:          small,
		"outer/repo/.git/HEAD":               "",
		"outer/repo/a/" + suite.ConfigFile:   small,
		"outer/repo/a/b/c/":                  "",
		"outer/repo/d/":                      "",
		"outer/worktree/.git":                "gitdir: elsewhere",
		"outer/worktree/" + suite.ConfigFile: small,
		"outer/plain/x/":                     "",
	})
	for from, want := range map[string]string{
		"outer": "outer", "outer/repo/a": "outer/repo/a", "outer/repo/a/b/c": "outer/repo/a",
		"outer/repo/d": "", "outer/repo": "", "outer/worktree": "outer/worktree", "outer/plain/x": "outer",
	} {
		got, err := suite.Find(filepath.Join(dir, filepath.FromSlash(from)))
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "docket init writes one") {
				t.Errorf("from %s: %s, %v", from, got, err)
			}
			continue
		}
		if err != nil || filepath.Dir(got) != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("from %s: %s, %v", from, got, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "outer", "repo", "d", "docket.yaml"), []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := suite.Find(filepath.Join(dir, "outer", "repo", "d")); err == nil || !strings.Contains(err.Error(), "docket.yaml is there: rename it to .docket.yaml") {
		t.Errorf("a name without its dot: %v", err)
	}
	t.Chdir(filepath.Join(dir, "outer", "repo", "a", "b", "c"))
	if got, err := suite.Find("."); err != nil || got != filepath.Join("..", "..", suite.ConfigFile) {
		t.Errorf("from here: %s, %v", got, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, config string
		tree         map[string]string
		want         string
	}{
		{"no folder", small, nil, `.docket.yaml:4:12: the folder "cases/s" does not exist; make it, or correct cases`},
		{"a file", small, map[string]string{"cases/s": "x"}, `.docket.yaml:4:12: "cases/s" is not a folder; correct cases`},
		{"no case", small, map[string]string{"cases/s/fixtures/a.yaml": "x", "cases/s/README.md": "x"}, "there is no case in cases/s: a case is a .yaml file there or in a folder below; docket add writes one"},
		{"no shared folder", small + "    fixtures: shared\n", map[string]string{"cases/s/a.yaml": minimal("a")}, `.docket.yaml:5:15: the folder "shared" does not exist; make it, or correct fixtures`},
	} {
		tree := map[string]string{suite.ConfigFile: tt.config}
		for name, text := range tt.tree {
			tree[name] = text
		}
		dir := files(t, tree)
		_, problems, err := load(t, dir).Open("s")
		if got := said(dir, problems, err); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestOpenRefusesLinks(t *testing.T) {
	outer := files(t, map[string]string{"secret.yaml": minimal("secret"), "folder/x.yaml": minimal("x"), "notes.md": "x"})
	dir := files(t, map[string]string{suite.ConfigFile: small, "cases/s/a.yaml": minimal("a"), "cases/s/below/b.yaml": minimal("b")})
	for link, target := range map[string]string{
		"case.yaml": filepath.Join(outer, "secret.yaml"), "inner.yaml": "a.yaml", "folder": filepath.Join(outer, "folder"), "again": "below", "notes.md": filepath.Join(outer, "notes.md"),
		".#a.yaml": "somebody@host:1",
	} {
		if err := os.Symlink(target, filepath.Join(dir, "cases", "s", link)); err != nil {
			t.Fatal(err)
		}
	}
	s, problems, err := load(t, dir).Open("s")
	want := `cases/s/again: a link to a folder is not searched for cases; put the folder itself here, or name it in a suite of its own
cases/s/case.yaml: a link is not read as a case; put the file itself here
cases/s/folder: a link to a folder is not searched for cases; put the folder itself here, or name it in a suite of its own
cases/s/inner.yaml: a link is not read as a case; put the file itself here`
	if got := said(dir, problems, err); got != want {
		t.Errorf("got %s", got)
	}
	if len(s.Cases) != 2 {
		t.Errorf("%d cases", len(s.Cases))
	}

	// A suite whose folder is a link out of the repository.
	dir = files(t, map[string]string{suite.ConfigFile: small, "cases/": ""})
	if err := os.Symlink(outer, filepath.Join(dir, "cases", "s")); err != nil {
		t.Fatal(err)
	}
	_, problems, err = load(t, dir).Open("s")
	if got, want := said(dir, problems, err), `.docket.yaml:4:12: the folder "cases/s" is a link, or lies behind one, that leaves the folder it must stay in`; got != want {
		t.Errorf("got %s", got)
	}
}

// Positions name files as the configuration was named, so that an editor opens
// them from where the user stands.
func TestPositionsAreRelative(t *testing.T) {
	dir := files(t, map[string]string{suite.ConfigFile: small, "cases/s/a.yaml": minimal("a", "weight: x"), "cases/s/deep/": ""})
	for from, want := range map[string]string{".": "cases/s/a.yaml", "cases/s/deep": "../../../cases/s/a.yaml"} {
		t.Chdir(filepath.Join(dir, filepath.FromSlash(from)))
		file, err := suite.Find(".")
		if err != nil {
			t.Fatal(err)
		}
		c, err := suite.LoadConfig(file)
		if err != nil {
			t.Fatal(err)
		}
		_, problems, _ := c.Open("")
		if len(problems) != 1 || problems[0].Position != (source.Position{File: want, Line: 4, Column: 9}) {
			t.Errorf("from %s: %v", from, problems)
		}
	}
}
