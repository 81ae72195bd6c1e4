package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/output"
	"docket/engine/provider"
	"docket/engine/system"
)

// A Bench is where judges sit while a suite runs. It implements check.Panel.
type Bench struct {
	seats map[string]*seat

	mu       sync.Mutex
	asked    int
	retried  int
	unscored int
}

type seat struct {
	judge  *Judge
	system system.System
	door   *provider.Door
}

// Sit opens judges, each behind a door of its own, which open makes. The bench
// must be closed.
func Sit(ctx context.Context, judges []*Judge, open func(j *Judge) (*provider.Door, error)) (*Bench, error) {
	b := &Bench{seats: map[string]*seat{}}
	for _, j := range judges {
		door, err := open(j)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("judge %s: %w", j.Name, err), b.Close())
		}
		sys, err := j.declared.Open(ctx, system.Surroundings{Door: door})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("judge %s: %w", j.Name, err), door.Close(), b.Close())
		}
		b.seats[j.Name] = &seat{judge: j, system: sys, door: door}
	}
	return b, nil
}

// Needs returns what a judge's door is opened with.
func (j *Judge) Needs() system.Needs { return j.declared.Needs }

// Close lets the judges go.
func (b *Bench) Close() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(b.seats)) {
		s := b.seats[name]
		if c, ok := s.system.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
		errs = append(errs, s.door.Close())
	}
	return errors.Join(errs...)
}

// A Tally is how often judges were asked.
type Tally struct {
	Asked    int // questions, retries not counted
	Retried  int // of these, asked again since the first answer could not be read
	Unscored int // of these, without a verdict
	Spent    provider.Spent
}

// Tally counts what the bench has done so far.
func (b *Bench) Tally() Tally {
	b.mu.Lock()
	t := Tally{Asked: b.asked, Retried: b.retried, Unscored: b.unscored}
	b.mu.Unlock()
	for _, s := range b.seats {
		spent := s.door.Spent()
		t.Spent.USD += spent.USD
		t.Spent.Calls += spent.Calls
		t.Spent.Unknown += spent.Unknown
	}
	return t
}

// Spent is what one judge has cost so far.
func (b *Bench) Spent(name string) provider.Spent {
	if s, ok := b.seats[name]; ok {
		return s.door.Spent()
	}
	return provider.Spent{}
}

// CaseID is the name under which what a judge says of a case is recorded. It is
// no case's own.
func CaseID(judge, id string) string { return "judge " + judge + ": " + id }

// again marks the name of a question that is asked a second time.
const again = " (again)"

// Recorded are the names under which what a judge says of a case may be
// recorded.
func Recorded(judge, id string) []string {
	return []string{CaseID(judge, id), CaseID(judge, id) + again}
}

// Judged returns the case that a recorded question is about, and the judge that
// it was put to; false for any other name.
func Judged(name string) (judge, id string, ok bool) {
	rest, ok := strings.CutPrefix(name, "judge ")
	if !ok {
		return "", "", false
	}
	judge, id, ok = strings.Cut(rest, ": ")
	return judge, strings.TrimSuffix(id, again), ok
}

// Rule implements check.Panel: it asks the judge, once more where its answer
// cannot be read. A judge that cannot be reached gives no verdict; a missing
// recording, and a canned verdict that breaks the form, are errors of the case.
func (b *Bench) Rule(ctx context.Context, q check.Question) (check.Verdict, error) {
	s, ok := b.seats[q.Judge]
	if !ok {
		return check.Verdict{Unscored: "the judge " + q.Judge + " does not sit here"}, nil
	}
	request := system.Request{ID: CaseID(q.Judge, q.ID), Sample: q.Sample, Input: map[string]any{
		"rubric": fence("rubric", q.Rubric),
		"input":  fence("input", string(canonical.Marshal(q.Input))),
		"output": fence("output", shown(q.Output)),
	}}
	v, err := s.ask(ctx, request)
	retried := false
	if unread := (*unreadableError)(nil); errors.As(err, &unread) {
		request.ID += again
		retried = true
		v, err = s.ask(ctx, request)
		if errors.As(err, &unread) {
			v, err = Verdict{Unscored: "the judge's verdict cannot be read: " + unread.why}, nil
		}
	}
	if errors.Is(err, provider.ErrMissed) {
		return check.Verdict{}, fmt.Errorf("the judge %s, whose verdicts `docket run --judges record` records: %w", q.Judge, err)
	}
	if err != nil {
		return check.Verdict{}, fmt.Errorf("the judge %s: %w", q.Judge, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++
	if retried {
		b.retried++
	}
	if v.Unscored != "" {
		b.unscored++
	}
	return check.Verdict{Pass: v.Pass, Score: v.Score, Message: v.Reason, Unscored: v.Unscored}, nil
}

type unreadableError struct{ why string }

func (e *unreadableError) Error() string { return "the verdict cannot be read: " + e.why }

func (s *seat) ask(ctx context.Context, request system.Request) (Verdict, error) {
	out, err := s.system.Answer(ctx, request)
	switch {
	case ctx.Err() != nil:
		return Verdict{}, ctx.Err()
	case err != nil && s.mends(err):
		return Verdict{Unscored: "the judge could not be asked: " + err.Error()}, nil
	case err != nil:
		return Verdict{}, err
	}
	v, err := readVerdict(&out)
	if err != nil {
		return Verdict{}, &unreadableError{err.Error()}
	}
	return v, nil
}

// mends reports whether an error is one of the model's, which another day may
// not have, and not one of what stands in the case or beside it.
func (s *seat) mends(err error) bool {
	return s.door.Asks() && !errors.Is(err, provider.ErrMissed)
}

// shown is an output as a judge sees it: its text, and its tool calls where
// there are some.
func shown(o *output.Output) string {
	if len(o.ToolCalls) == 0 {
		return o.Text
	}
	calls := make([]any, len(o.ToolCalls))
	for i, call := range o.ToolCalls {
		calls[i] = map[string]any{"name": call.Name, "arguments": string(call.Arguments)}
	}
	return o.Text + "\n\ntool calls: " + string(canonical.Marshal(calls))
}
