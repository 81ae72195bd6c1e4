package suite_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/suite"
	"github.com/google/go-cmp/cmp"
)

const summarise = `id: summarise-0047
added: 2025-04-02
provenance: incident INC-219 — refund window dropped from summary, agent quoted 14 days
input:
  ticket_id: TICKET_4471
  body_file: fixtures/tickets/4471.txt
  locale: en-GB
expect:
  must_contain_fact:
    - key: refund_window
      value: "30 days"
  must_not_contain_pii: true
  max_words: 60
  structure: three_sections   # situation, action taken, open question
scoring: deterministic
weight: 3          # incident-derived cases count triple
version: 2         # v2 added max_words after the 400-word summary regression
`

func TestCase(t *testing.T) {
	const ticket = "Refunds are possible within 30 days.\r\n"
	dir := files(t, map[string]string{
		suite.ConfigFile:                      small,
		"cases/s/summarise-0047.yaml":         summarise,
		"cases/s/fixtures/tickets/4471.txt":   ticket,
		"cases/s/fixtures/not-a-case.yaml":    "nonsense: [",
		"cases/s/deep/below/other.yaml":       minimal(`"[a] b|c:d/e 日本"`, "tags: [vip, 2024]", "family: t-7", "scoring: judged", "mock: an answer"),
		"cases/s/deep/recordings/x/y/z.yaml":  "nonsense: [",
		"cases/s/deep/prompts/p.yaml":         "nonsense: [",
		"cases/s/.draft.yaml":                 "nonsense: [",
		"cases/s/README.md":                   "# about",
		"cases/s/outputs/candidate.jsonl":     "{}",
		"cases/s/schemas/summary.schema.yaml": "nonsense: [",
	})
	s := open(t, dir, "s")
	if len(s.Cases) != 2 {
		t.Fatalf("%d cases", len(s.Cases))
	}
	if s.Cases[0].ID != "[a] b|c:d/e 日本" || s.Cases[1].ID != "summarise-0047" {
		t.Errorf("cases are not sorted by the bytes of their ids: %q, %q", s.Cases[0].ID, s.Cases[1].ID)
	}
	c := s.Case("summarise-0047")
	if c != s.Cases[1] || s.Case("nope") != nil {
		t.Fatal("Case does not find by id")
	}
	wantInput := map[string]any{
		"ticket_id": "TICKET_4471", "body_file": "fixtures/tickets/4471.txt", "body": ticket, "locale": "en-GB",
	}
	if diff := cmp.Diff(wantInput, c.Input); diff != "" {
		t.Error(diff)
	}
	wantExpect := map[string]any{
		"must_contain_fact":    []any{map[string]any{"key": "refund_window", "value": "30 days"}},
		"must_not_contain_pii": true, "max_words": json.Number("60"), "structure": "three_sections",
	}
	if diff := cmp.Diff(wantExpect, c.Expect.JSON()); diff != "" {
		t.Error(diff)
	}
	if got := fmt.Sprintln(c.Added, c.Weight, c.Version, c.Scoring, c.Family, c.Tags, c.Path, c.Files); got !=
		"2025-04-02 3 2 deterministic  [] cases/s/summarise-0047.yaml [cases/s/fixtures/tickets/4471.txt]\n" {
		t.Errorf("got %s", got)
	}
	if c.Provenance != "incident INC-219 — refund window dropped from summary, agent quoted 14 days" {
		t.Errorf("provenance %q", c.Provenance)
	}
	if c.InputHash != canonical.Hash(wantInput) || !strings.HasPrefix(c.ExpectHash, "sha256:") {
		t.Errorf("hashes %s and %s", c.InputHash, c.ExpectHash)
	}
	if at := c.Expect.Get("max_words").At(); filepath.Base(at.File) != "summarise-0047.yaml" || at.Line != 13 || at.Column != 14 {
		t.Errorf("max_words stands at %s", at)
	}

	other := s.Cases[0]
	if got := fmt.Sprintln(other.Added, other.Weight, other.Version, other.Scoring, other.Family, other.Tags, other.ExpectHash); got != " 1 1 judged t-7 [vip 2024] \n" {
		t.Errorf("got %s", got)
	}
	if !other.Expect.IsZero() || other.Mock.Scalar() != "an answer" {
		t.Error("expect is there, or mock is not")
	}
	other.Release()
	if !other.Mock.IsZero() {
		t.Error("Release kept the mock")
	}
}

func TestCaseProblems(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no mapping", "- a\n", "c.yaml:1:1: expected one case, a mapping with id, provenance and input, got a list"},
		{"empty", "", "c.yaml:1:1: the file is empty, or holds nothing but comments"},
		{"nothing", "{}", `c.yaml:1:1: id is missing; give the case a name that is unique in the suite
c.yaml:1:1: input is missing; give what the system is asked, or {} if it is asked nothing
c.yaml:1:1: provenance is missing; say why the case exists: an incident, a ticket, a commit`},
		{"blank", "id: ' '\nprovenance: \"\\t\"\ninput:\n", `c.yaml:1:5: id must not be blank
c.yaml:2:13: provenance must not be blank
c.yaml:3:7: input must be a mapping such as {ticket_id: TICKET_4471}, got an empty value`},
		{"types", "id: [a]\nprovenance: {}\ninput: x\nadded: 2025-13-02\nexpect: [1]\nscoring: judge\nweight: 0\nversion: 1.5\ntags: vip\nfamily: []\n", `c.yaml:1:5: id must be text, got a list
c.yaml:2:13: provenance must be text, got a mapping
c.yaml:3:8: input must be a mapping such as {ticket_id: TICKET_4471}, got the text "x"
c.yaml:4:8: added must be a date such as 2025-04-02, got the text "2025-13-02"
c.yaml:5:9: expect must be a mapping such as {max_words: 60}, got a list
c.yaml:6:10: scoring cannot be the text "judge"; did you mean "judged"?
c.yaml:7:9: weight must be a number above 0, got the number 0
c.yaml:8:10: version must be a whole number of at least 1, got the number 1.5
c.yaml:9:7: tags must be a list such as [a, b], got the text "vip"
c.yaml:10:9: family must be text, got a list`},
		{"id", minimal("\"a\\nb\""), "c.yaml:1:5: an id must not hold control characters, this one holds U+000A"},
		{"long id", minimal(strings.Repeat("é", 129)), "c.yaml:1:5: an id has at most 256 bytes, and this one has 258: shorten it"},
		{"tags", minimal("a", "tags: [x, '', x]"), `c.yaml:4:11: an item of tags must not be blank
c.yaml:4:15: "x" stands twice in tags; leave one of them`},
		{"unknown", minimal("a", "expct: {}", "wieght: 2", "colour: red"), `c.yaml:4:1: unknown key "expct" in a case; did you mean "expect"?
c.yaml:5:1: unknown key "wieght" in a case; did you mean "weight"?
c.yaml:6:1: unknown key "colour" in a case; expected one of id, added, provenance, input, expect, scoring, weight, version, tags, family, mock, mock_verdicts`},
		{"duplicate and more", "id: a\nid: b\nprovenance: p\ninput: {}\nweight: -1\n", `c.yaml:2:1: the key "id" stands twice in one mapping, first on line 1; leave one of them
c.yaml:5:9: weight must be a number above 0, got the number -1`},
		{"machinery", minimal("a", "prompt: Summarise.", "model: m-1", "messages: []", "temperature: 0", "tools: []", "system: prod", "max-tokens: 3"), `c.yaml:4:1: "prompt" does not belong in a case: the prompt belongs to a system: systems.NAME.prompt in .docket.yaml
c.yaml:5:1: "model" does not belong in a case: the model belongs to a system: systems.NAME.model in .docket.yaml
c.yaml:6:1: "messages" does not belong in a case: a model's messages are made by the system; put what the situation brings under input
c.yaml:7:1: "temperature" does not belong in a case: sampling parameters belong to a system: systems.NAME.params in .docket.yaml
c.yaml:8:1: "tools" does not belong in a case: tools belong to a system: systems.NAME.tools in .docket.yaml; which calls are expected goes under expect.tool_calls
c.yaml:9:1: "system" does not belong in a case: the system belongs to the suite: suites.NAME.system in .docket.yaml, or docket run --system; a system prompt to systems.NAME.prompt
c.yaml:10:1: "max-tokens" does not belong in a case: sampling parameters belong to a system: systems.NAME.params in .docket.yaml`},
		{"conflict", minimal("a", "<<<<<<< HEAD", "weight: 2", "=======", "weight: 3", ">>>>>>> main"), "c.yaml:4:1: git left a conflict here; choose a side and delete the markers"},
		{"binary", "id: a\x00\n", "c.yaml:1:6: a NUL byte; this is not a text file"},
		{"syntax", "id: a\nprovenance: b: c\n", "c.yaml:2:14: a key cannot stand here; put the text in quotes if the colon belongs to it, else correct the indentation"},
	} {
		dir := files(t, map[string]string{suite.ConfigFile: small, "cases/s/c.yaml": tt.text})
		_, problems, err := load(t, dir).Open("s")
		if got := strings.ReplaceAll(said(dir, problems, err), "cases/s/", ""); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// What is wrong in one file does not hide what is wrong in another.
func TestAllProblemsAtOnce(t *testing.T) {
	dir := files(t, map[string]string{
		suite.ConfigFile: small,
		"cases/s/a.yaml": minimal("x", "wieght: 2"),
		"cases/s/b.yaml": "id: [1",
		"cases/s/c.yaml": minimal("x"),
		"cases/s/d.yaml": minimal("fine"),
		"cases/s/e.yml":  minimal("y"),
		"cases/s/f.yaml": strings.Repeat("# filler\n", 600_000),
	})
	s, problems, err := load(t, dir).Open("s")
	want := `cases/s/a.yaml:4:1: unknown key "wieght" in a case; did you mean "weight"?
cases/s/b.yaml:1:5: this list is not closed; expected "," or "]"
cases/s/c.yaml:1:5: the id "x" is taken by cases/s/a.yaml:1:5; every id of a suite is used once
cases/s/e.yml: the name of a case's file ends in .yaml; rename it
cases/s/f.yaml: the file is 5.4 MB large; docket reads at most 4 MB here`
	if got := said(dir, problems, err); got != want {
		t.Errorf("got %s", got)
	}
	if len(s.Cases) != 2 || s.Cases[0].ID != "fine" || s.Cases[1].ID != "x" {
		t.Errorf("what could be read is not there: %v", s.Cases)
	}
}

func TestHashes(t *testing.T) {
	hashes := func(text string) string {
		t.Helper()
		dir := files(t, map[string]string{suite.ConfigFile: small, "cases/s/c.yaml": text, "cases/s/a.txt": "one", "cases/s/b.txt": "two"})
		c := open(t, dir, "s").Cases[0]
		return c.InputHash[len("sha256:"):][:8] + " " + c.ExpectHash[max(0, len(c.ExpectHash)-8):]
	}
	base := hashes("id: a\nprovenance: p\ninput: {n: 1, q: x}\nexpect: {max_words: 60, label: a}\n")
	input, expect, _ := strings.Cut(base, " ")
	for _, tt := range []struct {
		name, text              string
		sameInput, sameExpected bool
	}{
		{"order and spelling", "expect: {\"label\": 'a', max_words: 6e1}\nid: b\nprovenance: p\ninput: {q: \"x\", n: 1.0}\n", true, true},
		{"weight, tags, version", "id: a\nprovenance: q\ninput: {n: 1, q: x}\nexpect: {max_words: 60, label: a}\nweight: 3\ntags: [t]\nversion: 2\nmock: m\n", true, true},
		{"scoring said", "id: a\nprovenance: q\ninput: {n: 1, q: x}\nexpect: {max_words: 60, label: a}\nscoring: deterministic\n", true, true},
		{"scoring", "id: a\nprovenance: q\ninput: {n: 1, q: x}\nexpect: {max_words: 60, label: a}\nscoring: judged\n", true, false},
		{"expectation", "id: a\nprovenance: p\ninput: {n: 1, q: x}\nexpect: {max_words: 61, label: a}\n", true, false},
		{"input", "id: a\nprovenance: p\ninput: {n: '1', q: x}\nexpect: {max_words: 60, label: a}\n", false, true},
		{"no expectation", "id: a\nprovenance: p\ninput: {n: 1, q: x}\n", true, false},
	} {
		gotInput, gotExpect, _ := strings.Cut(hashes(tt.text), " ")
		if (gotInput == input) != tt.sameInput || (gotExpect == expect) != tt.sameExpected {
			t.Errorf("%s: %s %s, at first %s", tt.name, gotInput, gotExpect, base)
		}
	}
	if !strings.HasSuffix(hashes(minimal("a", "expect:")), " ") {
		t.Error("an empty expect has a hash")
	}
	one := hashes("id: a\nprovenance: p\ninput: {d_file: a.txt}\n")
	if two := hashes("id: a\nprovenance: p\ninput: {d_file: b.txt}\n"); one == two {
		t.Error("another file, the same hash")
	}
}

func TestInputFiles(t *testing.T) {
	outer := files(t, map[string]string{"secret.txt": "secret"})
	dir := files(t, map[string]string{
		".git/HEAD":                   "",
		"project/" + suite.ConfigFile: "version: 1\nsuites:\n  s:\n    cases: cases/s\n    fixtures: ../shared\n",
		"project/cases/s/in/own.txt":  "own",
		"project/cases/s/both.txt":    "of the suite",
		"project/cases/s/binary.bin":  "\xff\xfe",
		"project/cases/s/folder/":     "",
		"project/cases/s/fixtures/":   "",
		"project/secret.txt":          "secret",
		"shared/both.txt":             "of the shared folder",
		"shared/far.txt":              "far",
		"shared/huge.txt":             strings.Repeat("x", suite.MaxInputBytes+1_000_000),
	})
	at := func(name string) string { return filepath.Join(dir, "project", "cases", "s", filepath.FromSlash(name)) }
	for link, target := range map[string]string{
		"out.txt": "../../secret.txt", "absolute.txt": filepath.Join(outer, "secret.txt"), "fixtures/outside": outer, "inner.txt": "in/own.txt", "dangling.txt": "nowhere",
	} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ file, want, problem string }{
		{"in/own.txt", "own", ""},
		{"./in/../in/own.txt", "own", ""},
		{"inner.txt", "own", ""},
		{"both.txt", "of the suite", ""},
		{"far.txt", "far", ""},
		{"nope.txt", "", `there is no file "nope.txt" in cases/s, and none in ../shared`},
		{"dangling.txt", "", `there is no file "dangling.txt" in cases/s, and none in ../shared`},
		{"../../secret.txt", "", `"../../secret.txt" leaves the folder that it must stay in`},
		{"in/../../x", "", `"in/../../x" leaves the folder that it must stay in`},
		{"/etc/passwd", "", `"/etc/passwd" is an absolute path; docket reads only files of the repository, by relative paths`},
		{`C:\secret.txt`, "", `"C:\\secret.txt" is an absolute path; docket reads only files of the repository, by relative paths`},
		{`in\own.txt`, "", `"in\\own.txt" holds a backslash; write / between folders`},
		{"out.txt", "", `"out.txt" is a link, or lies behind one, that leaves the folder it must stay in`},
		{"absolute.txt", "", `"absolute.txt" is a link, or lies behind one, that leaves the folder it must stay in`},
		{"fixtures/outside/secret.txt", "", `"fixtures/outside/secret.txt" is a link, or lies behind one, that leaves the folder it must stay in`},
		{"folder", "", `"folder" is a folder`},
		{"huge.txt", "", `"huge.txt" is 17.0 MB large; docket reads at most 16 MB here`},
		{"binary.bin", "", `"binary.bin" is not UTF-8 text`},
		{"", "", `a path must not be blank`},
	} {
		if err := os.WriteFile(at("c.yaml"), []byte("id: a\nprovenance: p\ninput:\n  doc_file: '"+tt.file+"'\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s, problems, err := load(t, filepath.Join(dir, "project")).Open("s")
		want := ""
		if tt.problem != "" {
			want = "project/cases/s/c.yaml:4:13: input.doc_file: " + tt.problem
		}
		if got := said(dir, problems, err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.file, got, want)
			continue
		}
		if text, _ := s.Cases[0].Input["doc"].(string); text != tt.want {
			t.Errorf("%s reads as %q", tt.file, text)
		}
	}
}

func TestInputKeys(t *testing.T) {
	dir := files(t, map[string]string{
		suite.ConfigFile: small,
		"cases/s/a.yaml": "id: a\nprovenance: p\ninput: {doc: x, doc_file: t.txt}\n",
		"cases/s/b.yaml": "id: b\nprovenance: p\ninput: {doc_file: [t.txt]}\n",
		"cases/s/c.yaml": "id: c\nprovenance: p\ninput: {_file: t.txt, deep: {doc_file: t.txt}}\n",
		"cases/s/t.txt":  "text",
	})
	s, problems, err := load(t, dir).Open("s")
	want := `cases/s/a.yaml:3:17: input has both "doc" and "doc_file", and the file would be read as the first; leave one of them
cases/s/b.yaml:3:19: input.doc_file must name a file to read, got a list`
	if got := said(dir, problems, err); got != want {
		t.Errorf("got %s", got)
	}
	if diff := cmp.Diff(map[string]any{"_file": "t.txt", "deep": map[string]any{"doc_file": "t.txt"}}, s.Case("c").Input); diff != "" {
		t.Error(diff)
	}
}
