package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// recipes are the files in YAML that README.md shows under "In CI".
func recipes(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(packageDir, "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(readme), "\n## In CI\n")
	if !ok {
		t.Fatal("README.md has no section In CI")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var files []string
	for i, part := range strings.Split(section, "```") {
		if text, isYAML := strings.CutPrefix(part, "yaml\n"); isYAML && i%2 == 1 {
			files = append(files, text)
		}
	}
	if len(files) != 3 {
		t.Fatalf("%d recipes, want a gate, a report and a hook", len(files))
	}
	return files
}

var recipeCommand = regexp.MustCompile(`(?m)(?:run|entry): (docket [^>\n]*)`)

// TestRecipes says that the recipes for CI are YAML, and that each command of
// docket in them is one: a mocked suite passes the gate, and is stopped by a
// change. A live run, which needs a key, is only looked at.
func TestRecipes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		".docket.yaml":    "version: 1\nsuites: {desk: {cases: cases, system: app, labels: [paid, open]}}\nsystems: {app: {kind: canned}}\n",
		"cases/a.yaml":    "id: a\nversion: 1\nprovenance: ticket 7, an invoice was paid twice\nadded: 2026-08-01\ninput: {q: a}\nmock: paid\nexpect: {label: paid}\n",
		".git/HEAD":       "ref: refs/heads/main\n",
		"cases/readme.md": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must(t, 0, "calibrate")
	gated := 0
	for _, text := range recipes(t) {
		var file map[string]any
		if err := yaml.Unmarshal([]byte(text), &file); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
		// A suite's repository holds no docket: what is installed is checked out first.
		before, _, installs := strings.Cut(text, "run: cd docket && go install ./cmd/docket\n")
		if installs != strings.Contains(text, "go install") || installs && !strings.Contains(before, "/docket, path: docket}") {
			t.Errorf("installs what it has not checked out:\n%s", text)
		}
		for _, m := range recipeCommand.FindAllStringSubmatch(text, -1) {
			args := strings.Fields(m[1])[1:]
			switch live := strings.Contains(m[1], "--mode live"); {
			case live && !strings.Contains(m[1], "--report-only"):
				t.Errorf("%s gates a live run", m[1])
			case live:
				must(t, 2, args...) // canned answers are always mock; the flags are read first
			default:
				must(t, 0, args...)
				gated++
			}
		}
	}
	if gated < 3 {
		t.Errorf("only %d commands were run", gated)
	}
	if err := os.WriteFile("cases/a.yaml", []byte("id: a\nversion: 1\nprovenance: ticket 7, an invoice was paid twice\nadded: 2026-08-01\ninput: {q: a}\nmock: open\nexpect: {label: paid}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, 1, "run", "--mode", "mock")
}
