package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

// TestChoicesOfFlags: what a flag's help lists is what the shell is told, and
// each of it is one word.
func TestChoicesOfFlags(t *testing.T) {
	for usage, want := range map[string][]string{
		"text or json":                                           {"text", "json"},
		"text, json, markdown, html or junit":                    {"text", "json", "markdown", "html", "junit"},
		"whose header to keep where they differ: ours or theirs": {"ours", "theirs"},
		"who answers: mock (canned answers, as written), replay, or record (live); default: as said": {"mock", "replay", "record"},
	} {
		if got := choices(usage); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", usage, got, want)
		}
	}
	known := []string{
		"text", "json", "jsonl", "csv", "markdown", "html", "junit", "promptfoo", "inspect",
		"mock", "replay", "live", "record", "ours", "theirs",
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, name := range []string{"format", "mode", "services", "judges", "header"} {
			flag := cmd.Flags().Lookup(name)
			if flag == nil {
				continue
			}
			got := choices(flag.Usage)
			if len(got) < 2 || slices.ContainsFunc(got, func(s string) bool { return !slices.Contains(known, s) }) {
				t.Errorf("%s --%s completes to %q", cmd.CommandPath(), name, got)
			}
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&app{}))
}
