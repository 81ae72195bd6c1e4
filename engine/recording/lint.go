package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"docket/engine/disk"
	"docket/engine/jsonl"
	"docket/engine/source"
	"docket/engine/suite"
)

// LintOptions say what recordings are held to.
type LintOptions struct {
	Options
	Cases     []string // the ids of all cases of the suite, never of those alone that ran
	Services  []string // all that are configured
	Providers []string // all that there are
	// Expires gives after how many days the recordings of a service or
	// provider are stale; without an entry, or with 0, they never are.
	Expires map[string]int
	Today   time.Time
}

// Lint lists what is wrong or suspect in the recordings of a suite, sorted:
// those of no case, service or provider, stale ones, damaged ones, those made
// under other rules, those that hold what looks like a secret, and files that
// are none. It removes nothing.
func Lint(root *os.Root, o LintOptions) (source.Problems, error) {
	l := linter{LintOptions: o, store: Open(root, o.Options), folders: map[string]bool{}, ages: map[string]*age{}, rules: map[string]*many{}}
	for _, id := range o.Cases {
		l.folders[suite.FileName(id)] = true
	}
	err := fs.WalkDir(root.FS(), Folder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == Folder:
			return nil
		case err != nil:
			return err
		}
		return l.entry(name, e)
	})
	if err != nil {
		return nil, fmt.Errorf("the recordings cannot be listed: %w", err)
	}
	l.summaries()
	l.problems.Sort()
	return l.problems, nil
}

type linter struct {
	LintOptions
	store    *Store
	folders  map[string]bool // of cases
	ages     map[string]*age
	rules    map[string]*many // made under other rules
	problems source.Problems
}

type many struct {
	first string
	count int
}

type age struct {
	many   // that are stale; first is the oldest
	oldest time.Time
}

func (l *linter) tell(name string, line int, format string, args ...any) {
	at := source.Position{File: l.store.shown(name), Line: line}
	if line > 0 {
		at.Column = 1
	}
	l.problems = append(l.problems, at.Problemf(format, args...))
}

// entry looks at one file or folder below the folder of recordings.
func (l *linter) entry(name string, e fs.DirEntry) error {
	parts := strings.Split(name, "/")[1:]
	base := e.Name()
	switch {
	case len(parts) == 0:
		return nil
	case strings.HasSuffix(base, disk.TempSuffix) && !e.IsDir():
		l.tell(name, 0, "a write that was killed left this behind, and nothing reads it: delete the file")
	case base == disk.LockSuffix:
	case e.Type()&fs.ModeSymlink != 0:
		l.tell(name, 0, "a link is not read as a recording: put the file itself here")
	case e.IsDir() && len(parts) == 1:
		if !slices.Contains(l.Services, base) && !slices.Contains(l.Providers, base) {
			l.tell(name, 0, "no service and no provider has the name %q: remove the folder, or configure the service", base)
			return fs.SkipDir
		}
	case e.IsDir() && len(parts) == 2:
		if !l.folders[base] {
			l.tell(name, 0, "holds recordings of %s, which the suite lacks: remove the folder, or restore the case", l.owner(name))
			return fs.SkipDir
		}
	case len(parts) == 2 && path.Ext(base) == ".json" && e.Type().IsRegular():
		l.service(name)
	case len(parts) == 3 && e.Type().IsRegular():
		if _, ok := sampleNumber(base); ok {
			l.calls(name)
			return nil
		}
		l.tell(name, 0, "no recording has this name: files of calls are named after a sample, such as 1.jsonl")
	default:
		l.tell(name, 0, "no recording has this name: remove it, or move it out of the folder")
		if e.IsDir() {
			return fs.SkipDir
		}
	}
	return nil
}

// owner names the case whose recordings a folder holds, as far as they say so.
func (l *linter) owner(folder string) string {
	entries, _ := l.store.fsys.ReadDir(folder)
	for _, e := range entries {
		data, there, err := l.store.read(path.Join(folder, e.Name()))
		if err != nil || !there {
			continue
		}
		if calls, err := parseCalls(e.Name(), data); err == nil {
			return fmt.Sprintf("case %q", calls[0].key.CaseID)
		}
	}
	return "a case"
}

func (l *linter) damaged(name string, err error) {
	var e *jsonl.Error
	if errors.As(err, &e) {
		at := source.Position{File: e.File, Line: e.Line, Column: max(e.Column, 1)}
		l.problems = append(l.problems, at.Problemf("%s", e.Message))
		return
	}
	l.tell(name, 0, "%s", strings.TrimPrefix(err.Error(), l.store.shown(name)+": "))
}

func (l *linter) service(name string) {
	r, err := l.store.readService(name)
	if err != nil {
		l.damaged(name, err)
		return
	}
	if r == nil {
		return // it went meanwhile
	}
	if want := path.Join(Folder, serviceFile(r.asked, &r.rules, r.hash)); want != name {
		l.tell(name, 0, "is named like another recording than it holds, so that it is never found: rename it to %s", path.Base(want))
	}
	l.record(r, name, 0)
}

func (l *linter) calls(name string) {
	data, _, err := l.store.read(name)
	if err != nil {
		l.damaged(name, err)
		return
	}
	records, err := parseCalls(l.store.shown(name), data)
	if err != nil {
		l.damaged(name, err)
		return
	}
	for i, r := range records {
		if callsName(r.key) != name {
			l.tell(name, i+1, "this call is of sample %d of case %q with %s: move it back, or record again", r.key.Sample, r.key.CaseID, r.key.Provider)
		}
		l.record(r, name, i+1)
	}
}

// record looks at one recording that can be read.
func (l *linter) record(r *record, name string, line int) {
	who := upstreamOf(r.key)
	if rules := l.Rules[who]; !rules.same(&r.rules) {
		if l.rules[who] == nil {
			l.rules[who] = &many{first: name}
		}
		l.rules[who].count++
	}
	if days := l.Expires[who]; days > 0 && Days(r.recorded, l.Today) > days {
		a := l.ages[who]
		if a == nil {
			a = &age{}
			l.ages[who] = a
		}
		if a.count == 0 || r.recorded.Before(a.oldest) {
			a.first, a.oldest = name, r.recorded
		}
		a.count++
	}
	request := r.asked.request()
	clean, err := ask(who, &request, l.store.secrets)
	if err != nil {
		return
	}
	response, err := l.store.secrets.response(r.response)
	if err != nil {
		return
	}
	next := newRecord(r.key, r.rules, clean, response, r.recorded, r.latency)
	if next.seal() != r.seal() {
		l.tell(name, line, "holds what looks like a secret: `docket rekey --write` takes it out; where it was pushed, revoke it")
	}
}

// summaries tells once for each service what may hold for thousands of files.
func (l *linter) summaries() {
	for _, who := range slices.Sorted(maps.Keys(l.ages)) {
		a := l.ages[who]
		l.tell(a.first, 0, "holds what is %d days old, and recordings of %s expire after %d%s: record again, in a change of its own", Days(a.oldest, l.Today), who, l.Expires[who], a.others())
	}
	for _, who := range slices.Sorted(maps.Keys(l.rules)) {
		m := l.rules[who]
		l.tell(m.first, 0, "differs in its rules from those of %s now%s: `docket rekey` renames it", who, m.others())
	}
}

// others counts the recordings besides the first, in words.
func (m *many) others() string {
	switch m.count {
	case 1:
		return ""
	case 2:
		return "; one more is like it"
	}
	return fmt.Sprintf("; %d more are like it", m.count-1)
}
