package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"docket/engine"
)

// eachSuite calls do for the suite that the arguments name, or for every suite
// of the configuration. Of all it returns what counts most: where one suite is
// wrong the others are told all the same, and an interrupt leaves the rest as
// it is, since a run that begins then would reach no case. A suite of all that
// was never run is named, and counts as cases that failed do: what the others
// say holds, and the command as a whole is no pass.
func (a *app) eachSuite(ctx context.Context, args []string, all bool, do func(p *engine.Project, name string) error) error {
	p, err := a.load()
	if err != nil {
		if len(args) == 1 && isFile(args[0]) {
			return fmt.Errorf("%s is a file: name two files, the old and the new", args[0])
		}
		return err
	}
	if all && len(args) > 0 {
		return errors.New("--all takes every suite: leave out the name of one")
	}
	if !all {
		name := ""
		if len(args) == 1 {
			name = args[0]
		}
		config, _, err := p.Choose(name)
		if err != nil {
			if len(args) == 1 && isFile(args[0]) {
				return fmt.Errorf("%s is a file: name two files, the old and the new, or a suite", args[0])
			}
			return err
		}
		return do(p, config.Name)
	}
	var worst error
	var wrong []error
	for _, name := range p.Names() {
		err := do(p, name)
		if errors.Is(err, engine.ErrNoRun) {
			fmt.Fprintf(a.err, "docket: left out: %v\n", err)
			err = errSomeFailed
		}
		code, message := exitOf(err)
		switch {
		case code != codeWrong:
			worst = worse(worst, err)
		case !slices.ContainsFunc(wrong, func(e error) bool { return e.Error() == message }):
			wrong = append(wrong, err)
		}
		if code == codeInterrupted {
			break
		}
		if ctx.Err() != nil {
			worst = worse(worst, exit{codeInterrupted})
			break
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	return worst
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
