// Package interchange reads files of outputs: what another pipeline, or
// another tool, already produced for the cases of a suite. A table of readers
// recognises a file by its content, never by its name, since names are chosen
// by people and by scripts.
//
// The package refuses to guess. What a file does not say stays absent (a cost
// that is not there is unknown, not zero), two lines for one sample are an
// error and never the last one wins, and a file that cannot be read whole is
// not read at all: half of a file of outputs looks like a suite that got worse.
// It judges nothing and knows no suite: what another tool judged is kept as that
// tool's checks, and only where it did judge. An error is an outcome and no
// failed check, what was not scored did not fail, and "error": null is none.
//
// Rows pair by the id of their case alone. Where a format has none, its reader
// takes one by a rule that its comment and the Report state, and Options.ID
// names another field. Repeats are samples of one case. A name that people give
// and two different inputs share is an error, since their rows would pass for
// samples of one case. A file with several variants is read for one of them,
// which Options.Variant names.
//
// Documents are walked as streams, a value at a time.
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

// MaxFile bounds, in bytes, a file of outputs or results, wherever it comes
// from. Its rows are held in memory.
const MaxFile = 2_000_000_000

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
	// Checks are what the tool that made the file judged of this output; nil
	// where it judged nothing, which is no failure.
	Checks []Check
	// Asked are the assertions that the tool made of any output of this case, in
	// its own form, where Options.Asked wants them and the format has them.
	Asked []any
	Line  int // where the row begins in its file, or in its part of an archive, from 1
}

// A File is a file of outputs that was read whole.
type File struct {
	Name   string
	Format string // the kind of file that it was recognised as
	Hash   string // "sha256:" and the 64 hex digits of the file's bytes
	// Options are those that it was read with.
	Options Options
	Rows    []Row // in the order of the file; no two have the same id and sample
	Report  Report
}

// A reader knows one kind of file.
type reader struct {
	format  string // its name in reports and messages
	refuses bool   // it only says which file to give instead
	// recognise looks at the beginning of a file and says whether it is of
	// this kind.
	recognise func(s *sight) bool
	read      func(ctx context.Context, in *input) (*collector, error)
}

// readers is the table: the first that recognises a file reads it, so a more
// particular kind stands before a more general one.
func readers() []reader {
	return []reader{
		{format: "promptfoo results", recognise: isPromptfoo, read: readPromptfoo},
		{format: "promptfoo JSON Lines", recognise: isPromptfooLine, read: readPromptfooLines},
		{format: "promptfoo CSV", recognise: isPromptfooCSV, read: readPromptfooCSV},
		{format: "Inspect log", recognise: isInspect, read: readInspect},
		{format: "Inspect log archive", recognise: isInspectZip, read: readInspectZip},
		{format: "lm-eval samples", recognise: isLMEval, read: readLMEval},
		{format: "lm-eval results", refuses: true, recognise: isLMEvalResults, read: refuseLMEvalResults},
		{format: "openai/evals log", recognise: isOpenAIEvals, read: readOpenAIEvals},
		{format: "OpenAI hosted evaluation", recognise: isHostedEval, read: readHostedEval},
		{format: "OpenAI Batch requests", refuses: true, recognise: isBatchInput, read: refuseBatchInput},
		{format: "OpenAI Batch output", recognise: isBatch, read: readBatch},
		{format: "chat completions", recognise: isChatLog, read: readChatLog},
		{format: "deepeval test run", recognise: isDeepeval, read: readDeepeval},
		{format: "pydantic_evals report", recognise: isPydanticEvals, read: readPydanticEvals},
		{format: "JUnit XML", recognise: isJUnitReport, read: readJUnit},
		{format: "JSON Lines", recognise: startsWith('{'), read: readLines},
		{format: "JSON list", recognise: startsWith('['), read: readList},
	}
}

// headSize is how much of a file is looked at to recognise it. A row of
// another tool may hold a long prompt before the key that tells it.
const headSize = 256 << 10

// An input is the file that a reader is given, at its first byte after a
// byte-order mark.
type input struct {
	name string
	*bufio.Reader
	options Options
	// file is the same file for readers that do not go from its start to its
	// end; nil where it is none.
	file *io.SectionReader
}

// Read reads a file of outputs from r. The name is used in messages only.
//
// Where the file is wrong the error is a source.Problems, each problem with
// file, line, column and the mend; reading stops after a few. A file of a kind
// that docket does not know gives one sentence that says what it seems to be.
// Any other error comes from r or from ctx.
//
// An archive is read in place where r is an *os.File or another io.ReaderAt
// and io.Seeker, and held in memory where it is not.
func Read(ctx context.Context, name string, r io.Reader) (*File, error) {
	return ReadWith(ctx, name, r, Options{})
}

// ReadWith is Read with a choice of the field that identifies cases and of the
// variant.
func ReadWith(ctx context.Context, name string, r io.Reader, o Options) (*File, error) {
	file, err := read(ctx, name, r, o)
	var p source.Problem
	if errors.As(err, &p) {
		err = source.Problems{p}
	}
	return file, err
}

func read(ctx context.Context, name string, r io.Reader, o Options) (*File, error) {
	sum := sha256.New()
	in := &input{name: name, options: o, file: section(r)}
	in.Reader = bufio.NewReaderSize(io.TeeReader(&bounded{r, MaxFile}, sum), headSize)
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
	seen := look(head)
	for _, kind := range readers() {
		if !kind.recognise(seen) {
			continue
		}
		c, err := kind.read(ctx, in)
		if err != nil {
			return nil, err
		}
		rows, report, err := c.finish()
		if err != nil {
			return nil, err
		}
		// An archive is not read to its end: its index is what counts.
		if _, err := io.Copy(io.Discard, in); err != nil {
			return nil, unread(name, err)
		}
		return &File{
			Name: name, Format: kind.format, Options: o, Rows: rows, Report: report,
			Hash: "sha256:" + hex.EncodeToString(sum.Sum(nil)),
		}, nil
	}
	at := text{file: name, line: 1, data: head}
	return nil, at.problemf(leadingSpace(head), "expected JSON Lines, one object like {\"id\": \"…\", \"text\": \"…\"} on each line, got %s", glimpse(head))
}

// A bounded reader fails where a file goes on past what is left to read.
type bounded struct {
	io.Reader
	left int64
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.Reader.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("it is longer than the %d MB that are read of a file; split it", MaxFile/1_000_000)
	}
	return n, err
}

// section returns the rest of r as a file that can be read anywhere, nil where
// r is none.
func section(r io.Reader) *io.SectionReader {
	file, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return nil
	}
	here, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	if _, err := file.Seek(here, io.SeekStart); err != nil {
		return nil
	}
	return io.NewSectionReader(file, here, end-here)
}

// wholeFile is a problem of a file that has no place in it.
func wholeFile(name, format string, args ...any) error {
	return source.Problem{Position: source.Position{File: name}, Message: fmt.Sprintf(format, args...)}
}

// unread says that a file could not be read, for a reason outside of it.
func unread(name string, err error) error {
	return fmt.Errorf("%v: cannot be read: %w", source.Position{File: name}, err)
}
