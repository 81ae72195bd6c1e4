package review

import (
	"context"

	"docket/engine/diff"
	"docket/engine/provenance"
	"docket/tui/pair"
	"docket/tui/style"
	"docket/tui/telling"
)

// remembered reports whether a case that is gone had a file that git, or a
// decision, may remember.
func (s *Screen) remembered(c *diff.Case) bool { return c.Status == diff.Gone && s.Files == "" }

// remains tells what is left of a case without a file, above the values that
// would go with it: why it existed and the commit that took it away. Whoever
// lets the line go should have read both.
func (s *Screen) remains(ctx context.Context, c *diff.Case) pair.Rows {
	story, err := s.Evidence.Why(ctx, c.ID)
	switch {
	case err != nil:
		return pair.Rows{{Kind: pair.Wide, Name: "why", Old: style.Of(style.Bad, "git cannot be read: "+err.Error())}}
	case story == nil:
		return nil
	}
	why := pair.Row{Kind: pair.Wide, Name: "why", Old: style.Of(style.Strong, story.Provenance)}
	if story.Provenance == "" {
		why.Old = style.Of(style.Bad, "nothing remembers why it existed")
	}
	last := story.Sections()[0]
	if len(last.Rows) == 0 {
		return pair.Rows{why, {Kind: pair.Wide, Name: "git", Old: style.Of(style.Dim, last.Note)}}
	}
	newest := provenance.Section{Rows: last.Rows[:1]}
	return append(pair.Rows{why}, telling.Section(nil, &newest)[1:]...) // without its heading
}
