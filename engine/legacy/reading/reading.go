// Package reading knows which reader an old test file needs: it is the table of
// the languages and formats that package legacy has readers for, found by the
// file's name and content.
//
// The package reads no disk and no history itself: the caller gives the bytes,
// and a function for the files beside them. What no reader knows is refused
// with a sentence.
package reading

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript"
	"docket/engine/legacy/promptfoo"
	"docket/engine/legacy/python"
	"docket/engine/legacy/snapshot"
	"docket/engine/legacy/tables"
)

// A Sibling gives the content of another file of the same suite, by its path
// relative to the folder of the file that is being read, with slashes:
// "conftest.py", "../conftest.py", "fixtures/tickets.py". An error means only
// that it cannot be had: what it would have held is then unresolved.
type Sibling = func(name string) ([]byte, error)

// A Reader turns one kind of file into tests.
type Reader struct {
	Language string // as in legacy.File
	// Knows says whether a file is of this kind, by its name and, where a name
	// does not tell, its content.
	Knows func(name string, data []byte) bool
	Read  func(name string, data []byte, sibling Sibling) (*legacy.File, error)
}

// Readers is the table. The first that knows a file reads it.
func Readers() []Reader {
	return []Reader{
		{Language: "Python", Knows: python.Knows, Read: python.Read},
		{Language: "JavaScript and TypeScript", Knows: javascript.Knows, Read: javascript.Read},
		{Language: "promptfoo's YAML and CSV", Knows: promptfoo.Knows, Read: promptfoo.Read},
		{Language: "jest's snapshots", Knows: snapshot.Knows, Read: snapshot.Read},
		{Language: "CSV", Knows: tables.Knows, Read: tables.Read},
	}
}

// Read reads an old test file as far as it can be read. What a reader passed
// over stands in the file's Problems. An error means that nothing was read: no
// reader knows the file, or it is not text. The sibling function may be nil.
func Read(name string, data []byte, sibling Sibling) (*legacy.File, error) {
	if sibling == nil {
		sibling = func(name string) ([]byte, error) {
			return nil, fmt.Errorf("%q: only one file was given", name)
		}
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return nil, fmt.Errorf("%s:%d: a NUL byte; this is not a text file", name, bytes.Count(data[:at], []byte("\n"))+1)
	}
	var known []string
	for _, r := range Readers() {
		if r.Knows(name, data) {
			return r.Read(name, data, sibling)
		}
		known = append(known, r.Language)
	}
	slices.Sort(known)
	return nil, fmt.Errorf("%q: no reader knows a %s file: docket reads old suites in %s", name, kind(name), strings.Join(slices.Compact(known), ", "))
}

func kind(name string) string {
	if ext := path.Ext(name); ext != "" {
		return ext
	}
	return "nameless kind of"
}
