// Package keymap is the one table of keys of docket's screens. What a key
// does, what the footer and the help say about it, and what a burst of keys
// may do are all read from it, so that none of them can drift.
//
// It maps keys to actions and performs none.
package keymap

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
)

// Scope is a set of places where a key can be pressed.
type Scope uint16

// The places. Several may be joined with |.
const (
	List    Scope = 1 << iota // the list of rows has the focus
	Detail                    // the detail pane has the focus
	Filter                    // a filter is typed
	Reason                    // a reason is typed
	Choice                    // a verdict on one part is chosen
	Confirm                   // a dialog asks
	Help                      // the help is open
	Small                     // the window is too small to show anything

	// Main is where rows are decided.
	Main   = List | Detail
	scopes = 8
)

// Action is what a key does.
type Action uint8

// The actions.
const (
	None Action = iota
	Up
	Down
	HalfUp
	HalfDown
	PageUp
	PageDown
	Top
	Bottom
	ScrollUp
	ScrollDown
	NextOpen
	PreviousOpen
	NextGroup
	PreviousGroup
	Enter
	Fold
	Unfold
	OtherPane
	Tab
	TabNext
	TabPrevious
	Verdict
	Bulk
	Part
	Mark
	Undo
	Redo
	StartFilter
	Grouping
	Layout
	Wrap
	Unchanged
	Copy
	Mouse
	Write
	ShowHelp
	Back
	Quit
	Suspend
	Custom
	Accept    // an input, or the choice that has the focus
	Yes       // the choice that acts, by its letter
	Switch    // between the choices of a dialog
	Earlier   // a reason given before
	Later     // back from it
	Compose   // the reason in the user's editor
	Interrupt // ctrl+c
)

// Binding is one line of the table.
type Binding struct {
	key.Binding
	Name    string // what a user's settings call it; empty where its keys are fixed
	Do      Action
	In      Scope
	Section string // the heading it stands under in the help; empty keeps it out
	Long    string // what the help says, where the footer must be shorter
	Footer  int    // its rank in the footer, 1 first; 0 keeps it out
	Replay  bool   // it only moves, so that a burst of keys may repeat it
	Decides bool   // it decides or leads to it: never obeyed in a burst
	Arg     int    // which tab, verdict or action, counted from 0
}

// Table is a set of bindings in which each key means one thing in each scope.
type Table struct {
	bindings []Binding
	index    [scopes]map[string]int
}

// New joins the bindings of a screen with those that all screens share, under
// the keys that a user chose. A key that the screen takes is lost to the shared
// binding; it is an error where that leaves an action that has no other key,
// where the screen binds one key twice, and where a chosen key does something
// else already.
func New(screen []Binding, chosen Keys) (*Table, error) {
	if found := Conflicts(screen, chosen); len(found) > 0 {
		return nil, found[0]
	}
	t := &Table{}
	for i := range t.index {
		t.index[i] = map[string]int{}
	}
	for _, b := range screen {
		b, _ = chosen.put(b)
		if lost := t.add(b); len(lost) > 0 {
			return nil, fmt.Errorf("the key %q is bound twice", lost[0])
		}
	}
	for _, b := range shared() {
		b, _ = chosen.put(b)
		if lost := t.add(b); len(lost) == len(b.Keys()) && b.Do != Tab {
			return nil, fmt.Errorf("the screen takes %q, which is the only key for %q", lost[0], b.Help().Desc)
		}
	}
	return t, nil
}

// Called is how the help spells the keys of what settings call by a name, such as
// "ctrl+s" for "write"; "" where there is none.
func (t *Table) Called(name string) string {
	for _, b := range t.bindings {
		if b.Name == name {
			return b.Help().Key
		}
	}
	return ""
}

// add enters a binding under those of its keys that are free in all its
// scopes, and returns the others.
func (t *Table) add(b Binding) (lost []string) {
	var kept []string
	for _, k := range b.Keys() {
		free := true
		b.each(func(scope int) {
			if _, taken := t.index[scope][k]; taken {
				free = false
			}
		})
		if free {
			kept = append(kept, k)
		} else {
			lost = append(lost, k)
		}
	}
	if len(kept) == 0 {
		return lost
	}
	b.SetKeys(kept...)
	t.bindings = append(t.bindings, b)
	b.each(func(scope int) {
		for _, k := range kept {
			t.index[scope][k] = len(t.bindings) - 1
		}
	})
	return lost
}

// Words is what the help says about the binding.
func (b Binding) Words() string {
	if b.Long != "" {
		return b.Long
	}
	return b.Help().Desc
}

// each calls f with the index of each scope of b.
func (b Binding) each(f func(scope int)) {
	for i := range scopes {
		if b.In&(1<<i) != 0 {
			f(i)
		}
	}
}

// Find returns what a key does in a scope.
func (t *Table) Find(in Scope, name string) (Binding, bool) {
	for i := range scopes {
		if in&(1<<i) == 0 {
			continue
		}
		if at, ok := t.index[i][name]; ok {
			return t.bindings[at], true
		}
	}
	return Binding{}, false
}

// Bindings returns the whole table, the screen's own bindings first.
func (t *Table) Bindings() []Binding { return t.bindings }

// Footer returns what the footer shows in a scope, the most important first.
func (t *Table) Footer(in Scope) []Binding {
	var shown []Binding
	for _, b := range t.bindings {
		if b.Footer > 0 && b.In&in != 0 {
			shown = append(shown, b)
		}
	}
	slices.SortStableFunc(shown, func(a, b Binding) int { return a.Footer - b.Footer })
	return shown
}

// Section is one heading of the help with its keys.
type Section struct {
	Name     string
	Bindings []Binding
}

// Help returns every key by section, in the order of the table.
func (t *Table) Help() []Section {
	var sections []Section
	for _, name := range []string{Deciding, Moving, Seeing, Leaving, Asked} {
		section := Section{Name: name}
		for _, b := range t.bindings {
			if b.Section == name {
				section.Bindings = append(section.Bindings, b)
			}
		}
		sections = append(sections, section)
	}
	return sections
}
