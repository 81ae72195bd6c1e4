// Package snapshot reads the snapshots that jest and vitest keep in .snap
// files: old answers under the names of their tests.
//
// A snapshot says what an answer was and not what it has to be: each is a claim
// of its own kind, and a person decides. Text that a snapshot prints in another
// form than it had is kept as it is printed.
package snapshot

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// Knows reports whether a file is one of snapshots, by its name.
func Knows(name string, _ []byte) bool { return strings.EqualFold(path.Ext(name), ".snap") }

// Read reads a file of snapshots: a Test for each name, in the order of the
// source. An error means that nothing was read.
func Read(name string, data []byte, _ func(string) ([]byte, error)) (*legacy.File, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%q: not UTF-8 text: convert it first", name)
	}
	t := syntax.Parse(data, syntax.JavaScript)
	f := &legacy.File{Name: name, Language: "snapshot", Lines: t.Lines()}
	for _, p := range t.Problems {
		f.Problems = append(f.Problems, legacy.Problem{Line: t.Line(p.Offset), Message: p.Message + ": the snapshot was passed over"})
	}
	seen := map[string]int{}
	for _, n := range t.Body {
		title, text, ok := entry(n)
		if !ok {
			f.Problems = append(f.Problems, legacy.Problem{Line: t.Line(n.Start), Message: "this is no snapshot: it was passed over"})
			continue
		}
		line, end := t.Line(n.Start), t.Line(n.End-1)
		c := legacy.Claim{Line: line, End: end, Text: t.Text(n), Subject: legacy.Answer, Op: legacy.Snapshot, Values: []any{printed(text)}}
		if s := strings.TrimSpace(text); strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "Object {") || strings.HasPrefix(s, "Array [") {
			c.Subject = legacy.Document
		}
		// One test may keep several snapshots: they end in their number.
		if i, ok := seen[title]; ok {
			f.Tests[i].Claims = append(f.Tests[i].Claims, c)
			f.Tests[i].End, f.Tests[i].Source = end, t.LineSpan(f.Tests[i].Line, end)
			continue
		}
		seen[title] = len(f.Tests)
		f.Tests = append(f.Tests, legacy.Test{Name: title, Doc: title, Line: line, End: end, Source: t.LineSpan(line, end), Claims: []legacy.Claim{c}})
	}
	if len(f.Tests) == 0 {
		f.Problems = append(f.Problems, legacy.Problem{Line: 1, Message: "no snapshot was found"})
	}
	return f, nil
}

// entry reads exports[`name 1`] = `text`.
func entry(n *syntax.Node) (title, text string, ok bool) {
	if n.Kind != syntax.ExprStmt || n.Kids[0].Kind != syntax.Assign {
		return "", "", false
	}
	target, value := n.Kids[0].Kids[0], n.Kids[0].Kids[1]
	if target.Kind != syntax.Index {
		return "", "", false
	}
	title, ok = plain(target.Kids[1])
	if !ok {
		return "", "", false
	}
	text, ok = plain(value)
	if i := strings.LastIndexByte(title, ' '); i > 0 && strings.Trim(title[i+1:], "0123456789") == "" {
		title = title[:i]
	}
	return title, text, ok
}

func plain(n *syntax.Node) (string, bool) {
	if n.Kind == syntax.Template && len(n.Kids) == 1 {
		n = n.Kids[0]
	}
	return n.Text, n.Kind == syntax.String && !n.Lossy
}

// printed takes off the line ends and quotation marks that a snapshot puts
// around a string.
func printed(text string) string {
	if strings.HasPrefix(text, "\n") && strings.HasSuffix(text, "\n") && len(text) > 1 {
		text = text[1 : len(text)-1]
	}
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = strings.ReplaceAll(text[1:len(text)-1], `\"`, `"`)
	}
	return text
}
