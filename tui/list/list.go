// Package list is the virtual list of docket's screens: rows in groups that
// fold, a selection that follows a row by its identity, marks, and a filter
// that is done when it returns.
//
// What a key costs does not depend on how many rows there are: only visible
// rows are drawn, and no key walks all rows but the filter and a change of
// grouping. The list knows which rows are decided, not what was decided; the
// glyphs come from its user. It neither reads keys nor colours by itself.
package list

import "docket/tui/style"

// Row is one thing to decide on.
type Row struct {
	ID    string // its identity, unique in the list
	Label string // what is shown; the ID where it is empty
	Note  string // a word at the right edge, such as a status that matters
	Also  string // further text that the filter finds
	Index int    // for the screen's own use, such as a position in its data

	NoteRole style.Role // of Note; Plain stands for dim
	Fixed    bool       // there is nothing to decide on it
}

// Group is a run of rows that are alike, under a header. A group without Kind
// and Label has no header.
type Group struct {
	ID    string // its identity, unique in the list; folding follows it
	Kind  string // what the rows differ in, such as "label"
	Label string // how, such as "overdue → paid"
	About []string
	Rows  []Row

	KindRole style.Role // of Kind; Plain stands for dim

	// Find adds further texts that the filter finds in a row, beside its Also,
	// where those are dear to make for rows that nobody filters. It is called once
	// for each row, outside the goroutine that called SetGroups; it may be nil.
	Find func(row *Row, found *Text)
}

// State is how far a row is decided.
type State uint8

// The states.
const (
	Undecided State = iota
	Partly          // some of its parts
	Pending         // on its way to the disk
	Decided
	Closed // fixed: there is nothing to decide
)

// List is a list of groups with a cursor. The zero List is empty.
type List struct {
	groups []Group
	rows   []*Row        // in order, across groups
	owner  []int32       // the group of each row
	text   *texts        // what the filter looks at
	place  func() places // from an ID to its position in rows
	state  []State
	open   int // rows that can be decided
	marked map[string]bool
	folded map[string]bool
	seen   map[string]bool // rows that were opened
	sight  []bool          // the same, by position

	filtered bool
	match    []bool  // by position, while a filter is on
	items    []int32 // what shows, in order: a row's position, or ^group for a header
	shown    []int32 // how many rows of each group match
	done     []int32 // how many of those are decided
	fixed    []int32 // on how many of those there is nothing to decide
	unseen   []int32 // how many of those were never opened
	matches  int
	cursor   int // into items
	top      int // the first item on screen
	height   int // how many were on screen when it was last drawn
}

// SetGroups replaces the rows. The selection, marks and folds stay with what
// they named where that still exists; states are set by the caller.
func (l *List) SetGroups(groups []Group, state func(id string) State) {
	group, row := l.selected()
	l.groups = groups
	n := 0
	for _, g := range groups {
		n += len(g.Rows)
	}
	l.rows, l.owner = make([]*Row, 0, n), make([]int32, 0, n)
	l.state, l.open = make([]State, 0, n), 0
	l.sight = make([]bool, n)
	for gi := range groups {
		for ri := range groups[gi].Rows {
			r := &groups[gi].Rows[ri]
			l.rows = append(l.rows, r)
			l.owner = append(l.owner, int32(gi))
			if r.Fixed {
				l.state = append(l.state, Closed)
				continue
			}
			l.open++
			l.state = append(l.state, state(r.ID))
		}
	}
	// A hundred thousand rows are drawn before anybody filters them or names
	// one; what that takes is made meanwhile.
	l.text = makeTexts(groups, l.owner, l.rows)
	l.place = meanwhile(l.rows, makePlaces)
	for id := range l.seen {
		if at, ok := l.find(id); ok {
			l.sight[at] = true
		}
	}
	for id := range l.marked {
		if _, ok := l.find(id); !ok {
			delete(l.marked, id)
		}
	}
	l.filtered, l.match = false, nil
	l.rebuild(group, row)
}

// find returns the position of a row.
func (l *List) find(id string) (at int, ok bool) {
	if id == "" || l.place == nil {
		return 0, false
	}
	return l.place().find(l.rows, id)
}

// Title is what the row is called on screen.
func (r *Row) Title() string {
	if r.Label != "" {
		return r.Label
	}
	return r.ID
}

// Filter keeps the rows that hold every word (in lower case), in their text or
// in that of their group, and that satisfy every condition. It is done when it
// returns. No words and no conditions show all rows.
func (l *List) Filter(words []string, conditions []func(*Row) bool) {
	on := len(words)+len(conditions) > 0
	if !on && !l.filtered {
		return // as it is
	}
	group, row := l.selected()
	l.filtered = on
	if l.filtered {
		if len(l.match) != len(l.rows) {
			l.match = make([]bool, len(l.rows))
		}
		l.text.match(l.match, words, conditions)
	}
	l.rebuild(group, row)
}

// Texts is closed once the texts that Filter looks at are made; before that
// Filter makes those that are missing itself.
func (l *List) Texts() <-chan struct{} { return l.text.made }

// rebuild lists what shows and puts the cursor back on the row or header that
// it was on, else on the nearest that is left.
func (l *List) rebuild(group string, row string) {
	before := l.cursor
	l.items = l.items[:0]
	l.shown = append(l.shown[:0], make([]int32, len(l.groups))...)
	l.done = append(l.done[:0], make([]int32, len(l.groups))...)
	l.fixed = append(l.fixed[:0], make([]int32, len(l.groups))...)
	l.unseen = append(l.unseen[:0], make([]int32, len(l.groups))...)
	l.matches = 0
	at := 0
	for gi := range l.groups {
		g := &l.groups[gi]
		header := -1
		if g.headed() {
			header = len(l.items)
			l.items = append(l.items, int32(^gi))
		}
		folded := header >= 0 && l.folded[g.ID]
		for range g.Rows {
			if !l.filtered || l.match[at] {
				l.shown[gi]++
				if !l.sight[at] {
					l.unseen[gi]++
				}
				switch l.state[at] {
				case Decided:
					l.done[gi]++
				case Closed:
					l.fixed[gi]++
				}
				if !folded {
					l.items = append(l.items, int32(at))
				}
			}
			at++
		}
		l.matches += int(l.shown[gi])
		if l.shown[gi] == 0 && header >= 0 {
			l.items = l.items[:header]
		}
	}
	l.cursor = min(max(before, 0), max(len(l.items)-1, 0))
	switch {
	case l.Select(row):
	case (row == "" || l.folded[group]) && l.selectGroup(group):
	case l.filtered:
		l.cursor = 0 // the first match
		fallthrough
	default:
		if len(l.items) > 0 && l.items[l.cursor] < 0 {
			l.step(1)
		}
	}
}

func (g *Group) headed() bool { return g.Kind != "" || g.Label != "" }

// SetState records how far a row is decided.
func (l *List) SetState(id string, s State) {
	at, ok := l.find(id)
	if !ok || l.state[at] == s || l.state[at] == Closed {
		return
	}
	if !l.filtered || l.match[at] {
		if l.state[at] == Decided {
			l.done[l.owner[at]]--
		}
		if s == Decided {
			l.done[l.owner[at]]++
		}
	}
	l.state[at] = s
}

// See records that the row under the cursor was opened.
func (l *List) See() {
	if len(l.items) == 0 || l.items[l.cursor] < 0 {
		return
	}
	at := l.items[l.cursor]
	if l.sight[at] {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[l.rows[at].ID] = true
	l.sight[at] = true
	l.unseen[l.owner[at]]--
}

// Seen reports whether a row was opened.
func (l *List) Seen(id string) bool { return l.seen[id] }

// Unseen returns how many of the rows of a group that the filter leaves were
// never opened.
func (l *List) Unseen(id string) int {
	for gi := range l.groups {
		if l.groups[gi].ID == id {
			return int(l.unseen[gi])
		}
	}
	return 0
}

// Len is the number of rows, Matches how many of them the filter leaves.
func (l *List) Len() int { return len(l.rows) }

// Open is the number of rows that can be decided, whatever the filter.
func (l *List) Open() int { return l.open }

// Matches is the number of rows that the filter leaves, folded ones included.
func (l *List) Matches() int { return l.matches }

// Selected returns the row under the cursor, or nil on a header and in an
// empty list, and the group that it belongs to.
func (l *List) Selected() (*Group, *Row) {
	if len(l.items) == 0 {
		return nil, nil
	}
	item := l.items[l.cursor]
	if item < 0 {
		return &l.groups[^item], nil
	}
	return &l.groups[l.owner[item]], l.rows[item]
}

func (l *List) selected() (group, row string) {
	g, r := l.Selected()
	if g != nil {
		group = g.ID
	}
	if r != nil {
		row = r.ID
	}
	return group, row
}

// Row returns a row by its identity, or nil.
func (l *List) Row(id string) *Row {
	if at, ok := l.find(id); ok {
		return l.rows[at]
	}
	return nil
}

// Members returns the rows of a group that the filter leaves.
func (l *List) Members(id string) []*Row {
	at := 0
	for gi := range l.groups {
		if l.groups[gi].ID != id {
			at += len(l.groups[gi].Rows)
			continue
		}
		members := make([]*Row, 0, l.shown[gi])
		for range l.groups[gi].Rows {
			if !l.filtered || l.match[at] {
				members = append(members, l.rows[at])
			}
			at++
		}
		return members
	}
	return nil
}

// Counts returns how many rows of a group the filter leaves, and how many of
// those are decided.
func (l *List) Counts(id string) (rows, decided int) {
	for gi := range l.groups {
		if l.groups[gi].ID == id {
			return int(l.shown[gi]), int(l.done[gi])
		}
	}
	return 0, 0
}

// Decidable returns how many of the rows of a group that the filter leaves can
// be decided at all.
func (l *List) Decidable(id string) int {
	for gi := range l.groups {
		if l.groups[gi].ID == id {
			return int(l.shown[gi] - l.fixed[gi])
		}
	}
	return 0
}

// Each calls f with every row of the list in order, whatever the filter.
func (l *List) Each(f func(*Group, *Row)) {
	for at, row := range l.rows {
		f(&l.groups[l.owner[at]], row)
	}
}

// ToggleMark marks a row, or takes its mark away.
func (l *List) ToggleMark(id string) {
	if l.marked == nil {
		l.marked = map[string]bool{}
	}
	if l.marked[id] {
		delete(l.marked, id)
	} else if _, ok := l.find(id); ok {
		l.marked[id] = true
	}
}

// ClearMarks takes all marks away.
func (l *List) ClearMarks() { clear(l.marked) }

// IsMarked reports whether a row is marked.
func (l *List) IsMarked(id string) bool { return l.marked[id] }

// Marks is the number of marked rows.
func (l *List) Marks() int { return len(l.marked) }

// Marked returns the marked rows in order, whether or not the filter shows
// them.
func (l *List) Marked() []*Row {
	if len(l.marked) == 0 {
		return nil
	}
	var rows []*Row
	for _, row := range l.rows {
		if l.marked[row.ID] {
			rows = append(rows, row)
		}
	}
	return rows
}
