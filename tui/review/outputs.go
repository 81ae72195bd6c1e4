package review

import (
	"context"
	"fmt"
	"strings"

	"docket/tui"
	"docket/tui/pair"
	"docket/tui/style"
)

// outputs shows one sample of each side beside the other. Sample k of one run
// has nothing to do with sample k of another; they stand together to be read.
func (s *Screen) outputs(ctx context.Context, id string) (pair.Content, error) {
	if content, ok := s.answers.shown(id, s.viewOf(id)); ok {
		return content, nil
	}
	if err := s.answers.load(ctx, id); err != nil {
		return pair.Content{}, err
	}
	p, v := s.answers.get(id), s.viewOf(id)
	before, oldHead := s.pageOf(p.old, v, "baseline")
	after, newHead := s.pageOf(p.new, v, "candidate")
	content := pair.Content{Old: oldHead, New: newHead, Whole: true}
	if len(p.old) == 0 || len(p.new) == 0 {
		content = oneSided(p, before, after, oldHead, newHead)
	} else {
		content.Source = pair.Lines{Matches: pair.Align(before.texts(), after.texts()), Before: before.line, After: after.line}
		if max(len(p.old), len(p.new)) > 1 {
			content.Note = s.sampleKeys()
		}
	}
	before.warm()
	after.warm()
	s.answers.show(p, v, content)
	return content, nil
}

// sampleKeys says which keys turn to other samples.
func (s *Screen) sampleKeys() string {
	next, previous, raw := ">", "<", "o"
	if s.called != nil {
		next, previous, raw = s.called("next-sample"), s.called("previous-sample"), s.called("raw")
	}
	return next + " and " + previous + " turn to other samples, " + raw + " shows them as they came"
}

// SetKeys implements tui.Keyed.
func (s *Screen) SetKeys(called func(name string) string) { s.called = called }

// viewOf is which samples of a case are shown.
func (s *Screen) viewOf(id string) view {
	if s.sampleOf == id {
		return view{s.sample, s.raw}
	}
	return view{0, s.raw}
}

// laidOut reports whether outputs returns at once.
func (s *Screen) laidOut(id string) bool {
	_, ok := s.answers.shown(id, s.viewOf(id))
	return ok
}

// oneSided shows the side that is there, over the whole width, and says why
// the other is not.
func oneSided(p *prose, before, after *sheet, oldHead, newHead string) pair.Content {
	shown, head := before, oldHead
	if len(p.new) > 0 {
		shown, head = after, newHead
	}
	notes := make([]string, 0, 2)
	for _, why := range []string{p.noOld, p.noNew} {
		if why != "" {
			notes = append(notes, upper(why)+".")
		}
	}
	content := pair.Content{Source: pair.Rows{}, Note: strings.Join(notes, "\n")}
	if len(shown.lines) > 0 {
		content.Source = alone{head, shown}
	}
	return content
}

// alone is a Source of one sheet under its heading.
type alone struct {
	head string
	*sheet
}

// Len implements pair.Source.
func (a alone) Len() int { return 1 + len(a.lines) }

// Same implements pair.Source.
func (a alone) Same(int) bool { return false }

// Row implements pair.Source.
func (a alone) Row(i int) pair.Row {
	if i == 0 {
		return pair.Row{Kind: pair.Wide, Old: style.Of(style.Dim, a.head)}
	}
	return pair.Row{Kind: pair.Wide, Old: a.line(i - 1)}
}

func upper(sentence string) string {
	if sentence == "" || sentence[0] < 'a' || sentence[0] > 'z' {
		return sentence
	}
	return string(sentence[0]-'a'+'A') + sentence[1:]
}

// pageOf returns the sheet of a sample, the last where there are fewer, and a
// heading that says which it is.
func (s *Screen) pageOf(pages []*page, v view, side string) (*sheet, string) {
	if len(pages) == 0 {
		return &sheet{}, side
	}
	at := min(v.at, len(pages)-1)
	if v.raw {
		side += ", as it came"
	}
	return pages[at].sheet(s, v.raw), fmt.Sprintf("%s, sample %d of %d", side, at+1, len(pages))
}

// stepSample turns to another sample of a case whose answers were read.
func (s *Screen) stepSample(id string, by int) tui.Effect {
	p := s.answers.get(id)
	if p == nil {
		return tui.Effect{}
	}
	if s.sampleOf != id {
		s.sample, s.sampleOf = 0, id
	}
	n := max(len(p.old), len(p.new))
	if n < 2 {
		return tui.Effect{Notice: "there is no other sample"}
	}
	s.sample = ((s.sample+by)%n + n) % n
	return tui.Effect{Reload: true}
}
