package recording

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/jsonl"
	"docket/engine/phrase"
	"docket/engine/provider"
)

const mend = "take the file back from git, or remove it and record again"

// parseFile reads a service's file. Errors are *jsonl.Error with the position.
func parseFile(name string, data []byte) (*record, error) {
	for line, text := range bytes.Split(data, []byte{'\n'}) {
		if line > 0 && !jsonl.IsConflictMarker(text) {
			continue
		}
		if message := accident(bytes.TrimSuffix(text, []byte{'\r'})); message != "" {
			return nil, &jsonl.Error{File: name, Line: line + 1, Column: 1, Message: message}
		}
	}
	r, err := parseRecord(data)
	if err != nil {
		return nil, placed(name, data, err)
	}
	if r.key.Service == "" {
		return nil, &jsonl.Error{File: name, Line: 1, Column: 1, Message: "this is a recording of a model, in the place of one of a service; " + mend}
	}
	return r, nil
}

// accident says what happened to a line that cannot be JSON, and what to do; ""
// where nothing is known to have.
func accident(line []byte) string {
	if jsonl.IsConflictMarker(line) {
		return "a conflict marker of git: take one side of the conflict, or record again"
	}
	if message := jsonl.Diagnose(line); message != "" {
		return message + "; " + mend
	}
	return ""
}

// placed turns the column of an error in a text of several lines into a line
// and a column.
func placed(name string, data []byte, err error) error {
	var e *jsonl.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", name, err)
	}
	at := *e
	at.File, at.Line = name, 1
	rest := data
	for n := at.Column - 1; n > 0 && len(rest) > 0; n-- {
		_, size := utf8.DecodeRune(rest)
		rest = rest[size:]
	}
	before := data[:len(data)-len(rest)]
	at.Line += bytes.Count(before, []byte{'\n'})
	at.Column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return &at
}

// parseCalls reads a file of a model's calls. Errors are *jsonl.Error with the
// position.
func parseCalls(name string, data []byte) ([]*record, error) {
	var calls []*record
	for line := 1; len(data) > 0; line++ {
		text, rest, whole := bytes.Cut(data, []byte{'\n'})
		data = rest
		if message := accident(text); message != "" {
			return nil, &jsonl.Error{File: name, Line: line, Message: message}
		}
		if !whole {
			return nil, &jsonl.Error{File: name, Line: line, Message: "the last line has no end, so the file is cut off; " + mend}
		}
		r, err := parseRecord(text)
		if err != nil {
			return nil, jsonl.In(name, line, err)
		}
		if r.key.Provider == "" {
			return nil, &jsonl.Error{File: name, Line: line, Message: "this is a recording of a service, in the place of one of a model; " + mend}
		}
		calls = append(calls, r)
	}
	if len(calls) == 0 {
		return nil, &jsonl.Error{File: name, Line: 1, Message: "the file is empty; " + mend}
	}
	return calls, nil
}

// A sealed holds what is read and not yet checked against each other.
type sealed struct {
	record
	format          int
	hasRequest      bool
	hasResponse     bool
	seal            string
	ignore, differs []string
}

// parseRecord reads one record and checks that it is whole: its key is that of
// its request under its rules, and its seal that of all of it.
func parseRecord(text []byte) (*record, error) {
	s := sealed{}
	s.asked = &asked{headers: map[string]string{}}
	s.response = &provider.Response{Header: http.Header{}}
	in := jsonl.NewReader(text)
	err := in.Object(func(key string) error { return s.member(in, key) })
	if err == nil {
		err = in.End()
	}
	if err != nil {
		return nil, err
	}
	return s.check(in)
}

func (s *sealed) member(in *jsonl.Reader, key string) (err error) {
	switch key {
	case "format":
		if s.format, err = in.Int(1); err == nil && s.format > fileFormat {
			err = in.Wrong(in.Offset(), "is %d, and this docket reads %d: install a newer docket", s.format, fileFormat)
		}
	case "service":
		s.key.Service, err = in.Text()
	case "provider":
		s.key.Provider, err = in.Text()
	case "case":
		s.key.CaseID, err = in.Text()
	case "sample":
		s.key.Sample, err = in.Int(1)
	case "recorded":
		s.recorded, err = readTime(in)
	case "latency_ms":
		var n int
		n, err = in.Int(0)
		s.latency = time.Duration(n) * time.Millisecond
	case "rules":
		err = in.Object(func(key string) error { return s.rule(in, key) })
	case "key":
		s.hash, err = in.Text()
	case "request":
		s.hasRequest = true
		err = in.Object(func(key string) error { return s.asked.member(in, key) })
	case "response":
		s.hasResponse = true
		err = readResponse(in, s.response)
	case "seal":
		s.seal, err = in.Text()
	default:
		return in.Fail(in.Offset(), "unknown key %q in a recording; %s", key, mend)
	}
	return err
}

func readTime(in *jsonl.Reader) (time.Time, error) {
	text, err := in.Text()
	if err != nil {
		return time.Time{}, err
	}
	t, err := time.Parse("2006-01-02T15:04:05Z", text)
	if err != nil {
		return time.Time{}, in.Wrong(in.Offset(), "must be a time such as 2026-08-11T10:22:03Z, found %q", text)
	}
	return t, nil
}

func (s *sealed) rule(in *jsonl.Reader, key string) (err error) {
	switch key {
	case "ignore":
		s.ignore, err = in.Texts()
	case "volatile":
		s.differs, err = in.Texts()
	case "canonical", "redaction":
		newest := canonicalVersion
		if key == "redaction" {
			newest = redactionVersion
		}
		var n int
		if n, err = in.Int(1); err == nil && n > newest {
			err = in.Wrong(in.Offset(), "is %d, and this docket knows %d: install a newer docket", n, newest)
		}
	default:
		return in.Fail(in.Offset(), "unknown rule %q in a recording; %s", key, mend)
	}
	return err
}

// member reads a member of a request.
func (a *asked) member(in *jsonl.Reader, key string) (err error) {
	switch key {
	case "method":
		a.method, err = in.Text()
	case "path":
		a.path, err = in.Text()
	case "query":
		var text string
		text, err = in.Text()
		a.query = readParameters(text)
	case "headers":
		err = in.Object(func(name string) error {
			a.headers[name], err = in.Text()
			return err
		})
	case string(jsonBody), string(formBody), string(textBody), string(binaryBody):
		if a.body.form != noBody {
			return in.Fail(in.Offset(), "a request has one body, and %q is a second one; %s", key, mend)
		}
		a.body.form = form(key)
		err = a.body.read(in)
	default:
		return in.Fail(in.Offset(), "unknown key %q in a request; %s", key, mend)
	}
	return err
}

func (b *body) read(in *jsonl.Reader) (err error) {
	if b.form == jsonBody {
		b.json, err = in.Value()
		return err
	}
	if b.text, err = in.Text(); err != nil {
		return err
	}
	switch b.form {
	case formBody:
		b.params, b.text = readParameters(b.text), ""
	case binaryBody:
		if _, err := base64.StdEncoding.DecodeString(b.text); err != nil {
			return in.Wrong(in.Offset(), "is not base64; %s", mend)
		}
	}
	return nil
}

func readResponse(in *jsonl.Reader, r *provider.Response) error {
	bodies := 0
	layout := ""
	var raw []byte
	err := in.Object(func(key string) (err error) {
		var text string
		switch key {
		case "status":
			if r.Status, err = in.Int(100); err == nil && r.Status > 599 {
				err = in.Wrong(in.Offset(), "must be a status of HTTP, found %d", r.Status)
			}
			return err
		case "headers":
			return in.Object(func(name string) error { return readHeader(in, r.Header, name) })
		case "layout":
			layout, err = in.Text()
			return err
		case "body":
			raw, err = in.Raw()
		case "text":
			text, err = in.Text()
			r.Body = []byte(text)
		case "stream":
			var events []string
			events, err = in.Texts()
			r.Body = []byte(strings.Join(events, ""))
		case "base64":
			if text, err = in.Text(); err == nil {
				if r.Body, err = base64.StdEncoding.DecodeString(text); err != nil {
					err = in.Wrong(in.Offset(), "is not base64; %s", mend)
				}
			}
		default:
			return in.Fail(in.Offset(), "unknown key %q in a response; %s", key, mend)
		}
		if bodies++; bodies > 1 {
			return in.Fail(in.Offset(), "a response has one body, and %q is a second one; %s", key, mend)
		}
		return err
	})
	if err != nil || raw == nil {
		return err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return in.Fail(in.Offset(), "the body cannot be read: %v", err)
	}
	body, ok := laidOut(compact.Bytes(), layout)
	if !ok {
		return in.Fail(in.Offset(), "unknown layout %q of a response; %s", layout, mend)
	}
	r.Body = body
	return nil
}

// readHeader reads a header of a response. A file is not trusted to set one
// that is never written, such as a cookie.
func readHeader(in *jsonl.Reader, header http.Header, name string) error {
	if name != "content-encoding" && !slices.Contains(responseHeaders(), name) {
		return in.Fail(in.Offset(), "the header %q is not kept in recordings; %s", name, mend)
	}
	v, err := in.Text()
	if err != nil {
		return err
	}
	if strings.ContainsFunc(v, unicode.IsControl) {
		return in.Wrong(in.Offset(), "must hold no control characters")
	}
	header.Set(name, v)
	return nil
}

func (s *sealed) check(in *jsonl.Reader) (*record, error) {
	wrong := func(format string, args ...any) (*record, error) {
		return nil, in.Fail(0, "%s; %s", fmt.Sprintf(format, args...), mend)
	}
	switch {
	case s.format == 0:
		return wrong("the recording names no format")
	case !s.hasRequest || !s.hasResponse:
		return wrong("the recording has not both a request and a response")
	case s.response.Status < 100:
		return wrong("the response has no status")
	}
	if err := checkKey(s.key); err != nil {
		return wrong("%v", err)
	}
	if s.key.Service != "" && (s.key.CaseID != "" || s.key.Sample != 0) {
		return wrong("the recording of a service belongs to no case")
	}
	rules, err := NewRules(s.ignore, s.differs)
	if err != nil {
		return wrong("the rules in force cannot be read: %v", err)
	}
	r := s.record
	r.rules = rules
	r.asked.upstream = upstreamOf(r.key)
	r.answer = canonical.Hash(r.responseModel())
	if hash := r.asked.key(&r.rules); hash != r.hash {
		return wrong("the request does not have the key %q that is written with it, but %q: it was edited by hand, or damaged", phrase.Abridge(r.hash, 80), hash)
	}
	if seal := r.seal(); seal != s.seal {
		return wrong("the seal does not fit: a part of the recording was edited by hand, or damaged")
	}
	return &r, nil
}
