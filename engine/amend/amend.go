// Package amend changes single values in the file of a case, and leaves every
// other byte as it was written: comments, order, blank lines, line ends.
//
// Each change is made in the text and then proved: the file is read again, and
// must hold what was meant and nothing else. Where it does not, the package
// refuses, and says that a person has to edit the file. It never writes one.
package amend

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/source"
)

// A text is a file in lines, each with its line end, and what it says.
type text struct {
	name  string
	lines []string
	root  source.Value
}

func read(name string, data []byte) (*text, error) {
	root, problems := source.Parse(name, data)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if root.Kind() != source.Map {
		return nil, fmt.Errorf("%s is not a case", name)
	}
	t := &text{name: name, root: root, lines: strings.SplitAfter(string(data), "\n")}
	if last := len(t.lines) - 1; t.lines[last] == "" {
		t.lines = t.lines[:last]
	}
	for i, e := range root.Entries() {
		if i > 0 && e.KeyAt.Line == root.Entries()[i-1].KeyAt.Line || e.KeyAt.Column != 1 {
			return nil, fmt.Errorf("%s is not written one key to a line: edit it by hand", name)
		}
	}
	return t, nil
}

func (t *text) bytes() []byte { return []byte(strings.Join(t.lines, "")) }

// again reads the text as it is now.
func (t *text) again() (*text, error) { return read(t.name, t.bytes()) }

// model is what the file says, in the model of package canonical.
func (t *text) model() map[string]any { return t.root.JSON().(map[string]any) }

// end is the line end that the file uses.
func (t *text) end() string {
	if len(t.lines) > 0 && strings.HasSuffix(t.lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// insert puts lines without ends behind the first n lines.
func (t *text) insert(n int, lines ...string) {
	if n > 0 && !strings.HasSuffix(t.lines[n-1], "\n") {
		t.lines[n-1] += t.end()
	}
	with := make([]string, len(lines))
	for i, line := range lines {
		with[i] = line + t.end()
	}
	t.lines = slices.Insert(t.lines, n, with...)
}

// last is the number of the last line of what begins at a line and ends before
// another: what follows of blank lines and comments belongs to the next.
func (t *text) last(first, before int) int {
	last := min(before-1, len(t.lines))
	for last > first {
		line := strings.TrimSpace(t.lines[last-1])
		if line != "" && !strings.HasPrefix(line, "#") {
			break
		}
		last--
	}
	return last
}

// extent is the first and the last line of an entry of a block mapping that ends
// before a line.
func (t *text) extent(entries []source.Entry, i, before int) (first, last int) {
	first = entries[i].KeyAt.Line
	if i+1 < len(entries) {
		before = entries[i+1].KeyAt.Line
	}
	return first, t.last(first, before)
}

// find returns the index of a key at the top of the file.
func (t *text) find(key string) int {
	return slices.IndexFunc(t.root.Entries(), func(e source.Entry) bool { return e.Key == key })
}

// top is the extent of an entry at the top of the file.
func (t *text) top(i int) (first, last int) {
	return t.extent(t.root.Entries(), i, len(t.lines)+1)
}

// setScalar gives an entry at the top of the file another value. Where the value
// stands on one line, what is behind it there stays.
func (t *text) setScalar(i int, spelled string) {
	e := t.root.Entries()[i]
	first, last := t.top(i)
	line := t.lines[first-1]
	body := strings.TrimRight(line, "\r\n")
	ending := line[len(body):]
	at := e.Value.At()
	if first != last || at.Line != first {
		t.lines = slices.Replace(t.lines, first-1, last, e.Key+": "+spelled+t.lineEnd(last))
		return
	}
	start := offset(body, at.Column)
	t.lines[first-1] = body[:start] + spelled + body[start+scalarLength(body[start:]):] + ending
}

// lineEnd is the end of a line as it stands; "" for a last one that has none.
func (t *text) lineEnd(n int) string {
	line := t.lines[n-1]
	return line[len(strings.TrimRight(line, "\r\n")):]
}

// offset is where the column of a line begins, in bytes.
func offset(line string, column int) int {
	n := 1
	for i := range line {
		if n == column {
			return i
		}
		n++
	}
	return len(line)
}

// scalarLength is how much of a line is the scalar that it begins with.
func scalarLength(s string) int {
	switch {
	case strings.HasPrefix(s, `"`):
		for i := 1; i < len(s); i++ {
			if s[i] == '\\' {
				i++
			} else if s[i] == '"' {
				return i + 1
			}
		}
	case strings.HasPrefix(s, "'"):
		for i := 1; i < len(s); i++ {
			if s[i] == '\'' {
				if i+1 < len(s) && s[i+1] == '\'' {
					i++
					continue
				}
				return i + 1
			}
		}
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	return len(strings.TrimRight(s, " \t"))
}

// spell writes a string as YAML reads it back: as it is where that can be, else
// in double quotes.
func spell(s string) string {
	if v, problems := source.Parse("", []byte("k: "+s+"\n")); len(problems) == 0 {
		if got, ok := v.Get("k").Text(); ok && got == s && len(v.Entries()) == 1 {
			return s
		}
	}
	return string(canonical.AppendString(nil, s))
}

// prove reads the text again and fails unless it says what was meant.
func (t *text) prove(want map[string]any) ([]byte, error) {
	now, err := t.again()
	if err == nil && !bytes.Equal(canonical.Marshal(now.model()), canonical.Marshal(want)) {
		err = fmt.Errorf("%s cannot be changed without touching more than was asked for: edit it by hand", t.name)
	}
	if err != nil {
		return nil, err
	}
	return t.bytes(), nil
}

// Provenance returns the file of a case with another provenance, every other
// byte as it was.
func Provenance(name string, data []byte, provenance string) ([]byte, error) {
	t, err := read(name, data)
	if err != nil {
		return nil, err
	}
	want := t.model()
	want["provenance"] = provenance
	if err := t.setProvenance(provenance); err != nil {
		return nil, err
	}
	return t.prove(want)
}

func (t *text) setProvenance(provenance string) error {
	i := t.find("provenance")
	if i < 0 {
		return fmt.Errorf("%s has no provenance to change", t.name)
	}
	t.setScalar(i, spell(provenance))
	return nil
}

// raiseVersion counts the version of a case up.
func (t *text) raiseVersion(want map[string]any) error {
	version := 1
	i := t.find("version")
	if i >= 0 {
		n, err := strconv.Atoi(t.root.Entries()[i].Value.Scalar())
		if err != nil {
			return fmt.Errorf("%s: the version is not a number", t.name)
		}
		version = n
	}
	spelled := strconv.Itoa(version + 1)
	want["version"] = number(version + 1)
	if i >= 0 {
		t.setScalar(i, spelled)
		return nil
	}
	_, last := t.top(len(t.root.Entries()) - 1)
	t.insert(last, "version: "+spelled)
	return nil
}
