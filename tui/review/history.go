package review

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/history"
	"docket/engine/results"
	"docket/engine/run"
	"docket/tui/pair"
	"docket/tui/style"
)

// shownResults is how many earlier results are shown.
const shownResults = 50

// shownScores is how many scores are drawn: as many as a small terminal has room
// for.
const shownScores = 32

// history shows what was decided on a case before, with the reasons, and what
// it measured in earlier runs.
func (s *Screen) history(ctx context.Context, c *diff.Case) (pair.Content, error) {
	var rows pair.Rows
	heading := func(name, text string) {
		if len(rows) > 0 {
			rows = append(rows, pair.Row{Kind: pair.Wide})
		}
		rows = append(rows, pair.Row{Kind: pair.Wide, Name: name, Old: style.Of(style.Dim, text)})
	}
	story, err := s.Evidence.Why(ctx, c.ID)
	if err != nil {
		return pair.Content{}, err
	}
	if story != nil {
		rows = origin(story)
	}
	past := s.Evidence.Past(c.ID)
	if len(past) == 0 {
		heading("decisions", "none on this case yet")
	} else {
		heading("decisions", strconv.Itoa(len(past))+", the last one first")
	}
	for _, p := range slices.Backward(past) {
		rows = append(rows, pair.Row{Kind: pair.Wide, Name: p.At.Format(time.DateOnly), Old: pastLine(&p)})
	}
	if story != nil {
		rows = caught(rows, story)
	}
	earlier, err := s.Evidence.Results(ctx, c.ID)
	if err != nil {
		return pair.Content{}, err
	}
	if len(earlier) > 0 {
		heading("results", strconv.Itoa(len(earlier))+" on this machine, the last one first")
	}
	rows = append(rows, timeline(c.ID, earlier)...)
	return pair.Content{Source: rows, NameWidth: rows.NameWidth()}, nil
}

// timeline tells since when a case does what it does, draws its scores, and lists
// its results, the last one first, each above what else changed with it, as docket
// history does. Decisions are left to the part above.
func timeline(id string, earlier []results.Entry) pair.Rows {
	if len(earlier) == 0 {
		return nil
	}
	t := history.Of(id, earlier, nil)
	rows := pair.Rows{{Kind: pair.Wide, Name: "in short", Old: style.Of(style.Strong, history.Story(&t))}}
	if len(t.Entries) > 1 {
		rows = append(rows, pair.Row{Kind: pair.Wide, Name: "scores", Old: style.Line{
			{Text: history.Spark(t.Entries, shownScores), Role: style.Plain}, {Text: "  the last one right", Role: style.Dim},
		}})
	}
	oldest := max(0, len(t.Entries)-shownResults)
	marks := t.Marks
	for i := len(t.Entries) - 1; i >= oldest; i-- {
		e := &t.Entries[i]
		rows = append(rows, pair.Row{Kind: pair.Wide, Name: e.Started.Local().Format("2006-01-02 15:04"), Old: resultLine(e)})
		for ; len(marks) > 0 && !marks[len(marks)-1].At.Before(e.Started); marks = marks[:len(marks)-1] {
			rows = append(rows, pair.Row{Kind: pair.Wide, Name: "since then", Old: style.Of(style.Accent, marks[len(marks)-1].Text)})
		}
	}
	return rows
}

// pastLine says who decided what, and why.
func pastLine(p *decision.Past) style.Line {
	role := style.Good
	if p.Verdict == decision.Reject {
		role = style.Bad
	}
	line := style.Line{{Text: done(string(p.Verdict)), Role: role}, {Text: " by " + p.By, Role: style.Dim}}
	if len(p.Changes) > 0 {
		changes := make([]string, len(p.Changes))
		for i, c := range p.Changes {
			changes[i] = c.Name() + "  " + diff.SpellDecided(c.Old) + " → " + diff.SpellDecided(c.New)
		}
		line = append(line, style.Span{Text: "\n" + strings.Join(changes, "\n"), Role: style.Plain})
	}
	return append(line, style.Span{Text: "\n“" + p.Reason + "”", Role: style.Strong})
}

// done is the past participle of a verdict.
func done(verdict string) string {
	if verdict == string(decision.Allow) {
		return "allowed"
	}
	return strings.TrimSuffix(verdict, "e") + "ed"
}

// resultLine says how a case did in one run.
func resultLine(e *results.Entry) style.Line {
	var line style.Line
	switch {
	case e.Outcome != run.Measured:
		line = append(line, style.Span{Text: string(e.Outcome) + ": " + e.Error, Role: style.Bad})
	case e.Pass == nil:
		line = append(line, style.Span{Text: "no checks", Role: style.Dim})
	case *e.Pass:
		line = append(line, style.Span{Text: "pass", Role: style.Good})
	default:
		line = append(line, style.Span{Text: "fail", Role: style.Bad})
	}
	if e.Score != nil {
		line = append(line, style.Span{Text: ", score " + strconv.FormatFloat(*e.Score, 'g', 3, 64), Role: style.Plain})
	}
	if l, err := baseline.ParseLine(e.Line); err == nil {
		if label, ok := l.Projections["label"]; ok {
			line = append(line, style.Span{Text: ", label " + diff.Spell(label), Role: style.Plain})
		}
	}
	where := fmt.Sprintf("\n%s, %s, run %s", e.System, e.Mode, e.Run)
	if !e.Finished {
		where += ", which did not finish"
	}
	return append(line, style.Span{Text: where, Role: style.Dim})
}

// caseText shows the file of the case; with two files, the input.
func (s *Screen) caseText(id string) (pair.Content, error) {
	path, text, err := s.Evidence.CaseText(id)
	if err != nil {
		return pair.Content{Source: pair.Rows{}, Note: upper(err.Error()) + "."}, nil
	}
	language := s.yaml
	if path == "" {
		language, path = s.json, "the input, as a file tells it"
	}
	content := pair.Prose(language.Lines(strings.TrimSuffix(text, "\n"))...)
	content.Note = path
	return content, nil
}
