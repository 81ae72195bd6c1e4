package review

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"docket/engine/canonical"
	"docket/engine/run"
	"docket/tui/highlight"
	"docket/tui/style"
)

// page is one sample, laid out when somebody looks at it.
type page struct {
	sample    *run.Sample
	mu        sync.Mutex
	read, raw *sheet
}

// sheet returns the lines of the sample, laid out to be read or as they came.
func (p *page) sheet(s *Screen, raw bool) *sheet {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := &p.read
	if raw {
		at = &p.raw
	}
	if *at == nil {
		*at = &sheet{lines: s.layOut(p.sample, raw)}
	}
	return *at
}

// sheet is a text of up to tens of thousands of lines. A line gets its roles when
// it comes into sight, and keeps them for a while: a change of layout draws the
// same lines again.
type sheet struct {
	lines []line
	mu    sync.Mutex
	lit   map[int]style.Line
}

const (
	// keptLit bounds how many lines' roles are kept.
	keptLit = 4096
	// firstSight is how many lines get their roles before the sheet is shown.
	firstSight = 80
)

// line is one line of a sheet.
type line struct {
	text  string
	role  style.Role          // of all of it, unless it has spans or a language
	spans style.Line          // where its roles are known
	in    *highlight.Language // what gives it its roles
}

func of(role style.Role, text string) line { return line{text: text, role: role} }

// line returns a line in its roles.
func (s *sheet) line(i int) style.Line {
	switch l := &s.lines[i]; {
	case l.spans != nil:
		return l.spans
	case l.in != nil:
		return s.light(i)
	default:
		return style.Of(l.role, l.text)
	}
}

// light gives a line its roles.
func (s *sheet) light(i int) style.Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	lit, ok := s.lit[i]
	if !ok {
		if s.lit == nil || len(s.lit) >= keptLit {
			s.lit = map[int]style.Line{}
		}
		lit = s.lines[i].in.Line(s.lines[i].text)
		s.lit[i] = lit
	}
	return lit
}

// warm gives the lines their roles that will be in sight first.
func (s *sheet) warm() {
	for i := range min(len(s.lines), firstSight) {
		s.line(i)
	}
}

// texts are the lines without their roles.
func (s *sheet) texts() []string {
	out := make([]string, len(s.lines))
	for i := range s.lines {
		out[i] = s.lines[i].text
	}
	return out
}

// asJSON returns the lines of a text that is JSON.
func (s *Screen) asJSON(text string) []line {
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	for part := range strings.SplitSeq(text, "\n") {
		lines = append(lines, line{text: part, in: &s.json})
	}
	return lines
}

// layOut makes the lines of a sample: the tool calls, then the text; JSON with
// its keys sorted and indented, so that only what differs differs. Raw leaves
// the text as it came, and adds what else the source kept.
func (s *Screen) layOut(sample *run.Sample, raw bool) []line {
	if sample.Error != "" {
		return []line{of(style.Bad, "the system failed: "+sample.Error)}
	}
	o := &sample.Output
	var lines []line
	for _, call := range o.ToolCalls {
		lines = append(lines, line{text: "calls " + call.Name, spans: style.Line{{Text: "calls ", Role: style.Dim}, {Text: call.Name, Role: style.Strong}}})
		lines = append(lines, s.arguments(call.Arguments)...)
	}
	if o.ToolCallsError != "" {
		lines = append(lines, of(style.Bad, "a call that does not parse: "+o.ToolCallsError))
	}
	if len(lines) > 0 && o.Text != "" {
		lines = append(lines, line{})
	}
	if o.Text != "" {
		lines = append(lines, s.text(o.Text, raw)...)
	}
	if raw && len(o.Raw) > 0 {
		lines = append(lines, line{}, of(style.Dim, "what else the source kept:"))
		lines = append(lines, s.asJSON(pretty(o.Raw))...)
	}
	return lines
}

// arguments lists the arguments of a call, indented below it, without the
// braces around them.
func (s *Screen) arguments(data []byte) []line {
	lines := s.asJSON(pretty(data))
	if n := len(lines); n > 1 && lines[0].text == "{" && lines[n-1].text == "}" {
		return lines[1 : n-1]
	}
	if len(lines) == 1 && lines[0].text == "{}" {
		return nil
	}
	return lines
}

func (s *Screen) text(text string, raw bool) []line {
	if !raw {
		if lines, ok := s.document(strings.TrimSpace(text)); ok {
			return lines
		}
	}
	var lines []line
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, of(style.Plain, line))
	}
	return lines
}

// document lays out a text that is JSON as a whole, in a fence or without one.
func (s *Screen) document(text string) ([]line, bool) {
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
	lines := s.asJSON(pretty(canonical.Marshal(value)))
	if fenced {
		lines = slices.Concat([]line{of(style.Dim, opening)}, lines, []line{of(style.Dim, "```")})
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
