package list

// NextGroup moves to the first row of the next group that shows, or of the one
// before (direction 1 or -1), and reports whether there is one. Of a folded group
// the header is where the cursor goes.
func (l *List) NextGroup(direction int) bool {
	if len(l.items) == 0 {
		return false
	}
	at, here := l.cursor, l.groupOf(l.cursor)
	for at += direction; at >= 0 && at < len(l.items) && l.groupOf(at) == here; {
		at += direction
	}
	if at < 0 || at >= len(l.items) {
		return false
	}
	there := l.groupOf(at)
	for at > 0 && l.groupOf(at-1) == there {
		at--
	}
	if l.items[at] < 0 && at+1 < len(l.items) && l.groupOf(at+1) == there {
		at++
	}
	l.cursor = at
	return true
}

// groupOf is the group of an item that shows.
func (l *List) groupOf(at int) int {
	if item := l.items[at]; item < 0 {
		return int(^item)
	}
	return int(l.owner[l.items[at]])
}
