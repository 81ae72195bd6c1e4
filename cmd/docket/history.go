package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"docket/engine/history"
	"docket/engine/results"
)

func newHistory(a *app) *cobra.Command {
	var suite, system, since, failing, format string
	cmd := &cobra.Command{
		Use:   "history [CASE]",
		Short: "every result of a case: did it ever pass, and since when does it fail",
		Long: `History tells of a case every result in the store, by date and system, what it
cost and how long it took, with marks where the case, what judges or the
baseline changed. A case that was retired keeps its history. Without a case it
tells of every case of the suite in a line or two.

Exit codes: 0 told; 2 something is wrong, or there is no such case.`,
		Example: `  docket history inv-0031 --suite invoices
  docket history --suite invoices --failing-since 2026-09-01
  docket history --since 2026-11-01 --system prod --format json`,
		Args: atMost(1, "a case"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := history.FormatNamed(format)
			if err != nil {
				return err
			}
			from, err := dayOf("--since", since)
			if err != nil {
				return err
			}
			failingFrom, err := dayOf("--failing-since", failing)
			if err != nil {
				return err
			}
			if len(args) == 1 && (since != "" || failing != "" || system != "") {
				return errors.New("--since, --system and --failing-since are about a whole suite: leave them out with a case")
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			config, _, err := p.Choose(suite)
			if err != nil {
				return err
			}
			page := &history.Page{Suite: config.Name}
			if len(args) == 1 {
				timeline, err := p.Timeline(cmd.Context(), config.Name, args[0])
				if err != nil {
					return err
				}
				page.One, page.Cases = true, []history.Timeline{timeline}
				return write.Write(a.out, page)
			}
			if page.Cases, err = p.Timelines(cmd.Context(), results.Span{Suite: config.Name, System: system, Since: from}); err != nil {
				return err
			}
			if system != "" {
				page.About = "under " + system
			}
			if failing != "" {
				page.Cases = history.FailingSince(page.Cases, failingFrom.AddDate(0, 0, 1).Add(-time.Nanosecond))
				page.About = "failing since " + failing + " or longer"
			}
			return write.Write(a.out, page)
		},
	}
	cmd.Flags().StringVar(&suite, "suite", "", "the `suite` that is meant (default: the first)")
	cmd.Flags().StringVar(&system, "system", "", "only results of this system")
	cmd.Flags().StringVar(&since, "since", "", "only results from this `day` on, such as 2026-09-01")
	cmd.Flags().StringVar(&failing, "failing-since", "", "only cases that have failed since this `day` or longer")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// dayOf reads a day; "" is the zero time.
func dayOf(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, text, time.Local)
	if err != nil {
		return day, fmt.Errorf("%s takes a day such as 2026-09-01, not %q", flag, text)
	}
	return day, nil
}
