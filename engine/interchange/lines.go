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
func readLines(ctx context.Context, in *input) ([]Row, Report, error) {
	c := newCollector(in.name)
	var buffer []byte
	for line := 1; ; line++ {
		if line%256 == 0 && ctx.Err() != nil {
			return nil, Report{}, ctx.Err()
		}
		var ended bool
		var err error
		buffer, ended, err = nextLine(in.Reader, buffer[:0])
		switch {
		case errors.Is(err, errLongLine):
			at := source.Position{File: in.name, Line: line, Column: 1}
			return nil, Report{}, at.Problemf("this line is longer than %d MB; expected one output on each line", MaxLine>>20)
		case err != nil:
			return nil, Report{}, unread(in.name, err)
		}
		if len(bytes.TrimSpace(buffer)) > 0 {
			c.line(text{file: in.name, line: line, data: buffer}, ended)
		}
		if !ended || c.enough() {
			return c.finish()
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
	start := leadingSpace(t.data)
	for _, mark := range []string{"<<<<<<< ", "=======", ">>>>>>> "} {
		if bytes.HasPrefix(t.data, []byte(mark)) {
			c.wrong = append(c.wrong, t.problemf(0, "this is one of git's conflict markers; resolve the conflict first"))
			return
		}
	}
	v, err := t.parse()
	if err != nil {
		c.wrong = append(c.wrong, c.explain(t, err, ended))
		return
	}
	values, ok := v.(map[string]any)
	if !ok {
		c.wrong = append(c.wrong, t.problemf(start, "expected an object, one output on each line, got %s", describe(v)))
		return
	}
	c.add(decode(t, start, values, true))
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
