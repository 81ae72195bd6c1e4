package interchange

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"

	"docket/engine/phrase"
	"docket/engine/source"
)

// A stream walks through one JSON document without holding it: objects and
// lists are entered, what matters is captured value by value, the rest is
// skipped. Only a captured value is in memory, and only until the next one.
//
// What is skipped is held to its brackets and its strings, not to the rest of
// JSON's grammar; what is captured is parsed strictly.
type stream struct {
	ctx          context.Context
	name         string
	r            *bufio.Reader
	line, column int // of the next byte, from 1; columns count characters
	captured     []byte
	open         []byte // the brackets that are open in the value at hand
	values       int
	left         *int64 // bytes that may yet be captured, of several streams; nil where nothing bounds them
}

func newStream(ctx context.Context, in *input) *stream {
	return &stream{ctx: ctx, name: in.name, r: in.Reader, line: 1, column: 1}
}

func (s *stream) problemf(format string, args ...any) error {
	at := source.Position{File: s.name, Line: s.line, Column: s.column}
	return at.Problemf(format, args...)
}

// cut is the problem of a document that ends before its end.
func (s *stream) cut(err error) error {
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unread(s.name, err)
	}
	return s.problemf("the file is cut short: it ends in the middle of its document; copy it again")
}

// pass moves over bytes that were looked at.
func (s *stream) pass(b []byte) {
	if n := bytes.Count(b, []byte{'\n'}); n > 0 {
		s.line += n
		s.column = 1 + characters(b[bytes.LastIndexByte(b, '\n')+1:])
	} else {
		s.column += characters(b)
	}
	// What was peeked at can be discarded.
	_, _ = s.r.Discard(len(b))
}

// characters counts the characters that begin in b, so that one which two
// pieces share counts once.
func characters(b []byte) int {
	n := 0
	for ; len(b) >= 8; b = b[8:] {
		if binary.NativeEndian.Uint64(b)&0x8080808080808080 == 0 {
			n += 8 // ASCII
			continue
		}
		for _, c := range b[:8] {
			if c&0xC0 != 0x80 {
				n++
			}
		}
	}
	for _, c := range b {
		if c&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// piece returns what is buffered, at least one byte.
func (s *stream) piece() ([]byte, error) {
	if s.r.Buffered() == 0 {
		if _, err := s.r.Peek(1); err != nil {
			return nil, err
		}
	}
	return s.r.Peek(s.r.Buffered())
}

// next returns the next byte that is no white space, without moving over it.
func (s *stream) next() (byte, error) {
	for {
		b, err := s.piece()
		if err != nil {
			return 0, s.cut(err)
		}
		n := leadingSpace(b)
		s.pass(b[:n])
		if n < len(b) {
			return b[n], nil
		}
	}
}

// take moves over the next byte, which must be the one given.
func (s *stream) take(want byte, instead string) error {
	c, err := s.next()
	if err != nil {
		return err
	}
	if c != want {
		return s.problemf("expected %s, got %q", instead, rune(c))
	}
	s.pass([]byte{c})
	return nil
}

// object walks through an object. The function is called at each member's
// value and must move over it.
func (s *stream) object(member func(key string) error) error {
	if err := s.take('{', "an object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for first := true; ; first = false {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '}':
			s.pass([]byte{c})
			return nil
		case !first:
			if err := s.take(',', "a comma or the end of the object"); err != nil {
				return err
			}
			if c, err = s.next(); err != nil {
				return err
			}
		}
		if c != '"' {
			return s.problemf("expected a key in quotes, got %q", rune(c))
		}
		quoted, err := s.capture()
		if err != nil {
			return err
		}
		v, err := quoted.parse()
		if err != nil {
			return err
		}
		key, _ := v.(string)
		if seen[key] {
			return quoted.problemf(0, "the key %q comes twice", phrase.Abridge(key, 40))
		}
		seen[key] = true
		if err := s.take(':', "a colon after a key"); err != nil {
			return err
		}
		if err := member(key); err != nil {
			return err
		}
	}
}

// list walks through a list. The function is called at each item and must move
// over it.
func (s *stream) list(item func(i int) error) error {
	if err := s.take('[', "a list"); err != nil {
		return err
	}
	for i := 0; ; i++ {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == ']':
			s.pass([]byte{c})
			return nil
		case i > 0:
			if err := s.take(',', "a comma or the end of the list"); err != nil {
				return err
			}
		}
		if err := item(i); err != nil {
			return err
		}
	}
}

// capture moves over the next value and returns it. The text is good until the
// next capture.
func (s *stream) capture() (text, error) {
	if _, err := s.next(); err != nil {
		return text{}, err
	}
	t := text{file: s.name, line: s.line, indent: s.column - 1}
	s.captured = s.captured[:0]
	err := s.scan(true)
	t.data = s.captured
	return t, err
}

// value captures and parses the next value.
func (s *stream) value() (any, error) {
	t, err := s.capture()
	if err != nil {
		return nil, err
	}
	return t.parseLoose()
}

// skip moves over the next value.
func (s *stream) skip() error {
	if _, err := s.next(); err != nil {
		return err
	}
	return s.scan(false)
}

// end holds that nothing follows the document.
func (s *stream) end() error {
	for {
		b, err := s.piece()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unread(s.name, err)
		}
		n := leadingSpace(b)
		s.pass(b[:n])
		if n < len(b) {
			return s.problemf("expected the end of the file after its document, got %s", glimpse(b[n:]))
		}
	}
}

// scan moves over the value that begins at the next byte.
func (s *stream) scan(keep bool) error {
	if s.values++; s.values%256 == 0 && s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	sc := scanner{open: s.open[:0]}
	for {
		b, err := s.piece()
		if err != nil {
			if sc.bare && len(sc.open) == 0 && errors.Is(err, io.EOF) {
				return nil // a number at the very end
			}
			return s.cut(err)
		}
		n, done, wrong := sc.over(b)
		if keep {
			if s.captured = append(s.captured, b[:n]...); len(s.captured) > MaxLine {
				return s.problemf("this value is larger than %d MB", MaxLine>>20)
			}
			if s.left != nil {
				if *s.left -= int64(n); *s.left < 0 {
					return s.problemf("what docket reads of the archive unpacks to more than %s; split the log, or take fewer epochs", phrase.Size(MaxFile))
				}
			}
		}
		s.pass(b[:n])
		s.open = sc.open
		switch {
		case wrong != "":
			return s.problemf("%s", wrong)
		case done:
			return nil
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
	}
}
