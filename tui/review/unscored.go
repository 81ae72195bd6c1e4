package review

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/tui/pair"
	"docket/tui/style"
)

// unjudged reports whether the new line of a case may have a rubric without a
// verdict, so that its reason is worth reading. In a string the quotes of the key
// would be escaped.
func unjudged(c *diff.Case) bool { return bytes.Contains(c.NewLine, []byte(`,"unscored":{`)) }

// unscored lists the checks that a judge gave no verdict on, over how many of the
// new samples, and why, as far as the samples have been read.
func unscored(c *diff.Case, after *baseline.Line, messages map[string]string) pair.Rows {
	var rows pair.Rows
	for _, name := range slices.Sorted(maps.Keys(after.Unscored)) {
		text := fmt.Sprintf("no verdict on %d of %s: neither passed nor failed", after.Unscored[name], phrase.Count(c.NewSamples, "sample", "samples"))
		row := pair.Row{Kind: pair.Wide, Name: name, Old: style.Of(style.Plain, text)}
		if why := messages[noVerdict(name)]; why != "" {
			row.Old = append(row.Old, style.Span{Text: "\n" + why, Role: style.Dim})
		}
		rows = append(rows, row)
	}
	return rows
}

// noVerdict is the key of why a check has no verdict, among the messages of
// checks: no check has a space in front of its name.
func noVerdict(check string) string { return " " + check }
