package javascript

import (
	"slices"
	"strings"

	"docket/engine/legacy/javascript/syntax"
)

// comments are those right above a test, and those in it, without their marks.
func (r *reader) comments(c *syntax.Node) []string {
	t := r.source.tree
	first, last := t.Line(c.Start), t.Line(c.End)
	var list []string
	all := t.Comments
	at, _ := slices.BinarySearchFunc(all, c.Start, func(k syntax.Comment, start int) int { return k.Start - start })
	from := at
	for line := first; from > 0; from-- {
		above := all[from-1]
		if t.Line(max(above.Start, above.End-1)) < line-1 || t.Line(above.Start) == line && line != first {
			break
		}
		line = t.Line(above.Start)
		if strings.TrimSpace(string(t.Source[lineStart(t, above.Start):above.Start])) != "" {
			break // at the end of a line of code
		}
	}
	for _, k := range all[from:] {
		if t.Line(k.Start) > last || k.Start > c.End && t.Line(k.Start) != last {
			break
		}
		if text := unmarked(string(t.Source[k.Start:k.End])); text != "" {
			list = append(list, text)
		}
	}
	return list
}

func lineStart(t *syntax.Tree, offset int) int {
	for offset > 0 && t.Source[offset-1] != '\n' {
		offset--
	}
	return offset
}

// unmarked takes the marks off a comment.
func unmarked(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		line = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(line, "//"), "*"), "*/ \t")
		if line != "" {
			lines = append(lines, strings.TrimRight(line, " \t\r"))
		}
	}
	return strings.Join(lines, "\n")
}
