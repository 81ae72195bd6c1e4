package migrate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"docket/engine/legacy"
	"docket/engine/migration"
	"docket/engine/phrase"
	"docket/tui"
	"docket/tui/pair"
	"docket/tui/style"
)

type content = pair.Content

// sourceTab shows the source, each assertion under the sign of its pile. It is
// there at once in one colour, and highlighted a moment later.
func (s *Screen) sourceTab(t *migration.Test, c migration.Choice) tui.Tab {
	language := s.script
	if strings.EqualFold(t.Language, "python") {
		language = s.python
	}
	return tui.Tab{
		Name:    sourceTab,
		Content: func(context.Context) (content, error) { return source(t, c, plain(t.Source)), nil },
		More:    func(context.Context) (content, error) { return source(t, c, language.Lines(t.Source)), nil },
	}
}

func plain(text string) []style.Line {
	var lines []style.Line
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, style.Of(style.Plain, line))
	}
	return lines
}

// source lays the assertions into the lines of a test. One that stands
// elsewhere, in a helper, follows at the end.
func source(t *migration.Test, c migration.Choice, lines []style.Line) content {
	for len(lines) > t.Lines() && lines[len(lines)-1].String() == "" {
		lines = lines[:len(lines)-1]
	}
	first := map[int][]int{}
	var elsewhere []int
	for i := range t.Claims {
		if claim := &t.Claims[i]; claim.Line >= t.Line && claim.Line-t.Line < len(lines) && claim.Helper == "" {
			first[claim.Line] = append(first[claim.Line], i)
		} else {
			elsewhere = append(elsewhere, i)
		}
	}
	piles := t.Piles(c)
	var rows pair.Rows
	for at := 0; at < len(lines); {
		number := t.Line + at
		claims := first[number]
		if len(claims) == 0 {
			rows = append(rows, pair.Row{Kind: pair.Wide, Old: numbered(number, lines[at:at+1])})
			at++
			continue
		}
		end := min(max(t.Claims[claims[0]].End-t.Line, at)+1, len(lines))
		for next := at + 1; next < end; next++ {
			if len(first[t.Line+next]) > 0 {
				end = next // another assertion begins inside
			}
		}
		text := numbered(number, lines[at:end])
		for _, i := range claims {
			rows = append(rows, claimRow(&t.Claims[i], i, piles[i], c, text))
			text = nil
		}
		at = end
	}
	for _, i := range elsewhere {
		claim := &t.Claims[i]
		text := numbered(claim.Line, plain(claim.Text))
		if claim.Helper != "" {
			text = append(style.Of(style.Dim, "      in "+claim.Helper+":\n"), text...)
		}
		rows = append(rows, claimRow(claim, i, piles[i], c, text))
	}
	return content{Source: rows, Parts: true}
}

// numbered sets lines into one value, each behind its number.
func numbered(first int, lines []style.Line) style.Line {
	var all style.Line
	for i, line := range lines {
		if i > 0 {
			all = append(all, style.Span{Text: "\n"})
		}
		all = append(all, style.Span{Text: fmt.Sprintf("%4d  ", first+i), Role: style.Dim})
		all = append(all, line...)
	}
	return all
}

// claimRow is an assertion with what is proposed for it, and why.
func claimRow(claim *migration.Claim, i int, pile legacy.Pile, c migration.Choice, text style.Line) pair.Row {
	note := word(pile)
	if claim.Why != "" && pile == claim.Pile {
		note += ", " + claim.Why
	}
	if _, own := c.Claims[i]; own {
		note += ", decided alone"
	} else if s := sure(claim.Sure); s != "" && pile == claim.Pile {
		note += ", " + s
	}
	if claim.Left != "" && pile != legacy.SDK {
		note += "; not translated: " + claim.Left
	}
	value := append(style.Line(nil), text...)
	if len(value) > 0 {
		value = append(value, style.Span{Text: "\n"})
	}
	value = append(value, style.Span{Text: "      " + sign(pile) + " " + note, Role: role(pile)})
	return pair.Row{Key: strconv.Itoa(i), Kind: pair.Wide, Sign: sign(pile), SignRole: role(pile), Name: "line " + strconv.Itoa(claim.Line), Old: value}
}

func role(p legacy.Pile) style.Role {
	switch p {
	case legacy.Situation:
		return style.Good
	case legacy.Contract:
		return style.Accent
	case legacy.Unsorted:
		return style.Bad
	}
	return style.Dim
}

// draftTab shows the files that the test would become, as they would be
// written.
func (s *Screen) draftTab(t *migration.Test, c migration.Choice) tui.Tab {
	text := func() (note, text string) {
		var b strings.Builder
		switch c.Verdict {
		case migration.Drop:
			return "dropped: it becomes nothing, and is counted", ""
		case migration.Merge:
			note = "merged: what it asks stands in the other test's draft"
		case migration.Contract:
			note = "no case is made"
		default:
			b.Write(s.Proposals.Draft(t.Key))
		}
		if given := contract(t, c); given != nil {
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			b.WriteString("# what " + s.Target.ContractPath(s.contractOf(t), 1) + " gets of it\n")
			b.Write(given.YAML())
		}
		return note, strings.TrimSuffix(b.String(), "\n")
	}
	show := func(lines func(string) []style.Line) func(context.Context) (content, error) {
		return func(context.Context) (content, error) {
			note, text := text()
			shown := pair.Prose(lines(text)...)
			if shown.Note = note; text == "" {
				shown.Source = nil
			}
			return shown, nil
		}
	}
	return tui.Tab{Name: draftTab, Content: show(plain), More: show(s.yaml.Lines)}
}

// from says where a test came from.
func from(t *migration.Test, c migration.Choice) content {
	var lines []style.Line
	say := func(label, text string) {
		lines = append(lines, style.Line{{Text: label + "  ", Role: style.Dim}, {Text: text}})
	}
	say("file", fmt.Sprintf("%s, lines %d to %d, %s", t.File, t.Line, t.End, t.Language))
	if t.Origin.Revision != "" {
		say("read at", t.Origin.Revision)
	}
	if len(t.Origin.Commits) == 0 {
		say("commits", "none is known: the file is not as the last commit has it, or lies in no repository")
	}
	for _, commit := range t.Origin.Commits {
		lines = append(lines, style.Line{
			{Text: commit.Day + "  ", Role: style.Number},
			{Text: commit.ID + "  ", Role: style.Dim},
			{Text: commit.Subject},
			{Text: "  " + commit.Author + ", " + phrase.Count(commit.Lines, "line", "lines"), Role: style.Dim},
		})
	}
	for _, key := range sortedKeys(t.Draft.Input) {
		if name, ok := t.Draft.Input[key].(string); ok && strings.HasSuffix(key, "_file") {
			say("fixture", name)
		}
	}
	for _, note := range t.Draft.Notes {
		lines = append(lines, style.Line{{Text: "not resolved  ", Role: style.Bad}, {Text: note}})
	}
	if c.Draft != nil {
		say("draft", "edited by hand")
	}
	return pair.Prose(lines...)
}
