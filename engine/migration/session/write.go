package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"docket/engine/canonical"
	"docket/engine/contract"
	"docket/engine/disk"
	"docket/engine/label"
	"docket/engine/migration"
	"docket/engine/phrase"
	"docket/engine/projection"
	"docket/engine/rehearsal"
	"docket/engine/safetext"
	"docket/engine/source"
	"docket/engine/suite"
)

// A Written is what a migration wrote, as read back from disk.
type Written struct {
	*migration.Written
	Config string // the configuration that was written, "" where there was one
	// Missing are the lines that the configuration needs for the suite; nil where
	// it has it.
	Missing []string
}

// Write makes the files that the decisions come to. Before the first one is
// written all are read as a suite would be, so that what is written loads.
func (m *Session) Write(context.Context) (*Written, error) {
	out, err := m.write(m.Work())
	if err != nil {
		return nil, err
	}
	return out, m.journal.Written()
}

func (m *Session) write(work *migration.Work) (*Written, error) {
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
	out := &Written{}
	if _, configured := m.declared(); !configured {
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
func (m *Session) configure(out *Written) error {
	if m.config == nil {
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
func (m *Session) loads(work *migration.Work) source.Problems {
	problems := m.contractLoads(work)
	if len(work.Cases) == 0 {
		return problems
	}
	labels, more := m.finder()
	problems = append(problems, more...)
	files := map[string][]byte{}
	for _, f := range append(work.Fixtures[:len(work.Fixtures):len(work.Fixtures)], work.Cases...) {
		files[f.Path] = f.Data
	}
	return append(problems, rehearsal.Load(m.Target.Cases, files, labels)...)
}

// finder finds the labels that the suite has, or would have.
func (m *Session) finder() (*label.Finder, source.Problems) {
	config, ok := m.declared()
	if ok {
		return projection.Labels(config.Labels, config.Projections, config.At)
	}
	return projection.Labels(m.labels, source.Value{}, source.Position{})
}

func (m *Session) contractLoads(work *migration.Work) source.Problems {
	var problems source.Problems
	for _, c := range work.Contracts {
		_, more := contract.Parse(m.Target.ContractPath(c.Of, 1), c.YAML(), nil)
		problems = append(problems, more...)
	}
	return problems
}

// suiteLines are what a configuration says of the suite.
func (m *Session) suiteLines() []string {
	answers := "app" // as newConfig declares it
	if m.config != nil && len(m.config.Systems) > 0 {
		answers = m.config.Systems[0].Name
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
func (m *Session) newConfig() string {
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
func Apply(ctx context.Context, o Options, file string, data []byte, confirm bool) (*Session, *Written, error) {
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
	m, err := inspect(ctx, o, o.Suite)
	if err != nil {
		return nil, nil, err
	}
	m.Suite = planned
	if m.config == nil {
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
func (m *Session) pointer(key string) string {
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
func (m *Session) Wrote(out *Written) []string {
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
		if m.config == nil || len(m.config.Systems) == 0 {
			lines = append(lines, "and declare who answers, app, below systems:")
		}
		add = append(add, suite.ConfigFile)
	}
	for i := range add {
		add[i] = safetext.Word(add[i])
	}
	return append(lines, "next: git add "+strings.Join(add, " "))
}
