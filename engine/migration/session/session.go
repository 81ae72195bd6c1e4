// Package session takes a person through old tests: what is proposed for each,
// what was decided on it, and the files that the decisions come to. Each
// decision is in a journal before it counts.
//
// It refuses to write what would not load, and to write before a person said
// so. What a decision is and what becomes of it are package migration's; it
// draws no screen.
package session

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"docket/engine/canonical"
	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/journal"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/legacy/gone"
	"docket/engine/legacy/origin"
	"docket/engine/migration"
	"docket/engine/phrase"
	"docket/engine/source"
	"docket/engine/suite"
)

// A Session is old tests with the decisions on them. Each decision is on disk
// before a method returns; cases and contracts are made by Write alone.
type Session struct {
	*migration.Suite
	Target migration.Target
	Log    migration.Log // of what was decided and written before

	dir     string        // of the configuration
	config  *suite.Config // nil where there is none yet
	labels  []string      // that a configuration which Write makes would list
	by      string
	fsys    disk.FS
	ids     map[string]bool // of the suite's cases
	journal *journal.Journal
	notes   []string

	mu     sync.Mutex
	merges map[string][]string // by key, the tests that were merged into it; nil where it must be found anew
}

// Options say what is migrated, and where to.
type Options struct {
	Config *suite.Config // nil where there is none yet
	Dir    string        // of the configuration; without one, where it would be
	Here   string        // the folder that names are seen from
	Suite  string        // "" for one named after the first file
	FS     disk.FS       // what is written goes through it; nil for the machine's
}

// DeletedTests lists the test files that the history of the repository around a
// folder deleted, the newest first. A file that no reader knows, or in which
// there is no test, is not listed.
func DeletedTests(ctx context.Context, dir string) (gone.List, error) {
	repo, err := git.Open(ctx, dir)
	if err != nil {
		return gone.List{}, err
	}
	return gone.Find(ctx, repo)
}

// Open reads old test files and proposes what becomes of their tests. It
// takes no lock and no decision.
func Open(ctx context.Context, o Options, names []string) (*Session, error) {
	files, err := origin.Read(ctx, o.Here, names)
	if err != nil {
		return nil, err
	}
	return propose(ctx, o, files)
}

func propose(ctx context.Context, o Options, files []*origin.File) (*Session, error) {
	m, err := inspect(ctx, o, suiteOf(o.Suite, files))
	if err != nil {
		return nil, err
	}
	plain := make([]*legacy.File, len(files))
	byName := map[string]*origin.File{}
	for i, f := range files {
		plain[i], byName[f.Name] = f.File, f
	}
	config, configured := m.declared()
	labels := config.Labels
	if !configured && m.config == nil {
		m.labels = migration.Exact(plain)
		labels = m.labels
	}
	m.Suite = migration.Propose(plain, migration.Options{
		Labels: labels, Decided: m.Log.Decided(),
		Taken:    func(id string) bool { return m.ids[id] },
		Existing: m.existing,
		Origin:   func(file string, t *legacy.Test) draft.Origin { return byName[file].Origin(t) },
	})
	return m, nil
}

// inspect reads what is there of the suite: its ids and its log.
func inspect(ctx context.Context, o Options, name string) (*Session, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || name != path.Clean(name) || strings.HasPrefix(name, ".") || suite.CheckID(name) != nil {
		return nil, fmt.Errorf("%q cannot name a suite: name one with --suite, such as --suite summariser", name)
	}
	m := &Session{
		Target: migration.Target{Suite: name, Cases: "cases/" + draft.FileStem(name)},
		dir:    o.Dir, config: o.Config, by: git.Author(ctx, o.Dir), fsys: o.FS, ids: map[string]bool{},
	}
	if m.fsys == nil {
		m.fsys = disk.OS{}
	}
	if config, ok := m.declared(); ok {
		m.Target.Cases = config.Cases
		begun, err := migration.Begun(m.fsys, m.dir, m.Target)
		if err != nil {
			return nil, err
		}
		data, _, err := m.config.Open(name)
		switch {
		case err == nil:
			for _, c := range data.Cases {
				m.ids[c.ID] = !begun[c.Path]
			}
		case data == nil:
			// A suite without a case yet is what a migration is for.
		}
	}
	var err error
	m.Log, err = migration.ReadLog(m.fsys, m.dir, m.Target)
	return m, err
}

// declared is what the configuration says of the suite.
func (m *Session) declared() (suite.SuiteConfig, bool) {
	if m.config == nil {
		return suite.SuiteConfig{}, false
	}
	config, err := m.config.Suite(m.Target.Suite)
	return config, err == nil
}

// suiteOf names the suite after the first file where nobody did:
// tests/test_summariser.py is summariser.
func suiteOf(name string, files []*origin.File) string {
	if name != "" || len(files) == 0 {
		return name
	}
	base := path.Base(files[0].Name)
	for _, ext := range []string{path.Ext(base), ".test", ".spec", "_test", ".e2e"} {
		base = strings.TrimSuffix(base, ext)
	}
	return draft.FileStem(draft.ID(base, func(string) bool { return false }))
}

// existing returns what a fixture of the suite holds.
func (m *Session) existing(name string) (string, bool) {
	data, err := disk.ReadNamed(filepath.Join(m.dir, filepath.FromSlash(path.Join(m.Target.Cases, name))), origin.MaxSize)
	return string(data), err == nil
}

// Decide opens the decisions on the proposals. Where another process decides
// already the migration is for reading, and ReadOnly says who.
func (m *Session) Decide() error {
	var subject strings.Builder
	hashes := make(map[string]string, len(m.Tests))
	for i := range m.Tests {
		hashes[m.Tests[i].Key] = m.Tests[i].Hash
		subject.WriteString(m.Tests[i].Key + "\x00" + m.Tests[i].Hash + "\x00")
	}
	files := slices.Sorted(slices.Values(m.Files))
	of := canonical.HashBytes([]byte(strings.Join(files, "\x00")))[len("sha256:"):][:8]
	var err error
	m.journal, err = journal.Open(journal.Config{
		FS: m.fsys, Root: m.dir, Name: journal.Name(draft.FileStem(m.Target.Suite), "migrate-"+of),
		Subject: canonical.HashBytes([]byte(subject.String())),
		Holds: func(d journal.Decision) bool {
			test, _, _ := strings.Cut(d.Row, partMark)
			return hashes[test] == d.Seen
		},
	})
	if err != nil {
		return err
	}
	m.notes = m.journal.Notes()
	if n := m.journal.Resumed(); n > 0 {
		m.notes = append(m.notes, "resumed: "+phrase.Count(n, "decision", "decisions")+" from before")
	}
	if m.Known > 0 {
		m.notes = append(m.notes, phrase.Count(m.Known, "test was", "tests were")+" decided in an earlier migration and not shown again")
	}
	if len(m.Problems) > 0 {
		m.notes = append(m.notes, phrase.Count(len(m.Problems), "place was", "places were")+" not read: the report of --plan lists them")
	}
	return nil
}

// Notes say what a person should know of the opening.
func (m *Session) Notes() []string { return m.notes }

// ReadOnly says who else decides on these tests; "" where this process does.
func (m *Session) ReadOnly() string {
	if held := m.journal.ReadOnly(); held != nil {
		return held.Error()
	}
	return ""
}

// Close lets go of the journal. What is decided stays on disk.
func (m *Session) Close() error {
	if m.journal == nil {
		return nil
	}
	return m.journal.Close()
}

// choices are those of all tests that were decided.
func (m *Session) choices() map[string]migration.Choice {
	all := map[string]migration.Choice{}
	for i := range m.Tests {
		if c := m.Choice(m.Tests[i].Key); c.Verdict != "" {
			all[m.Tests[i].Key] = c
		}
	}
	return all
}

// Work is what the decisions come to.
func (m *Session) Work() *migration.Work {
	return m.Assemble(m.choices(), m.Target, func(id string) bool { return m.ids[id] })
}

// Draft is the file of the case that a test would become as it stands.
func (m *Session) Draft(key string) []byte {
	t, c := m.Test(key), m.Choice(key)
	if t == nil {
		return nil
	}
	if c.Draft != nil {
		return c.Draft
	}
	if c.Verdict == migration.Split {
		cases, _ := t.Cases(c)
		var all []byte
		for i := range cases {
			if i > 0 {
				all = append(all, "---\n"...)
			}
			all = append(all, cases[i].YAML()...)
		}
		return all
	}
	made, _ := t.Case(c, m.mergedInto(key)...)
	return made.YAML()
}

// mergedInto returns the tests that were merged into another. Which those are is
// found once after each decision, since a screen asks with every key.
func (m *Session) mergedInto(key string) []migration.Merged {
	m.mu.Lock()
	if m.merges == nil {
		m.merges = map[string][]string{}
		for _, d := range m.journal.Decisions() {
			if d.Verdict == string(migration.Merge) && !strings.Contains(d.Row, partMark) {
				m.merges[payload(&d)] = append(m.merges[payload(&d)], d.Row)
			}
		}
	}
	keys := m.merges[key]
	m.mu.Unlock()
	var merged []migration.Merged
	for _, other := range keys {
		if t := m.Test(other); t != nil {
			merged = append(merged, migration.Merged{Test: t, Choice: m.Choice(other)})
		}
	}
	return merged
}

// changed forgets what follows from decisions.
func (m *Session) changed() {
	m.mu.Lock()
	m.merges = nil
	m.mu.Unlock()
}

// CheckID refuses an id that a test cannot have.
func (m *Session) CheckID(id string) error {
	if err := suite.CheckID(id); err != nil {
		return err
	}
	if m.ids[id] {
		return fmt.Errorf("the suite has a case %q already", id)
	}
	return nil
}

// CheckDraft says what is wrong in the file of a case, each problem with its
// place; nil where it loads.
func (m *Session) CheckDraft(data []byte) error {
	doc, problems := source.Parse("draft.yaml", data)
	if len(problems) > 0 {
		return problems
	}
	work := &migration.Work{Cases: []migration.File{{Path: path.Join(m.Target.Cases, "draft.yaml"), Data: data}}}
	for _, f := range m.Fixtures.All() {
		work.Fixtures = append(work.Fixtures, migration.File{Path: path.Join(m.Target.Cases, f.Name), Data: []byte(f.Text)})
	}
	if err := m.loads(work).Err(); err != nil {
		return err
	}
	return m.CheckID(doc.Get("id").Scalar())
}

// Scratch writes the draft of a test to a file in the folder of local state, for
// an editor, and returns where.
func (m *Session) Scratch(key string, data []byte) (string, error) {
	folder := filepath.Join(m.dir, ".docket", "migrate")
	if err := disk.MakeFolders(m.fsys, m.dir, folder, 0o700); err != nil {
		return "", err
	}
	file := filepath.Join(folder, draft.FileStem(suite.FileName(key))+".yaml")
	return file, disk.Write(m.fsys, file, data, 0o600)
}

// Scratched reads what an editor left in a file of [Session.Scratch].
func (m *Session) Scratched(file string) ([]byte, error) {
	return disk.ReadNamed(file, source.MaxBytes)
}
