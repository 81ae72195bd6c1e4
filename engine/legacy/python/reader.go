// Package python reads old test suites in Python: pytest's functions and
// classes, unittest's, with their parameters, fixtures and helpers, into the
// neutral form of package legacy.
//
// Source is followed, and never run: constants, parameters and fixtures are put
// in where a test uses them, also from other files of the suite, helpers that
// assert are gone into, and what exists only at run time is a symbol of which
// it is known what it is about. What the source does not tell is said to be
// unresolved; a value is given only where Python would have computed the same.
package python

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// maxModules is how many files of a suite, or names of files that are not there,
// one file may lead to.
const maxModules = 100

// maxSize is how large a file may be, in bytes.
const maxSize = 16 << 20

// A reader reads one file.
type reader struct {
	folder  []string // the folder of the file, as it was named
	sibling func(string) ([]byte, error)
	main    *module
	modules map[string]*module // by path; nil for one that cannot be had
	file    *legacy.File
	steps   int // taken so far, of budget
	budget  int
}

// A file may take so many steps, and more for each byte: many times what tests
// take, and little enough that none holds docket up.
const (
	steps     = 20000
	stepsByte = 3
)

// Knows tells whether a file is Python, by its name.
func Knows(name string, _ []byte) bool {
	return strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyi")
}

// Read reads the tests of a file of Python as far as they can be read; what was
// passed over stands in the file's problems. The sibling function gives other
// files of the suite, by their path relative to the folder of this one. An error
// means that the file is not text, or too large.
func Read(name string, data []byte, sibling func(string) ([]byte, error)) (*legacy.File, error) {
	if len(data) > maxSize {
		return nil, fmt.Errorf("%q: a file of %d MB is too large for a test: docket reads up to %d MB", name, len(data)>>20, maxSize>>20)
	}
	source, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", name, err)
	}
	if sibling == nil {
		sibling = func(string) ([]byte, error) { return nil, errors.New("only one file was given") }
	}
	folder := path.Dir(path.Clean(strings.ReplaceAll(name, `\`, "/")))
	r := &reader{sibling: sibling, modules: map[string]*module{}, budget: steps + stepsByte*len(data)}
	if folder != "." && folder != "/" {
		r.folder = strings.Split(strings.Trim(folder, "/"), "/")
	}
	r.main = newModule(path.Base(name), source)
	r.modules[r.main.name] = r.main
	t := r.main.tree
	r.file = &legacy.File{Name: name, Language: "python", Lines: t.Line(len(t.Source))}
	if strings.HasSuffix(t.Source, "\n") {
		r.file.Lines--
	}
	for _, p := range t.Problems {
		r.file.Problems = append(r.file.Problems, legacy.Problem{Line: t.Line(p.At), Message: p.Message})
	}
	r.collect()
	return r.file, nil
}

// decode turns the bytes of a file into text: UTF-8, or Latin-1 where the file
// says so in its first two lines.
func decode(data []byte) (string, error) {
	if utf8.Valid(data) {
		if strings.IndexByte(string(data), 0) >= 0 {
			return "", errors.New("it is not text: it holds a zero byte")
		}
		return string(data), nil
	}
	head := string(data[:min(len(data), 400)])
	lines := strings.SplitN(head, "\n", 3)
	head = strings.ToLower(strings.Join(lines[:min(2, len(lines))], "\n"))
	if strings.Contains(head, "coding") && (strings.Contains(head, "latin-1") || strings.Contains(head, "latin1") || strings.Contains(head, "iso-8859-1\n") || strings.Contains(head, "iso-8859-1 ")) {
		runes := make([]rune, len(data))
		for i, b := range data {
			runes[i] = rune(b)
		}
		return string(runes), nil
	}
	return "", errors.New("it is not UTF-8: convert it first")
}

// imported is the module of the suite that "from … import" names, or nil.
func (r *reader) imported(from *module, s *syntax.Import) *module {
	if s.Module == "" {
		return nil
	}
	return r.load(from, strings.ReplaceAll(s.Module, ".", "/"), s.Level)
}

// load gives a module of the suite by its dotted name as a path. Level is the
// number of leading dots, 0 for an absolute name: that is of the suite where
// what leads to it is the folder of this file, or nothing does.
func (r *reader) load(from *module, name string, level int) *module {
	var tries []string
	if level > 0 {
		tries = append(tries, path.Join(path.Dir(from.name), strings.Repeat("../", level-1), name))
	} else {
		parts := strings.Split(name, "/")
		if len(parts) == 1 {
			if standard(name) {
				return nil
			}
			tries = append(tries, path.Join(path.Dir(from.name), name), name)
		}
		// tests.helpers from within tests/, or tests/unit/.
		for up := 0; up < len(r.folder); up++ {
			root := r.folder[len(r.folder)-1-up:]
			if n := len(root); len(parts) > n && strings.Join(parts[:n], "/") == strings.Join(root, "/") {
				tries = append(tries, strings.Join(parts[n:], "/"))
			}
			if parts[0] == root[0] && len(parts) > 1 {
				tries = append(tries, strings.Repeat("../", up)+strings.Join(parts[1:], "/"))
			}
		}
		if len(parts) > 1 && (parts[0] == "tests" || parts[0] == "test") {
			tries = append(tries, strings.Join(parts[1:], "/"))
		}
	}
	for _, t := range tries {
		if !r.ofSuite(t) {
			continue
		}
		for _, file := range []string{t + ".py", path.Join(t, "__init__.py")} {
			if m := r.moduleAt(file); m != nil {
				return m
			}
		}
	}
	return nil
}

// ofSuite tells a path of the suite from one of the program that it tests, which
// is not gone into: it stays in the folder of the file, or leads through one that
// is named after tests.
func (r *reader) ofSuite(name string) bool {
	name = path.Clean(name)
	up := 0
	for strings.HasPrefix(name, "../") {
		name = name[3:]
		up++
	}
	if up == 0 {
		return true
	}
	if up > len(r.folder) {
		return false
	}
	for _, part := range append(append([]string(nil), r.folder[:len(r.folder)-up]...), strings.Split(name, "/")...) {
		if strings.HasPrefix(part, "test") || strings.HasSuffix(part, "_tests") || part == "conftest" {
			return true
		}
	}
	return false
}

// moduleAt gives a file of the suite, read once.
func (r *reader) moduleAt(name string) *module {
	name = path.Clean(name)
	if m, ok := r.modules[name]; ok {
		return m
	}
	r.modules[name] = nil
	if len(r.modules) > maxModules {
		return nil
	}
	data, err := r.sibling(name)
	if err != nil || len(data) > maxSize {
		return nil
	}
	source, err := decode(data)
	if err != nil {
		return nil
	}
	m := newModule(name, source)
	r.modules[name] = m
	return m
}

// standard tells a module of Python itself, or one that every suite imports,
// which is not looked for among its files.
func standard(name string) bool {
	switch name {
	case "pytest", "unittest", "mock", "re", "json", "typing", "textwrap", "asyncio":
		return true
	}
	return runtimeModule(name + ".x")
}
