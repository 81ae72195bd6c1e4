package interchange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"

	"docket/engine/source"
)

// readList reads a JSON list of the objects that JSON Lines hold one a line.
func readList(ctx context.Context, in *input) (*collector, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	switch {
	case err != nil:
		return nil, unread(in.name, err)
	case len(data) > maxDocument:
		return nil, wholeFile(in.name, "this list is larger than %d MB; write it as JSON Lines, one object on each line", maxDocument>>20)
	}
	c := newCollector(in)
	t := text{file: in.name, line: 1, data: data}
	v, err := t.parse()
	if err != nil {
		var p source.Problem
		if errors.As(err, &p) && t.cutShort() {
			p.Message = "the file is cut short: it ends before its list does; copy it again"
			err = p
		}
		return nil, err
	}
	list, _ := v.([]any)
	line, offset := 1, 0
	for i, at := range elements(data, leadingSpace(data)) {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line += bytes.Count(data[offset:at.start], []byte{'\n'})
		offset = at.start
		item := text{
			file: in.name, line: line, data: data[at.start:at.end],
			indent: utf8.RuneCount(data[bytes.LastIndexByte(data[:at.start], '\n')+1 : at.start]),
		}
		if values, ok := list[i].(map[string]any); ok {
			c.add(decode(item, 0, values, c.options.ID))
		} else {
			c.wrong = append(c.wrong, item.problemf(0, "expected an object, one output for each item of the list, got %s", describe(list[i])))
		}
		list[i] = nil // read: let go of it
		if c.enough() {
			break
		}
	}
	return c, nil
}
