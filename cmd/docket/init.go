package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"docket/engine/disk"
	"docket/engine/starter"
)

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

// init writes what is missing and says of each file and line what became of it.
func (a *app) init(now time.Time) error {
	steps, err := starter.Write(disk.OS{}, ".", now)
	for _, s := range steps {
		switch {
		case s.Line == "" && s.Kept:
			fmt.Fprintf(a.out, "kept   %s, which was there\n", s.Path)
		case s.Line == "":
			fmt.Fprintf(a.out, "wrote  %s\n", s.Path)
		case s.Kept:
			fmt.Fprintf(a.out, "kept   %s, which has the line %s\n", s.Path, s.Line)
		default:
			fmt.Fprintf(a.out, "added  %s to %s\n", s.Line, s.Path)
		}
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(a.out, "next: docket calibrate --system production, then docket diff")
	return nil
}
