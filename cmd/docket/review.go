package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/interchange"
	"docket/engine/run"
	"docket/engine/safetext"
	"docket/tui"
	"docket/tui/review"
)

// reviewFlags are the flags of docket review.
type reviewFlags struct {
	mode, system, runID, out string
	keyHosts                 []string
	plain, across            bool
	ascii, inCI              bool
	read                     interchange.Options
}

func newReview(a *app) *cobra.Command {
	var f reviewFlags
	cmd := &cobra.Command{
		Use:   "review [SUITE | OLD NEW]",
		Short: "decide on each change, and write the new baseline",
		Long: `Review opens the screen on which the cases that changed are accepted or
rejected, each with a reason. Each decision is on disk before its mark is
drawn: after a quit, a crash or a lost connection the next review goes on. The
baseline is written by ctrl+s alone, after a question.

With two files there is no suite: decisions are kept in your state folder, and
ctrl+s writes a baseline and the decisions below --out. The files stay as they
are.

--plain asks one labelled line at a time, through pipes and for screen readers;
so does a terminal that cannot draw, and ACCESSIBLE in the environment.

Exit codes: 0 nothing is left to decide; 1 a change is not in the written
baseline (undecided, rejected, or decided and not written); 2 something is
wrong; 3 not comparable; 4 some case failed or missed; 130 interrupted.`,
		Example: `  docket review
  docket review invoices --plain
  docket review old.jsonl new.jsonl --out reviewed`,
		Args: atMost(2, "a suite, or two files"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.refuseInCI(f.inCI, "review"); err != nil {
				return err
			}
			if len(args) == 2 {
				return a.reviewFiles(cmd.Context(), args[0], args[1], f)
			}
			if len(args) == 1 && isFile(args[0]) {
				return fmt.Errorf("%s is a file: name two files, the old and the new, or a suite", args[0])
			}
			if f.read != (interchange.Options{}) {
				return errors.New("--id and --variant are for two files: name the old and the new one")
			}
			return a.reviewSuite(cmd.Context(), args, f)
		},
	}
	cmd.Flags().StringVar(&f.mode, "mode", "", "whose baseline: mock, replay or live")
	cmd.Flags().StringVar(&f.system, "system", "", "the system whose outputs are meant (default: the suite's)")
	cmd.Flags().StringVar(&f.runID, "run", "", "review the run of this `id` instead of the last one")
	cmd.Flags().StringArrayVar(&f.keyHosts, "key-host", nil, "a `host` that may be sent API keys when more samples are taken, besides the vendors' own and loopback; may be repeated")
	cmd.Flags().StringVar(&f.out, "out", "", "with two files, the `folder` that ctrl+s writes to (default: one for each pair in docket-review)")
	addReadFlags(cmd, &f.read)
	cmd.Flags().BoolVar(&f.plain, "plain", false, "one labelled line at a time instead of a screen")
	cmd.Flags().BoolVar(&f.across, "across", false, "compare and write although model, parameters, environment or age differ, and say so")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII alone")
	cmd.Flags().BoolVar(&f.inCI, "in-ci", false, "decide although CI is set")
	return cmd
}

// reviewSuite reviews the last run of a suite. What is wrong with the suite is
// told before a screen opens; the run, where one has to be made, is made behind
// its first frame.
func (a *app) reviewSuite(ctx context.Context, args []string, f reviewFlags) error {
	p, err := a.load()
	if err != nil {
		return err
	}
	s, err := p.Open(strings.Join(args, ""), f.system, f.mode)
	if err != nil {
		return err
	}
	s.KeyHosts = f.keyHosts
	base, err := s.Baseline()
	if err != nil {
		return err
	}
	return a.review(ctx, "docket review "+s.Name+f.asTyped(), f, func(ctx context.Context, report progressFunc) (*engine.Review, error) {
		return openSuite(ctx, s, base, f.runID, report)
	})
}

// asTyped are the flags that a later review needs to go on with the same.
func (f reviewFlags) asTyped() string {
	var b strings.Builder
	for _, flag := range []struct{ name, value string }{{"mode", f.mode}, {"system", f.system}, {"run", f.runID}} {
		if flag.value != "" {
			fmt.Fprintf(&b, " --%s %s", flag.name, safetext.Word(flag.value))
		}
	}
	for _, host := range f.keyHosts {
		b.WriteString(" --key-host " + safetext.Word(host))
	}
	if f.across {
		b.WriteString(" --across")
	}
	if f.plain {
		b.WriteString(" --plain")
	}
	return b.String()
}

// progressFunc is told how far the work before the screen is.
type progressFunc func(done, total int, what string)

func openSuite(ctx context.Context, s *engine.Suite, base *baseline.File, runID string, report progressFunc) (*engine.Review, error) {
	var r *run.Run
	var err error
	if runID != "" {
		r, err = s.StoredRun(ctx, runID)
	} else {
		r, _, err = s.Latest(ctx, func(done, total int) { report(done, total, "running "+s.Name) })
	}
	if err != nil {
		return nil, err
	}
	d, err := s.Compare(ctx, r, base)
	if err != nil {
		return nil, err
	}
	return s.Review(ctx, d, r, base)
}

// reviewFiles reviews two files with no suite around them.
func (a *app) reviewFiles(ctx context.Context, oldPath, newPath string, f reviewFlags) error {
	if f.mode != "" || f.system != "" || f.runID != "" || len(f.keyHosts) > 0 {
		return errors.New("--mode, --system, --run and --key-host are for a suite: leave them out with two files")
	}
	state, err := engine.StateFolder(runtime.GOOS, a.getenv)
	if err != nil {
		return err
	}
	command := "docket review " + safetext.Word(oldPath) + " " + safetext.Word(newPath)
	if f.out != "" {
		command += " --out " + safetext.Word(f.out)
	}
	command += readFlags(f.read)
	return a.review(ctx, command, f, func(ctx context.Context, report progressFunc) (*engine.Review, error) {
		report(0, 0, "reading "+filepath.Base(oldPath)+" and "+filepath.Base(newPath))
		pair, err := engine.FilesWith(ctx, oldPath, newPath, f.read)
		if err != nil {
			return nil, err
		}
		return pair.Review(ctx, f.out, state)
	})
}

// review opens the screen, or its plain form, and returns the exit code that
// is left when it is closed.
func (a *app) review(ctx context.Context, command string, f reviewFlags, open func(context.Context, progressFunc) (*engine.Review, error)) error {
	wanted, err := a.settings()
	if err != nil {
		return err
	}
	// Who leaves while the screen is being opened does not wait for it.
	var mu sync.Mutex
	var v *engine.Review
	var session *review.Session
	opener := func(ctx context.Context, report func(done, total int, what string)) (tui.Screen, error) {
		opened, err := open(ctx, report)
		if err != nil {
			return nil, err
		}
		if !f.plain {
			go opened.Prepare(ctx)
		}
		mu.Lock()
		defer mu.Unlock()
		v = opened
		var screen *review.Screen
		screen, session = review.Open(v, command, f.across)
		return screen, nil
	}
	result, err := tui.Run(ctx, opener, a.onScreen(wanted, tui.Options{ASCII: f.ascii, Plain: f.plain}))
	mu.Lock()
	defer mu.Unlock()
	if v != nil {
		err = errors.Join(err, v.Close())
	}
	switch {
	case err != nil:
		return err
	case result.Signal != "" || session == nil:
		return exit{codeInterrupted}
	}
	return codeOfReview(session.Diff(), session, f.across)
}

// codeOfReview is the exit code of a review that was left in order.
func codeOfReview(d *diff.Diff, session *review.Session, across bool) error {
	failed := d.Summary.Statuses[diff.Error] + d.Summary.Statuses[diff.Missed]
	switch {
	case !d.Comparable() && d.Recapture == "" && !across:
		return exit{codeGrounds}
	case session.Remaining() > 0:
		return exit{codeChange}
	case failed > 0:
		return errSomeFailed
	default:
		return nil
	}
}
