// Package telling draws the story of a case, as package provenance puts it
// together, as rows of a detail.
//
// It reads nothing and decides nothing; what people wrote is made inert by the
// pane that shows the rows.
package telling

import (
	"docket/engine/provenance"
	"docket/tui/pair"
	"docket/tui/style"
)

// Section adds a part of a story to rows: its heading, then what happened, each
// with its words below it.
func Section(rows pair.Rows, section *provenance.Section) pair.Rows {
	if len(rows) > 0 {
		rows = append(rows, pair.Row{Kind: pair.Wide})
	}
	rows = append(rows, pair.Row{Kind: pair.Wide, Name: section.Name, Old: style.Of(style.Dim, section.Note)})
	for i := range section.Rows {
		row := &section.Rows[i]
		role := style.Plain
		if row.Bad {
			role = style.Bad
		}
		line := style.Line{{Text: row.Did, Role: role}, {Text: row.Who(), Role: style.Dim}}
		if row.Text != "" {
			line = append(line, style.Span{Text: "\n" + row.Text, Role: style.Strong})
		}
		for _, more := range row.More {
			line = append(line, style.Span{Text: "\n" + more, Role: style.Dim})
		}
		rows = append(rows, pair.Row{Kind: pair.Wide, Name: row.When, Old: line})
	}
	return rows
}
