package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"docket/engine/schema"
)

// TestReportsMatchTheirSchema holds what docket prints and writes to the
// schemas that it prints.
func TestReportsMatchTheirSchema(t *testing.T) {
	inSuite(t)
	must(t, 0, "calibrate", "--system", "old")
	must(t, 1, "run", "--system", "new")
	validate(t, "diff", must(t, 1, "diff", "--format", "json").out)
	validate(t, "comparison", must(t, 0, "compare", "old", "new", "--format", "json").out)
	validate(t, "run", must(t, 0, "export").out)
	for line := range strings.Lines(must(t, 0, "export", "--format", "jsonl").out) {
		validate(t, "output", line)
	}
	must(t, 0, "reject", "inv-3", "--reason", "the label is wrong")
	must(t, 0, "write")
	decisions, err := filepath.Glob("baselines/mail/decisions/*.jsonl")
	if err != nil || len(decisions) == 0 {
		t.Fatalf("no decision was written: %v", err)
	}
	for _, path := range decisions {
		for line := range strings.Lines(read(t, path)) {
			validate(t, "decision", line)
		}
	}
}

func validate(t *testing.T, name, text string) {
	t.Helper()
	printed, err := schema.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Errorf("the schema of %s refuses %s: %v", name, text, err)
	}
}
