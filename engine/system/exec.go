package system

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/engine/canonical"
	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/provider"
	"docket/engine/source"
)

// defaultTimeout is how long a program has for one sample where the
// configuration does not say.
const defaultTimeout = 60 * time.Second

// maxAnswer is the most, in bytes, that a program may print for one sample.
const maxAnswer = 16 << 20

// program is a system of kind exec as it is declared.
type program struct {
	command []string
	timeout time.Duration
	env     []variable // sorted by name
	lines   bool       // protocol: jsonl
}

func compileExec(d *Declared, v source.Value, e Env) (opener, source.Problems) {
	p := &program{timeout: defaultTimeout}
	var problems source.Problems
	wrong := func(v source.Value, format string, args ...any) {
		problems = append(problems, v.Problemf(format, args...))
	}
	switch command := v.Get("command"); {
	case command.IsZero():
		wrong(v, "a system of kind exec needs a command, such as command: [python, -m, app.summarise]")
	case command.Kind() != source.List:
		wrong(command, "command must be a list, the program and its arguments, since no shell reads it, got %s", command.Describe())
	default:
		for _, word := range command.Items() {
			if word.Scalar() == "" && (word.Kind() != source.String || len(p.command) == 0) {
				wrong(word, "a word of command must be text, got %s", word.Describe())
			}
			p.command = append(p.command, word.Scalar())
		}
		if len(p.command) == 0 {
			wrong(command, "command is empty; expected the program and its arguments")
		}
	}
	if timeout := v.Get("timeout"); !timeout.IsZero() {
		d, err := time.ParseDuration(timeout.Scalar())
		if err != nil || d <= 0 {
			wrong(timeout, "timeout must be a time such as 60s or 2m, got %s", timeout.Describe())
		}
		p.timeout = d
	}
	if protocol := v.Get("protocol"); !protocol.IsZero() {
		if text, _ := protocol.Text(); text != "jsonl" {
			wrong(protocol, "protocol must be jsonl (one process, a line in and a line out) or be left out (a process for each sample), got %s", protocol.Describe())
		}
		p.lines = true
	}
	var more source.Problems
	p.env, more = compileVariables(d, v.Get("env"), e)
	problems = append(problems, more...)
	if len(d.Needs.Providers) == 0 {
		// Who answers for the program's models is then the program's own affair.
		d.Mode = "live"
	}
	d.Needs.Timeout = p.timeout // a call of a model has no longer than the program
	d.Needs.Prices, more = compilePrices(v.Get("price"))
	return p, append(problems, more...)
}

func (p *program) open(_ context.Context, name string, s Surroundings) (System, error) {
	if err := p.find(s.Dir); err != nil {
		return nil, fmt.Errorf("system %q: %w", name, err)
	}
	x := &executed{program: *p, launcher: newLauncher(), dir: s.Dir}
	if slices.ContainsFunc(p.env, variable.reaches) {
		if s.Door == nil {
			return nil, fmt.Errorf("system %q: %w", name, errNoDoor)
		}
		x.door = s.Door
	}
	if p.lines {
		return &conversing{executed: x}, nil
	}
	return x, nil
}

// find looks for the program once, before the first case, since a command
// that is not there is a mistake of the configuration and not of a case.
func (p *program) find(dir string) error {
	name := p.command[0]
	if !strings.ContainsRune(filepath.ToSlash(name), '/') {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("the program %q is not in PATH; install it, or write where it is", name)
		}
		return nil
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if _, err := exec.LookPath(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the program %q does not exist; a relative one is looked for from the folder of .docket.yaml", name)
		}
		return fmt.Errorf("the program %q cannot be run: %w", name, reason(err))
	}
	return nil
}

// executed is a system that is one process for each sample.
type executed struct {
	program
	dir      string
	launcher *launcher
	door     *provider.Door // nil where the program is given no address
}

// launch starts the program, with the addresses of a line in its environment;
// nil for none.
func (x *executed) launch(l *provider.Line) (*process, error) {
	env := os.Environ()
	for _, v := range x.env {
		value, err := v.on(l)
		if err != nil {
			return nil, err
		}
		env = append(env, v.name+"="+value)
	}
	if l != nil {
		env = append(env, x.door.Environment()...) // last, so that it counts
	}
	p, err := x.launcher.start(x.command, x.dir, env)
	if err != nil {
		return nil, fmt.Errorf("%q could not be started: %w", x.command[0], reason(err))
	}
	return p, nil
}

// Close lets go of what starts processes; there must be no call under way.
func (x *executed) Close() error {
	x.launcher.close()
	return nil
}

// Answer implements System: it starts the program, writes the request to its
// stdin as one line of JSON, and reads one object from its stdout.
func (x *executed) Answer(ctx context.Context, r Request) (output.Output, error) {
	begun := time.Now()
	var line *provider.Line
	if x.door != nil {
		line = x.door.Line()
		defer line.Close()
		line.Begin(r.ID, r.Sample)
	}
	out, err := x.answer(ctx, r, line)
	return settle(ctx, line, out, err, begun)
}

// answer runs the program for one sample.
func (x *executed) answer(ctx context.Context, r Request, line *provider.Line) (output.Output, error) {
	limited, cancel := context.WithTimeout(ctx, x.timeout)
	defer cancel()
	p, err := x.launch(line)
	if err != nil {
		return output.Output{}, err
	}
	defer p.end()
	var writing sync.WaitGroup
	writing.Go(func() {
		// A program need not read its input: what it answers counts.
		p.stdin.Write(requestLine(r))
		p.stdin.Close()
	})
	printed, whole := p.readAll(limited, maxAnswer)
	if !whole {
		p.end()
	}
	exited := p.wait(limited)
	late := limited.Err() != nil
	p.end()
	writing.Wait()
	switch {
	case ctx.Err() != nil:
		return output.Output{}, ctx.Err()
	case !whole:
		return output.Output{}, x.fault(p, "printed more than %d MB and was ended", maxAnswer>>20)
	case !exited, late && p.failed() != "":
		return output.Output{}, x.fault(p, "did not end within %v and was ended", x.timeout)
	case p.failed() != "":
		return output.Output{}, x.fault(p, "ended with %s", p.failed())
	}
	return x.understand(p, r, printed)
}

// understand reads what a program printed for one sample.
func (x *executed) understand(p *process, r Request, printed []byte) (output.Output, error) {
	if len(bytes.TrimSpace(printed)) == 0 {
		return output.Output{}, x.fault(p, "printed nothing; expected one JSON object such as {\"text\": \"…\"}")
	}
	row, err := interchange.ReadAnswer(printed)
	switch {
	case err != nil:
		return output.Output{}, x.fault(p, "printed no answer: %v", err)
	case row.ID != "" && row.ID != r.ID:
		return output.Output{}, x.fault(p, "answered for case %q when it was asked for this one", row.ID)
	case row.Sample != 0 && row.Sample != r.Sample:
		return output.Output{}, x.fault(p, "answered for sample %d when it was asked for sample %d", row.Sample, r.Sample)
	case row.Error != "":
		return output.Output{}, &reported{row.Error}
	}
	return row.Output, nil
}

// reported is an error that a program gave as its answer.
type reported struct{ why string }

func (r *reported) Error() string { return r.why }

// fault ends a program that did not answer and makes its error, with the end of
// what it wrote to stderr.
func (x *executed) fault(p *process, format string, args ...any) error {
	p.end()
	said := fmt.Sprintf(format, args...)
	if tail := p.lastWords(); tail != "" {
		return fmt.Errorf("%q %s; its stderr ends with %q", x.command[0], said, tail)
	}
	return fmt.Errorf("%q %s", x.command[0], said)
}

// requestLine returns the line of JSON that a program gets for a request.
func requestLine(r Request) []byte {
	input := r.Input
	if input == nil {
		input = map[string]any{}
	}
	line := append([]byte(nil), `{"id":`...)
	line = canonical.AppendString(line, r.ID)
	line = append(line, `,"sample":`...)
	line = canonical.Append(line, r.Sample)
	line = append(line, `,"input":`...)
	line = canonical.Append(line, input)
	return append(line, '}', '\n')
}
