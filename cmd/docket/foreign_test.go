//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestAForeignRepositoryStartsNothing looks, with every command that is no
// consent to run, at a repository whose configuration, cases, attributes and git
// configuration were all written to reach out: programs to be started, addresses
// to be called with the keys of whoever looks, files outside to be read or
// written. Nothing of it happens.
func TestAForeignRepositoryStartsNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	var mu sync.Mutex
	var called []string
	trap := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		called = append(called, r.Method+" "+r.URL.String()+" "+string(body))
	}))
	defer trap.Close()

	outer := t.TempDir()
	dir, mark := filepath.Join(outer, "repository"), filepath.Join(outer, "started")
	program := filepath.Join(dir, "evil.sh")
	write(t, program, "#!/bin/sh\necho \"$0 $*\" >>"+mark+"\nexit 0\n")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".docket.yaml"), `
version: 1
suites:
  desk: {cases: cases, system: exec, judge: tone, labels: [paid, overdue], expires: never}
systems:
  exec: {kind: exec, command: [`+program+`], env: {OPENAI_BASE_URL: '{{provider "openai"}}', SEARCH_URL: '{{service "search"}}'}}
  vendor: {kind: openai, model: m-1, prompt: p.md, url: '`+trap.URL+`/v1'}
  web: {kind: http, url: '`+trap.URL+`/ask'}
  file: {kind: outputs, file: old.jsonl}
judges:
  tone: {kind: openai, model: j-1, prompt: j.md, url: '`+trap.URL+`/judge'}
services:
  search: {url: '`+trap.URL+`/search', expires: never}
links: {'INC-(\d+)': 'https://evil.example/$1'}
`)
	write(t, filepath.Join(dir, "p.md"), "Read {{.mail}}.")
	write(t, filepath.Join(dir, "j.md"), "{{.rubric}} {{.output}}")
	for _, id := range []string{"one", "two"} {
		write(t, filepath.Join(dir, "cases", id+".yaml"), `
id: `+id+`
added: 2026-01-01
provenance: incident INC-7, a mail was lost
input: {mail: "late `+id+`"}
expect: {command: [`+program+`], rubric: is it polite}
scoring: judged
`)
	}
	write(t, filepath.Join(dir, "old.jsonl"), `{"id":"one","text":"paid"}`+"\n"+`{"id":"two","text":"paid"}`+"\n")
	write(t, filepath.Join(dir, "new.jsonl"), `{"id":"one","text":"overdue"}`+"\n"+`{"id":"two","text":"paid"}`+"\n")
	write(t, filepath.Join(dir, "test_old.py"), "import os\nos.system('"+program+"')\ndef test_one():\n    assert ask('late') == 'paid'\n")
	for _, mode := range []string{"live", "mock"} {
		write(t, filepath.Join(dir, "baselines/desk", mode+".jsonl"), `{"_config":{"format":1,"suite":"desk","mode":"`+mode+`","captured":"2026-01-01","expires":"never","samples":1}}`+"\n"+
			`{"id":"one","version":1,"pass":null,"score":null,"checks":{},"projections":{"label":"paid"},"unstable":{},"samples":1}`+"\n")
	}
	write(t, filepath.Join(dir, "contract.yaml"), "version: 1\nexpect: {command: ["+program+"]}\n")
	write(t, filepath.Join(dir, "labels.jsonl"), `{"id":"one","output":"paid","rubric":"polite","label":"pass"}`+"\n")
	// The files of a bare repository, as a pull request can add them.
	write(t, filepath.Join(dir, "cases/bare/HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, "cases/bare/config"), "[core]\n\tfsmonitor = "+program+"\n\tpager = "+program+"\n")
	write(t, filepath.Join(dir, "cases/bare/objects/x"), "")
	write(t, filepath.Join(dir, "cases/bare/refs/x"), "")
	write(t, filepath.Join(dir, ".gitattributes"), "* filter=evil diff=evil merge=evil\n")
	gitIn := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=M", "GIT_AUTHOR_EMAIL=m@tests.example", "GIT_COMMITTER_NAME=M", "GIT_COMMITTER_EMAIL=m@tests.example")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	gitIn("init", "-q", "-b", "main")
	gitIn("add", "-A")
	gitIn("commit", "-q", "-m", "incident INC-7: cases")
	gitIn("rm", "-q", "--cached", "test_old.py")
	gitIn("commit", "-q", "-m", "tests go")
	for name, value := range map[string]string{
		"core.fsmonitor": program, "core.pager": program, "core.sshCommand": program, "core.editor": program, "diff.external": program,
		"diff.evil.textconv": program, "diff.evil.command": program, "filter.evil.clean": program, "filter.evil.smudge": program, "filter.evil.process": program,
		"merge.evil.driver": program, "gpg.program": program, "log.showSignature": "true", "pager.log": program, "alias.log": "!" + program,
		"protocol.ext.allow": "always", "protocol.allow": "always", "extensions.partialClone": "origin", "blame.ignoreRevsFile": "missing",
		"credential.helper": program, "core.hooksPath": dir, "core.gitProxy": program, "remote.origin.url": "ext::" + program, "remote.origin.promisor": "true",
	} {
		gitIn("config", name, value)
	}

	// Results of a file are stored, so that there is something to look at: a run
	// is consent, and what it starts does not count.
	finish(t, child(dir, nil, "run", "--system", "file"))
	os.Remove(mark)
	mu.Lock()
	called = nil
	mu.Unlock()
	outside, err := tree(outer)
	if err != nil {
		t.Fatal(err)
	}

	const key = "sk-canary-0123456789abcdef"
	env := []string{"OPENAI_API_KEY=" + key, "ANTHROPIC_API_KEY=" + key, "HOME=" + outer, "XDG_STATE_HOME=" + filepath.Join(outer, "state")}
	looked := 0
	for _, args := range [][]string{
		{},
		{"--version"},
		{"diff"},
		{"diff", "--system", "vendor"},
		{"diff", "--system", "web"},
		{"diff", "--system", "file", "--across"},
		{"diff", "--format", "html"},
		{"diff", "old.jsonl", "new.jsonl"},
		{"review", "--plain"},
		{"review", "--plain", "--system", "file"},
		{"lint"},
		{"cases"},
		{"suites"},
		{"why", "one"},
		{"history", "one"},
		{"compare", "file", "vendor"},
		{"describe"},
		{"prune", "--list"},
		{"prune", "--plain"},
		{"prune", "--plain", "one"},
		{"migrate", "test_old.py", "--plan"},
		{"migrate", "--deleted"},
		{"migrate", "--deleted", "1", "--plan"},
		{"migrate", "HEAD^:test_old.py", "--plan"},
		{"doctor"},
		{"accept", "one", "--reason", "fine"},
		{"write", "--dry-run"},
		{"merge"},
		{"restore", "one"},
		{"rekey"},
		{"schema"},
		{"contract", "contract.yaml", "new.jsonl"},
		{"judge", "check", "labels.jsonl"},
		{"import", "new.jsonl"},
		{"import", "new.jsonl", "--cases", "cases/imported", "--dry-run"},
		{"export"},
		{"export", "--format", "promptfoo"},
		{"review", "old.jsonl", "new.jsonl", "--plain"},
		{"add", "three", "--provenance", "incident INC-8"},
		{"man"},
		{"diff", "--format", "junit"},
		{"diff", "--format", "markdown", "--across", "--system", "file"},
		{"completion", "bash"},
		{"results", "prune", "--older-than", "90d"},
	} {
		said := finish(t, child(dir, env, args...))
		if said.code == codeOK || said.code == codeChange {
			looked++
		}
		if strings.Contains(said.out+said.err, key) {
			t.Errorf("docket %v prints a key", args)
		}
		if strings.Contains(said.out, "href=\"javascript:") || strings.Contains(said.out, "](javascript:") {
			t.Errorf("docket %v makes a link of a script", args)
		}
		if data, err := os.ReadFile(mark); err == nil {
			t.Errorf("docket %v started a program: %s", args, clipped(string(data)))
			os.Remove(mark)
		}
		mu.Lock()
		if len(called) > 0 {
			t.Errorf("docket %v called %q", args, called)
			called = nil
		}
		mu.Unlock()
	}
	after, err := tree(outer)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range after {
		if strings.Contains(text, key) {
			t.Errorf("%s holds a key", name)
		}
		if strings.HasPrefix(name, "repository") || strings.HasPrefix(name, "state") {
			continue
		}
		if _, there := outside[name]; !there {
			t.Errorf("%s was written", name)
		}
	}
	if looked < 15 {
		t.Errorf("%d commands only got as far as what there is to look at", looked)
	}

	// The traps work: a run, which is consent, falls into one.
	said := finish(t, child(dir, env, "run", "--system", "exec"))
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("nothing here could have been started\n%s%s", said.out, said.err)
	}
}
