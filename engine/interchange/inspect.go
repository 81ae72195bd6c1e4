package interchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/output"
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
	l.attach(sample)
	e.row.Input = asInput(sample["input"])
	if e.row.Error = inspectFailure(sample); e.row.Error == "" {
		l.output(&e.row, sample)
	}
	l.entry(e)
	return nil
}

// attach puts the text of attachments where a sample refers to them.
func (l *inspectLog) attach(sample map[string]any) {
	const scheme = "attachment://"
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
}

// inspectFailure returns why a sample has no output to judge, "" where it has.
func inspectFailure(sample map[string]any) string {
	if why := failure(sample["error"]); why != "" {
		return why
	}
	if v := sample["invalidation"]; v != nil {
		if reason := textAt(v, "reason"); reason != "" {
			return "invalidated: " + reason
		}
		return "invalidated"
	}
	return ""
}

func (l *inspectLog) output(row *Row, sample map[string]any) {
	out := &row.Output
	given := sample["output"]
	choice := first(listAt(given, "choices"))
	messages, held := sample["messages"].([]any)
	answer, answered := at(given, "completion").(string)
	if !answered {
		content := at(choice, "message", "content")
		if content == nil {
			content = lastSaid(messages)
		}
		answer, answered = contentText(content), content != nil
	}
	out.Text = answer
	if held {
		out.ToolCalls = []output.ToolCall{}
		for _, m := range messages {
			if textAt(m, "role") == "assistant" {
				inspectCalls(out, listAt(m, "tool_calls"))
			}
		}
	} else {
		inspectCalls(out, listAt(choice, "message", "tool_calls"))
	}
	out.StopReason = textAt(choice, "stop_reason")
	limit := textAt(sample, "limit", "type")
	if limit != "" {
		out.StopReason = "limit: " + limit
	}
	if !answered && len(out.ToolCalls) == 0 {
		row.Output = output.Output{}
		if row.Error = "the log holds no output of this sample"; limit != "" {
			row.Error += "; it ran into its limit of " + limit
		}
		return
	}
	out.Model = textAt(given, "model")
	if out.LatencyMS = secondsAt(sample, "working_time"); out.LatencyMS == nil {
		out.LatencyMS = secondsAt(sample, "total_time")
	}
	l.usage(out, sample)
	row.Checks = inspectChecks(sample)
}

// usage reads the tokens of a sample. Where several models took part (a grader
// does) only those of the model that the run is of count, and where that one
// cannot be told none do.
func (l *inspectLog) usage(out *output.Output, sample map[string]any) {
	all := objectAt(sample, "model_usage")
	var used any
	switch {
	case len(all) == 1:
		for _, v := range all {
			used = v
		}
	case len(all) > 1:
		used = all[l.model]
	default:
		used = at(sample, "output", "usage")
	}
	out.OutputTokens = countAt(used, "output_tokens")
	// Whether "input_tokens" has those of a cache in it depends on the
	// provider; the total always has.
	if sum := countAt(used, "total_tokens"); sum != nil && out.OutputTokens != nil && *sum >= *out.OutputTokens {
		n := *sum - *out.OutputTokens
		out.InputTokens = &n
	} else {
		out.InputTokens = countAt(used, "input_tokens")
	}
	out.CostUSD = amountAt(used, "total_cost")
}

// lastSaid returns the content of the last message of the assistant.
func lastSaid(messages []any) any {
	for _, m := range slices.Backward(messages) {
		if textAt(m, "role") == "assistant" {
			return at(m, "content")
		}
	}
	return nil
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// inspectCalls adds the calls of one message.
func inspectCalls(out *output.Output, calls []any) {
	for _, call := range calls {
		name := textAt(call, "function")
		if name == "" {
			name = textAt(call, "function", "name")
		}
		if name == "" {
			name = textAt(call, "name")
		}
		arguments := at(call, "arguments")
		if arguments == nil {
			arguments = at(call, "function", "arguments")
		}
		if why := failure(at(call, "parse_error")); why != "" {
			if out.ToolCallsError == "" {
				out.ToolCallsError = "the arguments of " + shorten(name) + " did not parse: " + why
			}
			continue
		}
		if name == "" {
			if out.ToolCallsError == "" {
				out.ToolCallsError = "a call names no function"
			}
			continue
		}
		addCall(out, name, arguments)
	}
}
