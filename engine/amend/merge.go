package amend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/source"
)

// A Merged is a case that took over what another asks.
type Merged struct {
	Data []byte
	// Added and Conflicts name what was taken over, and what was not, since the
	// two cases say different things: clauses for people.
	Added, Conflicts []string
}

// Merge returns the file of a case with the expectations, tags and provenance of
// another added, where they do not conflict. What is added is written as the
// other file writes it. A case whose expectations grew gets the next version.
func Merge(name string, data []byte, from string, other []byte, otherID string) (Merged, error) {
	t, err := read(name, data)
	if err != nil {
		return Merged{}, err
	}
	o, err := read(from, other)
	if err != nil {
		return Merged{}, err
	}
	m := merge{t: t, o: o, want: t.model()}
	for _, step := range []func() error{m.expect, m.tags} {
		if err := step(); err != nil {
			return Merged{}, err
		}
	}
	if len(m.Added) > 0 && m.grew {
		if err := m.t.raiseVersion(m.want); err != nil {
			return Merged{}, err
		}
		if m.t, err = m.t.again(); err != nil {
			return Merged{}, err
		}
	}
	mine, _ := m.want["provenance"].(string)
	theirs, _ := o.model()["provenance"].(string)
	if theirs != "" && !strings.Contains(mine, theirs) {
		both := mine + "; merged from " + otherID + ": " + theirs
		m.want["provenance"] = both
		if err := m.t.setProvenance(both); err != nil {
			return Merged{}, err
		}
		m.Added = append(m.Added, "provenance")
	}
	m.differing("weight", "scoring")
	m.Data, err = m.t.prove(m.want)
	return m.Merged, err
}

// merge is one at work.
type merge struct {
	Merged
	t, o *text
	want map[string]any
	grew bool // the expectations did
}

// differing lists keys of the other case that are not taken over.
func (m *merge) differing(keys ...string) {
	for _, key := range keys {
		if theirs, ok := m.o.model()[key]; ok && !same(theirs, m.want[key]) {
			m.Conflicts = append(m.Conflicts, fmt.Sprintf("%s: %s is not taken over", key, canonical.Marshal(theirs)))
		}
	}
}

func same(a, b any) bool { return bytes.Equal(canonical.Marshal(a), canonical.Marshal(b)) }

// expect takes over what the other case expects.
func (m *merge) expect() error {
	theirs := m.o.root.Get("expect")
	mine, _ := m.want["expect"].(map[string]any)
	if mine == nil {
		mine = map[string]any{}
	}
	for _, e := range theirs.Entries() {
		had, ok := mine[e.Key]
		v := e.Value.JSON()
		var err error
		switch {
		case !ok:
			mine[e.Key] = v
			m.want["expect"] = mine
			err = m.addKey(e)
			m.added(e.Key)
		case same(had, v):
		default:
			mine[e.Key], err = m.join(e, had, v)
		}
		if err == nil {
			m.t, err = m.t.again()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *merge) added(what string) {
	m.Added = append(m.Added, what)
	m.grew = true
}

// join adds the items of a list, or the keys of a mapping, that the case's own
// lacks.
func (m *merge) join(e source.Entry, had, v any) (any, error) {
	mine, mineList := had.([]any)
	_, theirsList := v.([]any)
	if !mineList || !theirsList {
		m.Conflicts = append(m.Conflicts, fmt.Sprintf("%s: %s stays, %s is not taken over", e.Key, canonical.Marshal(had), canonical.Marshal(v)))
		return had, nil
	}
	for i, item := range e.Value.Items() {
		its := item.JSON()
		if slices.ContainsFunc(mine, func(x any) bool { return same(x, its) }) {
			continue
		}
		if key := keyOf(its); key != "" && slices.ContainsFunc(mine, func(x any) bool { return keyOf(x) == key }) {
			m.Conflicts = append(m.Conflicts, fmt.Sprintf("%s: the fact %s stays as it is, %s is not taken over", e.Key, key, canonical.Marshal(its)))
			continue
		}
		mine = append(slices.Clip(mine), its)
		if err := m.addItem([]string{"expect", e.Key}, m.o.item(e, i), its); err != nil {
			return nil, err
		}
		what := keyOf(its)
		if what == "" {
			what = string(canonical.Marshal(its))
		}
		m.added(e.Key + " " + what)
		var err error
		if m.t, err = m.t.again(); err != nil {
			return nil, err
		}
	}
	return mine, nil
}

// keyOf is the key that names an item of must_contain_fact.
func keyOf(v any) string {
	item, _ := v.(map[string]any)
	key, _ := item["key"].(string)
	return key
}

// tags takes over the other case's tags.
func (m *merge) tags() error {
	theirs, _ := m.o.model()["tags"].([]any)
	mine, _ := m.want["tags"].([]any)
	for _, tag := range theirs {
		if slices.ContainsFunc(mine, func(x any) bool { return same(x, tag) }) {
			continue
		}
		name, _ := tag.(string)
		if m.t.find("tags") < 0 {
			_, last := m.t.top(max(m.t.find("provenance"), 0))
			m.t.insert(last, "tags: ["+flow(name)+"]")
		} else if err := m.addItem([]string{"tags"}, nil, tag); err != nil {
			return err
		}
		mine = append(slices.Clip(mine), tag)
		m.want["tags"] = mine
		m.Added = append(m.Added, "tag "+name)
		var err error
		if m.t, err = m.t.again(); err != nil {
			return err
		}
	}
	return nil
}

// flow spells a string inside of brackets.
func flow(s string) string {
	if spelled := spell(s); !strings.ContainsAny(spelled, ",[]{}:") {
		return spelled
	}
	return string(canonical.AppendString(nil, s))
}

// addKey adds a key to what the case expects.
func (m *merge) addKey(e source.Entry) error {
	lines := m.o.entry(e)
	i := m.t.find("expect")
	if i < 0 || m.t.root.Entries()[i].Value.Kind() != source.Map {
		if i >= 0 {
			return fmt.Errorf("%s: expect is not a mapping: edit it by hand", m.t.name)
		}
		_, last := m.t.top(len(m.t.root.Entries()) - 1)
		m.t.insert(last, append([]string{"expect:"}, indented(lines, 2)...)...)
		return nil
	}
	entries := m.t.root.Entries()[i].Value.Entries()
	if len(entries) == 0 || entries[0].KeyAt.Line == m.t.root.Entries()[i].KeyAt.Line {
		return fmt.Errorf("%s: expect is written in brackets: edit it by hand", m.t.name)
	}
	_, last := m.t.top(i)
	m.t.insert(last, indented(lines, entries[0].KeyAt.Column-1)...)
	return nil
}

// addItem adds an item to a list of the case. Lines are how the other file
// writes it, nil where it is to be spelled anew.
func (m *merge) addItem(path []string, lines []string, v any) error {
	entries, before := m.t.root.Entries(), len(m.t.lines)+1
	var list source.Value
	first, last := 0, 0
	for _, key := range path {
		i := slices.IndexFunc(entries, func(e source.Entry) bool { return e.Key == key })
		first, last = m.t.extent(entries, i, before)
		list, before = entries[i].Value, last+1
		entries = list.Entries()
	}
	at := list.At()
	line := m.t.lines[at.Line-1]
	if start := offset(line, at.Column); strings.HasPrefix(line[start:], "[") {
		end := strings.LastIndexByte(line, ']')
		if first != last || end < start {
			return fmt.Errorf("%s: %s is a list in brackets over several lines: edit it by hand", m.t.name, path[len(path)-1])
		}
		join := ", "
		if len(list.Items()) == 0 {
			join = ""
		}
		spelled := string(canonical.Marshal(v))
		if s, ok := v.(string); ok {
			spelled = flow(s)
		}
		m.t.lines[at.Line-1] = line[:end] + join + spelled + line[end:]
		return nil
	}
	dash := strings.IndexByte(line, '-')
	if dash < 0 || strings.TrimSpace(line[:dash]) != "" {
		return fmt.Errorf("%s: %s is a list that docket cannot add to: edit it by hand", m.t.name, path[len(path)-1])
	}
	if lines == nil {
		spelled := string(canonical.Marshal(v))
		if s, ok := v.(string); ok {
			spelled = spell(s)
		}
		lines = []string{spelled}
	}
	lines = indented(lines, dash+2)
	lines[0] = strings.Repeat(" ", dash) + "- " + strings.TrimLeft(lines[0], " ")
	m.t.insert(last, lines...)
	return nil
}

// indented moves lines to the right.
func indented(lines []string, by int) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			line = strings.Repeat(" ", by) + line
		}
		out[i] = line
	}
	return out
}

// entry is how a key below expect is written, from the margin on.
func (t *text) entry(e source.Entry) []string {
	i := t.find("expect")
	top := t.root.Entries()[i]
	if e.KeyAt.Line == top.KeyAt.Line {
		return []string{spell(e.Key) + ": " + string(canonical.Marshal(e.Value.JSON()))}
	}
	_, last := t.top(i)
	entries := top.Value.Entries()
	at := slices.IndexFunc(entries, func(x source.Entry) bool { return x.Key == e.Key })
	first, last := t.extent(entries, at, last+1)
	return t.cut(first, last, e.KeyAt.Column)
}

// item is how an item of a list below expect is written, from the margin on; nil
// where it stands in brackets.
func (t *text) item(e source.Entry, i int) []string {
	top := t.find("expect")
	_, last := t.top(top)
	entries := t.root.Entries()[top].Value.Entries()
	at := slices.IndexFunc(entries, func(x source.Entry) bool { return x.Key == e.Key })
	_, last = t.extent(entries, at, last+1)
	items := e.Value.Items()
	begin := items[i].At()
	if strings.TrimSpace(strings.TrimLeft(t.lines[begin.Line-1][:offset(t.lines[begin.Line-1], begin.Column)], " -")) != "" {
		return nil
	}
	before := last + 1
	if i+1 < len(items) {
		before = items[i+1].At().Line
	}
	return t.cut(begin.Line, t.last(begin.Line, before), begin.Column)
}

// cut returns lines from a column on, without their ends.
func (t *text) cut(first, last, column int) []string {
	var lines []string
	for n := first; n <= last; n++ {
		line := strings.TrimRight(t.lines[n-1], "\r\n")
		margin := min(column-1, len(line)-len(strings.TrimLeft(line, " ")))
		if n == first {
			margin = offset(line, column)
		}
		lines = append(lines, line[margin:])
	}
	return lines
}

// number is a whole number in the model of package canonical.
func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }
