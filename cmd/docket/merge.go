package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/conflict"
	"docket/engine/merge"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// mergeFlags are the flags of docket merge.
type mergeFlags struct {
	mode, header               string
	base, ours, theirs, output string
}

func newMerge(a *app) *cobra.Command {
	var f mergeFlags
	cmd := &cobra.Command{
		Use:   "merge [SUITE]",
		Short: "resolve a baseline in git conflict, by case id",
		Long: `Merge takes git's three versions of each baseline that is in conflict and joins
them case by case. A line that one side changed is that side's, byte for byte;
a line that both changed differently keeps the version from before the branches
parted, is listed, and is decided anew in the next review. Without SUITE every
baseline in conflict is merged. It stages nothing; edits made by hand between
conflict markers are replaced.

With --base, --ours and --theirs it merges three files and needs neither git nor
a configuration. As git's merge driver (forges do not run drivers, so conflicts
there still come here):
  git config merge.docket.driver 'docket merge --base %O --ours %A --theirs %B --output %A'
  baselines/**/*.jsonl merge=docket      in .gitattributes

Exit codes: 0 resolved, or nothing in conflict; 1 some case must be decided
anew; 2 something is wrong, or the headers differ and --header does not say
whose to keep.`,
		Example: `  docket merge
  docket merge support --header theirs      the other branch recaptured
  docket merge --base b.jsonl --ours o.jsonl --theirs t.jsonl --output live.jsonl`,
		Args: atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch f.header {
			case "", string(baseline.TakeOurs), string(baseline.TakeTheirs):
			default:
				return fmt.Errorf("--header takes ours or theirs, and not %q", f.header)
			}
			if f.base+f.ours+f.theirs+f.output != "" {
				return a.mergeFiles(f, args)
			}
			return a.merge(cmd.Context(), f, args)
		},
	}
	cmd.Flags().StringVar(&f.mode, "mode", "", "only the baseline of this mode: mock, replay or live")
	cmd.Flags().StringVar(&f.header, "header", "", "whose header to keep where they differ: ours or theirs")
	cmd.Flags().StringVar(&f.base, "base", "", "the common version, a `file`; an empty one for none")
	cmd.Flags().StringVar(&f.ours, "ours", "", "our version, a `file`")
	cmd.Flags().StringVar(&f.theirs, "theirs", "", "their version, a `file`")
	cmd.Flags().StringVar(&f.output, "output", "", "the `file` that takes the merged files (default: stdout)")
	return cmd
}

func (a *app) merge(ctx context.Context, f mergeFlags, args []string) error {
	p, err := a.load()
	if err != nil {
		return err
	}
	o := engine.MergeOptions{Mode: f.mode, Header: baseline.Take(f.header)}
	if len(args) == 1 {
		o.Suite = args[0]
	}
	merges, err := p.Merge(ctx, o)
	if err != nil {
		return err
	}
	kept, err := p.MergeDecisions(ctx, o.Suite)
	if err != nil {
		return err
	}
	if len(merges)+len(kept) == 0 {
		fmt.Fprintln(a.out, "no baseline is in conflict: nothing to merge")
		return nil
	}
	for _, k := range kept {
		fmt.Fprintf(a.out, "%s\n  both sides reviewed one run, under one name: ours keeps it, theirs is %s\n", safetext.Line(k.Path), safetext.Line(k.Moved))
		fmt.Fprintf(a.out, "next: git add %s\n", safetext.Word(a.shorten(filepath.Join(p.Dir, filepath.Dir(k.Path)))))
	}
	undecided := false
	for i := range merges {
		a.printMerge(&merges[i])
		undecided = undecided || len(merges[i].Clashes) > 0
	}
	if undecided {
		return exit{codeChange}
	}
	return nil
}

// printMerge says of one baseline what was merged and what to do next.
func (a *app) printMerge(m *engine.Merge) {
	fmt.Fprintf(a.out, "%s\n  %s\n", safetext.Line(m.Path), safetext.Line(sidesLine(m.Sides)))
	printMerged(a.out, m.Baseline)
	path := safetext.Word(a.shorten(m.File))
	switch {
	case m.Decided > 0:
		fmt.Fprintf(a.out, "%s holds this already, with what was decided since on %s\n", safetext.Line(m.Path), phrase.Count(m.Decided, "case", "cases"))
		path += " " + safetext.Word(a.shorten(filepath.Join(filepath.Dir(m.File), "decisions")))
	case m.Resolved:
		fmt.Fprintf(a.out, "%s holds this already\n", safetext.Line(m.Path))
	default:
		fmt.Fprintf(a.out, "wrote %s and read it back\n", safetext.Line(m.Path))
	}
	if len(m.Clashes) == 0 {
		fmt.Fprintf(a.out, "next: git add %s\n", path)
		return
	}
	fmt.Fprintf(a.out, "next: git add %s, then %s, which shows these cases wherever the run differs from the older line\n", path, m.Review)
}

// sidesLine names the sides by what git calls them, and warns where they are
// the other way round than people expect.
func sidesLine(s conflict.Sides) string {
	switch s.Operation {
	case "":
		return fmt.Sprintf("ours is %s, theirs is %s", s.Ours, s.Theirs)
	case "rebase":
		return fmt.Sprintf("in a rebase: ours is %s, the branch rebased onto; theirs is your own commit %s", s.Ours, s.Theirs)
	default:
		return fmt.Sprintf("in a %s: ours is %s, theirs is %s", s.Operation, s.Ours, s.Theirs)
	}
}

func printMerged(w io.Writer, m *merge.Baseline) {
	c := m.Merged
	fmt.Fprintf(w, "  %s: %d as before, %d changed by ours alone, %d by theirs alone, %d by both alike, %d by both differently\n",
		phrase.Count(c.Untouched+c.FromOurs+c.FromTheirs+c.Alike+len(c.Conflicts), "case", "cases"), c.Untouched, c.FromOurs, c.FromTheirs, c.Alike, len(c.Conflicts))
	if len(m.Clashes) == 0 {
		return
	}
	fmt.Fprintln(w, "  to decide anew, since taking a side would be a guess; until then the line of before the branches parted stands:")
	for _, clash := range m.Clashes {
		fmt.Fprintf(w, "    %s  %s\n", safetext.Line(clash.ID), clashLine(&clash))
		for i, part := range clash.Parts {
			if i == 4 {
				fmt.Fprintf(w, "      and %d more\n", len(clash.Parts)-i)
				break
			}
			fmt.Fprintf(w, "      %s\n", partLine(&clash, part))
		}
	}
}

func clashLine(c *merge.Clash) string {
	switch {
	case !c.Base:
		return "added by both, with different lines; it has none until it is decided"
	case !c.Ours:
		return "removed by ours, changed by theirs"
	case !c.Theirs:
		return "changed by ours, removed by theirs"
	default:
		return "changed by both"
	}
}

func partLine(c *merge.Clash, p merge.Part) string {
	said := safetext.Line(p.Of) + ":"
	for _, side := range []struct {
		name, value string
		has         bool
	}{{"before", p.Base, c.Base}, {"ours", p.Ours, c.Ours}, {"theirs", p.Theirs, c.Theirs}} {
		if !side.has {
			continue
		}
		if said[len(said)-1] != ':' {
			said += ","
		}
		said += " " + side.name + " " + phrase.Clip(safetext.Line(side.value), mostShown)
	}
	return said
}

// mergeFiles merges the three files that the flags name. The result alone goes
// to stdout, or to --output.
func (a *app) mergeFiles(f mergeFlags, args []string) error {
	switch {
	case f.base == "" || f.ours == "" || f.theirs == "":
		return errors.New("three files make a merge: name --base, --ours and --theirs (an empty file as --base where there was none)")
	case len(args) > 0 || f.mode != "":
		return errors.New("three files are merged for themselves: leave out the suite and --mode")
	}
	m, err := merge.Files(f.base, f.ours, f.theirs, baseline.Take(f.header))
	if err != nil {
		return err
	}
	if f.output == "" {
		spell := func(data string) string { return string(safetext.EscapeJSON([]byte(data))) }
		if err := a.verbatim(spell, func(w io.Writer) error { _, err := w.Write(m.Merged.Data); return err }); err != nil {
			return fmt.Errorf("the merged baseline could not be printed: %w", err)
		}
	} else if err := m.WriteTo(f.output); err != nil {
		return err
	}
	printMerged(a.err, m)
	if len(m.Clashes) > 0 {
		return exit{codeChange}
	}
	return nil
}
