package interchange

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"docket/engine/source"
)

// maxProblems is after how many problems reading stops: a file that is wrong
// throughout is wrong in one way.
const maxProblems = 20

// readLines reads JSON Lines: one object on each line.
func readLines(ctx context.Context, in *input) (*collector, error) {
	c := newCollector(in)
	return c, eachLine(ctx, c, in, func(t text, ended bool) { c.line(t, ended) })
}

// eachLine calls do with every line that is not blank, and whether it had a
// line end, until there are enough problems.
func eachLine(ctx context.Context, c *collector, in *input, do func(t text, ended bool)) error {
	var buffer []byte
	for line := 1; ; line++ {
		if line%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var ended bool
		var err error
		buffer, ended, err = nextLine(in.Reader, buffer[:0])
		switch {
		case errors.Is(err, errLongLine):
			at := source.Position{File: in.name, Line: line, Column: 1}
			return at.Problemf("this line is longer than %d MB; expected one output on each line", MaxLine>>20)
		case err != nil:
			return unread(in.name, err)
		}
		if len(bytes.TrimSpace(buffer)) > 0 {
			do(text{file: in.name, line: line, data: buffer}, ended)
		}
		if !ended || c.enough() {
			return nil
		}
	}
}

var errLongLine = errors.New("line too long")

// nextLine appends the next line to buffer, without its line end, and reports
// whether it had one; the last line of a file may lack it.
func nextLine(r *bufio.Reader, buffer []byte) (line []byte, ended bool, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		buffer = append(buffer, piece...)
		switch {
		case len(buffer) > MaxLine:
			return buffer, false, errLongLine
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return buffer, false, nil
		case err != nil:
			return buffer, false, err
		}
		buffer = buffer[:len(buffer)-1]
		if n := len(buffer); n > 0 && buffer[n-1] == '\r' {
			buffer = buffer[:n-1]
		}
		return buffer, true, nil
	}
}

// line reads one line that is not blank. ended says that it had a line end.
func (c *collector) line(t text, ended bool) {
	if values, ok := c.lineObject(t, ended, text.parse); ok {
		c.add(decode(t, leadingSpace(t.data), values, c.options.ID))
	}
}

// lineObject parses a line as an object. Where it is none it notes why and
// reports false.
func (c *collector) lineObject(t text, ended bool, parse func(text) (any, error)) (map[string]any, bool) {
	for _, mark := range []string{"<<<<<<< ", "=======", ">>>>>>> "} {
		if bytes.HasPrefix(t.data, []byte(mark)) {
			c.wrong = append(c.wrong, t.problemf(0, "this is one of git's conflict markers; resolve the conflict first"))
			return nil, false
		}
	}
	v, err := parse(t)
	if err != nil {
		c.wrong = append(c.wrong, c.explain(t, err, ended))
		return nil, false
	}
	values, ok := v.(map[string]any)
	if !ok {
		c.wrong = append(c.wrong, t.problemf(leadingSpace(t.data), "expected an object, one output on each line, got %s", describe(v)))
	}
	return values, ok
}

// explain says instead of a syntax error what most likely happened to the
// file, where that can be told.
func (c *collector) explain(t text, err error, ended bool) source.Problem {
	var p source.Problem
	if !errors.As(err, &p) {
		return t.problemf(0, "%v", err)
	}
	switch short := t.cutShort(); {
	case short && !ended:
		p.Message = "the file is cut short: its last line ends in the middle of an object; copy it again, or delete that line"
	case short && len(c.rows) == 0:
		p.Message = "the object does not end on its line; expected JSON Lines, a whole object on each line, without line ends inside"
		c.stopped = true
	}
	return p
}
