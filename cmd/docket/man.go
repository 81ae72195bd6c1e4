package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"docket/engine/disk"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "write a man page for each command",
		Long: `Man writes a man page for each command to a folder, from the texts that --help
shows. Without a folder it prints the page of docket itself. The pages carry the
date of the commit that docket was built from, so that the same docket writes
the same pages.

Exit codes: 0 written; 2 something is wrong.`,
		Example: `  docket man ~/.local/share/man/man1
  docket man | man -l -`,
		Args: atMost(1, "a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := manHeader()
			if len(args) == 0 {
				var page bytes.Buffer
				if err := doc.GenMan(root, &header, &page); err != nil {
					return fmt.Errorf("the page cannot be made: %w", err)
				}
				_, err := a.out.Write(page.Bytes())
				return err
			}
			if err := disk.MakeAll(disk.OS{}, args[0], 0o755); err != nil {
				return fmt.Errorf("the folder cannot be made: %w", err)
			}
			if err := writePages(root, header, args[0]); err != nil {
				return fmt.Errorf("the pages cannot be written: %w", err)
			}
			fmt.Fprintf(a.out, "wrote man pages to %s: man %s\n", args[0], filepath.Join(args[0], "docket.1"))
			return nil
		},
	}
}

// writePages writes the pages of a command and of those below it, each whole or
// not at all.
func writePages(cmd *cobra.Command, header doc.GenManHeader, dir string) error {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writePages(c, header, dir); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	if err := doc.GenMan(cmd, &header, &page); err != nil {
		return err
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + "." + header.Section
	return disk.Write(disk.OS{}, filepath.Join(dir, name), page.Bytes(), 0o644)
}

// manHeader heads a page. Its date is that of the commit, and of the beginning
// of time in a build that knows none.
func manHeader() doc.GenManHeader {
	date := time.Unix(0, 0).UTC()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key != "vcs.time" {
				continue
			}
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil {
				date = at.UTC()
			}
		}
	}
	return doc.GenManHeader{Section: "1", Source: "docket", Manual: "docket", Date: &date}
}
