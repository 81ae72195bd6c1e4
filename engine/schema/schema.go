// Package schema holds a JSON Schema for each file that docket reads or writes
// and for each report that it prints as JSON. They serve editors, which complete
// and check case files by them, and programs that read what docket wrote.
//
// The schemas describe; they do not judge. What docket refuses, it refuses by
// its own readers, whose sentences have a line and a mend, and tests hold the two
// to each other: the keys that a reader knows are the keys of its schema. The
// package reads no file of the user's.
package schema

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"docket/engine/source"
)

//go:embed files/*.json
var files embed.FS

// An Entry is one schema.
type Entry struct {
	Name  string // what it is asked for by, such as "case"
	About string // what it describes, as a phrase
	// parts are definitions that the schema shares with others, by the name of
	// their file; each is printed within the schema, under $defs.
	parts []string
}

// List returns all schemas, files first, then reports.
func List() []Entry {
	return []Entry{
		{"case", "a case: one YAML file below a suite's folder", []string{"expect"}},
		{"config", "the configuration: .docket.yaml", nil},
		{"output", "one line of a file of outputs, JSON Lines", nil},
		{"contract", "a format contract: contracts/NAME.yaml", []string{"expect"}},
		{"baseline", "one line of a baseline: the header, or a case's", []string{"configuration"}},
		{"decision", "one line of a decision file: the run's configuration, or a decision", []string{"configuration"}},
		{"recording", "a recorded call of a service", nil},
		{"diff", "what docket diff and docket run print with --format json", nil},
		{"run", "what docket export prints with --format json", []string{"configuration"}},
		{"comparison", "what docket compare prints with --format json", nil},
	}
}

// Get returns the schema of that name, self-contained, as indented JSON with a
// newline at the end.
func Get(name string) ([]byte, error) {
	var names []string
	for _, e := range List() {
		if e.Name == name {
			return e.print()
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("there is no schema %q; %s", name, source.Suggest(name, names))
}

// print reads the schema and puts the parts that it shares where it refers to
// them.
func (e Entry) print() ([]byte, error) {
	text, err := files.ReadFile("files/" + e.Name + ".json")
	if err != nil {
		return nil, fmt.Errorf("the schema of %s was not built in: %w", e.Name, err)
	}
	for _, part := range e.parts {
		shared, err := files.ReadFile("files/" + part + ".json")
		if err != nil {
			return nil, fmt.Errorf("a part of the schema of %s was not built in: %w", e.Name, err)
		}
		// The place is a member with the part's name and an empty value, so that
		// the file as it stands is a schema, too.
		place := fmt.Sprintf("%q: {}", part)
		if strings.Count(string(text), place) != 1 {
			return nil, fmt.Errorf("the schema of %s has no place for %s", e.Name, part)
		}
		text = bytes.Replace(text, []byte(place), fmt.Appendf(nil, "%q: %s", part, shared), 1)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(text), "", "  "); err != nil {
		return nil, fmt.Errorf("the schema of %s is no JSON: %w", e.Name, err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
