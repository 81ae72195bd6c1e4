package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/source"
)

// Limits of a program that judges.
const (
	commandTimeout = 60 * time.Second
	commandGrace   = 2 * time.Second // for its pipes, once it was killed
	commandOutput  = 1 << 20         // bytes of stdout
	commandErrors  = 16 << 10        // bytes of stderr that are kept
)

// A commandCheck runs a program that judges. The program gets one JSON object
// on stdin, {"id", "sample", "input", "output"}, the output without its raw, and
// prints one on stdout: {"pass": true, "score": 0.5, "message": "…"}, where
// score (0 to 1; 1 or 0 by pass) and message may be left out. Anything else, an
// exit code but 0, or more than a minute is a judgement that could not be made.
type commandCheck struct {
	argv    []string
	dir     string
	timeout time.Duration
}

func (k *commandCheck) Name() string { return "command" }

func (k *commandCheck) Judge(ctx context.Context, s *Subject) (Verdict, error) {
	stdin, err := commandInput(s)
	if err != nil {
		return Verdict{}, fmt.Errorf("command: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, k.timeout)
	defer cancel()
	name := k.argv[0]
	if strings.ContainsRune(name, '/') && !filepath.IsAbs(name) && k.dir != "" {
		name = filepath.Join(k.dir, filepath.FromSlash(name))
	}
	command := exec.CommandContext(ctx, name, k.argv[1:]...)
	stdout, stderr := &bounded{most: commandOutput}, &bounded{most: commandErrors}
	command.Dir, command.Stdin, command.Stdout, command.Stderr = k.dir, bytes.NewReader(stdin), stdout, stderr
	ownGroup(command)
	command.WaitDelay = commandGrace
	err = command.Run()
	endGroup(command) // what it started does not outlive it
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return Verdict{}, fmt.Errorf("command %s took longer than %v", quote(k.argv[0]), k.timeout)
	case ctx.Err() != nil:
		return Verdict{}, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return Verdict{}, fmt.Errorf("command %s was not found", quote(k.argv[0]))
	case errors.Is(err, exec.ErrWaitDelay):
		return Verdict{}, fmt.Errorf("command %s ended, but a process that it started kept its output open", quote(k.argv[0]))
	case err != nil:
		return Verdict{}, fmt.Errorf("command %s failed: %s%s", quote(k.argv[0]), safetext.Line(err.Error()), lastLine(stderr))
	case stdout.cut:
		return Verdict{}, fmt.Errorf("command %s printed more than %d bytes", quote(k.argv[0]), commandOutput)
	}
	v, err := commandVerdict(stdout.Bytes())
	if err != nil {
		return Verdict{}, fmt.Errorf("command %s: %w", quote(k.argv[0]), err)
	}
	return v, nil
}

func commandInput(s *Subject) ([]byte, error) {
	answer := *s.Output
	answer.Raw = nil // judgement never reads it
	return json.Marshal(struct {
		ID     string         `json:"id"`
		Sample int            `json:"sample"`
		Input  map[string]any `json:"input"`
		Output *output.Output `json:"output"`
	}{s.ID, s.Sample, s.Input, &answer})
}

// commandVerdict reads what the program printed.
func commandVerdict(printed []byte) (Verdict, error) {
	doc, err := canonical.Parse(printed)
	if err != nil {
		return Verdict{}, fmt.Errorf("it printed no JSON object such as {\"pass\": true}: %w", err)
	}
	members, _ := doc.(map[string]any)
	pass, ok := members["pass"].(bool)
	if !ok {
		return Verdict{}, errors.New("its answer lacks pass, which is true or false")
	}
	v := Verdict{Pass: pass}
	if pass {
		v.Score = 1
	}
	switch score := members["score"].(type) {
	case nil:
	case json.Number:
		f, err := score.Float64()
		if err != nil || f < 0 || f > 1 {
			return Verdict{}, fmt.Errorf("its score is %s; a score is from 0 to 1", quote(score.String()))
		}
		v.Score = f
	default:
		return Verdict{}, errors.New("its score is not a number")
	}
	switch message := members["message"].(type) {
	case nil:
	case string:
		v.Message = safetext.Line(phrase.Abridge(message, 500))
	default:
		return Verdict{}, errors.New("its message is not a string")
	}
	return v, nil
}

// lastLine returns the last thing that a program complained of.
func lastLine(stderr *bounded) string {
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ": " + safetext.Line(phrase.Abridge(last, 200))
	}
	return ""
}

// A bounded buffer keeps the first bytes and takes the rest without a word, so
// that a program which prints too much ends by itself.
type bounded struct {
	bytes.Buffer
	most int
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - b.Len()
	if room < len(p) {
		b.cut = true
	}
	b.Buffer.Write(p[:min(len(p), max(0, room))])
	return len(p), nil
}

// ReadFrom is hidden so that copying goes through Write.
func (b *bounded) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{b}, r)
}

func compileCommand(c *compiler, v source.Value) []item {
	var argv []string
	for i, it := range c.list(v, "command", "[python, checks/tone.py]") {
		switch {
		case it.Kind() == source.String || it.Kind() == source.Number:
			argv = append(argv, it.Scalar())
		default:
			c.problem(it, "command: expected a program and its arguments, got %s", it.Describe())
			return nil
		}
		if i == 0 && strings.TrimSpace(argv[0]) == "" {
			c.problem(it, "command: the program's name is blank")
			return nil
		}
		if strings.ContainsRune(argv[i], 0) {
			c.problem(it, "command: no argument can hold a NUL byte")
			return nil
		}
	}
	if len(argv) == 0 {
		return nil
	}
	return []item{{&commandCheck{argv: argv, dir: c.env.Dir, timeout: commandTimeout}, texts(argv)}}
}
