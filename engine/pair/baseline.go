package pair

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/disk"
	"docket/engine/run"
)

// pairKey is the key of a header that says which two files a baseline was made
// of.
const pairKey = "pair"

// Folder is where the review of two files writes unless it is told otherwise: a
// folder of its own for each pair of contents below docket-review, so that no
// review stands in the way of another.
func (p *Pair) Folder() string {
	name := folderName(p.Old.Path)
	if after := folderName(p.New.Path); after != name {
		name += "-" + after
	}
	return filepath.Join("docket-review", name+"-"+strings.TrimPrefix(p.Key(), "sha256:")[:8])
}

// folderName makes a part of a folder's name of a file's: its letters and
// digits, without what follows the last point, and not too many.
func folderName(path string) string {
	const longest = 32
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	name := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, base), "-")
	if name == "" {
		return "file"
	}
	return name[:min(len(name), longest)]
}

// Key is the hash of both contents.
func (p *Pair) Key() string { return canonical.HashBytes([]byte(p.Old.Hash + "\x00" + p.New.Hash)) }

// Header is the header of the baseline that is made of the old file.
func (p *Pair) Header() baseline.Header {
	h := p.Old.header
	h.Format = baseline.Format
	if baseline.CheckSuiteName(h.Suite) != nil {
		h.Suite = "review"
	}
	if !slices.Contains(baseline.Modes(), h.Mode) {
		h.Mode = "live"
	}
	h.Extra = withMember(h.Extra, pairKey, p.Key())
	if p.Old.samples != nil && p.guess.String() != "" {
		h.Extra = withMember(h.Extra, guessKey, guessMembers(p.guess))
	}
	return h
}

// Base returns what was written below root for the two files before, or the old
// file as a baseline. It is an error for a baseline of other files.
func (p *Pair) Base(root string) (*baseline.File, error) {
	header := p.Header()
	written, err := baseline.Open(disk.OS{}, root, header.Suite, header.Mode)
	switch {
	case err == nil && !slices.ContainsFunc(written.Header.Extra, func(m baseline.Member) bool {
		return m.Key == pairKey && string(m.Value) == string(canonical.AppendString(nil, p.Key()))
	}):
		return nil, fmt.Errorf("%s was not made of these two files, and docket does not overwrite it: name another folder with --out DIR, or leave --out out for one of their own", filepath.ToSlash(written.Path))
	case err == nil:
		return written, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; name another folder with --out DIR", err)
	}
	data := append(baseline.AppendHeader(nil, &header), '\n')
	for _, line := range p.Old.lines {
		data = append(append(data, line.Bytes...), '\n')
	}
	return baseline.Parse(p.Old.Path, data)
}

// Begin makes the baseline below root that decisions are then applied to, of the
// lines of the old file, where it is not there yet.
func (p *Pair) Begin(fsys disk.FS, root string) error {
	if err := disk.MakeAll(fsys, root, 0o755); err != nil {
		return fmt.Errorf("%s cannot be made: %w", root, withoutPath(err))
	}
	lines := make(map[string][]byte, len(p.Old.lines))
	for _, line := range p.Old.lines {
		lines[line.ID] = line.Bytes
	}
	header := p.Header()
	_, err := baseline.Create(fsys, root, &header, lines)
	var changed *baseline.ChangedError
	if errors.As(err, &changed) && changed.Appeared {
		_, err = p.Base(root)
	}
	return err
}

// Run is the new file as a run, with the id that its review has: the same
// however often the files are opened, so that a write that a crash cut short is
// completed and not done twice.
func (p *Pair) Run() *run.Run {
	r, header := *p.run, p.Header()
	r.ID = p.New.changed.UTC().Format("20060102T150405Z") + "-" + strings.TrimPrefix(p.Key(), "sha256:")[:8]
	r.Config.Format, r.Config.Suite, r.Config.Mode = baseline.Format, header.Suite, header.Mode
	return &r
}
