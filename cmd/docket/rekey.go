package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/phrase"
	"docket/engine/recording"
	"docket/engine/safetext"
)

func newRekey(a *app) *cobra.Command {
	var (
		fields      []string
		write, inCI bool
	)
	cmd := &cobra.Command{
		Use:   "rekey [SUITE]",
		Short: "rename recordings whose request changed in a way that does not matter",
		Long: `Rekey compares the recordings of a suite with the rules that .docket.yaml has
now, and with the requests of the last run that found no recording. It shows
which recordings would answer them, and where the requests differ; --write then
gives these recordings their new keys. What was answered, and when it was
recorded, stays as it is.

Whether a difference matters is yours to say: a recording that answers another
question than it was asked is worth nothing. With --field only recordings are
taken whose requests differ in nothing else.`,
		Example: "  docket rekey\n  docket rekey --field /body/stream_options --field /body/user\n  docket rekey support --field /query/lang --write",
		Args:    atMost(1, "one suite"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.refuseInCI(inCI || !write, "rekey --write"); err != nil {
				return err
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			r, err := p.Rekey(name)
			if err != nil {
				return err
			}
			defer r.Close()
			return a.rekey(r, fields, write)
		},
	}
	cmd.Flags().StringArrayVar(&fields, "field", nil, "only where the requests differ at or below this JSON `pointer`, and nowhere else")
	cmd.Flags().BoolVar(&write, "write", false, "write the new keys")
	cmd.Flags().BoolVar(&inCI, "in-ci", false, "write although CI is set")
	return cmd
}

func (a *app) rekey(r *engine.Rekeying, fields []string, write bool) error {
	dropped := 0
	if len(fields) > 0 {
		dropped = r.Only(fields)
	}
	for _, m := range r.Moves {
		a.printMove(m)
	}
	for _, sentence := range r.Left {
		fmt.Fprintln(a.err, safetext.Line(sentence))
	}
	if dropped > 0 {
		fmt.Fprintf(a.err, "%s left as they are: their requests differ elsewhere, too\n", phrase.Count(dropped, "recording", "recordings"))
	}
	switch n := len(r.Moves); {
	case n == 0:
		fmt.Fprintf(a.out, "nothing to rekey in %s\n", r.Suite)
	case !write:
		fmt.Fprintf(a.out, "%s would get new keys, and nothing is written yet: where the differences do not matter, say so with --write\n", phrase.Count(n, "recording", "recordings"))
	default:
		if err := r.Apply(); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s rekeyed in %s: commit that as a change of its own\n", phrase.Count(n, "recording", "recordings"), r.Suite)
	}
	return nil
}

func (a *app) printMove(m recording.Move) {
	place := m.File
	if m.Line > 0 {
		place = fmt.Sprintf("%s:%d", m.File, m.Line)
	}
	switch {
	case m.Merged:
		place += " → goes, as " + m.NewFile + " has the same answer"
	case m.NewFile != m.File:
		place += " → " + m.NewFile
	}
	fmt.Fprintln(a.out, safetext.Line(place))
	if m.NewRules != "" {
		fmt.Fprintf(a.out, "  rules: %s → %s\n", safetext.Line(m.OldRules), safetext.Line(m.NewRules))
	}
	if m.Redacted {
		fmt.Fprintln(a.out, "  what looks like a secret is taken out")
	}
	for _, d := range m.Differences {
		fmt.Fprintf(a.out, "  %s\n", safetext.Line(d.String()))
	}
	if m.More > 0 {
		fmt.Fprintf(a.out, "  and %s more\n", phrase.Count(m.More, "difference", "differences"))
	}
}
