// Package javascript reads test suites in JavaScript and TypeScript: those of
// jest, vitest, mocha, ava and node:test, with the assertions of expect, chai,
// node's assert and ava's t.
//
// It goes through each test in the order of its statements with what is known of
// each variable: a constant, a double, the answer of a model or a piece of one.
// Functions of the suite are followed, files beside it are read for their
// constants. The package refuses to run anything and to guess: a value that only
// a run could tell is marked with the reason.
package javascript

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// Knows reports whether a file is source of one of the two languages by its
// name.
func Knows(name string, _ []byte) bool {
	_, _, ok := language(name)
	return ok
}

func language(name string) (label string, dialect syntax.Dialect, ok bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript", syntax.JavaScript, true
	case ".ts", ".mts", ".cts":
		return "typescript", syntax.TypeScript, true
	case ".tsx":
		return "typescript", syntax.TypeScriptJSX, true
	}
	return "", 0, false
}

// Limits on what one file may cost.
const (
	maxTests = 20_000    // of a file, the rows of tables counted
	maxSteps = 50_000    // expressions that are looked at for one test
	maxRows  = 1_000     // of one table
	maxItems = 200       // of a list that a loop goes through
	maxCalls = 12        // functions of the suite within each other
	maxText  = 1_000_000 // bytes of a string that is put together
	maxFiles = 40        // beside the suite
)

// Read reads a suite as far as it can be read. Sibling gives the files beside
// it, by paths relative to its folder. An error means that nothing was read.
func Read(name string, data []byte, sibling func(name string) ([]byte, error)) (*legacy.File, error) {
	label, _, ok := language(name)
	if !ok {
		return nil, fmt.Errorf("%q: not a file of JavaScript or TypeScript", name)
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%q: not UTF-8 text: convert it first", name)
	}
	if len(data) > syntax.MaxBytes {
		return nil, fmt.Errorf("%q: too large for source: %d bytes, at most %d are read", name, len(data), syntax.MaxBytes)
	}
	r := &reader{sibling: sibling, modules: map[string]*module{}, hasInner: map[*legacy.Test]bool{}, file: &legacy.File{Name: name, Language: label}}
	r.source = r.load(path.Base(name), data)
	t := r.source.tree
	r.file.Lines = t.Lines()
	for _, p := range t.Problems {
		r.problem(t.Line(p.Offset), "%s: the statement was passed over", p.Message)
	}
	r.suite()
	if len(r.file.Tests) == 0 {
		r.problem(1, "no test was found: docket knows describe, it and test")
	}
	slices.SortStableFunc(r.file.Problems, func(a, b legacy.Problem) int { return a.Line - b.Line })
	return r.file, nil
}

// A reader reads one file, and what it needs of those beside it.
type reader struct {
	sibling func(string) ([]byte, error)
	modules map[string]*module // by path from the suite's folder; nil for one that cannot be had
	file    *legacy.File
	source  *module

	test   *legacy.Test // the one that is being read
	module *module      // whose code is being looked at
	steps  int
	depth  int
	helper []string // functions of the suite that are being followed
	asked  *asking  // the last call of the test that asks a model
	hooks  bool     // what runs before a test is being followed
	loops  []loop
	nested []string // the tests within tests that are being read
	// Tests that hold others: without claims of their own they are groups.
	hasInner map[*legacy.Test]bool
}

func (r *reader) problem(line int, format string, args ...any) {
	r.file.Problems = append(r.file.Problems, legacy.Problem{Line: line, Message: fmt.Sprintf(format, args...)})
}

// unresolved notes what of the current test only a run could tell, once.
func (r *reader) unresolved(line int, message string) {
	if r.test == nil {
		return
	}
	p := legacy.Problem{Line: line, Message: message}
	if !slices.Contains(r.test.Unresolved, p) {
		r.test.Unresolved = append(r.test.Unresolved, p)
	}
}

// A module is a file of the suite.
type module struct {
	name  string // from the suite's folder
	tree  *syntax.Tree
	scope *scope
	data  any // of a file of JSON
	json  bool
}

func (m *module) text(n *syntax.Node) string { return m.tree.Text(n) }

func (m *module) line(n *syntax.Node) int { return m.tree.Line(n.Start) }

func (m *module) end(n *syntax.Node) int { return m.tree.Line(max(n.Start, n.End-1)) }

func (r *reader) load(name string, data []byte) *module {
	_, dialect, _ := language(name)
	m := &module{name: name, tree: syntax.Parse(data, dialect)}
	m.scope = newScope(nil, m)
	r.modules[name] = m
	r.hoist(m.tree.Body, m.scope)
	return m
}

// require finds the module that a file imports: nil for a package, and for a
// file that cannot be had.
func (r *reader) require(from *module, name string) *module {
	if !strings.HasPrefix(name, ".") {
		return nil
	}
	base := path.Join(path.Dir(from.name), name)
	if strings.HasPrefix(base, "../") && !suiteFile.MatchString(base) {
		return nil // what is tested, and no part of the suite
	}
	ending := path.Ext(base)
	candidates := []string{base}
	if ending == ".js" || ending == ".mjs" || ending == ".jsx" {
		stem := strings.TrimSuffix(base, ending)
		candidates = append(candidates, stem+".ts", stem+".tsx", stem+".mts")
	}
	for _, e := range []string{".ts", ".js", ".tsx", ".mjs", ".cjs", ".mts", ".json", "/index.ts", "/index.js"} {
		candidates = append(candidates, base+e)
	}
	for _, c := range candidates {
		if m, ok := r.modules[c]; ok && m != nil {
			return m
		}
	}
	for _, c := range candidates {
		_, _, source := language(c)
		if _, tried := r.modules[c]; tried || !source && path.Ext(c) != ".json" || len(r.modules) > maxFiles*4 {
			continue
		}
		data, err := r.read(c)
		if err != nil || !utf8.Valid(data) || len(data) > syntax.MaxBytes {
			r.modules[c] = nil
			continue
		}
		if path.Ext(c) == ".json" {
			m := &module{name: c, json: true}
			m.data, err = parseJSON(data)
			if err != nil {
				m = nil
			}
			r.modules[c] = m
			return m
		}
		return r.load(c, data)
	}
	return nil
}

func (r *reader) read(name string) ([]byte, error) {
	if r.sibling == nil {
		return nil, fmt.Errorf("%q: only one file was given", name)
	}
	return r.sibling(name)
}
