package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/contract"
	"docket/engine/disk"
	"docket/engine/label"
	"docket/engine/migration"
	"docket/engine/phrase"
	"docket/engine/projection"
	"docket/engine/safetext"
	"docket/engine/source"
	"docket/engine/suite"
)

// A Migrated is what a migration wrote, as read back from disk.
type Migrated struct {
	*migration.Written
	Config string // the configuration that was written, "" where there was one
	// Missing are the lines that the configuration needs for the suite; nil where
	// it has it.
	Missing []string
}

// Write makes the files that the decisions come to. Before the first one is
// written all are read as a suite would be, so that what is written loads.
func (m *Migration) Write(context.Context) (*Migrated, error) {
	out, err := m.write(m.Work())
	if err != nil {
		return nil, err
	}
	return out, m.journal.Written()
}

func (m *Migration) write(work *migration.Work) (*Migrated, error) {
	if len(work.Records) == 0 {
		return nil, errors.New("nothing is decided yet, so there is nothing to write")
	}
	for _, trouble := range work.Troubles {
		return nil, fmt.Errorf("nothing was written: test %q: %s", trouble.Key, trouble.Message)
	}
	if err := m.loads(work).Err(); err != nil {
		return nil, fmt.Errorf("nothing was written, since it would not load: %w", err)
	}
	if err := work.Free(m.fsys, m.dir); err != nil {
		return nil, err
	}
	// The configuration before what the log then says is done.
	out := &Migrated{}
	if _, configured := m.config(); !configured {
		if err := m.configure(out); err != nil {
			return nil, err
		}
	}
	var err error
	if out.Written, err = work.Write(m.fsys, m.dir, m.Target); err != nil {
		return nil, err
	}
	return out, nil
}

// configure writes a configuration where there is none, and else finds the lines
// that it lacks.
func (m *Migration) configure(out *Migrated) error {
	if m.project == nil {
		err := disk.CreateClean(m.fsys, filepath.Join(m.dir, suite.ConfigFile), []byte(m.newConfig()), 0o644)
		if err == nil {
			out.Config = suite.ConfigFile
		}
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	out.Missing = m.suiteLines()
	return nil
}

// loads reads the files of a work as a suite would, from a folder of their own.
func (m *Migration) loads(work *migration.Work) source.Problems {
	problems := m.contractLoads(work)
	if len(work.Cases) == 0 {
		return problems
	}
	labels, more := m.finder()
	problems = append(problems, more...)
	files := append(work.Fixtures[:len(work.Fixtures):len(work.Fixtures)], work.Cases...)
	return append(problems, loadAsSuite(m.Target.Cases, files, labels)...)
}

// loadAsSuite reads case files that are not written yet, as a suite would whose
// folder is cases; the paths of the files begin with it.
func loadAsSuite(cases string, files []migration.File, labels *label.Finder) source.Problems {
	fail := func(err error) source.Problems {
		return source.Problems{{Position: source.Position{File: cases}, Message: err.Error()}}
	}
	dir, err := os.MkdirTemp("", "docket-cases-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	config := "version: 1\nsuites: {s: {cases: " + string(canonical.AppendString(nil, cases)) + "}}\n"
	for _, f := range append([]migration.File{{Path: suite.ConfigFile, Data: []byte(config)}}, files...) {
		full := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			return fail(err)
		}
		if err := os.WriteFile(full, f.Data, 0o600); err != nil {
			return fail(err)
		}
	}
	loaded, err := suite.LoadConfig(filepath.Join(dir, suite.ConfigFile))
	if err != nil {
		return fail(err)
	}
	_, problems, err := loaded.OpenEach("s", func(s *suite.Suite, c *suite.Case) source.Problems {
		_, problems := check.Compile(c.Expect, check.Env{Labels: labels, Case: check.CaseInfo{ID: c.ID, Input: c.Input, Scoring: c.Scoring}, ReadFile: s.ReadFile})
		return problems
	})
	if err != nil {
		return fail(err)
	}
	for i := range problems {
		problems[i].File = strings.TrimPrefix(filepath.ToSlash(problems[i].File), filepath.ToSlash(dir)+"/")
	}
	return problems
}

// finder finds the labels that the suite has, or would have.
func (m *Migration) finder() (*label.Finder, source.Problems) {
	config, ok := m.config()
	if ok {
		return projection.Labels(config.Labels, config.Projections, config.At)
	}
	return projection.Labels(m.labels, source.Value{}, source.Position{})
}

func (m *Migration) contractLoads(work *migration.Work) source.Problems {
	var problems source.Problems
	for _, c := range work.Contracts {
		_, more := contract.Parse(m.Target.ContractPath(c.Of, 1), c.YAML(), nil)
		problems = append(problems, more...)
	}
	return problems
}

// suiteLines are what a configuration says of the suite.
func (m *Migration) suiteLines() []string {
	answers := "app" // as newConfig declares it
	if m.project != nil && len(m.project.Config.Systems) > 0 {
		answers = m.project.Config.Systems[0].Name
	}
	lines := []string{"  " + yamlWord(m.Target.Suite) + ":", "    cases: " + yamlWord(m.Target.Cases), "    system: " + yamlWord(answers)}
	if len(m.labels) > 0 {
		quoted := make([]string, len(m.labels))
		for i, l := range m.labels {
			quoted[i] = yamlWord(l)
		}
		lines = append(lines, "    labels: ["+strings.Join(quoted, ", ")+"]")
	}
	return lines
}

func yamlWord(s string) string {
	if safetext.Word(s) == s && !strings.ContainsAny(s, ":#{}[],&*!|>'\"%@`") && s != "" && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z') && path.Clean(s) == s {
		return s
	}
	return string(canonical.AppendString(nil, s))
}

// newConfig is a first configuration for the suite.
func (m *Migration) newConfig() string {
	return `# Written by docket migrate. What is asked stands in the cases; who answers stands here.
version: 1
suites:
` + strings.Join(m.suiteLines(), "\n") + `
systems:
  app:
    # What an existing pipeline produced: one JSON object a line, {"id": "…", "text": "…"}.
    kind: outputs
    file: ` + yamlWord(m.Target.Cases+"/outputs/app.jsonl") + `
    # Or the program that the old tests called: a case as JSON on stdin, an output as JSON on stdout.
    # kind: exec
    # command: [python3, -m, app]
`
}

// Apply writes a plan that was edited. The error is a PlanError where the plan
// itself is wrong.
func Apply(ctx context.Context, o MigrateOptions, file string, data []byte, confirm bool) (*Migration, *Migrated, error) {
	name, planned, choices, problems, err := migration.ReadPlan(data, confirm)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is no plan: %w", file, err)
	}
	if len(problems) > 0 {
		return nil, nil, &PlanError{file, problems}
	}
	if o.Suite == "" {
		o.Suite = name
	}
	m, err := newMigration(ctx, o, o.Suite)
	if err != nil {
		return nil, nil, err
	}
	m.Suite = planned
	if m.project == nil {
		m.labels = labelsOf(planned)
	}
	decided := m.Log.Decided()
	for key, c := range choices {
		if t := m.Test(key); decided(t.Name, t.Hash) {
			delete(choices, key)
			m.Known++
			continue
		}
		c.By, c.At = m.by, time.Now().UTC().Truncate(time.Millisecond)
		choices[key] = c
	}
	work := m.Assemble(choices, m.Target, func(id string) bool { return m.ids[id] })
	if len(work.Records) == 0 && m.Known > 0 {
		return m, nil, nil
	}
	for _, t := range work.Troubles {
		return nil, nil, &PlanError{file, []migration.PlanProblem{{Pointer: m.pointer(t.Key), Message: t.Message}}}
	}
	for _, p := range m.loads(work) {
		pointer := ""
		for _, f := range work.Cases {
			if f.Path == p.File {
				pointer = m.pointer(f.Key) + "/case"
			}
		}
		problems = append(problems, migration.PlanProblem{Pointer: pointer, Message: p.Message})
	}
	if len(problems) > 0 {
		return nil, nil, &PlanError{file, problems}
	}
	out, err := m.write(work)
	return m, out, err
}

// pointer leads to a test of a plan.
func (m *Migration) pointer(key string) string {
	for i := range m.Tests {
		if m.Tests[i].Key == key {
			return fmt.Sprintf("/tests/%d", i)
		}
	}
	return ""
}

// labelsOf are the labels that the cases of a plan expect.
func labelsOf(s *migration.Suite) []string {
	var labels []string
	seen := map[string]bool{}
	for i := range s.Tests {
		l, ok := s.Tests[i].Draft.Expect["label"].(string)
		if ok && !seen[l] {
			seen[l] = true
			labels = append(labels, l)
		}
	}
	return labels
}

// A PlanError is all that is wrong in a plan.
type PlanError struct {
	File     string
	Problems []migration.PlanProblem
}

// Error says one problem a line, each with the file and a pointer to its place.
func (e *PlanError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = e.File + " " + p.Error()
	}
	return strings.Join(lines, "\n")
}

// Wrote says what a migration wrote, as read back from disk, and what to do
// next.
func (m *Migration) Wrote(out *Migrated) []string {
	lines := []string{fmt.Sprintf("wrote %s and %s below %s", phrase.Count(len(out.Cases), "case", "cases"), phrase.Count(len(out.Fixtures), "fixture", "fixtures"), m.Target.Cases)}
	add := []string{m.Target.Cases}
	for _, c := range out.Contracts {
		lines = append(lines, "wrote "+c+": docket contract "+safetext.Word(c)+" OUTPUTS")
		add = append(add, c)
	}
	lines = append(lines, "wrote "+out.Report+", and "+out.Log+" with every decision")
	lines = append(lines, out.All.Count().Summary()...)
	switch {
	case out.Config != "":
		lines = append(lines, "wrote "+out.Config+": say there who answers, then docket lint")
		add = append(add, out.Config)
	case out.Missing != nil:
		lines = append(lines, suite.ConfigFile+" does not name the suite yet: add below suites:")
		lines = append(lines, out.Missing...)
		if m.project == nil || len(m.project.Config.Systems) == 0 {
			lines = append(lines, "and declare who answers, app, below systems:")
		}
		add = append(add, suite.ConfigFile)
	}
	for i := range add {
		add[i] = safetext.Word(add[i])
	}
	return append(lines, "next: git add "+strings.Join(add, " "))
}
