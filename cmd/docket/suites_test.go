package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/engine"
)

// threeSuites is an app in a folder whose configuration names a, b and c.
func threeSuites(t *testing.T) *app {
	t.Helper()
	file := filepath.Join(t.TempDir(), ".docket.yaml")
	config := "version: 1\nsuites: {a: {cases: a}, b: {cases: b}, c: {cases: c}}\n"
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return &app{err: io.Discard, configFile: file, getenv: func(string) string { return "" }}
}

// TestAllSuitesEndAsTheWorstDoes ranks what becomes of the suites of --all, and
// stops at an interrupt alone.
func TestAllSuitesEndAsTheWorstDoes(t *testing.T) {
	wrong := errors.New("a file is wrong")
	for _, tt := range []struct {
		name    string
		ends    []error // of a, b and c
		want    int
		message string
		reached string
	}{
		{"all in order", []error{nil, nil, nil}, codeOK, "", "abc"},
		{"a change", []error{nil, exit{codeChange}, nil}, codeChange, "", "abc"},
		{"a failed case counts less than a change", []error{errSomeFailed, exit{codeChange}, nil}, codeChange, "", "abc"},
		{"a failed case alone", []error{nil, nil, errSomeFailed}, codeUnmeasured, "", "abc"},
		{"nothing measured counts more than a change", []error{exit{codeChange}, exit{codeUnmeasured}, nil}, codeUnmeasured, "", "abc"},
		{"grounds count more", []error{exit{codeUnmeasured}, exit{codeGrounds}, nil}, codeGrounds, "", "abc"},
		{"one is wrong", []error{wrong, exit{codeGrounds}, nil}, codeWrong, "a file is wrong", "abc"},
		{"two are wrong", []error{wrong, errors.New("so is another"), nil}, codeWrong, "a file is wrong\nso is another", "abc"},
		{"two are wrong alike", []error{wrong, wrong, nil}, codeWrong, "a file is wrong", "abc"},
		{"never run", []error{nil, fmt.Errorf("b has %w", engine.ErrNoRun), nil}, codeUnmeasured, "", "abc"},
		{"never run, beside a change", []error{fmt.Errorf("a has %w", engine.ErrNoRun), exit{codeChange}, nil}, codeChange, "", "abc"},
		{"interrupted", []error{exit{codeChange}, exit{codeInterrupted}, nil}, codeInterrupted, "", "ab"},
		{"interrupted in a sentence", []error{fmt.Errorf("interrupted, and no baseline was written: %w", context.Canceled), nil, nil}, codeInterrupted, "interrupted, and no baseline was written", "a"},
		{"wrong, then interrupted", []error{wrong, exit{codeInterrupted}, nil}, codeWrong, "a file is wrong", "ab"},
	} {
		reached := ""
		err := threeSuites(t).eachSuite(t.Context(), nil, true, func(_ *engine.Project, name string) error {
			reached += name
			return tt.ends[slices.Index([]string{"a", "b", "c"}, name)]
		})
		if code, message := exitOf(err); code != tt.want || message != tt.message || reached != tt.reached {
			t.Errorf("%s: exit %d with %q after %s, want %d with %q after %s", tt.name, code, message, reached, tt.want, tt.message, tt.reached)
		}
	}
}

// TestAnInterruptLeavesTheOtherSuites begins no suite once the context is done.
func TestAnInterruptLeavesTheOtherSuites(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reached := ""
	err := threeSuites(t).eachSuite(ctx, nil, true, func(_ *engine.Project, name string) error {
		reached += name
		cancel()
		return nil
	})
	if code, _ := exitOf(err); code != codeInterrupted || reached != "a" {
		t.Errorf("exit %d after %s", code, reached)
	}
}
