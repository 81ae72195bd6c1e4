package pruning_test

import (
	"path"
	"slices"
	"testing"

	"docket/engine/pruning"
	"docket/engine/suggestion"
	"docket/engine/suite"
)

// FuzzNamed: whatever is typed means cases of the suite, each once, or is an
// error; an id always means its own case, and what is no glob means nothing.
func FuzzNamed(f *testing.F) {
	for _, seed := range [][2]string{
		{"desk-*", "desk-1"}, {"[", "["}, {"[a-", `\`}, {"*[!x]?", "desk[1]"}, {"cases/desk/*.yaml", ""}, {"../*", "a/b"}, {"", "*"}, {"\x1b[31m", "\u202e*"}, {"\\", "[^-]"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, glob, id string) {
		s := &suite.Suite{Name: "desk", Dir: "cases/desk"}
		ids := []string{"desk-1", "desk-2"}
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		for _, id := range ids {
			s.Cases = append(s.Cases, &suite.Case{ID: id, Path: "cases/desk/" + suite.FileName(id) + ".yaml"})
		}
		proposals, err := pruning.Named(s, []string{glob, ids[len(ids)-1]}, suggestion.Found{})
		if _, bad := path.Match(glob, ""); bad != nil && !slices.Contains(ids, glob) && err == nil {
			t.Errorf("%q is no glob, and means %v", glob, proposals)
		}
		if err != nil {
			return
		}
		var named []string
		for _, p := range proposals {
			if !slices.Contains(ids, p.ID) || slices.Contains(named, p.ID) {
				t.Errorf("%q means %q, of the cases %q", glob, p.ID, ids)
			}
			named = append(named, p.ID)
		}
		if last := ids[len(ids)-1]; !slices.Contains(named, last) {
			t.Errorf("%q means %q without %q, which was named", glob, named, last)
		}
	})
}
