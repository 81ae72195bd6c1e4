package migrate

import (
	"fmt"
	"strings"

	"docket/engine/legacy"
	"docket/engine/migration"
	"docket/tui/list"
)

// The groupings, in the order of Spec.
const (
	byPile = iota
	byFile
	byClaim
)

// Groups implements tui.Screen.
func (s *Screen) Groups(grouping int) []list.Group {
	at := map[string]int{}
	var groups []list.Group
	for _, pile := range piles() {
		for i := range s.Suite.Tests {
			t := &s.Suite.Tests[i]
			if t.Pile != pile {
				continue
			}
			id, kind, label := string(pile), word(pile), ""
			switch grouping {
			case byFile:
				id, kind, label = t.File, "file", t.File
			case byClaim:
				label = claimed(t)
				id = string(pile) + "\x00" + label
			}
			n, ok := at[id]
			if !ok {
				n = len(groups)
				at[id] = n
				groups = append(groups, list.Group{ID: id, Kind: kind, Label: label, About: about(pile, grouping)})
			}
			groups[n].Rows = append(groups[n].Rows, s.row(i, t, grouping))
		}
	}
	return groups
}

func about(p legacy.Pile, grouping int) []string {
	if grouping == byFile {
		return nil
	}
	switch p {
	case legacy.Situation:
		return []string{"A situation and what must hold of any answer to it: it becomes a case. Why it exists is confirmed one test at a time."}
	case legacy.Contract:
		return []string{"What a prompt asks of the format of every answer: it goes to a contract beside the cases, so that no model is marked down for it."}
	case legacy.SDK:
		return []string{"The machinery of its day: response objects, stand-ins, types. It is dropped, and counted."}
	}
	return []string{"What these assert could not be read from the source alone: decide each assertion with x, or the test."}
}

// claimed is what a test asserts first of its pile.
func claimed(t *migration.Test) string {
	for i := range t.Claims {
		if t.Claims[i].Pile == t.Pile && t.Claims[i].Why != "" {
			return t.Claims[i].Why
		}
	}
	return t.Why
}

// named are the tests as the list calls them: without the class or the group
// that they stand in, which is mostly the same for all and takes the room, unless
// another test has that name as well.
func named(tests []migration.Test) []string {
	short := func(name string) string {
		head, _, _ := strings.Cut(name, "[") // parameters may hold anything
		if at := strings.LastIndex(head, "."); at >= 0 {
			return name[at+1:]
		}
		if at := strings.LastIndex(head, " > "); at >= 0 {
			return name[at+len(" > "):]
		}
		return name
	}
	count := map[string]int{}
	for i := range tests {
		count[short(tests[i].Name)]++
	}
	names := make([]string, len(tests))
	for i := range tests {
		if names[i] = short(tests[i].Name); count[names[i]] > 1 || names[i] == "" {
			names[i] = tests[i].Name
		}
	}
	return names
}

func (s *Screen) row(i int, t *migration.Test, grouping int) list.Row {
	row := list.Row{ID: t.Key, Label: s.named[i], Index: i}
	var others []string
	seen := map[legacy.Pile]bool{t.Pile: true}
	for j := range t.Claims {
		if p := t.Claims[j].Pile; !seen[p] {
			seen[p] = true
			others = append(others, word(p))
		}
	}
	switch {
	case grouping == byFile:
		row.Note = word(t.Pile)
	case len(others) > 0:
		row.Note = "+ " + strings.Join(others, ", ")
	}
	row.Also = strings.Join([]string{t.Name, t.File, word(t.Pile), t.Why, t.Draft.ID, t.Draft.Provenance}, "\n")
	return row
}

func (s *Screen) term(key, value string) (func(*list.Row) bool, error) {
	value = strings.ToLower(value)
	switch key {
	case "pile":
		return func(row *list.Row) bool {
			t := &s.Suite.Tests[row.Index]
			for i := range t.Claims {
				if strings.HasPrefix(strings.ToLower(word(t.Claims[i].Pile)), value) {
					return true
				}
			}
			return strings.HasPrefix(strings.ToLower(word(t.Pile)), value)
		}, nil
	case "file":
		return func(row *list.Row) bool {
			return strings.Contains(strings.ToLower(s.Suite.Tests[row.Index].File), value)
		}, nil
	}
	return nil, fmt.Errorf("there is no term %q here, but pile: and file: to begin one", key)
}
