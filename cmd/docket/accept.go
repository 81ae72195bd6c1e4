package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// decideFlags are the flags of docket accept and docket reject.
type decideFlags struct {
	suite, system, mode, reason string
	seen                        []string
	inCI, also, across          bool
}

func newAccept(a *app) *cobra.Command {
	return decideCommand(a, decision.Accept, &cobra.Command{
		Use:   "accept ID…",
		Short: "decide that the new lines of these cases become the baseline's",
		Long: `Accept decides on cases by their ids, each of which must exist and differ. It
prints old → new and keeps the decision; docket write then writes what is
decided. There is no flag that accepts everything.

With --also the new values are right as well as the old: the baseline keeps both
as a set, {"any": ["overdue", "disputed"]}, and a run within it is the same. A
value that flips from sample to sample can be allowed too; a check never.`,
		Example: `  docket accept inv-0031 --reason "partial refunds are paid under policy 12"
  docket accept --also inv-0044 --reason "a late dispute is either"
  docket accept inv-0031 --seen 7c1e0d4f5a6b7c8d --reason "…"   refuses if the line is another by now`,
	})
}

func newReject(a *app) *cobra.Command {
	return decideCommand(a, decision.Reject, &cobra.Command{
		Use:   "reject ID…",
		Short: "decide that these cases keep their lines, and remember why",
		Long: `Reject keeps the old line of each case. When the same change comes again, the
reason is shown. A rejected change goes on counting as a change.`,
		Example: `  docket reject summarise-0047 --reason "the refund window must stay in, see INC-219"`,
	})
}

func decideCommand(a *app, verdict decision.Verdict, cmd *cobra.Command) *cobra.Command {
	var f decideFlags
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs the id of a case: `docket diff` lists them", cmd.CommandPath())
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if strings.TrimSpace(f.reason) == "" {
			return errNoReason
		}
		for i, id := range args {
			if slices.Contains(args[:i], id) {
				return fmt.Errorf("case %q is named twice", id)
			}
		}
		if err := a.refuseInCI(f.inCI, cmd.Name()); err != nil {
			return err
		}
		if len(f.seen) > 0 && len(f.seen) != len(args) {
			return fmt.Errorf("--seen was given %s for %s: give it once for each id, in their order", phrase.Count(len(f.seen), "time", "times"), phrase.Count(len(args), "id", "ids"))
		}
		v, err := a.openReview(cmd, f, args)
		if err != nil {
			return err
		}
		defer v.Close()
		if verdict == decision.Accept {
			if err := refuseIncomparable(v, f.across, "accept"); err != nil {
				return err
			}
		}
		if f.also {
			return a.decide(v, decision.Allow, args, f)
		}
		return a.decide(v, verdict, args, f)
	}
	cmd.Flags().StringVar(&f.suite, "suite", "", "the suite of the cases")
	cmd.Flags().StringVar(&f.mode, "mode", "", "whose baseline: mock, replay or live")
	cmd.Flags().StringVar(&f.system, "system", "", "the `name` of the system whose outputs are meant (default: the suite's)")
	cmd.Flags().StringVar(&f.reason, "reason", "", "why; kept with the decision and shown when the case changes again")
	cmd.Flags().StringArrayVar(&f.seen, "seen", nil, "the `hash` that diff --format json prints; refuses where it is another by now")
	cmd.Flags().BoolVar(&f.inCI, "in-ci", false, "decide although CI is set")
	if verdict == decision.Accept {
		cmd.Flags().BoolVar(&f.across, "across", false, "accept although model, parameters, environment or age differ; write needs it too")
		cmd.Flags().BoolVar(&f.also, "also", false, "allow the new values beside the old ones, instead of in their place")
	}
	return cmd
}

// openReview opens the review of the suite that holds the cases. Where no
// suite was named and an id is in two of them, it says so instead of guessing.
func (a *app) openReview(cmd *cobra.Command, f decideFlags, ids []string) (*engine.Review, error) {
	suiteName := f.suite
	p, err := a.load()
	if err != nil {
		return nil, err
	}
	names := []string{suiteName}
	if suiteName == "" {
		names = p.Names()
	}
	var found []*engine.Suite
	for _, name := range names {
		s, err := p.Open(name, f.system, f.mode)
		if err != nil {
			if suiteName == "" && len(names) > 1 {
				return nil, fmt.Errorf("%w\nor name the suite that is meant with --suite", err)
			}
			return nil, err
		}
		if suiteName != "" || len(names) == 1 || s.Knows(ids) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no suite has a case %s: `docket diff --all` lists the ids", strings.Join(phrase.Quoted(ids), ", "))
	case 1:
	default:
		return nil, fmt.Errorf("%s is in the suites %s and %s: say which with --suite", strings.Join(phrase.Quoted(ids), ", "), found[0].Name, found[1].Name)
	}
	return a.reviewOf(cmd, found[0])
}

// reviewOf compares the last run of a suite with its baseline and opens the
// decisions on the result.
func (a *app) reviewOf(cmd *cobra.Command, s *engine.Suite) (*engine.Review, error) {
	base, err := s.Baseline()
	if err != nil {
		return nil, err
	}
	r, _, err := s.Latest(cmd.Context(), nil)
	if err != nil {
		return nil, err
	}
	d, err := s.Compare(cmd.Context(), r, base)
	if err != nil {
		return nil, err
	}
	v, err := s.Review(cmd.Context(), d, r, base)
	if err != nil {
		return nil, err
	}
	if held := v.ReadOnly(); held != "" {
		return nil, errors.Join(errors.New(held), v.Close())
	}
	for _, note := range v.CutShort() {
		fmt.Fprintln(a.err, "docket: "+safetext.Line(a.plain(note)))
	}
	return v, nil
}

func (a *app) decide(v *engine.Review, verdict decision.Verdict, ids []string, f decideFlags) error {
	for i, id := range ids {
		c, ok := v.Case(id)
		if ok && len(f.seen) > 0 && f.seen[i] != engine.Seen(c) {
			return fmt.Errorf("case %q is not what was seen (%s): it is %s by now; look again with `docket diff`", id, f.seen[i], engine.Seen(c))
		}
	}
	if err := v.Decide(ids, "", verdict, f.reason); err != nil {
		return err
	}
	for _, id := range ids {
		if verdict == decision.Allow {
			if err := a.printAllowed(v, id); err != nil {
				return err
			}
			continue
		}
		c, _ := v.Case(id)
		a.printDecided(verdict, c)
	}
	next := v.Suite.Command("write")
	if f.across {
		next += " --across"
	}
	fmt.Fprintf(a.out, "next: %s\n", next)
	return nil
}

// printDecided prints what was decided on one case, old → new.
func (a *app) printDecided(verdict decision.Verdict, c *diff.Case) {
	fmt.Fprintf(a.out, "%sed %s  %s, seen %s\n", verdict, safetext.Line(c.ID), c.Status, engine.Seen(c))
	for _, change := range c.Changes {
		old, new := change.Sides(c.OldSamples, c.NewSamples)
		fmt.Fprintf(a.out, "  %s  %s → %s\n", safetext.Line(change.Name()), safetext.Line(old), safetext.Line(new))
	}
}

// printAllowed prints what a case may be from now on.
func (a *app) printAllowed(v *engine.Review, id string) error {
	sets, err := v.Allowing(id, "")
	if err != nil {
		return err
	}
	if c, ok := v.Case(id); ok {
		fmt.Fprintf(a.out, "allowed %s  %s, seen %s\n", safetext.Line(id), c.Status, engine.Seen(c))
	} else {
		fmt.Fprintf(a.out, "allowed %s  no longer unstable\n", safetext.Line(id))
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		fmt.Fprintf(a.out, "  %s  %s\n", safetext.Line(name), safetext.Line(diff.Spell(sets[name])))
	}
	return nil
}
