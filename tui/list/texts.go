package list

import (
	"bytes"
	"sync"
	"unicode"
	"unicode/utf8"
)

// slice is how many rows' texts are made in one piece.
const slice = 2048

// texts is what the filter looks at: of each row its own text and that of its
// group's header, in lower case. It is made in slices, in the background and in
// the order of the rows; a filter that comes before all are made takes what is
// there and makes the rest itself. The texts of a slice are one run of bytes,
// since a hundred thousand strings would be felt in every collection of garbage.
type texts struct {
	groups []Group
	owner  []int32
	rows   []*Row
	slices []textSlice
	made   chan struct{} // closed once all are made
}

type textSlice struct {
	once sync.Once
	text Text
	ends []int32 // where the text of each row ends
}

// Text is what the filter looks at in rows, in lower case.
type Text struct{ lower []byte }

// Add adds one text, which may be given in parts.
func (t *Text) Add(parts ...string) {
	for _, part := range parts {
		t.lower = appendLower(t.lower, part)
	}
	t.lower = append(t.lower, '\n')
}

// makeTexts begins to make the texts of all rows.
func makeTexts(groups []Group, owner []int32, rows []*Row) *texts {
	t := &texts{groups: groups, owner: owner, rows: rows, slices: make([]textSlice, (len(rows)+slice-1)/slice), made: make(chan struct{})}
	go func() {
		defer close(t.made)
		for n := range t.slices {
			t.at(n)
		}
	}()
	return t
}

// at returns a slice, and makes it where that was not done yet.
func (t *texts) at(n int) *textSlice {
	s := &t.slices[n]
	s.once.Do(func() {
		from, to := n*slice, min((n+1)*slice, len(t.rows))
		s.ends = make([]int32, 0, to-from)
		s.text.lower = make([]byte, 0, (to-from)*160)
		for at := from; at < to; at++ {
			t.add(&s.text, at)
			s.ends = append(s.ends, int32(len(s.text.lower)))
		}
	})
	return s
}

// add adds the text of a row.
func (t *texts) add(b *Text, at int) {
	g, r := &t.groups[t.owner[at]], t.rows[at]
	b.Add(r.Title())
	b.Add(r.Note)
	b.Add(r.Also)
	if g.Find != nil {
		g.Find(r, b)
	}
	b.Add(g.Kind, " ", g.Label)
}

// appendLower adds a text in lower case. Bytes that are no text stay.
func appendLower(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			b = append(b, c)
		} else {
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
		i += size
	}
	return b
}

// Beginning returns the word for Filter that finds the rows for which Find adds a
// text that begins with begin, in lower case.
func Beginning(begin string) string { return "\n" + begin }

// match fills in which rows hold every word (in lower case) and satisfy every
// condition.
func (t *texts) match(match []bool, words []string, conditions []func(*Row) bool) {
	wanted := make([][]byte, len(words))
	for i, word := range words {
		wanted[i] = []byte(word)
	}
	// From the end: where the texts are still being made, this meets what the
	// background has from the start, and the wait is half as long.
	for n := len(t.slices) - 1; n >= 0; n-- {
		s, start := t.at(n), int32(0)
		for i, end := range s.ends {
			at := n*slice + i
			match[at] = holds(s.text.lower[start:end], wanted) && satisfies(t.rows[at], conditions)
			start = end
		}
	}
}

func holds(text []byte, words [][]byte) bool {
	for _, word := range words {
		if !bytes.Contains(text, word) {
			return false
		}
	}
	return true
}

func satisfies(row *Row, conditions []func(*Row) bool) bool {
	for _, holds := range conditions {
		if !holds(row) {
			return false
		}
	}
	return true
}
