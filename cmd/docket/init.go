package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/engine/disk"
)

//go:embed starter/docket.yaml
var starterConfig string

//go:embed starter/case.yaml
var starterCase string

//go:embed starter/production.jsonl
var starterProduction string

//go:embed starter/candidate.jsonl
var starterCandidate string

func newInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "write a commented configuration and a first case here",
		Long: `Init writes .docket.yaml, a first case with invented outputs, and the lines that
.gitignore and .gitattributes need. It asks nothing and overwrites nothing.`,
		Example: "  docket init\n  docket calibrate --system production   # a first baseline\n  docket diff                            # what the candidate changes",
		Args:    atMost(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			return a.init(time.Now())
		},
	}
}

func (a *app) init(now time.Time) error {
	files := []struct{ path, content string }{
		{".docket.yaml", starterConfig},
		{"cases/example/example-0001.yaml", strings.ReplaceAll(starterCase, "{{DATE}}", now.Format(time.DateOnly))},
		{"cases/example/outputs/production.jsonl", starterProduction},
		{"cases/example/outputs/candidate.jsonl", starterCandidate},
	}
	for _, f := range files {
		if err := a.create(f.path, f.content); err != nil {
			return err
		}
	}
	lines := []struct{ path, line string }{
		{".gitignore", "/.docket/"},
		{".gitignore", ".*.docket-*"}, // what a crash may leave beside a baseline
		{".gitignore", "*.docket-tmp"},
		{".gitignore", "*.docket-lock"},
		{".gitattributes", "baselines/**/*.jsonl text eol=lf"},
	}
	for _, l := range lines {
		if err := a.appendLine(l.path, l.line); err != nil {
			return err
		}
	}
	fmt.Fprintln(a.out, "next: docket calibrate --system production, then docket diff")
	return nil
}

// create writes a file that is not there yet, whole or not at all, and says so
// either way.
func (a *app) create(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("the folder of %s cannot be made: %w", path, err)
	}
	switch err := disk.Create(disk.OS{}, path, []byte(content), 0o644); {
	case errors.Is(err, fs.ErrExist):
		fmt.Fprintf(a.out, "kept   %s, which was there\n", path)
	case err != nil:
		return fmt.Errorf("%s cannot be written: %w", path, err)
	default:
		fmt.Fprintf(a.out, "wrote  %s\n", path)
	}
	return nil
}

// appendLine adds one line to a file unless it has it already. Bytes that are
// there stay as they are.
func (a *app) appendLine(path, line string) error {
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	for have := range strings.Lines(string(content)) {
		if strings.TrimSpace(have) == line {
			fmt.Fprintf(a.out, "kept   %s, which has the line %s\n", path, line)
			return nil
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	if len(content) > 0 && content[len(content)-1] != '\n' {
		line = "\n" + line
	}
	if _, err := f.WriteString(line + "\n"); err != nil {
		f.Close()
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	fmt.Fprintf(a.out, "added  %s to %s\n", strings.TrimSpace(line), path)
	return nil
}
