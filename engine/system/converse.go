package system

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"docket/engine/output"
	"docket/engine/provider"
)

// conversing is a system whose processes live on: protocol jsonl, one line in
// and one line out.
//
// There is one process for each call that is under way at once, so as many as
// the run has jobs, and each answers one request at a time. A program need know
// nothing of the others. One that crashed, hung, or printed what was not
// understood is ended, since what it prints next can no longer be told apart
// from the answer to the next request; the next call starts another. An answer
// may repeat the id and the sample it is for: then they are held to the request.
type conversing struct {
	*executed
	mu   sync.Mutex
	idle []*conversation
}

// A conversation is a process and the lines that it prints. They are read as
// they come, and not when they are wanted, so that a line nobody asked for is
// seen before the next request and not taken for its answer.
type conversation struct {
	*process
	line     *provider.Line // of the door, for as long as the process lives; nil for none
	lines    chan printed
	finished chan struct{}
	over     bool // finish was called
}

// printed is one line that a program printed, or why there is none.
type printed struct {
	line []byte
	err  error
}

// Answer implements System.
func (c *conversing) Answer(ctx context.Context, r Request) (output.Output, error) {
	begun := time.Now()
	with, err := c.take()
	if err != nil {
		return output.Output{}, err
	}
	line := with.line
	if line != nil {
		line.Begin(r.ID, r.Sample)
	}
	out, err := c.converse(ctx, with, r)
	out, err = settle(ctx, line, out, err, begun)
	if !with.over {
		c.giveBack(with)
	}
	return out, err
}

// converse asks a process for one sample. It ends the process where the answer
// was not understood.
func (c *conversing) converse(ctx context.Context, with *conversation, r Request) (output.Output, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	line, err := with.ask(limited, requestLine(r))
	if err != nil {
		return output.Output{}, c.broken(ctx, limited, with, err)
	}
	out, err := c.understand(with.process, r, line)
	if err != nil && !errors.As(err, new(*reported)) {
		with.finish()
	}
	return out, err
}

// broken ends a process that did not answer, and says why it did not.
func (c *conversing) broken(ctx, limited context.Context, with *conversation, err error) error {
	if errors.Is(err, io.EOF) {
		with.wait(limited) // how it ended is worth knowing
	}
	defer with.finish()
	late := limited.Err() != nil
	how := with.failed()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errLong):
		return c.fault(with.process, "printed a line of more than %d MB and was ended", maxAnswer>>20)
	case late:
		return c.fault(with.process, "did not answer within %v and was ended", c.timeout)
	case how != "":
		return c.fault(with.process, "ended with %s before it answered", how)
	}
	return c.fault(with.process, "ended before it answered")
}

// take returns a process that waits for a request, and starts one where there
// is none.
func (c *conversing) take() (*conversation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.idle) > 0 {
		last := len(c.idle) - 1
		with := c.idle[last]
		c.idle = c.idle[:last]
		if with.ready() {
			return with, nil
		}
		with.finish()
	}
	var line *provider.Line
	if c.door != nil {
		line = c.door.Line()
	}
	p, err := c.launch(line)
	if err != nil {
		if line != nil {
			line.Close()
		}
		return nil, err
	}
	with := &conversation{process: p, line: line, lines: make(chan printed), finished: make(chan struct{})}
	go with.listen()
	return with, nil
}

func (c *conversing) giveBack(with *conversation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, with)
}

// Close ends the processes. A program that ends when its stdin is closed has a
// moment to do so by itself.
func (c *conversing) Close() error {
	c.mu.Lock()
	idle := slices.Clone(c.idle)
	c.idle = nil
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, with := range idle {
		with.stdin.Close()
	}
	for _, with := range idle {
		with.wait(ctx)
		with.finish()
	}
	return c.executed.Close()
}

// ready reports whether the process still runs and has printed nothing that it
// was not asked for.
func (c *conversation) ready() bool {
	select {
	case <-c.exited:
		return false
	case <-c.lines:
		return false
	default:
		return true
	}
}

// finish ends the process and lets go of its pipe. It is called once.
func (c *conversation) finish() {
	c.over = true
	c.end()
	close(c.finished)
	c.stdout.Close()
	if c.line != nil {
		c.line.Close()
	}
}

var errLong = errors.New("line too long")

// ask writes one line and waits for one. Once ctx is done it ends the process.
func (c *conversation) ask(ctx context.Context, request []byte) (line []byte, err error) {
	defer context.AfterFunc(ctx, c.end)()
	// A program may answer before it has read a long request to its end.
	var writing sync.WaitGroup
	writing.Go(func() { c.stdin.Write(request) }) // a program that is gone shows on reading
	answer := <-c.lines
	if answer.err != nil {
		c.end()
	}
	writing.Wait()
	return answer.line, answer.err
}

// listen reads lines, passing over blank ones, until there are no more.
func (c *conversation) listen() {
	reader := bufio.NewReaderSize(c.stdout, 64<<10)
	for {
		line, err := readLine(reader)
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		select {
		case c.lines <- printed{line, err}:
		case <-c.finished:
			return
		}
		if err != nil {
			return
		}
	}
}

// readLine reads up to a line end, at most maxAnswer bytes.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case len(line) > maxAnswer:
			return nil, errLong
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, io.EOF
		default:
			return line, nil
		}
	}
}
