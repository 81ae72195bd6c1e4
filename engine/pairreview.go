package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/interchange"
	"docket/engine/journal"
	"docket/engine/pair"
	"docket/engine/safetext"
	"docket/engine/secret"
)

// A Pair is two files that were read and compared, with no suite around them,
// and can be reviewed.
type Pair struct{ *pair.Pair }

// Files reads and compares two files: of outputs, of another tool's results,
// or two baselines; or a baseline that was made of outputs and the outputs of
// today. Cases pair by id alone.
func Files(ctx context.Context, oldPath, newPath string) (*Pair, error) {
	return FilesWith(ctx, oldPath, newPath, interchange.Options{})
}

// FilesWith is Files with a choice of the field that identifies cases and of
// the variant, for both files.
func FilesWith(ctx context.Context, oldPath, newPath string, o interchange.Options) (*Pair, error) {
	p, err := pair.Read(ctx, oldPath, newPath, o, scrubber{secret.New(secret.Environment(os.Environ()))})
	if err != nil {
		return nil, err
	}
	return &Pair{p}, nil
}

// Review opens the decisions on two files. They are kept in the folder state,
// under the hash of both contents; what is decided is written below the folder
// out ("": Folder), in the layout of a repository. The two files are never
// touched. Where out holds what was written for the same files before, the
// review goes on from there; where it holds another baseline the review is
// refused, before anything is decided that could not be written.
func (p *Pair) Review(ctx context.Context, out, state string) (*Review, error) {
	if out == "" {
		out = p.Folder()
	}
	header := p.Header()
	h := home{
		root: out, suite: header.Suite, mode: header.Mode,
		journalRoot: state, journalSub: filepath.Join("reviews", strings.TrimPrefix(p.Key(), "sha256:")[:32]+".jsonl"),
	}
	base, err := p.Base(out)
	if err != nil {
		return nil, err
	}
	d, err := p.Compare(base)
	if err != nil {
		return nil, err
	}
	history, err := decision.Read(disk.OS{}, out, header.Suite)
	if err != nil {
		return nil, err
	}
	if err := disk.MakeAll(disk.OS{}, state, 0o700); err != nil {
		return nil, fmt.Errorf("decisions cannot be kept: %w", err)
	}
	p.Diff = d
	v := newReview(&Review{Pair: p, Diff: d, Run: p.Run(), Base: base, History: history, by: git.Author(ctx, "."), home: h})
	v.journal, err = journal.Open(v.config())
	return v, err
}

// DiffLine is the command that compares what a write wrote with the new file:
// what is left there is what was rejected or not decided.
func (v *Review) DiffLine(o decision.Outcome) string {
	line := "docket diff " + safetext.Word(o.Baseline) + " " + safetext.Word(v.Pair.New.Path)
	for _, flag := range []struct{ name, value string }{{"id", v.Pair.Options.ID}, {"variant", v.Pair.Options.Variant}} {
		if flag.value != "" {
			line += " --" + flag.name + " " + safetext.Word(flag.value)
		}
	}
	return line
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
