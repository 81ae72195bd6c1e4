// Package interchange reads files of outputs: what another pipeline, or
// another tool, already produced for the cases of a suite. A table of readers
// recognises a file by its content, never by its name, since names are chosen
// by people and by scripts.
//
// The package refuses to guess. What a file does not say stays absent (a cost
// that is not there is unknown, not zero), two lines for one sample are an
// error and never the last one wins, and a file that cannot be read whole is
// not read at all: half of a file of outputs looks like a suite that got worse.
// It judges nothing and knows no suite.
package interchange

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"docket/engine/output"
	"docket/engine/source"
)

// MaxLine is the longest line, in bytes, that a file of lines may have. A line
// holds one output, and models write megabytes; more than this is no line but
// a file of another kind.
const MaxLine = 256 << 20

// maxDocument bounds, in bytes, a file that has to be held whole.
const maxDocument = 1 << 30

// MaxID is the longest id of a case in bytes.
const MaxID = 256

// A Row is one output of one case: one sample.
type Row struct {
	ID     string
	Sample int            // from 1
	Input  map[string]any // what the system was given, JSON model; nil when the file does not say
	Output output.Output
	Error  string // why the system failed, untrusted; "" where it did not
	Line   int    // where the row begins in its file, from 1
}

// A File is a file of outputs that was read whole.
type File struct {
	Name   string
	Format string // the reader that recognised it, as Formats lists it
	Hash   string // "sha256:" and the 64 hex digits of the file's bytes
	Rows   []Row  // in the order of the file; no two have the same id and sample
	Report Report
}

// A reader knows one kind of file.
type reader struct {
	format string // its name in reports and messages
	// recognise looks at the first bytes of a file, without byte-order mark,
	// and says whether they are of this kind. It is given at most headSize
	// bytes.
	recognise func(head []byte) bool
	read      func(ctx context.Context, in *input) ([]Row, Report, error)
}

// readers is the table: the first that recognises a file reads it, so a more
// particular kind stands before a more general one.
func readers() []reader {
	return []reader{
		{format: "JSON Lines", recognise: startsWith('{'), read: readLines},
		{format: "JSON list", recognise: startsWith('['), read: readList},
	}
}

// Formats names the kinds of file that Read knows, for help and messages.
func Formats() []string {
	var names []string
	for _, r := range readers() {
		names = append(names, r.format)
	}
	return names
}

// headSize is how much of a file is looked at to recognise it.
const headSize = 64 << 10

// An input is the file that a reader is given, at its first byte after a
// byte-order mark.
type input struct {
	name string
	*bufio.Reader
}

// Read reads a file of outputs from r. The name is used in messages only.
//
// Where the file is wrong the error is a source.Problems, each problem with
// file, line, column and the mend; reading stops after a few. A file of a kind
// that docket does not know gives one sentence that says what it seems to be.
// Any other error comes from r or from ctx.
func Read(ctx context.Context, name string, r io.Reader) (*File, error) {
	file, err := read(ctx, name, r)
	var p source.Problem
	if errors.As(err, &p) {
		err = source.Problems{p}
	}
	return file, err
}

func read(ctx context.Context, name string, r io.Reader) (*File, error) {
	sum := sha256.New()
	in := &input{name: name, Reader: bufio.NewReaderSize(io.TeeReader(r, sum), headSize)}
	head, err := in.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, unread(name, err)
	}
	if hasBOM(head) {
		head = head[len(bom):]
		if _, err := in.Discard(len(bom)); err != nil {
			return nil, unread(name, err)
		}
	}
	if what, foreign := unreadable(head); foreign {
		return nil, wholeFile(name, "%s", what)
	}
	for _, kind := range readers() {
		if !kind.recognise(head) {
			continue
		}
		rows, report, err := kind.read(ctx, in)
		if err != nil {
			return nil, err
		}
		return &File{
			Name: name, Format: kind.format, Rows: rows, Report: report,
			Hash: "sha256:" + hex.EncodeToString(sum.Sum(nil)),
		}, nil
	}
	at := text{file: name, line: 1, data: head}
	return nil, at.problemf(leadingSpace(head), "expected JSON Lines, one object like {\"id\": \"…\", \"text\": \"…\"} on each line, got %s", glimpse(head))
}

// wholeFile is a problem of a file that has no place in it.
func wholeFile(name, format string, args ...any) error {
	return source.Problem{Position: source.Position{File: name}, Message: fmt.Sprintf(format, args...)}
}

// unread says that a file could not be read, for a reason outside of it.
func unread(name string, err error) error {
	return fmt.Errorf("%v: cannot be read: %w", source.Position{File: name}, err)
}
