package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"docket/engine/canonical"
	"docket/engine/jsonl"
)

// The lines of a journal:
//
//	{"op":"open","format":1,"subject":"sha256:…","at":"…"}
//	{"seq":1,"op":"decide","at":"…","verdict":"accept","reason":"…","rows":[{"row":"…","part":"…","seen":"…","payload":…}]}
//	{"seq":2,"op":"undo","at":"…","group":1}
//	{"seq":3,"op":"redo","at":"…","group":1}
//	{"seq":4,"op":"stale", as decide: what did not hold when the subject changed}
//	{"seq":5,"op":"written","at":"…"}

func inOrder(a, b Decision) int {
	return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Part, b.Part))
}

func validPayload(p json.RawMessage) bool {
	return p == nil || json.Valid(p) && bytes.IndexByte(p, '\n') < 0 && bytes.IndexByte(p, '\r') < 0
}

func appendTime(dst []byte, at time.Time) []byte {
	dst = append(dst, `,"at":"`...)
	dst = at.AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"')
}

func appendOpen(dst []byte, subject string, at time.Time) []byte {
	dst = append(dst, `{"op":"open","format":`...)
	dst = strconv.AppendInt(dst, Format, 10)
	dst = append(dst, `,"subject":`...)
	dst = canonical.AppendString(dst, subject)
	return append(appendTime(dst, at), "}\n"...)
}

func appendSeq(dst []byte, seq int, op string, at time.Time) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, int64(seq), 10)
	dst = append(dst, `,"op":"`...)
	dst = append(dst, op...)
	return appendTime(append(dst, '"'), at)
}

func appendStep(dst []byte, seq int, op string, group int, at time.Time) []byte {
	dst = appendSeq(dst, seq, op, at)
	if group > 0 {
		dst = append(dst, `,"group":`...)
		dst = strconv.AppendInt(dst, int64(group), 10)
	}
	return append(dst, "}\n"...)
}

func appendDecide(dst []byte, g *Group) []byte { return appendGroup(dst, g.Seq, "decide", g) }

func appendGroup(dst []byte, seq int, op string, g *Group) []byte {
	dst = appendSeq(dst, seq, op, g.At)
	dst = append(dst, `,"verdict":`...)
	dst = canonical.AppendString(dst, g.Verdict)
	dst = append(dst, `,"reason":`...)
	dst = canonical.AppendString(dst, g.Reason)
	dst = append(dst, `,"rows":[`...)
	for i, e := range g.Entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"row":`...)
		dst = canonical.AppendString(dst, e.Row)
		if e.Part != "" {
			dst = append(dst, `,"part":`...)
			dst = canonical.AppendString(dst, e.Part)
		}
		if e.Seen != "" {
			dst = append(dst, `,"seen":`...)
			dst = canonical.AppendString(dst, e.Seen)
		}
		if e.Payload != nil {
			dst = append(dst, `,"payload":`...)
			dst = append(dst, e.Payload...)
		}
		dst = append(dst, '}')
	}
	return append(dst, "]}\n"...)
}

// appendAll appends the steps that lead to a state, and returns the number of
// the last: first what stands, numbered by carry, then what is stale.
func (s *state) appendAll(dst []byte) ([]byte, int) {
	for _, d := range s.done {
		dst = appendGroup(dst, d.group.Seq, "decide", d.group)
	}
	for _, g := range s.stale {
		dst = appendGroup(dst, g.Seq, "stale", g)
	}
	return dst, len(s.done) + len(s.stale)
}

// A file is a journal as it was read.
type file struct {
	subject string // "" for no journal
	written bool
	state   *state
	seq     int
	size    int64 // of the whole lines
	cut     int   // bytes of a last line that was cut short
}

// parse folds the lines of a journal. A last line that is not whole, or not
// JSON, was never acknowledged: it is left out, and counted in cut. The first
// line is put on disk whole or not at all, so it has no such excuse.
func parse(name string, data []byte) (*file, error) {
	f := &file{state: newState()}
	for number := 1; len(data) > 0; number++ {
		text, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole && number > 1 {
			f.cut = len(data)
			break
		}
		rec, err := decode(text)
		if err != nil && len(rest) == 0 && number > 1 {
			f.cut = len(data)
			break
		}
		if err == nil && number == 1 {
			err = f.open(rec)
		} else if err == nil {
			err = f.fold(rec)
		}
		if err == nil && !whole {
			err = wrong("the first line has no line end")
		}
		if err != nil && rec.format > Format {
			return nil, jsonl.In(name, number, err)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; the journal is damaged: to go on without its decisions, move it away", jsonl.In(name, number, err))
		}
		f.size += int64(len(text) + 1)
		data = rest
	}
	return f, nil
}

// A record is any line of a journal.
type record struct {
	Group
	op, subject string
	format, of  int
}

func decode(text []byte) (record, error) {
	var rec record
	r := jsonl.NewReader(text)
	err := r.Object(func(key string) error { return rec.member(r, key) })
	if err == nil {
		err = r.End()
	}
	return rec, err
}

func wrong(format string, args ...any) error {
	return &jsonl.Error{Message: fmt.Sprintf(format, args...)}
}

func (f *file) open(rec record) error {
	switch {
	case rec.op != "open":
		return wrong("the first line of a journal must open it, found the step %q", rec.op)
	case rec.format > Format:
		return wrong("the journal has format %d and this docket knows up to %d; install a newer docket", rec.format, Format)
	case rec.subject == "":
		return wrong(`the first line of a journal must name its "subject"`)
	}
	f.subject = rec.subject
	return nil
}

func (f *file) fold(rec record) error {
	switch {
	case rec.Seq != f.seq+1:
		return wrong("step %d follows step %d; a step is missing or stands twice", rec.Seq, f.seq)
	case f.written:
		return wrong("a step follows after the decisions were written")
	}
	g := rec.Group
	switch rec.op {
	case "decide", "stale":
		switch {
		case len(g.Entries) == 0:
			return wrong("step %d decides no row", rec.Seq)
		case rec.op == "stale":
			f.state.stale = append(f.state.stale, &g)
		default:
			f.state.decide(&g)
		}
	case "undo":
		if last := f.state.lastDone(); last == nil || last.Seq != rec.of {
			return wrong("step %d undoes step %d, which is not the last that stands", rec.Seq, rec.of)
		}
		f.state.undo()
	case "redo":
		if last := f.state.lastUndone(); last == nil || last.Seq != rec.of {
			return wrong("step %d brings back step %d, which is not the one that was undone last", rec.Seq, rec.of)
		}
		f.state.redo()
	case "written":
		f.written = true
	default:
		return wrong("step %d is of the unknown kind %q", rec.Seq, rec.op)
	}
	f.seq = rec.Seq
	return nil
}

func (rec *record) member(r *jsonl.Reader, key string) (err error) {
	switch key {
	case "op":
		rec.op, err = r.Text()
	case "format":
		rec.format, err = r.Int(1)
	case "subject":
		rec.subject, err = r.Text()
	case "seq":
		rec.Seq, err = r.Int(1)
	case "group":
		rec.of, err = r.Int(1)
	case "at":
		start := r.Offset()
		var text string
		if text, err = r.Text(); err != nil {
			return err
		}
		if rec.At, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return r.Wrong(start, "must be a time such as 2026-08-11T10:22:03Z, found %q", text)
		}
		rec.At = rec.At.UTC()
	case "verdict":
		rec.Verdict, err = r.Text()
	case "reason":
		rec.Reason, err = r.Text()
	case "rows":
		err = r.List(func() error {
			e, err := readEntry(r)
			rec.Entries = append(rec.Entries, e)
			return err
		})
	default:
		_, err = r.Raw() // a later version's, of the same format
	}
	return err
}

func readEntry(r *jsonl.Reader) (e Entry, err error) {
	start := r.Offset()
	err = r.Object(func(key string) (err error) {
		switch key {
		case "row":
			e.Row, err = r.Text()
		case "part":
			e.Part, err = r.Text()
		case "seen":
			e.Seen, err = r.Text()
		case "payload":
			start := r.Offset()
			if e.Payload, err = r.Skip(); err == nil && !json.Valid(e.Payload) {
				err = r.Wrong(start, "is not valid JSON")
			}
		default:
			_, err = r.Raw()
		}
		return err
	})
	if err == nil && e.Row == "" {
		err = r.Wrong(start, `holds an entry with no "row"`)
	}
	return e, err
}
