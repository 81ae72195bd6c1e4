package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"docket/engine/canonical"
)

// A Take says whose header a merge takes where the headers differ.
type Take string

// The sides; the zero value takes none.
const (
	TakeOurs   Take = "ours"
	TakeTheirs Take = "theirs"
)

// A HeaderError says that the two sides of a merge were captured under
// different configurations, so that somebody must choose.
type HeaderError struct {
	Path   string
	Fields []string // that differ, sorted
	// Ours and Theirs say which side differs from the common version; both
	// where there is none.
	Ours, Theirs bool
}

// Error names the fields and the two ways on.
func (e *HeaderError) Error() string {
	who := "both sides captured it anew"
	switch {
	case e.Ours && !e.Theirs:
		who = "our side captured it anew"
	case e.Theirs && !e.Ours:
		who = "their side captured it anew"
	}
	return fmt.Sprintf("%s: the headers differ in %s, so %s and the lines of the two sides were measured under different configurations; say whose header to keep with --header ours or --header theirs (the lines are merged by case all the same)",
		e.Path, names(e.Fields), who)
}

// header returns the first line of the merged file.
func (v Versions) header(take Take) ([]byte, error) {
	if v.Ours == nil || v.Theirs == nil {
		return nil, errors.New("a merge needs both sides, and one of them is empty")
	}
	ours, theirs := v.Ours.HeaderBytes, v.Theirs.HeaderBytes
	if err := v.Theirs.Belongs(v.Ours.Header.Suite, v.Ours.Header.Mode); err != nil {
		return nil, err
	}
	if bytes.Equal(ours, theirs) {
		return ours, nil
	}
	fields, err := differing(ours, theirs)
	switch {
	case err != nil:
		return nil, err
	case len(fields) == 0: // two spellings of one header: either will do, but always the same
		if bytes.Compare(ours, theirs) < 0 {
			return ours, nil
		}
		return theirs, nil
	case take == TakeOurs:
		return ours, nil
	case take == TakeTheirs:
		return theirs, nil
	case take != "":
		return nil, fmt.Errorf("no side is named %q: a header is taken from ours or theirs", take)
	}
	e := &HeaderError{Path: v.Ours.Path, Fields: fields, Ours: true, Theirs: true}
	if v.Base != nil {
		e.Ours = !bytes.Equal(v.Base.HeaderBytes, ours)
		e.Theirs = !bytes.Equal(v.Base.HeaderBytes, theirs)
	}
	return nil, e
}

// differing names the fields in which two headers differ, those that this
// version does not know included.
func differing(a, b []byte) ([]string, error) {
	x, err := members(a)
	if err != nil {
		return nil, err
	}
	y, err := members(b)
	if err != nil {
		return nil, err
	}
	var fields []string
	for name := range x {
		if other, ok := y[name]; !ok || other != x[name] {
			fields = append(fields, name)
		}
	}
	for name := range y {
		if _, ok := x[name]; !ok {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields, nil
}

// members returns what a header says, by field, each value in its one spelling.
func members(header []byte) (map[string]string, error) {
	doc, err := canonical.Parse(header)
	if err != nil {
		return nil, fmt.Errorf("a header cannot be read: %w", err)
	}
	outer, _ := doc.(map[string]any)
	config, _ := outer["_config"].(map[string]any)
	said := make(map[string]string, len(config))
	for name, value := range config {
		said[name] = string(canonical.Marshal(value))
	}
	return said, nil
}
