//go:build unix

package main

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// confidential stands in files outside of the repository.
const confidential = "confidential-7f3a9c"

// TestWhatIsNamedStaysInside names a file or a folder outside of the repository
// in every place where the configuration, a case or a contract may name one: by a
// path that goes up, by an absolute one, by a link to it and through a link to a
// folder. No command reads it out, stores it or changes it, and each says no.
func TestWhatIsNamedStaysInside(t *testing.T) {
	const config = "version: 1\nsuites:\n  desk: {cases: cases, system: s, judge: j, expires: never}\n"
	const canned, tone = "systems:\n  s: {kind: canned}\n", "judges:\n  j: {kind: openai, model: j-1, prompt: j.md}\n"
	model := func(more string) string {
		return config + "systems:\n  s: {kind: openai, model: m-1, " + more + "}\n" + tone
	}
	outputs := config + "systems:\n  s: {kind: outputs, file: '%s'}\n" + tone
	const expect = "expect: {max_words: 60}\n"
	for _, c := range []struct {
		what, config, more string // the configuration, and more of a case; %s is the path
		folder             bool
	}{
		{what: "cases", config: strings.Replace(config, "cases: cases", "cases: '%s'", 1) + canned + tone, folder: true},
		{what: "fixtures", config: strings.Replace(config, "cases: cases", "cases: cases, fixtures: '%s'", 1) + canned + tone, folder: true, more: "  x_file: x.txt\n"},
		{what: "results", config: config + canned + tone + "results: '%s'\n"},
		{what: "prompt", config: model("prompt: '%s'")},
		{what: "system_prompt", config: model("prompt: p.md, system_prompt: '%s'")},
		{what: "tools", config: model("prompt: p.md, tools: '%s'")},
		{what: "output_schema", config: model("prompt: p.md, output_schema: '%s'")},
		{what: "outputs", config: outputs},
		{what: "a judge's prompt", config: config + canned + strings.Replace(tone, "j.md", "'%s'", 1)},
		{what: "an input", config: config + canned + tone, more: "  x_file: '%s'\n"},
		{what: "a schema", config: config + canned + tone, more: expect + "  json_schema: '%s'\n"},
	} {
		for _, way := range []string{"up", "absolute", "link", "through a link"} {
			t.Run(c.what+" "+way, func(t *testing.T) {
				outer := t.TempDir()
				outside := filepath.Join(outer, "outside")
				for _, name := range []string{"x.txt", "one.yaml"} {
					write(t, filepath.Join(outside, name), `{"id":"one","text":"`+confidential+`"} {{.mail}} {{.rubric}} {{.output}}`)
				}
				dir := filepath.Join(outer, "repository")
				if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
					t.Fatal(err)
				}
				t.Chdir(dir)
				target := filepath.Join(outside, "x.txt")
				if c.folder {
					target = outside
				}
				rel, err := filepath.Rel(outer, target)
				if err != nil {
					t.Fatal(err)
				}
				path := map[string]string{"up": "../" + rel, "absolute": target, "link": "link", "through a link": "way/" + rel}[way]
				for name, to := range map[string]string{"link": target, "way": outer, "cases/link": target, "cases/way": outer} {
					if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.Symlink(to, name); err != nil {
						t.Fatal(err)
					}
				}
				write(t, ".docket.yaml", strings.ReplaceAll(c.config, "%s", path))
				write(t, "p.md", "Read {{.mail}}")
				write(t, "j.md", "{{.rubric}} {{.output}}")
				more := strings.ReplaceAll(c.more, "%s", path)
				if strings.HasPrefix(more, "expect") {
					more = strings.Replace(more, "{max_words: 60}", "", 1)
				}
				write(t, "cases/one.yaml", "id: one\nadded: 2026-01-01\nprovenance: written for the tests\nmock: 'fine'\nmock_verdicts: pass\nscoring: judged\ninput:\n  mail: hello\n"+more)
				before, err := everyFile(outside)
				if err != nil {
					t.Fatal(err)
				}
				refused := false
				for _, line := range [][]string{
					{"lint"},
					{"run"},
					{"calibrate"},
					{"diff"},
					{"diff", "--format", "html"},
					{"cases"},
					{"why", "one"},
					{"history"},
					{"doctor"},
					{"describe"},
					{"export"},
					{"rekey"},
				} {
					said := invoke(nil, line...)
					if strings.Contains(said.out+said.err, confidential) {
						t.Errorf("docket %v reads out what lies outside: %s%s", line, clipped(said.out), clipped(said.err))
					}
					refused = refused || line[0] == "run" && said.code == codeWrong
				}
				if !refused {
					t.Errorf("docket run takes %s", path)
				}
				after, err := everyFile(outer)
				if err != nil {
					t.Fatal(err)
				}
				for name, data := range after {
					short, there := strings.CutPrefix(name, "outside/")
					switch {
					case there && string(before[short]) != string(data):
						t.Errorf("%s was changed", name)
					case !there && strings.Contains(string(data), confidential):
						t.Errorf("%s holds what lies outside", name)
					}
				}
			})
		}
	}
}

// TestNoLinkLeadsAWriteOutside puts a link to a folder, to a file and to nothing
// in the place of everything that docket writes to, and runs every command that
// writes. Whatever lies outside of the repository stays as it is.
func TestNoLinkLeadsAWriteOutside(t *testing.T) {
	for _, place := range []string{
		".docket", ".docket/results.db", ".docket/results.db-wal", ".docket/journal", ".docket/journal/mail", ".docket/journal/mail/live.jsonl", ".docket/misses", ".docket/misses/mail.jsonl",
		"baselines", "baselines/mail", "baselines/mail/live.jsonl", "baselines/mail/decisions", "cases/mail/recordings", "cases/mail/migration.md", "cases/mail/fixtures",
		"cases/mail/new-1.yaml", "cases/golden", "contracts", "contracts/mail.yaml", ".gitignore", ".gitattributes", ".docket.yaml", "docket-review", "docket-review/baselines",
	} {
		for _, kind := range []string{"folder", "file", "nothing"} {
			t.Run(place+" "+kind, func(t *testing.T) {
				outer := t.TempDir()
				outside := filepath.Join(outer, "outside")
				write(t, filepath.Join(outside, "folder", "kept"), "mine\n")
				write(t, filepath.Join(outside, "file"), "mine\n")
				dir := filepath.Join(outer, "repository")
				if err := os.CopyFS(dir, os.DirFS(filepath.Join(packageDir, "testdata", "suite"))); err != nil {
					t.Fatal(err)
				}
				if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
					t.Fatal(err)
				}
				t.Chdir(dir)
				t.Setenv("XDG_STATE_HOME", filepath.Join(outer, "state"))
				os.RemoveAll(place)
				if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(outside, kind), place); err != nil {
					t.Fatal(err)
				}
				before := modes(t, outside)
				write(t, "plan.json", `{"format":1,"source":"t.py","suite":"mail","tests":[{"name":"a","line":1,"pile":"situation","confirmed":true,"case":{"id":"new-2","added":"2026-01-01","provenance":"written for the tests","input":{"mail":"x"},"expect":{"max_words":60}},"assertions":[]}]}`)
				for _, line := range [][]string{
					{"init"},
					{"calibrate", "--system", "old"},
					{"run", "--system", "new"},
					{"accept", "inv-1", "--reason", "fine"},
					{"reject", "inv-2", "--reason", "no"},
					{"write"},
					{"add", "new-1", "--suite", "mail", "--provenance", "written for the tests"},
					{"import", "outputs/new.jsonl", "--cases", "cases/golden"},
					{"migrate", "--apply", "plan.json", "--confirm"},
					{"rekey", "--write"},
					{"results", "prune", "--older-than", "1d"},
					{"review", "--plain"},
					{"review", "outputs/old.jsonl", "outputs/new.jsonl", "--plain"},
				} {
					said := invoke(nil, line...)
					if strings.Contains(said.out+said.err, "mine") {
						t.Errorf("docket %v reads out what lies outside: %s%s", line, clipped(said.out), clipped(said.err))
					}
				}
				if after := modes(t, outside); after != before {
					t.Errorf("what lies outside was\n%s\nand is\n%s", before, after)
				}
			})
		}
	}
}

// modes tells of all files below a folder what they are, may and hold.
func modes(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		held := ""
		if info.Mode().IsRegular() {
			held = read(t, path)
		}
		fmt.Fprintf(&b, "%s %v %q\n", path, info.Mode(), clipped(held))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestNoDecisionOrPlanWritesOutside takes decision files and plans that name
// other places than cases for what they bring back, or write.
func TestNoDecisionOrPlanWritesOutside(t *testing.T) {
	for _, path := range []string{
		"../outside.yaml", "/tmp/docket-outside.yaml", "cases/../../outside.yaml", ".git/hooks/pre-commit", ".docket.yaml", ".github/workflows/x.yaml", "cases/mail/../../.git/config",
		`..\outside.yaml`, "cases/mail/.git/config", "link/x.yaml", "README.md", "Makefile", "outputs/new.jsonl",
	} {
		t.Run(path, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "repository")
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(packageDir, "testdata", "suite"))); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, ".git/hooks"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outer, filepath.Join(dir, "link")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			must(t, codeOK, "calibrate", "--system", "old")
			text := "id: gone-1\nadded: 2026-01-01\nprovenance: x\ninput: {mail: x}\n# " + confidential + "\n"
			kept := fmt.Sprintf(`{"path":%q,"base64":%q}`, path, base64.StdEncoding.EncodeToString([]byte(text)))
			good := fmt.Sprintf(`{"path":"cases/mail/gone-1.yaml","text":%q}`, text)
			for _, files := range []string{`"file":` + kept, `"file":` + good + `,"fixtures":[` + kept + `]`} {
				write(t, "baselines/mail/decisions/20260811T102203Z-7f3a-1.jsonl", `{"_config":{"format":1,"suite":"mail","mode":"live"}}`+"\n"+
					`{"at":"2026-08-11T10:22:03.000Z","by":"M","mode":"*","case":"gone-1","verdict":"retire","reason":"gone",`+files+`}`+"\n")
				said := invoke(nil, "restore", "gone-1")
				if said.code != codeWrong {
					t.Errorf("restore takes it: %s%s", said.out, said.err)
				}
			}
			for i, names := range [][3]string{{"mail", "fixtures/x.txt", path}, {"mail", path, "a"}, {path, "fixtures/x.txt", "a"}} {
				write(t, "plan.json", fmt.Sprintf(`{"format":1,"source":"t.py","suite":%q,"tests":[{"name":"a","file":"t.py","line":1,"source":"x","pile":"situation","confirmed":true,"case":{"id":%q,"added":"2026-01-01","provenance":"written for the tests","input":{"mail":"x","x_file":%q},"expect":{"max_words":60}},"assertions":[]}],"fixtures":{%[3]q:%[4]q}}`, names[0], names[2], names[1], confidential))
				said := invoke(nil, "migrate", "--apply", "plan.json", "--confirm")
				if taken := said.code == codeOK; i < 2 && taken != (i == 0) {
					t.Errorf("plan %d: exit code %d\n%s%s", i, said.code, said.out, said.err)
				}
			}
			files, err := everyFile(outer)
			if err != nil {
				t.Fatal(err)
			}
			for name, data := range files {
				inside := strings.HasPrefix(name, "repository/cases/") || strings.HasPrefix(name, "repository/baselines/") || name == "repository/plan.json" || strings.HasPrefix(name, "repository/.docket/")
				if strings.Contains(string(data), confidential) && (!inside || strings.Contains(name, ".git")) {
					t.Errorf("%s was written", name)
				}
			}
			if _, err := os.Stat("/tmp/docket-outside.yaml"); err == nil {
				os.Remove("/tmp/docket-outside.yaml")
				t.Error("a file was written to an absolute place")
			}
		})
	}
}
