package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/suggestion"
	"docket/tui"
	"docket/tui/prune"
)

// pruneFlags are the flags of docket prune.
type pruneFlags struct {
	suite                     string
	runs, days                int
	heavy, again, list, plain bool
	ascii, inCI               bool
}

func newPrune(a *app) *cobra.Command {
	var f pruneFlags
	cmd := &cobra.Command{
		Use:   "prune [ID… | GLOB…]",
		Short: "go through cases that are proposed for deletion, and why each exists",
		Long: `Prune opens the screen on which cases are gone through before they are deleted:
why each exists, what it has caught, what would be lost with it. Only when these
were looked at do the keys decide: a keeps a case, d retires it, m merges it into
another, p writes its provenance anew. ctrl+s does what is decided, in one step.

Proposed are the cases that are named, by id or by a glob over ids and files. With
no name docket proposes cases itself: what they refer to is gone; they ask the
same as another; they waver beyond use; they never failed in many runs. It leaves
out cases of weight above 1 and of incidents (--heavy proposes them too), and
cases that were kept before (--again).

A retired case goes with its file, its lines in every mode and the input files
that no other case reads. The decision keeps all of them, and docket restore
brings them back without git. Past results stay.

--plain asks one labelled line at a time; --list only says what is proposed.

Exit codes: 0 nothing is left to decide; 1 a case is undecided, or decided and
not written; 2 something is wrong; 130 interrupted.`,
		Example: `  docket prune
  docket prune 'summarise-00*' --plain
  docket prune --list --runs 50 --days 180`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !f.list {
				if err := a.refuseInCI(f.inCI, "prune"); err != nil {
					return err
				}
			}
			return a.prune(cmd.Context(), args, f)
		},
	}
	cmd.Flags().StringVar(&f.suite, "suite", "", "the suite of the cases")
	cmd.Flags().IntVar(&f.runs, "runs", suggestion.DefaultRuns, "propose what never failed in so many runs")
	cmd.Flags().IntVar(&f.days, "days", suggestion.DefaultDays, "over so many days")
	cmd.Flags().BoolVar(&f.heavy, "heavy", false, "propose cases of weight above 1, and of incidents, as well")
	cmd.Flags().BoolVar(&f.again, "again", false, "propose cases that were kept before as well")
	cmd.Flags().BoolVar(&f.list, "list", false, "say what is proposed and what speaks against it, and decide nothing")
	cmd.Flags().BoolVar(&f.plain, "plain", false, "one labelled line at a time instead of a screen")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII alone")
	cmd.Flags().BoolVar(&f.inCI, "in-ci", false, "decide although CI is set")
	return cmd
}

func (a *app) prune(ctx context.Context, names []string, f pruneFlags) error {
	if f.runs < 1 || f.days < 0 {
		return errors.New("--runs must be at least 1, and --days not negative")
	}
	p, err := a.load()
	if err != nil {
		return err
	}
	if f.suite == "" {
		if f.suite, err = p.PruneSuite(names); err != nil {
			return err
		}
	}
	v, err := p.Prune(ctx, f.suite, engine.PruneOptions{Names: names, Options: suggestion.Options{Runs: f.runs, Days: f.days, Heavy: f.heavy, Again: f.again}})
	if err != nil {
		return err
	}
	switch {
	case len(v.Proposals) == 0:
		a.printNoProposals(v, len(p.Names()) > 1)
		return v.Close()
	case f.list:
		a.printProposals(v)
		return v.Close()
	}
	return a.pruneOn(ctx, v, pruneCommand(f, names), f)
}

// pruneCommand spells the command that opens the same queue again.
func pruneCommand(f pruneFlags, names []string) string {
	var b strings.Builder
	b.WriteString("docket prune --suite " + safetext.Word(f.suite))
	if f.runs != suggestion.DefaultRuns {
		fmt.Fprintf(&b, " --runs %d", f.runs)
	}
	if f.days != suggestion.DefaultDays {
		fmt.Fprintf(&b, " --days %d", f.days)
	}
	for _, flag := range []struct {
		set  bool
		name string
	}{{f.heavy, "heavy"}, {f.again, "again"}, {f.plain, "plain"}} {
		if flag.set {
			b.WriteString(" --" + flag.name)
		}
	}
	for _, name := range names {
		b.WriteString(" " + safetext.Word(name))
	}
	return b.String()
}

func (a *app) printNoProposals(v *engine.Prune, several bool) {
	of := ""
	if several {
		of = " of suite " + v.Suite.Name
	}
	fmt.Fprintf(a.out, "no case%s is proposed for deletion: %s looked at\n", of, phrase.Count(len(v.Suite.Cases), "case", "cases"))
	if left := prune.LeftOut(v.Found); left != "" {
		fmt.Fprintln(a.out, left)
	}
	fmt.Fprintln(a.out, "a case can be named: docket prune ID")
}

// printProposals lists what is proposed, on what ground, and what speaks
// against it.
func (a *app) printProposals(v *engine.Prune) {
	fmt.Fprintf(a.out, "%d of %s of suite %s proposed for deletion\n", len(v.Proposals), phrase.Count(len(v.Suite.Cases), "case", "cases"), v.Suite.Name)
	for _, p := range v.Proposals {
		fmt.Fprintln(a.out, safetext.Line(p.ID))
		for _, finding := range p.Findings {
			fmt.Fprintf(a.out, "  ground: %s\n", safetext.Line(finding.Why))
		}
		if len(p.Findings) == 0 {
			fmt.Fprintf(a.out, "  ground: %s, and docket knows none\n", safetext.Line(p.Asked))
		}
		for _, o := range v.Against(p.ID) {
			fmt.Fprintf(a.out, "  against: %s\n", safetext.Line(o.Text))
		}
	}
	if left := prune.LeftOut(v.Found); left != "" {
		fmt.Fprintln(a.out, left)
	}
}

// pruneOn opens the screen, or its plain form, and returns the exit code that is
// left when it is closed.
func (a *app) pruneOn(ctx context.Context, v *engine.Prune, command string, f pruneFlags) error {
	wanted, err := a.settings()
	if err != nil {
		return errors.Join(err, v.Close())
	}
	var mu sync.Mutex // who leaves while the screen is being opened does not wait for it
	var session *prune.Session
	opener := func(context.Context, func(done, total int, what string)) (tui.Screen, error) {
		mu.Lock()
		defer mu.Unlock()
		var screen *prune.Screen
		screen, session = prune.Open(v, command)
		return screen, nil
	}
	result, err := tui.Run(ctx, opener, a.onScreen(wanted, tui.Options{ASCII: f.ascii, Plain: f.plain}))
	mu.Lock()
	defer mu.Unlock()
	if err = errors.Join(err, v.Close()); err != nil {
		return err
	}
	switch {
	case result.Signal != "" || session == nil:
		return exit{codeInterrupted}
	case result.Decided < result.Total || !result.Written:
		return exit{codeChange}
	}
	return nil
}
