// Package merge brings together what two branches made of the files of a suite:
// its baselines by case id, and its files of decisions whole.
//
// It refuses to choose for a person: what both sides changed differently is a
// clash, which a review decides. It writes over no file that somebody resolved
// by hand, and it reads no case and starts no system, so that it works while
// cases are in conflict too.
package merge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"docket/engine/baseline"
	"docket/engine/conflict"
	"docket/engine/disk"
)

// A Baseline is one in conflict, and what became of it.
type Baseline struct {
	Suite, Mode string
	Path        string // relative to the configuration, with slashes
	File        string // the same, absolute
	Sides       conflict.Sides
	Merged      *baseline.Merged
	Clashes     []Clash // Merged.Conflicts, for people
	Resolved    bool    // the file held the merged baseline already
	Decided     int     // how many cases it holds as they were decided since; no clashes

	was []byte // what the file holds
}

// Baselines finds the baselines of suites that git holds to be in conflict, and
// plans what becomes of each; mode "" takes those of every mode. Nothing is
// written: see [Baseline.Write].
//
// A baseline that is not in conflict is passed over, and is an error where a merge
// damaged it: it holds conflict markers, or an id twice.
func Baselines(ctx context.Context, dir string, suites []string, mode string, take baseline.Take) ([]*Baseline, error) {
	listed, err := conflict.List(ctx, dir)
	if errors.Is(err, conflict.ErrNoGit) {
		return nil, fmt.Errorf("%w: name the three versions with --base, --ours and --theirs", err)
	}
	if err != nil {
		return nil, err
	}
	var merges []*Baseline
	for _, suite := range suites {
		for _, each := range baseline.Modes() {
			if mode != "" && mode != each {
				continue
			}
			m := &Baseline{Suite: suite, Mode: each}
			if m.File, err = baseline.Path(dir, suite, each); err != nil {
				return nil, err
			}
			m.Path = disk.Relative(dir, m.File)
			at := slices.IndexFunc(listed, func(f conflict.File) bool { return f.Path == m.Path })
			if at < 0 {
				if err := m.sound(); err != nil {
					return nil, err
				}
				continue
			}
			if err := m.plan(ctx, &listed[at], dir, take); err != nil {
				return nil, err
			}
			merges = append(merges, m)
		}
	}
	return merges, nil
}

// Write writes the merged baseline over what the plan found there, unless that
// holds it already.
func (m *Baseline) Write(fsys disk.FS) error {
	if m.Resolved {
		return nil
	}
	_, err := m.Merged.Write(fsys, m.File, m.was)
	return err
}

// sound fails for a baseline that is no longer in conflict and was not
// resolved either.
func (m *Baseline) sound() error {
	data, err := disk.Read(disk.OS{}, m.File, baseline.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the baseline cannot be read: %w", err)
	case baseline.InConflict(data):
		return fmt.Errorf("%s holds conflict markers, and git holds it to be resolved, perhaps since it was added: `git checkout --merge -- %s` brings the conflict back if it is not committed yet; then `docket merge` again", m.Path, m.Path)
	}
	_, err = baseline.Parse(m.File, data)
	return err
}

// plan merges the three versions and looks whether the file may be replaced.
func (m *Baseline) plan(ctx context.Context, f *conflict.File, dir string, take baseline.Take) (err error) {
	if m.was, err = disk.Read(disk.OS{}, m.File, baseline.MaxSize); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the baseline cannot be read: %w", err)
	}
	if m.Sides, err = conflict.Who(ctx, dir); err != nil {
		return err
	}
	if _, theirs := conflict.MarkerNames(m.was); theirs != "" && m.Sides.Operation != "rebase" {
		m.Sides.Theirs = theirs
	}
	if !f.Has(conflict.Ours) || !f.Has(conflict.Theirs) {
		deleted, kept := m.Sides.Ours, m.Sides.Theirs
		if f.Has(conflict.Ours) {
			deleted, kept = kept, deleted
		}
		return fmt.Errorf("%s was deleted on one side (%q) and changed on the other (%q), which no merge by case can settle: keep it with `git add %s`, or let it go with `git rm %s`", m.Path, deleted, kept, m.Path, m.Path)
	}
	var data [conflict.Theirs + 1][]byte
	for version := conflict.Base; version <= conflict.Theirs; version++ {
		if data[version], err = f.Read(ctx, version); err != nil {
			return err
		}
	}
	if m.Merged, err = m.merge(data[conflict.Base], data[conflict.Ours], data[conflict.Theirs], take); err != nil {
		return err
	}
	if m.Clashes, err = clashes(m.Merged); err != nil {
		return err
	}
	m.Resolved = bytes.Equal(m.was, m.Merged.Data)
	same := func(version []byte) bool { return bytes.Equal(m.was, version) }
	if m.was == nil || m.Resolved || baseline.InConflict(m.was) || slices.ContainsFunc(data[:], same) {
		return nil
	}
	if decided := m.decidedSince(dir); decided != nil {
		m.Resolved, m.Decided = true, len(decided)
		m.Clashes = slices.DeleteFunc(m.Clashes, func(c Clash) bool { return decided[c.ID] })
		return nil
	}
	return fmt.Errorf("%s is in conflict, holds no conflict markers any more and is not what docket merges, so somebody resolved it by hand, or wrote changes that were decided one by one; docket does not write over that: `git add %s` keeps it, `git checkout --merge -- %s` begins again", m.Path, m.Path, m.Path)
}

func (m *Baseline) merge(base, ours, theirs []byte, take baseline.Take) (*baseline.Merged, error) {
	v, err := parseVersions([3]string{m.Path + " (base)", m.Path + " (ours)", m.Path + " (theirs)"}, [3][]byte{base, ours, theirs})
	if err != nil {
		return nil, err
	}
	if v.Ours == nil || v.Theirs == nil {
		return nil, fmt.Errorf("%s is empty on one side: keep the other with `git checkout --ours -- %s` or `--theirs`", m.Path, m.Path)
	}
	for _, side := range []*baseline.File{v.Ours, v.Theirs} {
		if err := side.Belongs(m.Suite, m.Mode); err != nil {
			return nil, err
		}
	}
	return baseline.Merge(v, take)
}

// parseVersions reads the three versions of a baseline, base, ours, theirs, each
// with the name that errors give it. The base may be empty.
func parseVersions(names [3]string, data [3][]byte) (v baseline.Versions, err error) {
	for i, into := range []**baseline.File{&v.Base, &v.Ours, &v.Theirs} {
		if *into, err = baseline.ParseVersion(names[i], data[i]); err != nil {
			return v, err
		}
	}
	return v, nil
}

// Files merges three files, for use without git, or as git's merge
// driver. An empty base says that there was none.
func Files(base, ours, theirs string, take baseline.Take) (*Baseline, error) {
	var data [3][]byte
	for i, path := range []string{base, ours, theirs} {
		var err error
		if data[i], err = disk.Read(disk.OS{}, path, baseline.MaxSize); err != nil {
			return nil, fmt.Errorf("read a version to merge: %w", err)
		}
	}
	m := &Baseline{Sides: conflict.Sides{Ours: ours, Theirs: theirs}}
	v, err := parseVersions([3]string{base, ours, theirs}, data)
	if err != nil {
		return nil, err
	}
	if v.Ours == nil || v.Theirs == nil {
		return nil, fmt.Errorf("a side of the merge is empty: %s and %s must both be baselines", ours, theirs)
	}
	if m.Merged, err = baseline.Merge(v, take); err != nil {
		return nil, err
	}
	m.Suite, m.Mode = v.Ours.Header.Suite, v.Ours.Header.Mode
	m.Clashes, err = clashes(m.Merged)
	return m, err
}

// WriteTo puts the merged baseline into a file, in one step, over what is
// there, and reads it back. It takes no lock, since git hands its merge driver
// files of its own.
func (m *Baseline) WriteTo(path string) error {
	if err := disk.Write(disk.OS{}, path, m.Merged.Data, 0o644); err != nil {
		return err
	}
	now, err := disk.Read(disk.OS{}, path, baseline.MaxSize)
	if err != nil {
		return fmt.Errorf("the merged baseline was written and cannot be read back: %w", err)
	}
	if !bytes.Equal(now, m.Merged.Data) {
		return fmt.Errorf("the merged baseline was written and %s holds something else now", path)
	}
	return nil
}
