package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/journal"
	"docket/engine/safetext"
)

// pairKey is the key of a header that says which two files a baseline was made
// of.
const pairKey = "pair"

// Review opens the decisions on two files. They are kept in the folder state,
// under the hash of both contents; what is decided is written below the folder
// out ("": Folder), in the layout of a repository. The two files are never
// touched. Where out holds what was written for the same files before, the
// review goes on from there; where it holds another baseline the review is
// refused, before anything is decided that could not be written.
func (p *Pair) Review(ctx context.Context, out, state string) (*Review, error) {
	key := p.key()
	if out == "" {
		out = p.Folder()
	}
	header := p.header(key)
	h := home{
		root: out, suite: header.Suite, mode: header.Mode,
		journalRoot: state, journalSub: filepath.Join("reviews", strings.TrimPrefix(key, "sha256:")[:32]+".jsonl"),
	}
	base, err := p.base(&header, h)
	if err != nil {
		return nil, err
	}
	d, err := p.compare(base)
	if err != nil {
		return nil, err
	}
	history, err := decision.Read(disk.OS{}, out, header.Suite)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("decisions cannot be kept in %s: %w", state, withoutPath(err))
	}
	p.Diff = d
	r := *p.run
	// The id of the run is the same however often the files are opened, so
	// that a write that a crash cut short is completed and not done twice.
	r.ID = p.New.changed.UTC().Format("20060102T150405Z") + "-" + strings.TrimPrefix(key, "sha256:")[:8]
	r.Config.Format, r.Config.Suite, r.Config.Mode = baseline.Format, header.Suite, header.Mode
	v := newReview(&Review{Pair: p, Diff: d, Run: &r, Base: base, History: history, by: author(ctx, "."), home: h})
	v.journal, err = journal.Open(v.config())
	return v, err
}

// Folder is where the review of two files writes unless it is told otherwise: a
// folder of its own for each pair of contents below docket-review, so that no
// review stands in the way of another.
func (p *Pair) Folder() string {
	name := folderName(p.Old.Path)
	if after := folderName(p.New.Path); after != name {
		name += "-" + after
	}
	return filepath.Join("docket-review", name+"-"+strings.TrimPrefix(p.key(), "sha256:")[:8])
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

// DiffLine is the command that compares what a write wrote with the new file:
// what is left there is what was rejected or not decided.
func (v *Review) DiffLine(o decision.Outcome) string {
	line := "docket diff " + safetext.Word(o.Baseline) + " " + safetext.Word(v.Pair.New.Path)
	for _, flag := range []struct{ name, value string }{{"id", v.Pair.options.ID}, {"variant", v.Pair.options.Variant}} {
		if flag.value != "" {
			line += " --" + flag.name + " " + safetext.Word(flag.value)
		}
	}
	return line
}

// key is the hash of both contents.
func (p *Pair) key() string { return canonical.HashBytes([]byte(p.Old.Hash + "\x00" + p.New.Hash)) }

// header is the header of the baseline that is made of the old file.
func (p *Pair) header(key string) baseline.Header {
	h := p.Old.header
	h.Format = baseline.Format
	if baseline.CheckSuiteName(h.Suite) != nil {
		h.Suite = "review"
	}
	if !slices.Contains(baseline.Modes(), h.Mode) {
		h.Mode = "live"
	}
	h.Extra = withMember(h.Extra, pairKey, key)
	if p.Old.samples != nil && p.guess.String() != "" {
		h.Extra = withMember(h.Extra, guessKey, guessMembers(p.guess))
	}
	return h
}

// base returns what was written for the two files before, or the old file as a
// baseline.
func (p *Pair) base(header *baseline.Header, h home) (*baseline.File, error) {
	written, err := baseline.Open(disk.OS{}, h.root, h.suite, h.mode)
	switch {
	case err == nil && !slices.ContainsFunc(written.Header.Extra, func(m baseline.Member) bool {
		return m.Key == pairKey && string(m.Value) == string(canonical.AppendString(nil, p.key()))
	}):
		return nil, fmt.Errorf("%s was not made of these two files, and docket does not overwrite it: name another folder with --out DIR, or leave --out out for one of their own", filepath.ToSlash(written.Path))
	case err == nil:
		return written, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; name another folder with --out DIR", err)
	}
	data := append(baseline.AppendHeader(nil, header), '\n')
	for _, line := range p.Old.lines {
		data = append(append(data, line.Bytes...), '\n')
	}
	return baseline.Parse(p.Old.Path, data)
}

// begin makes the baseline that decisions are then applied to, of the lines of
// the old file, where it is not there yet.
func (p *Pair) begin(v *Review) error {
	if err := os.MkdirAll(v.home.root, 0o755); err != nil {
		return fmt.Errorf("%s cannot be made: %w", v.home.root, withoutPath(err))
	}
	lines := make(map[string][]byte, len(p.Old.lines))
	for _, line := range p.Old.lines {
		lines[line.ID] = line.Bytes
	}
	header := p.header(p.key())
	_, err := baseline.Create(v.fsys, v.home.root, &header, lines)
	var changed *baseline.ChangedError
	if errors.As(err, &changed) && changed.Appeared {
		_, err = p.base(&header, v.home)
	}
	return err
}

// StateFolder returns where docket keeps what belongs to no repository: in
// XDG_STATE_HOME, by default ~/.local/state, or in %LocalAppData% on Windows.
// goos is as runtime.GOOS.
func StateFolder(goos string, getenv func(string) string) (string, error) {
	if goos == "windows" {
		if dir := getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "docket"), nil
		}
		return "", errors.New("decisions on two files are kept in %LocalAppData%, which is not set")
	}
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "docket"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "docket"), nil
	}
	return "", errors.New("decisions on two files are kept in the user's state folder: set HOME or XDG_STATE_HOME")
}
