// Package promptfoo reads the tests of promptfoo: its configuration in YAML, the
// files of tests that one names, and its tables in CSV.
//
// Vars are inputs, and assertions claims. Prompts and providers are machinery
// and passed over. The package refuses what only a run could tell, with the
// reason: scripts, rubrics, similarity, templates that do more than name a var.
package promptfoo

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"docket/engine/legacy"
	"docket/engine/source"
)

// maxTests is how many tests one file may stand for, the combinations of lists
// of vars counted.
const maxTests = 10_000

// Knows reports whether a file holds tests of promptfoo: YAML with a list of
// tests, or a table with a column __expected.
func Knows(name string, data []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv":
		return isTable(data)
	case ".yaml", ".yml":
		return strings.Contains(strings.ToLower(path.Base(name)), "promptfoo") || mark.Match(data)
	}
	return false
}

var mark = regexp.MustCompile(`(?m)^(\s*-)?\s*(tests|assert|defaultTest|scenarios)\s*:`)

// Read reads the tests of a file. Sibling gives the files that it names. An
// error means that nothing was read.
func Read(name string, data []byte, sibling func(string) ([]byte, error)) (*legacy.File, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%q: not UTF-8 text: convert it first", name)
	}
	r := &reader{file: &legacy.File{Name: name, Language: "promptfoo"}, sibling: sibling, lines: strings.Split(string(data), "\n")}
	r.file.Lines = len(r.lines)
	if r.lines[len(r.lines)-1] == "" {
		r.file.Lines--
	}
	if strings.EqualFold(path.Ext(name), ".csv") {
		if err := r.table(name, data, 0); err != nil {
			return nil, err
		}
		return r.file, nil
	}
	if problem := source.TooLarge(name, int64(len(data))); problem != nil {
		return nil, problem
	}
	root, problems := source.Parse(name, data)
	if root.IsZero() {
		return nil, problems.Err()
	}
	for _, p := range problems {
		r.problem(p.Line, "%s", p.Message)
	}
	switch root.Kind() {
	case source.List:
		r.list(root, defaults{}, len(r.lines))
	case source.Map:
		r.config(root)
	default:
		return nil, fmt.Errorf("%s: expected a configuration or a list of tests, got %s", root.At(), root.Describe())
	}
	if len(r.file.Tests) == 0 {
		r.problem(1, "no test was found: docket looks for tests, and for scenarios")
	}
	slices.SortStableFunc(r.file.Problems, func(a, b legacy.Problem) int { return a.Line - b.Line })
	return r.file, nil
}

type reader struct {
	file    *legacy.File
	sibling func(string) ([]byte, error)
	lines   []string
	inner   bool // a file that the first one names is being read: lines are of the first
	at      int  // the line that names it
	full    bool
}

func (r *reader) problem(line int, format string, args ...any) {
	if r.inner {
		line = r.at
	}
	r.file.Problems = append(r.file.Problems, legacy.Problem{Line: max(line, 1), Message: fmt.Sprintf(format, args...)})
}

// defaults is what every test starts with.
type defaults struct {
	vars    []variable
	asserts []source.Value
}

// A variable is a var of a test.
type variable struct {
	name  string
	value any
	why   string
	from  string
}

// config reads a configuration.
func (r *reader) config(root source.Value) {
	var d defaults
	if v := root.Get("defaultTest"); v.Kind() == source.Map {
		d.vars = r.vars(v.Get("vars"))
		d.asserts = v.Get("assert").Items()
	} else if text, ok := v.Text(); ok {
		r.problem(v.At().Line, "what every test starts with is in %q, which is not read", text)
	}
	entries := root.Entries()
	for i, e := range entries {
		until := len(r.lines)
		if i+1 < len(entries) {
			until = entries[i+1].KeyAt.Line - 1
		}
		switch e.Key {
		case "tests":
			r.tests(e.Value, d, until)
		case "scenarios":
			r.scenarios(e.Value, d, until)
		case "assert":
			if root.Get("tests").IsZero() {
				r.one(root, d, e.KeyAt.Line, until, 0)
			}
		}
	}
}

// tests reads a list of tests, or the file that holds it.
func (r *reader) tests(v source.Value, d defaults, until int) {
	if text, ok := v.Text(); ok {
		r.named(text, d, v.At().Line)
		return
	}
	if v.Kind() == source.Map {
		r.problem(v.At().Line, "tests that a program generates are not read")
		return
	}
	r.list(v, d, until)
}

func (r *reader) list(v source.Value, d defaults, until int) {
	items := v.Items()
	for i, t := range items {
		end := until
		if i+1 < len(items) {
			end = items[i+1].At().Line - 1
		}
		if text, ok := t.Text(); ok {
			r.named(text, d, t.At().Line)
			continue
		}
		r.one(t, d, t.At().Line, end, i)
	}
}

// named reads tests of a file that the configuration names.
func (r *reader) named(name string, d defaults, line int) {
	file := strings.TrimPrefix(name, "file://")
	data, err := r.read(file)
	if err != nil || r.inner {
		r.problem(line, "the tests in %q are not read: a file of the same folder was expected", name)
		return
	}
	r.inner, r.at = true, line
	defer func() { r.inner = false }()
	switch strings.ToLower(path.Ext(file)) {
	case ".csv":
		if err := r.table(file, data, line); err != nil {
			r.problem(line, "%v", err)
		}
	case ".yaml", ".yml":
		root, problems := source.Parse(file, data)
		for _, p := range problems {
			r.problem(line, "%v", p)
		}
		if root.Kind() == source.Map {
			r.one(root, d, line, line, 0)
			return
		}
		r.list(root, d, line)
	default:
		r.problem(line, "the tests in %q are not read: docket reads YAML and CSV here", name)
	}
}

// read reads a file of the folder; one outside of it cannot be had.
func (r *reader) read(name string) ([]byte, error) {
	name = path.Clean(strings.TrimPrefix(name, "file://"))
	if r.sibling == nil || path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") {
		return nil, fmt.Errorf("%q: not a file of the folder", name)
	}
	return r.sibling(name)
}

// scenarios reads configurations of vars, each with all of a list of tests.
func (r *reader) scenarios(v source.Value, d defaults, until int) {
	for _, s := range v.Items() {
		if s.Kind() != source.Map {
			r.problem(s.At().Line, "a scenario in another file is not read")
			continue
		}
		for _, c := range s.Get("config").Items() {
			with := defaults{vars: overlay(d.vars, r.vars(c.Get("vars"))), asserts: append(append([]source.Value{}, d.asserts...), c.Get("assert").Items()...)}
			r.tests(s.Get("tests"), with, until)
		}
	}
}

func overlay(under, over []variable) []variable {
	out := append([]variable{}, under...)
	for _, v := range over {
		if i := slices.IndexFunc(out, func(o variable) bool { return o.name == v.name }); i >= 0 {
			out[i] = v
			continue
		}
		out = append(out, v)
	}
	return out
}

// vars reads the vars of a test; those in a file of their own, too.
func (r *reader) vars(v source.Value) []variable {
	var list []variable
	if text, ok := v.Text(); ok {
		data, err := r.read(text)
		if err != nil {
			r.problem(v.At().Line, "the vars in %q are not read", text)
			return nil
		}
		root, problems := source.Parse(text, data)
		if len(problems) > 0 {
			r.problem(v.At().Line, "%v", problems[0])
		}
		v = root
	}
	for _, e := range v.Entries() {
		x := variable{name: e.Key, value: e.Value.JSON()}
		if text, ok := x.value.(string); ok && strings.HasPrefix(text, "file://") {
			x = r.fileVar(e.Key, text)
		}
		list = append(list, x)
	}
	return list
}

func (r *reader) fileVar(name, text string) variable {
	x := variable{name: name, from: path.Clean(strings.TrimPrefix(text, "file://"))}
	data, err := r.read(text)
	switch ext := strings.ToLower(path.Ext(x.from)); {
	case ext == ".js" || ext == ".ts" || ext == ".py" || ext == ".mjs":
		x.why = fmt.Sprintf("computed at run time by %s", x.from)
	case err != nil || !utf8.Valid(data):
		x.why = fmt.Sprintf("read from %s, which is not read", x.from)
	default:
		x.value = strings.TrimSuffix(string(data), "\n")
	}
	return x
}

// one reads one test: as many as its lists of vars have combinations.
func (r *reader) one(v source.Value, d defaults, line, until, i int) {
	if v.Kind() != source.Map {
		r.problem(line, "expected a test, got %s", v.Describe())
		return
	}
	for until > line && (until > len(r.lines) || blank(r.lines[until-1])) {
		until--
	}
	name := v.Get("description").Scalar()
	if name == "" {
		name = fmt.Sprintf("test %d", i+1)
	}
	asserts := append(append([]source.Value{}, d.asserts...), v.Get("assert").Items()...)
	for k, vars := range combinations(overlay(d.vars, r.vars(v.Get("vars")))) {
		t := legacy.Test{Name: name, Line: line, End: until, Doc: v.Get("description").Scalar(), Source: r.span(line, until), Comments: r.comments(line)}
		if k > 0 {
			t.Name = fmt.Sprintf("%s (%d)", name, k+1)
		}
		for _, x := range vars {
			t.Inputs = append(t.Inputs, legacy.Input{Name: x.name, Value: x.value, Why: x.why, From: x.from})
			if x.why != "" {
				t.Unresolved = append(t.Unresolved, legacy.Problem{Line: line, Message: x.why})
			}
		}
		if n := v.Get("threshold"); !n.IsZero() && n.Scalar() != "1" {
			t.Unresolved = append(t.Unresolved, legacy.Problem{Line: line, Message: "a score of " + n.Scalar() + " over all its assertions is enough"})
		}
		r.asserts(&t, asserts, vars, 0)
		r.add(t)
	}
}

func (r *reader) add(t legacy.Test) {
	if len(r.file.Tests) < maxTests {
		r.file.Tests = append(r.file.Tests, t)
		return
	}
	if !r.full {
		r.full = true
		r.problem(t.Line, "more than %d tests: the rest was not read", maxTests)
	}
}

func blank(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

func (r *reader) span(from, to int) string {
	if r.inner || from < 1 || to > len(r.lines) || to < from {
		return ""
	}
	return strings.Join(r.lines[from-1:to], "\n")
}

// comments are those right above a test.
func (r *reader) comments(line int) []string {
	var list []string
	for at := line - 2; !r.inner && at >= 0 && at < len(r.lines); at-- {
		text := strings.TrimSpace(r.lines[at])
		if !strings.HasPrefix(text, "#") {
			break
		}
		list = append(list, strings.TrimSpace(strings.TrimLeft(text, "#")))
	}
	slices.Reverse(list)
	return list
}

// combinations takes vars that are lists apart, as promptfoo does: one test for
// each combination.
func combinations(vars []variable) [][]variable {
	all := [][]variable{nil}
	for _, v := range vars {
		values := []variable{v}
		if items, ok := v.value.([]any); ok && len(items) > 0 && len(items)*len(all) <= maxTests {
			values = values[:0]
			for _, x := range items {
				values = append(values, variable{name: v.name, value: x, from: v.from})
			}
		}
		next := make([][]variable, 0, len(all)*len(values))
		for _, row := range all {
			for _, x := range values {
				next = append(next, append(row[:len(row):len(row)], x))
			}
		}
		all = next
	}
	return all
}
