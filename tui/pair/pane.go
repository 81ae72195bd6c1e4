package pair

import (
	"cmp"
	"strconv"

	"docket/tui/cells"
	"docket/tui/style"
)

// Options are what a reader chooses about the pane. The zero value shows both
// sides beside each other, wraps, and folds what is unchanged.
type Options struct {
	Stacked bool
	Cut     bool   // long values are cut off instead of wrapped
	All     bool   // unchanged rows show
	Key     string // what shows them, as the help spells it; = where it is empty
}

// cached bounds how many rows are kept drawn.
const cached = 2048

// Pane shows a Content. The zero Pane is empty.
type Pane struct {
	content Content
	options Options
	theme   *style.Theme
	items   []item
	cursor  int // into items, where the content has parts
	top     int // the first item in sight
	skip    int // how many of its rows are above the sight
	width   int
	height  int
	blocks  map[int][]block
}

// item is one row of the content, or a run of unchanged ones under a count.
type item struct {
	first, count int // count 0: the row first itself
}

// block is one drawn row of an item, without its gutter.
type block struct {
	body string
	sign string // on the first row of an item
	role style.Role

	goesOn bool // it continues the row above, and no gap says so
}

// Show replaces what is shown. The reader's place is kept where keep is set,
// such as after a change of options.
func (p *Pane) Show(c Content, keep bool) {
	key := p.Key()
	p.content = c
	p.list()
	if !keep {
		p.top, p.skip, p.cursor = 0, 0, 0
		p.Move(0)
		return
	}
	p.SelectKey(key)
	p.clamp()
}

// Set changes the options, keeping the reader's place.
func (p *Pane) Set(o Options) {
	if o == p.options {
		return
	}
	key := p.Key()
	p.options = o
	p.list()
	p.SelectKey(key)
	p.clamp()
}

// list decides which rows show and which fold.
func (p *Pane) list() {
	p.blocks = nil
	p.items = p.items[:0]
	if p.content.Source == nil {
		return
	}
	for i := 0; i < p.content.Len(); {
		n := 0
		for !p.options.All && !p.content.Whole && i+n < p.content.Len() && p.content.Same(i+n) {
			n++
		}
		if n > 1 {
			p.items = append(p.items, item{i, n})
			i += n
			continue
		}
		p.items = append(p.items, item{i, 0})
		i++
	}
}

// Key is the identity of the row under the cursor, or "".
func (p *Pane) Key() string {
	if !p.content.Parts || p.cursor >= len(p.items) || p.items[p.cursor].count > 0 {
		return ""
	}
	return p.content.Row(p.items[p.cursor].first).Key
}

// Name is what the row under the cursor is called, or "".
func (p *Pane) Name() string {
	if p.Key() == "" {
		return ""
	}
	return p.content.Row(p.items[p.cursor].first).Name
}

// SelectKey puts the cursor on a row by its identity.
func (p *Pane) SelectKey(key string) {
	p.cursor = min(p.cursor, max(len(p.items)-1, 0))
	if key == "" || !p.content.Parts {
		return
	}
	for at, it := range p.items {
		if it.count == 0 && p.content.Row(it.first).Key == key {
			p.cursor = at
			return
		}
	}
}

// Move moves the cursor by n rows, or scrolls by n where there is none.
func (p *Pane) Move(n int) {
	if !p.content.Parts {
		p.Scroll(n)
		return
	}
	p.cursor = min(max(p.cursor+n, 0), max(len(p.items)-1, 0))
	p.reveal()
}

// reveal scrolls as little as brings the cursor's row into sight.
func (p *Pane) reveal() {
	if p.width == 0 || len(p.items) == 0 {
		return
	}
	if p.cursor < p.top || p.cursor == p.top && p.skip > 0 {
		p.top, p.skip = p.cursor, 0
		return
	}
	rows := 0
	for at := p.top; at <= p.cursor && rows <= 4*p.height; at++ {
		rows += len(p.block(at))
	}
	if over := rows - p.skip - p.body(); over > 0 {
		if rows > 4*p.height {
			p.top, p.skip = p.cursor, 0
			over = 0
		}
		p.Scroll(min(over, rows-p.skip-len(p.block(p.cursor))))
	}
}

// Scroll moves the sight by n rows.
func (p *Pane) Scroll(n int) {
	if p.width == 0 || len(p.items) == 0 {
		return
	}
	p.skip += n
	for p.skip < 0 && p.top > 0 {
		p.top--
		p.skip += len(p.block(p.top))
	}
	p.skip = max(p.skip, 0)
	for p.top < len(p.items)-1 && p.skip >= len(p.block(p.top)) {
		p.skip -= len(p.block(p.top))
		p.top++
	}
	p.clamp()
}

// Page scrolls by halves of the height.
func (p *Pane) Page(halves int) {
	if p.content.Parts {
		p.Move(halves * max(p.body()/2, 1))
		return
	}
	p.Scroll(halves * max(p.body()/2, 1))
}

// Top goes to the start, Bottom to the end.
func (p *Pane) Top() { p.top, p.skip, p.cursor = 0, 0, 0 }

// Bottom goes to the end.
func (p *Pane) Bottom() {
	p.cursor = max(len(p.items)-1, 0)
	p.top, p.skip = p.cursor, 1<<30
	p.clamp()
}

// clamp keeps the last page full.
func (p *Pane) clamp() {
	if p.width == 0 || len(p.items) == 0 {
		p.top, p.skip = 0, 0
		return
	}
	p.top = min(p.top, len(p.items)-1)
	rows := 0
	for at := len(p.items) - 1; at >= 0; at-- {
		rows += len(p.block(at))
		if rows >= p.body() || at == 0 {
			last := max(rows-p.body(), 0)
			if p.top > at || p.top == at && p.skip > last {
				p.top, p.skip = at, last
			}
			break
		}
	}
}

// body is how many rows are left for the content under heading and note.
func (p *Pane) body() int { return max(p.height-len(p.lead()), 1) }

// block returns the drawn rows of an item.
func (p *Pane) block(at int) []block {
	if rows, ok := p.blocks[at]; ok {
		return rows
	}
	if p.blocks == nil || len(p.blocks) > cached {
		p.blocks = map[int][]block{}
	}
	it := p.items[at]
	var rows []block
	if it.count > 0 {
		text := "  " + strconv.Itoa(it.count) + " unchanged, " + cmp.Or(p.options.Key, "=") + " shows them"
		rows = []block{{body: p.theme.Render(style.Dim, cells.Fit(text, p.width-gutter, p.theme.More)) + cells.Spaces(p.width-gutter-cells.Width(text)), sign: " "}}
	} else {
		rows = p.draw(p.content.Row(it.first))
	}
	p.blocks[at] = rows
	return rows
}

// More says how much is above and below the sight, counted in rows of the
// content.
func (p *Pane) More() (above, below bool) {
	if len(p.items) == 0 || p.width == 0 {
		return false, false
	}
	rows := -p.skip
	for at := p.top; at < len(p.items); at++ {
		rows += len(p.block(at))
		if rows > p.body() {
			return p.top > 0 || p.skip > 0, true
		}
	}
	return p.top > 0 || p.skip > 0, false
}
