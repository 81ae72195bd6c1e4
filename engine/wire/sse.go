package wire

import (
	"bytes"

	"docket/engine/canonical"
)

// An Event is one server-sent event.
type Event struct {
	Name string // "" where the stream gives none
	Data []byte
}

// Events reads the events of a stream that is all there. Comments and fields
// that are not understood are passed over; an event that the end of the stream
// cuts off is one all the same, since some servers leave out the last blank
// line.
func Events(stream []byte) []Event {
	stream = bytes.TrimPrefix(stream, []byte("\xef\xbb\xbf"))
	var all []Event
	var event Event
	lines := 0 // of data that the event has
	flush := func() {
		if lines > 0 {
			all = append(all, event)
		}
		event, lines = Event{}, 0
	}
	for len(stream) > 0 {
		var line []byte
		line, stream = cutLine(stream)
		if len(line) == 0 {
			flush()
			continue
		}
		field, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(field) {
		case "event":
			event.Name = string(value)
		case "data":
			switch lines {
			case 0:
				event.Data = value
			case 1: // from here on the bytes are no longer those of the stream
				event.Data = bytes.Join([][]byte{event.Data, value}, []byte{'\n'})
			default:
				event.Data = append(append(event.Data, '\n'), value...)
			}
			lines++
		}
	}
	flush()
	return all
}

// cutLine cuts a line off, which ends with LF, CRLF or CR.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexAny(b, "\r\n")
	switch {
	case i < 0:
		return b, nil
	case b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n':
		return b[:i], b[i+2:]
	}
	return b[:i], b[i+1:]
}

// SplitEvents cuts a stream after each blank line, so that it can be sent on
// event by event. The pieces together are the stream, byte for byte.
func SplitEvents(stream []byte) [][]byte {
	var pieces [][]byte
	start := 0
	for rest := stream; len(rest) > 0; {
		line, after := cutLine(rest)
		if len(line) == 0 {
			end := len(stream) - len(after)
			pieces = append(pieces, stream[start:end])
			start = end
		}
		rest = after
	}
	if start < len(stream) {
		pieces = append(pieces, stream[start:])
	}
	return pieces
}

// event spells an event with JSON data; name "" for none.
func event(name string, data any) []byte {
	var b []byte
	if name != "" {
		b = append(append(append(b, "event: "...), name...), '\n')
	}
	b = append(b, "data: "...)
	b = canonical.Append(b, data)
	return append(b, '\n', '\n')
}

// pieces cuts a text into a few pieces between characters, so that a client
// that puts streams together wrongly shows it. The empty text has none.
func pieces(text string) []string {
	const size = 24 // bytes, about
	var all []string
	for len(text) > size {
		end := size
		for end < len(text) && text[end]&0xc0 == 0x80 {
			end++
		}
		all = append(all, text[:end])
		text = text[end:]
	}
	if text != "" {
		all = append(all, text)
	}
	return all
}
