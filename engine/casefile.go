package engine

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"docket/engine/canonical"
	"docket/engine/decision"
)

// About is what the file of a case says of it, besides what is asked.
type About struct {
	Provenance, Added string
	Family            string
	Tags              []string
	Weight            float64
	Links             []string // addresses that the provenance refers to
}

// About returns what is known of a case; false where it has no file, and
// always where two files are reviewed.
func (v *Review) About(id string) (About, bool) {
	c, ok := v.caseFile(id)
	if !ok {
		return About{}, false
	}
	a := About{Provenance: c.Provenance, Added: c.Added, Family: c.Family, Tags: c.Tags, Weight: c.Weight}
	for _, link := range v.Suite.Project.Config.Links {
		for _, at := range link.Pattern.FindAllStringSubmatchIndex(c.Provenance, 4) {
			a.Links = append(a.Links, string(link.Pattern.ExpandString(nil, link.Target, c.Provenance, at)))
		}
	}
	return a, true
}

// CaseText returns the text of a case's file, read again, and its path
// relative to the configuration. With two files it is the input, as JSON, where
// a file tells it.
func (v *Review) CaseText(id string) (path, text string, err error) {
	if v.Pair != nil {
		input, ok := v.Pair.Input(id)
		if !ok {
			return "", "", fmt.Errorf("neither file says what was asked in this case; a suite of cases does (`docket init` begins one)")
		}
		var indented []byte
		if indented, err = json.MarshalIndent(json.RawMessage(canonical.Marshal(input)), "", "  "); err != nil {
			return "", "", err
		}
		return "", string(indented), nil
	}
	c, ok := v.caseFile(id)
	if !ok {
		return "", "", fmt.Errorf("there is no case file with this id; `git log --diff-filter=D -- %s` lists those that were deleted", v.Suite.Config.Cases)
	}
	data, err := v.Suite.Project.Config.ReadFile(c.Path)
	if err != nil {
		return c.Path, "", err
	}
	return c.Path, string(data), nil
}

// CaseFile returns where the file of a case lies on disk, for an editor.
func (v *Review) CaseFile(id string) (string, bool) {
	c, ok := v.caseFile(id)
	if !ok {
		return "", false
	}
	return filepath.Join(v.Suite.Project.Dir, filepath.FromSlash(c.Path)), true
}

// Past returns the decisions on a case that were written, the oldest first.
func (v *Review) Past(id string) []decision.Past { return v.History.Of(id) }
