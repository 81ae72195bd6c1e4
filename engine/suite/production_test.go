package suite_test

import (
	"os"
	"path/filepath"
	"testing"

	"docket/engine/suite"
)

func TestTheSystemInProduction(t *testing.T) {
	both := []suite.SuiteConfig{{Name: "support", System: "support-new"}, {Name: "mail", System: "mail-new"}}
	for _, test := range []struct {
		what    string
		suites  []suite.SuiteConfig
		systems []string
		want    string
	}{
		{"the only other one", []suite.SuiteConfig{{Name: "s", System: "candidate"}}, []string{"candidate", "old"}, "old"},
		{"one that says so", []suite.SuiteConfig{{Name: "s", System: "candidate"}}, []string{"candidate", "old", "prod", "older"}, "prod"},
		{"the suite's own is in production", []suite.SuiteConfig{{Name: "s", System: "production"}}, []string{"production", "candidate"}, ""},
		{"no other", []suite.SuiteConfig{{Name: "s", System: "candidate"}}, []string{"candidate"}, ""},
		{"several and none says so", []suite.SuiteConfig{{Name: "s", System: "candidate"}}, []string{"candidate", "a", "b"}, ""},
		{"that of the suite", both, []string{"support-new", "mail-new", "support-production", "mail-production"}, "support-production"},
		{"another suite's", both, []string{"support-new", "mail-new", "mail-production"}, ""},
		{"another suite's, although it begins as the own", []suite.SuiteConfig{{Name: "agent", System: "support-agent"}, {Name: "support", System: "support-new"}}, []string{"support-agent", "support-new", "support-production"}, ""},
		{"production is no part of a word", []suite.SuiteConfig{{Name: "s", System: "c"}}, []string{"c", "reproduction", "x"}, ""},
	} {
		t.Run(test.what, func(t *testing.T) {
			c := &suite.Config{Suites: test.suites}
			for _, name := range test.systems {
				c.Systems = append(c.Systems, suite.Named{Name: name})
			}
			if got := c.InProduction(c.Suites[0]); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestAnotherKindIsNoOlderVersion takes no bare model for what an agent was
// before, unless it says so itself.
func TestAnotherKindIsNoOlderVersion(t *testing.T) {
	for text, want := range map[string]string{
		"{app: {kind: exec, command: [app]}, direct: {kind: openai, model: m}}":                    "",
		"{app: {kind: exec, command: [app]}, prod: {kind: outputs, file: prod.jsonl}}":             "prod",
		"{app: {kind: outputs, file: a.jsonl}, before: {kind: outputs, file: b.jsonl}}":            "before",
		"{app: {kind: openai, model: m-2, prompt: p}, old: {kind: openai, model: m-1, prompt: p}}": "old",
	} {
		file := filepath.Join(t.TempDir(), suite.ConfigFile)
		if err := os.WriteFile(file, []byte("version: 1\nsuites: {s: {cases: cases, system: app}}\nsystems: "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := suite.LoadConfig(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.InProduction(c.Suites[0]); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
