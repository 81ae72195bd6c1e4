package diff

// A counter counts names in the spelling of JSON. Lines of one suite mostly
// hold the same names in the same order, so the name expected at a place is
// tried first.
type counter struct {
	index    map[string]int
	counts   []int
	names    []string
	expected []int // indices, by place
}

func newCounter() *counter { return &counter{index: map[string]int{}} }

func (c *counter) add(names [][]byte) {
	for place, name := range names {
		if place < len(c.expected) && string(name) == c.names[c.expected[place]] {
			c.counts[c.expected[place]]++
			continue
		}
		i := c.at(name)
		c.counts[i]++
		if place < len(c.expected) {
			c.expected[place] = i
		} else {
			c.expected = append(c.expected, i)
		}
	}
}

func (c *counter) at(name []byte) int {
	if i, ok := c.index[string(name)]; ok {
		return i
	}
	i := len(c.names)
	c.index[string(name)] = i
	c.names = append(c.names, string(name))
	c.counts = append(c.counts, 0)
	return i
}

// into hands over each name, without its escapes, with its count.
func (c *counter) into(book func(name string, n int)) {
	for i, name := range c.names {
		book(unescape(name), c.counts[i])
	}
}
