package suite

import (
	"strings"
	"unique"

	"docket/engine/canonical"
	"docket/engine/source"
)

// CaseKeys returns the keys of a case, in the order in which people write them.
func CaseKeys() []string {
	return []string{
		"id", "added", "provenance", "input", "expect", "scoring", "weight", "version",
		"tags", "family", "mock", "mock_verdicts",
	}
}

// readCase makes a case of its document. The case is nil where there is nothing
// to go on with; else it is filled as far as it is right, so that others can
// add the problems that they find in it.
func readCase(root source.Value, path string, files *inputFiles) (*Case, source.Problems) {
	var f fields
	if root.Kind() != source.Map {
		f.wrong(root, "expected one case, a mapping with id, provenance and input, got %s", root.Describe())
		return nil, f.problems
	}
	c := &Case{Path: path, At: root.At(), Version: 1, Weight: 1, Scoring: Deterministic}
	var hasID, hasProvenance, hasInput bool
	for _, e := range root.Entries() {
		v := e.Value
		switch e.Key {
		case "id":
			hasID = true
			c.At = v.At()
			if c.ID = f.text(v, "id"); c.ID != "" {
				if err := CheckID(c.ID); err != nil {
					f.wrong(v, "%v", err)
					c.ID = ""
				}
			}
		case "provenance":
			hasProvenance = true
			c.ProvenanceAt = v.At()
			c.Provenance = f.text(v, "provenance")
		case "added":
			c.Added = f.date(v, "added")
		case "input":
			hasInput = true
			if f.mapping(v, "input", "{ticket_id: TICKET_4471}") {
				f.input(c, v, files)
			}
		case "expect":
			if v.Kind() == source.Null {
				break // as if it were absent: no expectation yet
			}
			if f.mapping(v, "expect", "{max_words: 60}") {
				c.Expect = v
			}
		case "scoring":
			if s := f.choice(v, "scoring", Deterministic, Judged); s != "" {
				c.Scoring = s
			}
		case "weight":
			c.Weight = f.number(v, "weight", 0, true)
		case "version":
			c.Version = f.count(v, "version")
		case "tags":
			c.Tags = f.texts(v, "tags")
		case "family":
			c.Family = f.text(v, "family")
		case "mock":
			c.Mock = v
		case "mock_verdicts":
			c.MockVerdicts = v
		default:
			f.unknownCaseKey(e)
		}
	}
	for _, need := range []struct {
		key  string
		has  bool
		mend string
	}{
		{"id", hasID, "give the case a name that is unique in the suite"},
		{"provenance", hasProvenance, "say why the case exists: an incident, a ticket, a commit"},
		{"input", hasInput, "give what the system is asked, or {} if it is asked nothing"},
	} {
		if !need.has {
			f.wrong(root, "%s is missing; %s", need.key, need.mend)
		}
	}
	c.hash()
	return c, f.problems
}

func (f *fields) unknownCaseKey(e source.Entry) {
	if sentence, ok := misplaced(e.Key); ok {
		f.problems = append(f.problems, e.KeyAt.Problemf("%s", sentence))
		return
	}
	f.problems = append(f.problems, e.KeyAt.Problemf("unknown key %.60q in a case; %s", e.Key, source.Suggest(e.Key, CaseKeys())))
}

// input reads the input and the files that it names.
func (f *fields) input(c *Case, v source.Value, files *inputFiles) {
	const suffix = "_file"
	c.Input = make(map[string]any, len(v.Entries())+1)
	for _, e := range v.Entries() {
		c.Input[e.Key] = e.Value.JSON()
	}
	for _, e := range v.Entries() {
		name, ok := strings.CutSuffix(e.Key, suffix)
		if !ok || name == "" {
			continue
		}
		if !v.Get(name).IsZero() {
			f.problems = append(f.problems, e.KeyAt.Problemf("input has both %q and %q, and the file would be read as the first; leave one of them", name, e.Key))
			continue
		}
		file, ok := e.Value.Text()
		if !ok {
			f.wrong(e.Value, "input.%s must name a file to read, got %s", e.Key, e.Value.Describe())
			continue
		}
		text, at, err := files.read(file)
		if err != nil {
			f.wrong(e.Value, "input.%s: %v", e.Key, err)
			continue
		}
		c.Input[name] = text
		c.Files = append(c.Files, at)
	}
}

func (c *Case) hash() {
	c.InputHash = canonical.Hash(c.Input)
	if !c.Expect.IsZero() {
		hash := canonical.Hash(map[string]any{"expect": c.Expect.JSON(), "scoring": c.Scoring})
		c.ExpectHash = unique.Make(hash).Value() // many cases of a suite expect the same
	}
}
