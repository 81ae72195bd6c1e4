package list

// Move moves the cursor by n items, stopping at the ends.
func (l *List) Move(n int) { l.cursor = min(max(l.cursor+n, 0), max(len(l.items)-1, 0)) }

// Page moves the cursor by n halves of the visible height.
func (l *List) Page(halves int) { l.Move(halves * max(l.height/2, 1)) }

// Top moves to the first row, Bottom to the last.
func (l *List) Top() {
	l.cursor = 0
	l.top = 0
}

// Bottom moves to the last item.
func (l *List) Bottom() { l.cursor = max(len(l.items)-1, 0) }

// step moves by one item in a direction and reports whether it could.
func (l *List) step(n int) bool {
	to := l.cursor + n
	if to < 0 || to >= len(l.items) {
		return false
	}
	l.cursor = to
	return true
}

// Select puts the cursor on a row, unfolding its group, and reports whether
// the row is there and passes the filter.
func (l *List) Select(id string) bool {
	at, ok := l.find(id)
	return ok && l.selectAt(at)
}

func (l *List) selectAt(at int) bool {
	if l.filtered && !l.match[at] {
		return false
	}
	if g := l.groups[l.owner[at]]; l.folded[g.ID] {
		return false
	}
	return l.seek(int32(at))
}

// Reveal is Select for a row whose group may be folded: it unfolds it.
func (l *List) Reveal(id string) bool {
	at, ok := l.find(id)
	return ok && l.revealAt(at)
}

func (l *List) revealAt(at int) bool {
	if id := l.groups[l.owner[at]].ID; l.folded[id] {
		l.SetFolded(id, false)
	}
	return l.selectAt(at)
}

func (l *List) selectGroup(id string) bool {
	for gi := range l.groups {
		if l.groups[gi].ID == id {
			return l.groups[gi].headed() && l.seek(int32(^gi))
		}
	}
	return false
}

// seek finds an item. Rows are in rising order and so are headers, which makes
// it a binary search: a header sorts with the first row of its group.
func (l *List) seek(item int32) bool {
	lo, hi := 0, len(l.items)
	want := l.order(item)
	for lo < hi {
		mid := (lo + hi) / 2
		if l.order(l.items[mid]) < want {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(l.items) && l.items[lo] == item {
		l.cursor = lo
		return true
	}
	return false
}

// order is the place of an item among all that could show.
func (l *List) order(item int32) int64 {
	if item < 0 {
		return int64(^item) << 32
	}
	return int64(l.owner[item])<<32 + int64(item) + 1
}

// FirstUndecided goes to the first undecided row, or to the first row.
func (l *List) FirstUndecided() {
	l.Top()
	if len(l.items) > 0 && l.items[0] >= 0 && l.state[l.items[0]] == Undecided {
		return
	}
	if !l.NextUndecided(1) && len(l.items) > 1 && l.items[0] < 0 {
		l.step(1)
	}
}

// NextUndecided moves to the next undecided row in a direction (1 or -1),
// going on from the other end, and reports whether there is one. Rows in
// folded groups are found, too.
func (l *List) NextUndecided(direction int) bool {
	n := len(l.rows)
	if n == 0 || len(l.items) == 0 {
		return false
	}
	var from int
	switch item := l.items[l.cursor]; {
	case item >= 0:
		from = int(item)
	case direction > 0:
		from = l.first(int(^item)) - 1
	default:
		from = l.first(int(^item))
	}
	for i := 1; i <= n; i++ {
		at := ((from+direction*i)%n + n) % n
		if l.state[at] != Undecided && l.state[at] != Partly || l.filtered && !l.match[at] {
			continue
		}
		if at != from {
			return l.revealAt(at)
		}
	}
	return false
}

// first is the position of the first row of a group.
func (l *List) first(group int) int {
	at := 0
	for gi := range group {
		at += len(l.groups[gi].Rows)
	}
	return at
}

// SetFolded folds or unfolds a group. The cursor goes to its header where the
// row under it disappears.
func (l *List) SetFolded(id string, folded bool) {
	if l.folded == nil {
		l.folded = map[string]bool{}
	}
	if l.folded[id] == folded {
		return
	}
	l.folded[id] = folded
	group, row := l.selected()
	l.rebuild(group, row)
}

// IsFolded reports whether a group is folded.
func (l *List) IsFolded(id string) bool { return l.folded[id] }

// Scroll moves the visible part by n items and takes the cursor along where it
// would leave it.
func (l *List) Scroll(n int) {
	l.top = min(max(l.top+n, 0), max(len(l.items)-l.height, 0))
	first := l.top
	if l.sticky() {
		first++
	}
	l.cursor = min(max(l.cursor, first), max(l.top+l.height-1, 0))
	l.Move(0)
}

// Click puts the cursor on the item in a row of the drawn list, and reports
// whether it was there already.
func (l *List) Click(row int) (again bool) {
	at := l.top + row
	if row < 0 || at >= len(l.items) {
		return false
	}
	if row == 0 && l.sticky() {
		l.selectGroup(l.groups[l.owner[l.items[l.top]]].ID)
		return false
	}
	again = at == l.cursor
	l.cursor = at
	return again
}

// Position returns which row the cursor is on, counted from 1 among those that
// show; 0 on a header.
func (l *List) Position() int {
	if len(l.items) == 0 || l.items[l.cursor] < 0 {
		return 0
	}
	at := int(l.items[l.cursor])
	if !l.filtered {
		return at + 1
	}
	n := 0
	for _, ok := range l.match[:at+1] {
		if ok {
			n++
		}
	}
	return n
}
