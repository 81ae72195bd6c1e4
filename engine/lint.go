package engine

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/jsonl"
	"docket/engine/measure"
	"docket/engine/provenance"
	"docket/engine/safetext"
	"docket/engine/source"
)

// Lint looks at a suite that loads and returns what is suspect in it: lines of
// a baseline that are unsorted, damaged, expired or of no case, cases without
// a line, expectations that changed with no new version, decisions that do not
// read, recordings that are stale, damaged or of no case, provenances that say
// nothing or refer to nothing. Problems that keep a suite from loading are the
// error of Open.
func (s *Suite) Lint(ctx context.Context, now time.Time) (source.Problems, error) {
	var problems source.Problems
	for _, mode := range baseline.Modes() {
		file, err := baseline.Open(disk.OS{}, s.Project.Dir, s.Name, mode)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			problems = append(problems, problemOf(err, path.Join("baselines", s.Name, mode+".jsonl")))
			continue
		}
		problems = append(problems, s.lintBaseline(file, path.Join("baselines", s.Name, mode+".jsonl"), now)...)
	}
	history, err := decision.Read(disk.OS{}, s.Project.Dir, s.Name)
	if err != nil {
		problems = append(problems, problemOf(err, path.Join("baselines", s.Name, "decisions")))
	} else {
		for _, name := range history.Unknown {
			at := source.Position{File: path.Join("baselines", s.Name, "decisions", name)}
			problems = append(problems, at.Problemf("not a file of decisions: they are named after a run, a number and a hash, such as 20260811T102203Z-7f3a-1-5b0c91d2.jsonl"))
		}
	}
	problems = append(problems, provenance.Lint(s.data.Cases, s.Project.Config.Links, s.Project.known(ctx, s.data.Cases))...)
	problems = append(problems, s.lintCanned(ctx)...)
	for _, j := range s.judges {
		if why := j.Undated(); why != "" {
			problems = append(problems, j.At.Problemf("%s", why))
		}
	}
	recorded, err := s.lintRecordings(now)
	if err != nil {
		return nil, err
	}
	problems = append(problems, recorded...)
	problems.Sort()
	return problems, nil
}

func (s *Suite) lintBaseline(file *baseline.File, name string, now time.Time) source.Problems {
	var problems source.Problems
	at := func(line int) source.Position { return source.Position{File: name, Line: line, Column: 1} }
	if _, expires, past := diff.Expired(file, now); past {
		problems = append(problems, at(1).Problemf("the baseline expired on %s: capture it anew", expires))
	}
	checks := make(map[string][]check.Compiled, len(s.planned))
	for _, p := range s.planned {
		checks[p.Case.ID] = p.Checks
	}
	lines := map[string]bool{}
	for i, raw := range file.Lines {
		lines[raw.ID] = true
		if _, ok := s.Case(raw.ID); !ok {
			problems = append(problems, at(i+2).Problemf("case %q has a line and no case file: retire it in the review, or restore the file", raw.ID))
		}
	}
	unsound := file.Lint(func(l *baseline.Line) {
		c, ok := s.Case(l.ID)
		if !ok || l.Version != c.Version {
			return
		}
		if l.Expect != c.ExpectHash {
			problems = append(problems, c.At.Problemf("the expectation of case %q changed since the baseline and its version is still %d: count the version up", c.ID, c.Version))
		} else if names := diff.Reasked(l.Params, measure.Params(checks[c.ID])); len(names) > 0 {
			problems = append(problems, c.At.Problemf("what case %q asks under %s changed since the baseline, as where a schema file was edited, and its version is still %d: count the version up", c.ID, strings.Join(names, ", "), c.Version))
		}
	})
	for _, e := range unsound {
		problems = append(problems, source.Problem{Position: source.Position{File: name, Line: e.Line, Column: e.Column}, Message: e.Message})
	}
	for _, c := range s.data.Cases {
		if !lines[c.ID] {
			problems = append(problems, c.At.Problemf("case %q has no line in %s: `docket calibrate %s%s` adds it, or accept it in the review", c.ID, name, safetext.Word(s.Name), s.inMode(file.Header.System, file.Header.Mode)))
		}
	}
	return problems
}

// problemOf turns the error of a file into a problem, with its place where the
// error knows one. The name is for an error that names no file.
func problemOf(err error, name string) source.Problem {
	var damaged *jsonl.Error
	if errors.As(err, &damaged) && damaged.File != "" {
		return source.Problem{Position: source.Position{File: filepath.ToSlash(damaged.File), Line: damaged.Line, Column: max(damaged.Column, 1)}, Message: damaged.Message}
	}
	return source.Problem{Position: source.Position{File: filepath.ToSlash(name)}, Message: err.Error()}
}
