package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"docket/engine/disk"
	"docket/engine/legacy/gone"
	"docket/engine/migration"
	"docket/engine/migration/session"
	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/suite"
	"docket/tui"
	"docket/tui/migrate"
)

// migrateFlags are the flags of docket migrate.
type migrateFlags struct {
	suite, apply         string
	deleted, plan, plain bool
	confirm, ascii, inCI bool
}

func newMigrate(a *app) *cobra.Command {
	var f migrateFlags
	cmd := &cobra.Command{
		Use:   "migrate FILE | REV:PATH | GLOB …",
		Short: "turn an old test suite into cases, one decision at a time",
		Long: `Migrate reads old tests of a program that calls a model (Python, JavaScript,
TypeScript and more), proposes for each assertion whether it knew a situation,
the format of an answer, or only the SDK of its day, and lets a person decide.
Situations become cases with their fixtures, formats a contract, the rest is
dropped and counted. The old tests are read, never run, and no model is asked.

A file that is gone is read from git: REV:PATH, or --deleted, which lists test
files that the history deleted; --deleted N or --deleted PATH migrates one.

Each decision is on disk before its mark is drawn; ctrl+s writes, after a
question. Nothing that is there is written over. A second migration proposes
only what is new.

--plan prints the proposals as JSON, --apply writes such a plan after somebody
edited it: each test's pile, its case, and "confirmed": true where its provenance
was read and holds.

Exit codes: 0 nothing is left to decide, or the plan was printed or written; 1
tests are undecided, or decided and not written; 2 something is wrong; 130
interrupted.`,
		Example: `  docket migrate --deleted
  docket migrate --deleted 1 --suite summariser
  docket migrate 'HEAD~3:tests/test_summariser.py'
  docket migrate 'tests/**/test_*.py' --plan > plan.json
  docket migrate --apply plan.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.migrate(cmd.Context(), args, f)
		},
	}
	cmd.Flags().StringVar(&f.suite, "suite", "", "the suite that the cases go to (default: named after the first file)")
	cmd.Flags().BoolVar(&f.deleted, "deleted", false, "list test files that the history deleted, or migrate the one that is named by its number or path")
	cmd.Flags().BoolVar(&f.plan, "plan", false, "print the proposals as JSON and decide nothing")
	cmd.Flags().StringVar(&f.apply, "apply", "", "write the plan in this `file`, as it was edited (- for stdin)")
	cmd.Flags().BoolVar(&f.confirm, "confirm", false, "with --apply: every provenance in the plan was read and holds")
	cmd.Flags().BoolVar(&f.plain, "plain", false, "one labelled line at a time instead of a screen")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII alone")
	cmd.Flags().BoolVar(&f.inCI, "in-ci", false, "decide although CI is set")
	return cmd
}

func (a *app) migrate(ctx context.Context, args []string, f migrateFlags) error {
	o, err := a.migrateOptions(f.suite)
	if err != nil {
		return err
	}
	switch {
	case f.confirm && f.apply == "":
		return errors.New("--confirm is for --apply")
	case f.apply != "" && (len(args) > 0 || f.deleted || f.plan):
		return errors.New("--apply writes a plan alone: leave out files, --deleted and --plan")
	case f.apply != "":
		if err := a.refuseInCI(f.inCI, "migrate --apply"); err != nil {
			return err
		}
		return a.applyPlan(ctx, o, f)
	case f.deleted:
		if args, err = a.chooseDeleted(ctx, o, args); err != nil || args == nil {
			return err
		}
	case len(args) == 0:
		return errors.New("name the old tests: a file, a glob, or REV:PATH for one of the history; `docket migrate --deleted` lists those that are gone")
	}
	if f.plan {
		m, err := session.Open(ctx, o, args)
		if err != nil {
			return err
		}
		_, err = a.out.Write(m.Plan(m.Target.Suite))
		return err
	}
	if err := a.refuseInCI(f.inCI, "migrate"); err != nil {
		return err
	}
	return a.migrateScreen(ctx, o, args, f)
}

// migrateOptions finds the configuration, which need not be there yet.
func (a *app) migrateOptions(name string) (session.Options, error) {
	here, err := os.Getwd()
	if err != nil {
		return session.Options{}, fmt.Errorf("the working directory cannot be read: %w", err)
	}
	o := session.Options{Dir: here, Here: here, Suite: name}
	if _, err := suite.Find(here); err != nil && a.configFile == "" {
		return o, nil
	}
	p, err := a.load()
	if err != nil {
		return o, err
	}
	o.Config, o.Dir = p.Config, p.Dir
	return o, nil
}

// chooseDeleted lists deleted test files, or returns the one that is named as a
// file to migrate.
func (a *app) chooseDeleted(ctx context.Context, o session.Options, args []string) ([]string, error) {
	list, err := session.DeletedTests(ctx, o.Here)
	if err != nil {
		return nil, err
	}
	found := list.Files
	if list.Shallow {
		fmt.Fprintln(a.err, "this clone is shallow: files that were deleted before its first commit are not listed; `git fetch --unshallow` gets the rest")
	}
	if list.Passed > 0 {
		fmt.Fprintf(a.err, "%s too large or too many to look into\n", phrase.Count(list.Passed, "deleted file was", "deleted files were"))
	}
	if len(found) == 0 {
		return nil, errors.New("the history of this repository deleted no test file that docket reads")
	}
	if len(args) == 0 {
		printDeleted(a.out, found)
		return nil, nil
	}
	var names []string
	for _, arg := range args {
		n, err := strconv.Atoi(arg)
		if err == nil && (n < 1 || n > len(found)) {
			return nil, fmt.Errorf("there is no number %d: the list goes from 1 to %d", n, len(found))
		}
		at := n - 1
		for i := 0; err != nil && i < len(found); i++ {
			if found[i].Path == arg { // the newest deletion of a path
				at, err = i, nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("no deleted test file is called %q: `docket migrate --deleted` lists them", arg)
		}
		names = append(names, found[at].Source())
	}
	return names, nil
}

func printDeleted(out io.Writer, found []gone.File) {
	for i, d := range found {
		fmt.Fprintf(out, "%3d  %s  %s  %s  %s\n     %s: %s\n", i+1, safetext.Line(d.Path), phrase.Count(d.Tests, "test", "tests"), d.Short(), d.Date.Format(time.DateOnly), safetext.Line(d.Author), safetext.Line(d.Subject))
	}
	fmt.Fprintln(out, "next: docket migrate --deleted 1")
}

func (a *app) applyPlan(ctx context.Context, o session.Options, f migrateFlags) error {
	in, name := a.in, "stdin"
	if f.apply != "-" {
		file, err := disk.OpenNamed(f.apply, migration.MaxPlan)
		if err != nil {
			return fmt.Errorf("there is no plan to read: %w; `docket migrate SOURCE --plan` prints one", err)
		}
		defer file.Close()
		in, name = file, f.apply
	}
	data, err := io.ReadAll(io.LimitReader(in, migration.MaxPlan+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s cannot be read: %w", name, err)
	case len(data) > migration.MaxPlan:
		return fmt.Errorf("%s has more than %d MB, which no plan has: `docket migrate SOURCE --plan` writes one", name, migration.MaxPlan/1_000_000)
	}
	m, out, err := session.Apply(ctx, o, name, data, f.confirm)
	if err != nil {
		return err
	}
	if out == nil {
		fmt.Fprintf(a.out, "nothing is new: all %s of the plan were decided before\n", phrase.Count(m.Known, "test", "tests"))
		return nil
	}
	for _, line := range m.Wrote(out) {
		fmt.Fprintln(a.out, line)
	}
	return nil
}

// migrateScreen opens the screen, or its plain form.
func (a *app) migrateScreen(ctx context.Context, o session.Options, names []string, f migrateFlags) error {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = safetext.Word(name)
	}
	command := "docket migrate " + strings.Join(words, " ")
	if f.suite != "" {
		command += " --suite " + safetext.Word(f.suite)
	}
	// What is wrong with a file is told before a screen opens.
	m, err := session.Open(ctx, o, names)
	if err != nil {
		return err
	}
	wanted, err := a.settings()
	if err != nil {
		return errors.Join(err, m.Close())
	}
	var mu sync.Mutex
	var session *migrate.Session
	opener := func(context.Context, func(done, total int, what string)) (tui.Screen, error) {
		if err := m.Decide(); err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		var screen *migrate.Screen
		screen, session = migrate.Open(m, command)
		return screen, nil
	}
	result, err := tui.Run(ctx, opener, a.onScreen(wanted, tui.Options{ASCII: f.ascii, Plain: f.plain}))
	mu.Lock()
	defer mu.Unlock()
	err = errors.Join(err, m.Close())
	switch {
	case err != nil:
		return err
	case result.Signal != "" || session == nil:
		return exit{codeInterrupted}
	case session.Remaining() > 0:
		return exit{codeChange}
	}
	return nil
}
