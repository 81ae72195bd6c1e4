package recording

import (
	"bytes"
	"encoding/json"
	"strings"

	"docket/engine/provider"
	"docket/engine/wire"
)

// JSON in a response is written as JSON, so that it can be read, and so its
// white space is lost. A layout says how to put it back, byte for byte: one of
// the styles in which servers write JSON, and whether a newline ends it. A body
// in no known layout is written as text.
const (
	compactStyle  = "compact"  // as Go and JavaScript write it
	spacedStyle   = "spaced"   // as Python writes it: a space behind each comma and colon
	indentedStyle = "indented" // by two spaces
	newlineEnding = " newline"
)

// layoutOf returns the layout of a JSON text and the text without white space;
// ok is false where no layout gives the text back.
func layoutOf(text []byte) (layout string, compact []byte, ok bool) {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return "", nil, false
	}
	compact = b.Bytes()
	ending := ""
	if bytes.HasSuffix(text, []byte{'\n'}) {
		ending = newlineEnding
	}
	for _, style := range [...]string{compactStyle, spacedStyle, indentedStyle} {
		if again, ok := laidOut(compact, style+ending); ok && bytes.Equal(again, text) {
			return style + ending, compact, true
		}
	}
	return "", nil, false
}

// laidOut spells JSON without white space in a layout; ok is false for a layout
// that is not known.
func laidOut(compact []byte, layout string) (text []byte, ok bool) {
	style, ending := strings.CutSuffix(layout, newlineEnding)
	switch style {
	case compactStyle:
		text = bytes.Clone(compact)
	case spacedStyle:
		text = spaced(compact)
	case indentedStyle:
		var b bytes.Buffer
		if json.Indent(&b, compact, "", "  ") != nil {
			return nil, false
		}
		text = b.Bytes()
	default:
		return nil, false
	}
	if ending {
		text = append(text, '\n')
	}
	return text, true
}

func spaced(compact []byte) []byte {
	text := make([]byte, 0, len(compact)+len(compact)/8)
	inText, escaped := false, false
	for _, c := range compact {
		text = append(text, c)
		switch {
		case escaped:
			escaped = false
		case inText && c == '\\':
			escaped = true
		case c == '"':
			inText = !inText
		case !inText && (c == ',' || c == ':'):
			text = append(text, ' ')
		}
	}
	return text
}

// events splits the body of a stream into the pieces in which it is written:
// server-sent events with the blank lines that end them, or lines of JSON. The
// pieces together are the body. Any other body is one piece.
func events(r *provider.Response) [][]byte {
	name, _ := mediaType(r.Header)
	switch {
	case len(r.Body) == 0:
		return nil
	case name == "text/event-stream":
		return wire.SplitEvents(r.Body)
	case name == "application/x-ndjson" || name == "application/jsonl" || name == "application/x-jsonlines" || name == "application/stream+json":
		lines := bytes.SplitAfter(r.Body, []byte{'\n'})
		if last := len(lines) - 1; len(lines[last]) == 0 {
			lines = lines[:last]
		}
		return lines
	}
	return [][]byte{r.Body}
}

// isStream reports whether the body is one that came piece by piece.
func isStream(r *provider.Response) bool { return len(events(r)) > 1 }
