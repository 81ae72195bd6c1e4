package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/adoption"
	"docket/engine/interchange"
	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/suite"
)

// importFlags are the flags of docket import.
type importFlags struct {
	suite, system, cases string
	read                 interchange.Options
	adopt                adoption.Options
	dryRun               bool
}

func newImport(a *app) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "results of another tool become a run, or cases",
		Long: `Import reads a file of outputs or of another tool's results whole, says what it
read, and keeps it as a run of a suite, judged by the suite's checks beside the
tool's own; diff, review, history and compare work on it then. A case without a
row is an error of that case, as in any run. Nothing is asked and no program is
started.

With --cases it writes a case file for each id that has none in that folder:
the input, and the assertions that a check says exactly; the others are listed.
With --sample it draws a golden set from a log, spread over the segments that
--by names; --redact replaces personal data, the same by the same placeholder.
Keys and tokens that are known by their look or name never enter a case.

Exit codes: 0 it is stored or written (or would be); 2 something is wrong, and
nothing was.`,
		Example: `  docket import results.json --suite support --system candidate
  docket import old.eval --dry-run
  docket import results.json --cases cases/support
  docket import log.jsonl --cases cases/golden --sample 200 --by locale --redact`,
		Args: exactly("a file of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.cases == "" {
				for _, name := range []string{"sample", "by", "seed", "redact", "person"} {
					if cmd.Flags().Changed(name) {
						return fmt.Errorf("--%s is about cases: add --cases DIR", name)
					}
				}
				return a.importRun(cmd.Context(), args[0], f)
			}
			switch sampled := cmd.Flags().Changed("sample"); {
			case f.system != "":
				return errors.New("--system is about a run: leave it out with --cases")
			case sampled && f.adopt.Sample < 1:
				return errors.New("--sample counts from 1")
			case sampled != (f.adopt.By != ""):
				return errors.New("a golden set is drawn over segments: say both --sample N and --by FIELD")
			case f.adopt.Person != "" && !f.adopt.Redact:
				return errors.New("--person is taken out with personal data: add --redact")
			}
			return a.importCases(cmd.Context(), args[0], f)
		},
	}
	cmd.Flags().StringVar(&f.suite, "suite", "", "the `suite` that it is a run of (default: the first)")
	cmd.Flags().StringVar(&f.system, "system", "", "the `name` of the system whose results they are (default: the suite's)")
	cmd.Flags().StringVar(&f.read.ID, "id", "", "the `field` that tells cases apart, where the format has no id (metadata.ticket)")
	cmd.Flags().StringVar(&f.read.Variant, "variant", "", "the provider, model or prompt of this `name`, where the file holds several")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what was read, and keep nothing")
	cmd.Flags().StringVar(&f.cases, "cases", "", "write cases into this `folder` instead")
	cmd.Flags().IntVar(&f.adopt.Sample, "sample", 0, "draw `N` cases")
	cmd.Flags().Lookup("sample").DefValue = "0"
	cmd.Flags().StringVar(&f.adopt.By, "by", "", "the `field` that names the segment of a row, such as locale or input.intent")
	cmd.Flags().Uint64Var(&f.adopt.Seed, "seed", 1, "another number draws other cases")
	cmd.Flags().BoolVar(&f.adopt.Redact, "redact", false, "replace personal data by placeholders")
	cmd.Flags().StringVar(&f.adopt.Person, "person", "", "the `field` that holds a person's name, to be replaced wherever it stands")
	return cmd
}

func (a *app) importRun(ctx context.Context, file string, f importFlags) error {
	p, err := a.load()
	if err != nil {
		return err
	}
	i, err := p.Import(ctx, file, engine.ImportOptions{Suite: f.suite, System: f.system, Read: f.read})
	if i == nil {
		return err
	}
	s := i.Suite
	if err != nil {
		return fmt.Errorf("%s, suite %s: %w", file, s.Name, err)
	}
	a.summary(i.File)
	fmt.Fprintf(a.out, "suite %s: %s of %d answered\n", safetext.Line(s.Name), phrase.Count(len(s.Cases())-len(i.Missing), "case", "cases"), len(s.Cases()))
	if n := len(i.Missing); n > 0 {
		fmt.Fprintf(a.out, "unanswered, so errors: %s\n", safetext.Line(phrase.Few(i.Missing, 5)))
	}
	for _, note := range unknownNotes(i.Unmatched) {
		fmt.Fprintf(a.out, "unmatched: %s\n", safetext.Line(note))
	}
	if f.dryRun {
		fmt.Fprintln(a.out, "nothing was kept, as --dry-run asks")
		return nil
	}
	progress := a.progress("judging " + s.Name)
	r, err := i.Store(ctx, progress.tick)
	progress.done()
	if err != nil {
		return err
	}
	if r.Interrupted {
		return exit{codeInterrupted}
	}
	fmt.Fprintf(a.out, "run %s: results of %s, mode %s\n", r.ID, safetext.Line(s.System.Name), s.Mode)
	next := s.Command("diff")
	if _, err := s.Baseline(); errors.Is(err, engine.ErrNoBaseline) {
		next = fmt.Sprintf("name %s as a system of kind outputs, then docket calibrate %s --system that one, which makes the baseline of it", safetext.Word(file), safetext.Word(s.Name))
	} else if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "next: %s\n", safetext.Line(next))
	return nil
}

func (a *app) summary(f *interchange.File) {
	for _, line := range f.Summary() {
		fmt.Fprintln(a.out, safetext.Line(line))
	}
}

func (a *app) importCases(ctx context.Context, file string, f importFlags) error {
	f.adopt.Added = time.Now().Format(time.DateOnly)
	if f.suite != "" {
		p, err := a.load()
		if err != nil {
			return err
		}
		config, _, err := p.Choose(f.suite)
		if err != nil {
			return err
		}
		f.adopt.Labels = config.Labels
	}
	i, err := engine.ImportCases(ctx, file, f.cases, f.read, f.adopt)
	if err != nil {
		return err
	}
	a.summary(i.File)
	a.adopted(i.Adoption, f.adopt)
	switch {
	case len(i.Cases) == 0:
		fmt.Fprintln(a.out, "no case is to be written")
		return nil
	case f.dryRun:
		fmt.Fprintf(a.out, "%s would be written to %s\n", phrase.Count(len(i.Cases), "case", "cases"), safetext.Line(f.cases))
		return nil
	}
	if err := i.Write(); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "wrote %s to %s\n", phrase.Count(len(i.Cases), "case", "cases"), safetext.Line(f.cases))
	if f.adopt.Sample == 0 {
		fmt.Fprintln(a.out, "docket lint names them until provenance says why each exists")
	}
	if _, err := suite.Find("."); err != nil {
		fmt.Fprintf(a.out, "next: docket init, then name the folder as a suite: {cases: %s}\n", safetext.Line(f.cases))
	}
	return nil
}

// adopted says what became of the ids of a file.
func (a *app) adopted(d *adoption.Adoption, o adoption.Options) {
	line := func(format string, args ...any) {
		fmt.Fprintln(a.out, safetext.Line(fmt.Sprintf(format, args...)))
	}
	if n := len(d.Known); n > 0 {
		line("have a case already: %d, %s", n, phrase.Few(d.Known, 5))
	}
	skipped := map[string][]string{}
	for _, s := range d.Skipped {
		skipped[s.Why] = append(skipped[s.Why], s.ID)
	}
	for _, why := range slices.Sorted(maps.Keys(skipped)) {
		line("no case of %s, since %s: %s", phrase.Count(len(skipped[why]), "id", "ids"), why, phrase.Few(phrase.Quoted(skipped[why]), 20))
	}
	for _, s := range d.Segments {
		if s.Name == "" {
			line("no segment: %d of %d drawn", s.Drawn, s.Of)
		} else {
			line("%s %s: %d of %d drawn", o.By, s.Name, s.Drawn, s.Of)
		}
	}
	if n := len(d.Uncovered); n > 0 {
		line("covered by no segment: %s", phrase.Few(d.Uncovered, 20))
	}
	translated, left := 0, map[string]int{}
	for _, c := range d.Cases {
		translated += c.Translated
		for _, l := range c.Left {
			left[l]++
		}
	}
	if translated+len(left) > 0 {
		line("assertions: %d translated, %d not", translated, sum(left))
		for _, l := range slices.Sorted(maps.Keys(left)) {
			line("  not translated, in %s: %s", phrase.Count(left[l], "case", "cases"), l)
		}
	}
	if d.Secret > 0 {
		line("secrets replaced in %s: what looks like a key or a token reads [redacted], and should be revoked, since the file has it", phrase.Count(d.Secret, "case", "cases"))
	}
	if o.Redact {
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(d.Redacted)) {
			kinds = append(kinds, fmt.Sprintf("%d %s", d.Redacted[kind], strings.ReplaceAll(kind, "_", " ")))
		}
		if len(kinds) == 0 {
			kinds = []string{"nothing"}
		}
		line("replaced: %s; names that no --person field holds stay, so read the cases before you commit them", strings.Join(kinds, ", "))
	}
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
