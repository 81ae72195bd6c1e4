package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/engine/phrase"
	"docket/engine/results"
)

func newResults(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "results",
		Short: "the store of runs: let old outputs go",
		Long: `Results looks after the store of runs.

Exit codes: those of docket results prune.`,
		Example: `  docket results prune --older-than 90d`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("say what of the results: docket results prune --older-than 90d")
		},
	}
	cmd.AddCommand(newResultsPrune(a))
	return cmd
}

func newResultsPrune(a *app) *cobra.Command {
	var older, size string
	var all, dry bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "let old outputs go, and never a result",
		Long: `Prune takes the outputs of old runs out of the store: what models wrote. Every
result stays, with its verdicts, cost and times, so that history and compare say
what they said. Outputs that a baseline's line names stay too, since without
them its answers cannot be read or judged again; --all lets these go as well. The last
run of each suite and mode, and one that has not ended, keep theirs always.

Exit codes: 0 done, or nothing to do; 2 something is wrong.`,
		Example: `  docket results prune --older-than 90d --dry-run
  docket results prune --max-size 500MB`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := retention(older, size, time.Now())
			if err != nil {
				return err
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			pruned, err := p.PruneOutputs(cmd.Context(), r, all, dry)
			if err != nil {
				return err
			}
			verb := "let go of"
			if dry {
				verb = "would let go of"
			}
			fmt.Fprintf(a.out, "%s the outputs of %s, %s; %s are left\n", verb, phrase.Count(pruned.Cases, "result", "results"), phrase.Size(pruned.Bytes), phrase.Size(pruned.Left))
			if pruned.Kept > 0 {
				fmt.Fprintf(a.out, "kept those of %s that a baseline names; --all lets them go as well\n", phrase.Count(pruned.Kept, "result", "results"))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&older, "older-than", "", "of runs that are older than so many `days`, such as 90d")
	cmd.Flags().StringVar(&size, "max-size", "", "the oldest first, until the rest takes no more than this `size`, such as 500MB")
	cmd.Flags().BoolVar(&all, "all", false, "those that a baseline names, too")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "count, and let nothing go")
	return cmd
}

// retention reads what is to go.
func retention(older, size string, now time.Time) (results.Retention, error) {
	var r results.Retention
	if older == "" && size == "" {
		return r, errors.New("say what is to go: --older-than 90d, --max-size 500MB, or both")
	}
	if older != "" {
		days, err := strconv.Atoi(strings.TrimSuffix(older, "d"))
		if err != nil || days < 0 || !strings.HasSuffix(older, "d") {
			return r, fmt.Errorf("--older-than takes a number of days such as 90d, not %q", older)
		}
		r.Before = now.AddDate(0, 0, -days)
	}
	if size != "" {
		unit, number := int64(0), ""
		for _, u := range []struct {
			name  string
			bytes int64
		}{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}} {
			if text, ok := strings.CutSuffix(strings.ToUpper(size), u.name); ok {
				unit, number = u.bytes, text
			}
		}
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil || n < 1 {
			return r, fmt.Errorf("--max-size takes a size such as 500MB or 2GB, not %q", size)
		}
		r.MaxBytes = n * unit
	}
	return r, nil
}
