package interchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/engine/canonical"
)

func isInspect(s *sight) bool {
	return s.first == '{' && s.any("eval.task", "eval.run_id", "eval.task_id") &&
		s.any("version", "status", "plan", "samples")
}

// readInspect reads a log that Inspect wrote as one JSON document. A sample has
// an id and an epoch of its own, and these are the case and its sample.
//
// A sample that Inspect did not finish is an error, and so is one that was
// invalidated; one that was not scored has no checks. NaN, which Inspect writes
// for a score that could not be made, is no score.
func readInspect(ctx context.Context, in *input) (*collector, error) {
	l := &inspectLog{collector: newCollector(in)}
	s := newStream(ctx, in)
	err := s.object(func(key string) error {
		if key == "samples" {
			if c, err := s.next(); err != nil || c != '[' {
				return s.skip() // null: a header alone
			}
			return s.list(func(i int) error {
				if err := l.sample(s, fmt.Sprintf("samples[%d]", i), nil); err != nil {
					return err
				}
				return l.more()
			})
		}
		return l.header(s, key)
	})
	if err == nil {
		err = s.end()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return l.collector, l.close()
}

// An inspectLog is a collector of Inspect's samples.
type inspectLog struct {
	*collector
	status   string
	model    string
	expected int // samples that the run was to have; 0 where it is unknown
}

// header reads one member of a log's header.
func (l *inspectLog) header(s *stream, key string) error {
	switch key {
	case "status":
		v, err := s.value()
		l.status, _ = v.(string)
		return err
	case "eval":
		v, err := s.value()
		l.model = textAt(v, "model")
		l.expected = len(listAt(v, "dataset", "sample_ids"))
		if epochs, ok := integer(at(v, "config", "epochs")); ok && epochs > 0 && epochs < 1<<20 {
			l.expected *= int(epochs)
		}
		return err
	default:
		return s.skip()
	}
}

// close says what the header tells of the whole.
func (l *inspectLog) close() error {
	if len(l.rows) == 0 && len(l.wrong) == 0 {
		return wholeFile(l.name, "this log of Inspect holds no samples; it may be a header alone, or the run may have ended before its first sample did")
	}
	switch l.status {
	case "success":
	case "":
		l.tally.note("the log does not say that its run ended")
	default:
		l.tally.note("the run's status is %q: the log may hold a part of it", l.status)
	}
	if l.expected > len(l.rows) {
		l.tally.note("the log holds %d of the %d samples that the run was to have", len(l.rows), l.expected)
	}
	for i := range l.rows {
		if out := &l.rows[i].Output; out.Model == "" && l.rows[i].Error == "" {
			out.Model = l.model
		}
	}
	return nil
}

// inspectKeys are the members of a sample that are read. Events are by far the
// most of a log, and are not.
var inspectKeys = [...]string{
	"id", "epoch", "input", "output", "messages", "message_refs", "scores", "score", "error", "limit", "invalidation",
	"model_usage", "total_time", "working_time", "attachments", "metadata",
}

// sample reads one sample. The rest of it, where it is spread over an archive,
// comes from parts.
func (l *inspectLog) sample(s *stream, place string, parts func(sample map[string]any) error) error {
	if _, err := s.next(); err != nil {
		return err
	}
	t := text{file: s.name, line: s.line, indent: s.column - 1}
	sample := make(map[string]any, len(inspectKeys))
	err := s.object(func(key string) error {
		if !slices.Contains(inspectKeys[:], key) || key == "metadata" && l.options.ID == "" {
			return s.skip()
		}
		v, err := s.value()
		sample[key] = v
		return err
	})
	if err == nil && parts != nil {
		err = parts(sample)
	}
	if err != nil {
		return err
	}
	e := entry{text: t, place: place}
	switch id := sample["id"].(type) {
	case string:
		e.row.ID = id
	case json.Number:
		e.row.ID = string(canonical.AppendNumber(nil, id))
	default:
		l.problem(t, place, "expected a sample with an \"id\", got %s", describe(sample["id"]))
		return nil
	}
	if l.options.ID != "" {
		id, why := l.chosenID(sample["metadata"], sample)
		if why != "" {
			l.problem(t, place, "%s", why)
			return nil
		}
		e.row.ID = id
	}
	if epoch := sample["epoch"]; epoch != nil {
		n, ok := integer(epoch)
		if !ok || n < 1 || n > 1<<30 {
			l.problem(t, place, "\"epoch\" must be a whole number from 1, got %s", describe(epoch))
			return nil
		}
		e.row.Sample = int(n)
	}
	if !l.attach(sample) {
		l.problem(t, place, "its attachments come to more than %d MB where they are referred to", MaxLine>>20)
		return nil
	}
	e.row.Input = asInput(sample["input"])
	if e.row.Error = inspectFailure(sample); e.row.Error == "" {
		l.output(&e.row, sample)
	}
	l.entry(e)
	return nil
}

// attach puts the text of attachments where a sample refers to them. It stops,
// and returns false, where that comes to more than a sample may hold: a short
// list of references can stand for any length of text.
func (l *inspectLog) attach(sample map[string]any) bool {
	const scheme = "attachment://"
	put := 0
	attached := objectAt(sample, "attachments")
	var resolve func(v any) any
	resolve = func(v any) any {
		switch v := v.(type) {
		case string:
			name, refers := strings.CutPrefix(v, scheme)
			if !refers {
				return v
			}
			if text, ok := attached[name].(string); ok {
				if put += len(text); put > MaxLine {
					return v
				}
				return text
			}
			l.tally.note("the log refers to attachments that it does not hold; their text is missing")
			return v
		case []any:
			for i := range v {
				v[i] = resolve(v[i])
			}
		case map[string]any:
			for key := range v {
				v[key] = resolve(v[key])
			}
		}
		return v
	}
	for _, key := range []string{"input", "output", "messages", "scores", "score", "error"} {
		if v, given := sample[key]; given {
			sample[key] = resolve(v)
		}
	}
	return put <= MaxLine
}
