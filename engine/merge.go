package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/conflict"
	"docket/engine/diff"
	"docket/engine/disk"
)

// MergeOptions say which baselines are merged, and how.
type MergeOptions struct {
	Suite  string        // only this suite's; "" takes all
	Mode   string        // only this mode's; "" takes all
	Header baseline.Take // whose header, where they differ
}

// A Merge is one baseline in conflict, and what became of it.
type Merge struct {
	Suite, Mode string
	Path        string // relative to the configuration, with slashes
	File        string // the same, absolute
	Sides       conflict.Sides
	Merged      *baseline.Merged
	Clashes     []Clash // Merged.Conflicts, for people
	Resolved    bool    // the file held the merged baseline already
	Review      string  // the command that decides the clashes

	was []byte // what the file holds
}

// A Clash is a case that both sides changed, with what differs between them.
// Its texts are untrusted.
type Clash struct {
	ID                 string
	Base, Ours, Theirs bool // whether the version has a line of the case
	Parts              []ClashPart
}

// A ClashPart is a projection, a check or another part of a line in the three
// versions, each spelt for people.
type ClashPart struct{ Of, Base, Ours, Theirs string }

// Merge merges the baselines that git holds to be in conflict, by case id, and
// writes them. It reads no case and starts no system, so that it works while
// cases are in conflict too. Nothing is written unless all can be.
//
// Where none is in conflict it returns none, and an error for a baseline that
// was damaged by a merge: one that holds conflict markers, or an id twice.
func (p *Project) Merge(ctx context.Context, o MergeOptions) ([]Merge, error) {
	names := p.Names()
	if o.Suite != "" {
		config, _, err := p.Choose(o.Suite)
		if err != nil {
			return nil, err
		}
		names = []string{config.Name}
	}
	listed, err := conflict.List(ctx, p.Dir)
	if errors.Is(err, conflict.ErrNoGit) {
		return nil, fmt.Errorf("%w: name the three versions with --base, --ours and --theirs", err)
	}
	if err != nil {
		return nil, err
	}
	var merges []Merge
	for _, name := range names {
		for _, mode := range baseline.Modes() {
			if o.Mode != "" && mode != o.Mode {
				continue
			}
			m := Merge{Suite: name, Mode: mode}
			if m.File, err = baseline.Path(p.Dir, name, mode); err != nil {
				return nil, err
			}
			m.Path = p.relative(m.File)
			at := slices.IndexFunc(listed, func(f conflict.File) bool { return f.Path == m.Path })
			if at < 0 {
				if err := m.sound(); err != nil {
					return nil, err
				}
				continue
			}
			if err := m.plan(ctx, &listed[at], p.Dir, o.Header); err != nil {
				return nil, err
			}
			if m.Review, err = p.reviewOf(&m); err != nil {
				return nil, err
			}
			merges = append(merges, m)
		}
	}
	for i := range merges {
		m := &merges[i]
		if m.Resolved {
			continue
		}
		if _, err := m.Merged.Write(p.fsys, m.File, m.was); err != nil {
			return nil, err
		}
	}
	return merges, nil
}

// reviewOf spells the command that decides what a merge could not.
func (p *Project) reviewOf(m *Merge) (string, error) {
	config, _, err := p.Choose(m.Suite)
	if err != nil {
		return "", err
	}
	first, _, _ := bytes.Cut(m.Merged.Data, []byte("\n"))
	header, err := baseline.ParseHeader(first)
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.Path, err)
	}
	return p.reviewCommand(config, m.Mode, header.System), nil
}

// sound fails for a baseline that is no longer in conflict and was not
// resolved either.
func (m *Merge) sound() error {
	data, err := disk.Read(disk.OS{}, m.File, baseline.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("read the baseline: %w", err)
	case baseline.InConflict(data):
		return fmt.Errorf("%s holds conflict markers, and git holds it to be resolved, perhaps since it was added: `git checkout --merge -- %s` brings the conflict back if it is not committed yet; then `docket merge` again", m.Path, m.Path)
	}
	_, err = baseline.Parse(m.File, data)
	return err
}

// plan merges the three versions and looks whether the file may be replaced.
func (m *Merge) plan(ctx context.Context, f *conflict.File, dir string, take baseline.Take) (err error) {
	if m.was, err = disk.Read(disk.OS{}, m.File, baseline.MaxSize); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the baseline: %w", err)
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
	return fmt.Errorf("%s is in conflict and holds no conflict markers any more, so somebody resolved it by hand; docket does not write over that: `git add %s` keeps it, `git checkout --merge -- %s` begins again", m.Path, m.Path, m.Path)
}

func (m *Merge) merge(base, ours, theirs []byte, take baseline.Take) (*baseline.Merged, error) {
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

// MergeFiles merges three files, for use without git, or as git's merge
// driver. An empty base says that there was none.
func MergeFiles(base, ours, theirs string, take baseline.Take) (*Merge, error) {
	var data [3][]byte
	for i, path := range []string{base, ours, theirs} {
		var err error
		if data[i], err = disk.Read(disk.OS{}, path, baseline.MaxSize); err != nil {
			return nil, fmt.Errorf("read a version to merge: %w", err)
		}
	}
	m := &Merge{Sides: conflict.Sides{Ours: ours, Theirs: theirs}}
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
func (m *Merge) WriteTo(path string) error {
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

// clashes says for people what differs between the sides of each conflict.
func clashes(m *baseline.Merged) ([]Clash, error) {
	var all []Clash
	for _, c := range m.Conflicts {
		clash := Clash{ID: c.ID, Base: c.Base != nil, Ours: c.Ours != nil, Theirs: c.Theirs != nil}
		var said [3]map[string]string
		of := map[string]bool{}
		for i, line := range [][]byte{c.Base, c.Ours, c.Theirs} {
			if line == nil {
				continue
			}
			l, err := baseline.ParseLine(line)
			if err != nil {
				return nil, fmt.Errorf("the line of case %q: %w", c.ID, err)
			}
			said[i] = spelled(&l)
			for name := range said[i] {
				of[name] = true
			}
		}
		for name := range of {
			base, ours, theirs := orAbsent(said[0], name), orAbsent(said[1], name), orAbsent(said[2], name)
			differs := ours != theirs
			switch { // where one side has no line, what matters is what the other changed
			case !clash.Ours:
				differs = base != theirs
			case !clash.Theirs:
				differs = base != ours
			}
			if differs {
				clash.Parts = append(clash.Parts, ClashPart{name, base, ours, theirs})
			}
		}
		slices.SortFunc(clash.Parts, func(a, b ClashPart) int { return strings.Compare(a.Of, b.Of) })
		all = append(all, clash)
	}
	return all, nil
}

func orAbsent(said map[string]string, name string) string {
	if v, ok := said[name]; ok {
		return v
	}
	return "(absent)"
}

// spelled writes the compared parts of a line for people, by name.
func spelled(l *baseline.Line) map[string]string {
	said := map[string]string{
		"version": fmt.Sprint(l.Version),
		"input":   short(l.Input),
	}
	if l.Expect != "" {
		said["expect"] = short(l.Expect)
	}
	for name, c := range l.Checks {
		said["check "+name] = fmt.Sprintf("pass %d/%d", c.Passed, c.Of)
	}
	for name, v := range l.Projections {
		said[name] = diff.Spell(v)
	}
	for name, counts := range l.Unstable {
		said[name+", unstable"] = diff.SpellCounts(counts, l.Samples)
	}
	for _, m := range l.Extra {
		said[m.Key] = string(m.Value)
	}
	return said
}

// short is the part of a hash that people can tell apart.
func short(hash string) string {
	hash = strings.TrimPrefix(hash, "sha256:")
	return hash[:min(len(hash), 8)]
}
