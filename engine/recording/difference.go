package recording

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docket/engine/canonical"
)

// A Difference is one place where two requests differ.
type Difference struct {
	// Pointer is the JSON pointer of the place in the canonical request, such
	// as /body/messages/1/content or /query/limit.
	Pointer string
	// Old and New are what was recorded and what is asked now, as JSON, cut to
	// what stands around the first difference; "" where one side lacks it.
	Old, New string
}

// String returns the difference in one line.
func (d Difference) String() string {
	switch {
	case d.Old == "":
		return d.Pointer + " (new: " + d.New + ")"
	case d.New == "":
		return d.Pointer + " (was: " + d.Old + ")"
	}
	return d.Pointer + " (" + d.Old + " → " + d.New + ")"
}

// Bounds of what is told of one pair of requests.
const (
	maxDifferences = 5   // that are kept; the rest is counted
	maxCounted     = 200 // places, after which counting ends
	windowRunes    = 60  // of one value
)

// A comparison collects differences.
type comparison struct {
	found    []Difference
	count    int
	pointers []string // of all that were counted
}

// differences compares two documents of the JSON model.
func differences(old, new any) comparison {
	var c comparison
	c.values("", old, new)
	return c
}

func (c *comparison) values(at string, old, new any) {
	if c.count >= maxCounted {
		return
	}
	switch o := old.(type) {
	case map[string]any:
		if n, ok := new.(map[string]any); ok {
			c.objects(at, o, n)
			return
		}
	case []any:
		if n, ok := new.([]any); ok {
			c.lists(at, o, n)
			return
		}
	}
	a, b := canonical.Marshal(old), canonical.Marshal(new)
	if string(a) != string(b) {
		x, y := window(string(a), string(b))
		c.add(at, x, y)
	}
}

func (c *comparison) add(at, old, new string) {
	c.count++
	c.pointers = append(c.pointers, at)
	if len(c.found) < maxDifferences {
		c.found = append(c.found, Difference{at, old, new})
	}
}

func (c *comparison) objects(at string, old, new map[string]any) {
	for _, k := range slices.Sorted(maps.Keys(old)) {
		if n, ok := new[k]; ok {
			c.values(at+"/"+escapePointer(k), old[k], n)
		} else {
			c.add(at+"/"+escapePointer(k), whole(old[k]), "")
		}
	}
	for _, k := range slices.Sorted(maps.Keys(new)) {
		if _, ok := old[k]; !ok {
			c.add(at+"/"+escapePointer(k), "", whole(new[k]))
		}
	}
}

// lists compares lists with the items that are equal at both ends taken off,
// so that an item that came in, or went, is one difference.
func (c *comparison) lists(at string, old, new []any) {
	start := 0
	for start < len(old) && start < len(new) && equal(old[start], new[start]) {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(new)-start && equal(old[len(old)-1-end], new[len(new)-1-end]) {
		end++
	}
	old, new = old[:len(old)-end], new[:len(new)-end]
	for i := start; i < max(len(old), len(new)); i++ {
		place := at + "/" + strconv.Itoa(i)
		switch {
		case i >= len(old):
			c.add(place, "", whole(new[i]))
		case i >= len(new):
			c.add(place, whole(old[i]), "")
		default:
			c.values(place, old[i], new[i])
		}
	}
}

func equal(a, b any) bool {
	return string(canonical.Marshal(a)) == string(canonical.Marshal(b))
}

func escapePointer(key string) string {
	const most = 80
	if len(key) > most {
		key = strings.ToValidUTF8(key[:most], "") + "…"
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// whole is a value as it is told where there is nothing to compare it with.
func whole(v any) string {
	text, _ := window(string(canonical.Marshal(v)), "")
	return text
}

// window cuts two texts to what stands around their first difference.
func window(a, b string) (string, string) {
	const before = windowRunes / 3
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	for same > 0 && same < len(a) && !utf8.RuneStart(a[same]) {
		same--
	}
	from := same
	for range before {
		_, size := utf8.DecodeLastRuneInString(a[:from])
		from -= size
	}
	if len(a) <= windowRunes && len(b) <= windowRunes {
		from = 0
	}
	return cut(a, from), cut(b, from)
}

func cut(s string, from int) string {
	if s == "" {
		return ""
	}
	lead := ""
	if from = min(from, len(s)); from > 0 {
		lead = "…"
	}
	rest := s[from:]
	n := 0
	for i := range rest {
		if n == windowRunes {
			return lead + rest[:i] + "…"
		}
		n++
	}
	return lead + rest
}

// distance orders candidates: method and path first, then in how many places
// they differ.
func distance(old, new *asked, c comparison) int {
	d := c.count
	if old.method != new.method {
		d += 2 * maxCounted
	}
	if old.path != new.path {
		d += maxCounted
	}
	return d
}

// A candidate is a recording that may be the one that was meant.
type candidate struct {
	*record
	file string
	line int // of a file of calls; 0 for a service's
	comparison
	far int
}

// closest keeps the nearer of two candidates; of two that are as near, the
// first by file and line.
func closest(best, next *candidate) *candidate {
	if best == nil {
		return next
	}
	if cmp.Or(cmp.Compare(next.far, best.far), cmp.Compare(next.file, best.file), cmp.Compare(next.line, best.line)) < 0 {
		return next
	}
	return best
}
