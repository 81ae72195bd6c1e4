package decision

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/disk"
	"docket/engine/jsonl"
)

// Folder returns baselines/SUITE/decisions below root.
func Folder(root, suite string) string {
	return filepath.Join(root, baseline.Folder, suite, "decisions")
}

// maxSize is the largest decision file that is read, in bytes.
const maxSize = 500_000_000

// fileName matches RUN-N-HASH.jsonl, and RUN-N.jsonl as an older docket wrote
// it.
var fileName = regexp.MustCompile(`^([0-9]{8}T[0-9]{6}Z-[0-9a-f]{1,16})-([1-9][0-9]{0,8})(?:-[0-9a-f]{8})?\.jsonl$`)

// FileName returns the name of a run's nth decision file where the run is of
// nobody else. It fails where the run's id has another form than
// 20260811T102203Z-7f3a.
func FileName(run string, n int) (string, error) { return named(run, n, "") }

// NewName returns the name of a run's nth decision file that will hold data. It
// ends in eight hex digits of the hash of data, so that two people who review
// one stored run, each on a branch, never give two files one name: git merges
// them without a conflict, and a file on both branches is the same on both.
func NewName(run string, n int, data []byte) (string, error) {
	return named(run, n, "-"+strings.TrimPrefix(canonical.HashBytes(data), "sha256:")[:8])
}

func named(run string, n int, hash string) (string, error) {
	name := fmt.Sprintf("%s-%d%s.jsonl", run, n, hash)
	if !fileName.MatchString(name) {
		return "", fmt.Errorf("the run id %q must look like 20260811T102203Z-7f3a", run)
	}
	return name, nil
}

// ParseFileName reads the name of a decision file: the run, and which of its
// files it is. ok is false for any other name.
func ParseFileName(name string) (run string, n int, ok bool) {
	m := fileName.FindStringSubmatch(name)
	if m == nil {
		return "", 0, false
	}
	n, err := strconv.Atoi(m[2])
	return m[1], n, err == nil
}

// A Past is a decision that was written, with its place.
type Past struct {
	Decision
	Run  string
	File string
	Line int
}

// A History is what was decided on a suite, in all modes.
type History struct {
	// All holds the decisions by time, those of one moment by file and line.
	All []Past
	// Unknown names files in the folder that are no decision files.
	Unknown []string

	byCase map[string][]int
}

// Read reads all decision files of a suite strictly; an error names file, line
// and column. A suite without decisions has an empty history.
func Read(fsys disk.FS, root, suite string) (*History, error) {
	if err := baseline.CheckSuiteName(suite); err != nil {
		return nil, err
	}
	h := &History{byCase: map[string][]int{}}
	folder := Folder(root, suite)
	entries, err := list(fsys, folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		switch m := fileName.FindStringSubmatch(name); {
		case m != nil:
			past, err := readFile(fsys, filepath.Join(folder, name), m[1])
			if err != nil {
				return nil, err
			}
			h.All = append(h.All, past...)
		case !strings.HasPrefix(name, "."):
			h.Unknown = append(h.Unknown, name)
		}
	}
	slices.SortStableFunc(h.All, func(a, b Past) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	for i, p := range h.All {
		h.byCase[p.Case] = append(h.byCase[p.Case], i)
	}
	return h, nil
}

func list(fsys disk.FS, folder string) ([]fs.DirEntry, error) {
	entries, err := fsys.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the decisions cannot be read: %w", err)
	}
	return entries, nil
}

func readFile(fsys disk.FS, path, run string) ([]Past, error) {
	data, err := disk.Read(fsys, path, maxSize)
	if err != nil {
		return nil, fmt.Errorf("the decisions cannot be read: %w", err)
	}
	return parseFile(path, run, data)
}

// parseFile reads a decision file: the configuration of its run, then one
// decision a line.
func parseFile(path, run string, data []byte) ([]Past, error) {
	var all []Past
	if len(data) == 0 {
		return nil, &jsonl.Error{File: path, Line: 1, Message: "the file is empty; a decision file begins with the configuration of its run"}
	}
	for number := 1; len(data) > 0; number++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		why := jsonl.Diagnose(line)
		if why == "" && !whole {
			why = "the last line has no line end, so the file may have been cut short; restore it, or add the line end if the line is whole"
		}
		if why != "" {
			return nil, &jsonl.Error{File: path, Line: number, Message: why}
		}
		data = rest
		if number == 1 {
			if _, err := baseline.ParseHeader(line); err != nil {
				return nil, jsonl.In(path, number, err)
			}
			continue
		}
		d, err := ParseLine(line)
		if err != nil {
			return nil, jsonl.In(path, number, err)
		}
		all = append(all, Past{Decision: d, Run: run, File: path, Line: number})
	}
	return all, nil
}

// Of returns the decisions on a case, the oldest first.
func (h *History) Of(id string) []Past {
	all := make([]Past, 0, len(h.byCase[id]))
	for _, i := range h.byCase[id] {
		all = append(all, h.All[i])
	}
	return all
}

// Rejected returns the reject of exactly these changes of a case in a mode, if
// that was the last that was said of them there. What was said of a mock says
// nothing of the model.
func (h *History) Rejected(mode, id string, changes []Change) (Past, bool) {
	if len(changes) == 0 {
		return Past{}, false
	}
	for _, i := range slices.Backward(h.byCase[id]) {
		if p := h.All[i]; p.Mode == mode && SameChanges(p.Changes, changes) {
			return p, p.Verdict == Reject
		}
	}
	return Past{}, false
}

// nextNumber is the number of the next file of a run.
func nextNumber(fsys disk.FS, folder, run string) (int, error) {
	entries, err := list(fsys, folder)
	if err != nil {
		return 0, err
	}
	next := 1
	for _, e := range entries {
		if of, n, ok := ParseFileName(e.Name()); ok && of == run {
			next = max(next, n+1)
		}
	}
	return next, nil
}
