package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/run"
	"docket/tui"
	"docket/tui/pair"
	"docket/tui/style"
)

// outputs shows one sample of each side beside the other. Sample k of one run
// has nothing to do with sample k of another; they stand together to be read.
func (s *Screen) outputs(ctx context.Context, id string) (pair.Content, error) {
	if err := s.answers.load(ctx, s, id); err != nil {
		return pair.Content{}, err
	}
	p := s.answers.get(id)
	at := 0
	if s.sampleOf == id {
		at = s.sample
	}
	before, oldHead := s.pageOf(p.old, at, "baseline")
	after, newHead := s.pageOf(p.new, at, "candidate")
	content := pair.Content{Old: oldHead, New: newHead, Whole: true}
	if len(p.old) == 0 || len(p.new) == 0 {
		return oneSided(p, before, after, oldHead, newHead), nil
	}
	content.Source = pair.Lines{
		Matches: pair.Align(texts(before), texts(after)),
		Before:  func(i int) style.Line { return before[i] },
		After:   func(i int) style.Line { return after[i] },
	}
	if max(len(p.old), len(p.new)) > 1 {
		content.Note = "> and < turn to other samples, o shows them as they came"
	}
	return content, nil
}

// oneSided shows the side that is there, over the whole width, and says why
// the other is not.
func oneSided(p *prose, before, after []style.Line, oldHead, newHead string) pair.Content {
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
	if len(shown) == 0 {
		return pair.Content{Source: pair.Rows{}, Note: strings.Join(notes, "\n")}
	}
	lines := append([]style.Line{style.Of(style.Dim, head)}, shown...)
	content := pair.Prose(lines...)
	content.Note = strings.Join(notes, "\n")
	return content
}

func upper(sentence string) string {
	if sentence == "" || sentence[0] < 'a' || sentence[0] > 'z' {
		return sentence
	}
	return string(sentence[0]-'a'+'A') + sentence[1:]
}

// pageOf returns the lines of a sample, the last where there are fewer, and a
// heading that says which it is.
func (s *Screen) pageOf(pages []page, at int, side string) ([]style.Line, string) {
	if len(pages) == 0 {
		return nil, side
	}
	at = min(at, len(pages)-1)
	lines := pages[at].read
	if s.raw {
		lines = pages[at].raw
		side += ", as it came"
	}
	return lines, fmt.Sprintf("%s, sample %d of %d", side, at+1, len(pages))
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

func texts(lines []style.Line) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line.String()
	}
	return out
}

// layOut makes the lines of a sample: the tool calls, then the text; JSON with
// its keys sorted and indented, so that only what differs differs. Raw leaves
// the text as it came, and adds what else the source kept.
func (s *Screen) layOut(sample *run.Sample, raw bool) []style.Line {
	if sample.Error != "" {
		return []style.Line{style.Of(style.Bad, "the system failed: "+sample.Error)}
	}
	o := &sample.Output
	var lines []style.Line
	for _, call := range o.ToolCalls {
		lines = append(lines, style.Line{{Text: "calls ", Role: style.Dim}, {Text: call.Name, Role: style.Strong}})
		lines = append(lines, s.arguments(call.Arguments)...)
	}
	if o.ToolCallsError != "" {
		lines = append(lines, style.Of(style.Bad, "a call that does not parse: "+o.ToolCallsError))
	}
	if len(lines) > 0 && o.Text != "" {
		lines = append(lines, nil)
	}
	if o.Text != "" {
		lines = append(lines, s.text(o.Text, raw)...)
	}
	if raw && len(o.Raw) > 0 {
		lines = append(lines, nil, style.Of(style.Dim, "what else the source kept:"))
		lines = append(lines, s.json.Lines(pretty(o.Raw))...)
	}
	return lines
}

// arguments lists the arguments of a call, indented below it, without the
// braces around them.
func (s *Screen) arguments(data []byte) []style.Line {
	lines := s.json.Lines(pretty(data))
	if n := len(lines); n > 1 && lines[0].String() == "{" && lines[n-1].String() == "}" {
		return lines[1 : n-1]
	}
	if len(lines) == 1 && lines[0].String() == "{}" {
		return nil
	}
	return lines
}

func (s *Screen) text(text string, raw bool) []style.Line {
	if !raw {
		if lines, ok := s.document(strings.TrimSpace(text)); ok {
			return lines
		}
	}
	var lines []style.Line
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, style.Of(style.Plain, line))
	}
	return lines
}

// document lays out a text that is JSON as a whole, in a fence or without one.
func (s *Screen) document(text string) ([]style.Line, bool) {
	opening, body, fenced := strings.Cut(text, "\n")
	body, closed := strings.CutSuffix(body, "```")
	if fenced = fenced && closed && strings.HasPrefix(opening, "```"); !fenced {
		body = text
	}
	body = strings.TrimSpace(body)
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		return nil, false
	}
	value, err := canonical.Parse([]byte(body))
	if err != nil {
		return nil, false
	}
	lines := s.json.Lines(pretty(canonical.Marshal(value)))
	if fenced {
		lines = slices.Concat([]style.Line{style.Of(style.Dim, opening)}, lines, []style.Line{style.Of(style.Dim, "```")})
	}
	return lines, true
}

// pretty indents JSON; what is none stays as it is.
func pretty(data []byte) string {
	var b bytes.Buffer
	if len(data) == 0 {
		return "{}"
	}
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return string(data)
	}
	return b.String()
}
