package list_test

import (
	"testing"

	"docket/tui/list"
)

func TestNextGroup(t *testing.T) {
	var l list.List
	l.SetGroups([]list.Group{
		{ID: "a", Kind: "colour", Rows: rows("apple", "pear", "plum")},
		{ID: "b", Kind: "price", Rows: rows("fig", "grape")},
		{ID: "c", Kind: "size", Rows: rows("kiwi")},
	}, undecided)
	l.Select("pear")
	if !l.NextGroup(1) || id(&l) != "fig" {
		t.Errorf("on to %q, want fig", id(&l))
	}
	l.Select("grape")
	if !l.NextGroup(-1) || id(&l) != "apple" {
		t.Errorf("back to %q, want apple", id(&l))
	}
	if l.NextGroup(-1) || id(&l) != "apple" {
		t.Errorf("before the first group is %q", id(&l))
	}
	l.SetFolded("b", true)
	if group, _ := l.Selected(); !l.NextGroup(1) || group == nil {
		t.Error("a folded group is passed over")
	}
	if group, row := l.Selected(); group.ID != "b" || row != nil {
		t.Errorf("on %v of %s, want the header of b", row, group.ID)
	}
	if !l.NextGroup(1) || id(&l) != "kiwi" || l.NextGroup(1) {
		t.Errorf("after the folded group %q, want kiwi and no further", id(&l))
	}
	l.Filter([]string{"plum"}, nil)
	if l.NextGroup(1) || l.NextGroup(-1) {
		t.Error("the filter leaves one group, and there is another")
	}
	var empty list.List
	if empty.NextGroup(1) {
		t.Error("an empty list has a next group")
	}
}
