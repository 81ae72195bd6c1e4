package list

import (
	"hash/maphash"
	"sync"
)

// places finds rows by their identities: a hash table of positions with open
// addressing. It holds no pointers, so that a collection of garbage passes over
// it; a map of a hundred thousand strings would be felt in a key press.
type places struct {
	seed  maphash.Seed
	table []int32 // a position and 1; 0 is free. At most half of it is taken
}

func makePlaces(rows []*Row) places {
	size := 16
	for size < 2*len(rows) {
		size *= 2
	}
	p := places{maphash.MakeSeed(), make([]int32, size)}
	for at, row := range rows {
		slot := p.slot(row.ID)
		for p.table[slot] != 0 && rows[p.table[slot]-1].ID != row.ID {
			slot = (slot + 1) & (size - 1)
		}
		p.table[slot] = int32(at) + 1
	}
	return p
}

func (p places) slot(id string) int {
	return int(maphash.String(p.seed, id) & uint64(len(p.table)-1))
}

// find returns the position of a row.
func (p places) find(rows []*Row, id string) (at int, ok bool) {
	for slot := p.slot(id); p.table[slot] != 0; slot = (slot + 1) & (len(p.table) - 1) {
		if at := int(p.table[slot]) - 1; rows[at].ID == id {
			return at, true
		}
	}
	return 0, false
}

// meanwhile begins to make something of the rows, which the function returned
// waits for.
func meanwhile[T any](rows []*Row, make func([]*Row) T) func() T {
	once := sync.OnceValue(func() T { return make(rows) })
	go once()
	return once
}
