package projection_test

import (
	"slices"
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/projection"
	"docket/engine/source"
)

func TestCompileChooses(t *testing.T) {
	all := []string{"shape", "tools", "toolset", "entities", "length", "language", "refusal"}
	for config, want := range map[string][]string{
		"":                                all,
		"{}":                              all,
		"null":                            all,
		"shape:":                          all,
		"{shape: true}":                   all,
		"{shape: false, language: false}": {"tools", "toolset", "entities", "length", "refusal"},
		"[length, shape]":                 {"shape", "length"},
		"[]":                              {},
		"numbers: {amount: {path: a}}":    {"shape", "tools", "toolset", "entities", "numbers", "length", "language", "refusal"},
		"label: {path: status}":           {"shape", "label", "tools", "toolset", "entities", "length", "language", "refusal"},
	} {
		if got := compile(t, config).Names(); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", config, got, want)
		}
	}
}

func TestCompileProblems(t *testing.T) {
	for _, tc := range []struct{ config, at, says string }{
		{"shap: false", "1:1", "shape"},
		{"shape: 3", "1:8", "mapping, or false"},
		{"shape: {deep: true}", "1:9", "no settings"},
		{"label: {pth: status}", "1:9", "path"},
		{"label: {path: 'a['}", "1:15", "never closed"},
		{"label: {path: 3}", "1:15", "string"},
		{"numbers: {amount: 3}", "1:19", "{path: amount, within: 0.01}"},
		{"numbers: {amount: {within: 1}}", "1:19", "either a path"},
		{"numbers: {amount: {path: a, pattern: b}}", "1:19", "either a path"},
		{"numbers: {amount: {path: 'a[]'}}", "1:26", "position such as [0]"},
		{"numbers: {amount: {path: 'a..b'}}", "1:26", "a key is missing"},
		{"numbers: {amount: {pattern: '(?=x)'}}", "1:29", "RE2"},
		{"numbers: {amount: {path: a, within: -1}}", "1:37", "0 or more"},
		{"numbers: {amount: {path: a, within: x}}", "1:37", "0 or more"},
		{"numbers: {amount: {path: a, wihtin: 1}}", "1:29", "within"},
		{"entities: {patterns: 'x'}", "1:22", "list of regular expressions"},
		{"entities: {patterns: ['[']}", "1:23", "RE2"},
		{"length: {short: 1.5}", "1:17", "whole number"},
		{"length: {short: 50, medium: 50}", "1:9", "no output would be medium"},
		{"[shape, shape]", "1:9", "twice"},
		{"[shapes]", "1:2", "did you mean shape?"},
		{"[3]", "1:2", "names of projections"},
		{"everything", "1:1", "a mapping of names"},
	} {
		config, problems := source.Parse("c.yaml", []byte(tc.config))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		finder, problems := projection.Labels(nil, config, source.Position{})
		set, more := projection.Compile(config, finder)
		problems = append(problems, more...)
		if set == nil || len(problems) != 1 {
			t.Errorf("%s: %d problems: %v", tc.config, len(problems), problems)
			continue
		}
		if got := problems[0].Error(); !strings.HasPrefix(got, "c.yaml:"+tc.at+":") || !strings.Contains(got, tc.says) {
			t.Errorf("%s: got %q, want it at %s and to say %q", tc.config, got, tc.at, tc.says)
		}
	}
	at := source.Position{File: "c.yaml", Line: 7, Column: 9}
	if _, problems := projection.Labels([]string{"Paid", "paid"}, source.Value{}, at); len(problems) != 1 || !strings.Contains(problems[0].Error(), "c.yaml:7:9") {
		t.Errorf("labels that differ in case: %v", problems)
	}
}

// TestSettings: whatever bears on a measurement is in the settings, so that the
// ruler's hash moves with it.
func TestSettings(t *testing.T) {
	seen := map[string]string{}
	for _, config := range []string{
		"", "length: {short: 40}", "label: {path: status}", "label: {path: other}", "shape: false",
		"numbers: {a: {path: b}}", "numbers: {a: {path: b, within: 1}}", "entities: {patterns: [x]}", "entities: {patterns: [y]}",
	} {
		got := string(canonical.Marshal(compile(t, config).Settings()))
		if other, twice := seen[got]; twice {
			t.Errorf("%q and %q have the same settings %s", config, other, got)
		}
		seen[got] = config
	}
	if got := string(canonical.Marshal(compile(t, "[length, label]", "b", "a").Settings())); got != `{"label":{"labels":["a","b"]},"length":{"medium":200,"short":50}}` {
		t.Errorf("settings are %s", got)
	}
	set := projection.Default()
	if versions := set.Versions(); len(versions) != len(set.Names()) || versions["shape"] < 1 {
		t.Errorf("versions are %v", versions)
	}
}
