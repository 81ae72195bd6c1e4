package interchange

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/phrase"
)

func isOpenAIEvals(s *sight) bool {
	return s.first == '{' && (s.has("spec") && s.any("spec.eval_name", "spec.completion_fns", "spec.base_eval") ||
		s.has("run_id", "event_id", "sample_id", "type"))
}

// readOpenAIEvals reads the log of the oaieval command: one event on each line,
// in any order, of which those of one sample_id make up a case.
//
// Within a case, in the order of the events, a sampling or a function call that
// follows a verdict begins its next sample. The output is what was sampled
// last before the verdict; but where the verdict is a grader's choice it is what
// was sampled first, since the grader samples too. "match" gives a verdict,
// and so does an accuracy of 0 or 1 in "metrics"; other numbers are scores.
// An error without a verdict after it is the outcome of its sample.
func readOpenAIEvals(ctx context.Context, in *input) (*collector, error) {
	l := &evalsLog{collector: newCollector(in), cases: map[evalsKey]*evalsCase{}}
	err := eachLine(ctx, l.collector, in, func(t text, ended bool) {
		if row, ok := l.lineObject(t, ended, text.parseLoose); ok {
			l.line(t, row)
		}
	})
	if err != nil {
		return nil, err
	}
	if !l.ended {
		l.tally.note("the log has no final report: the run may not have ended")
	}
	for _, key := range l.order {
		l.close(key, l.cases[key])
		if l.enough() {
			break
		}
	}
	return l.collector, nil
}

type evalsKey struct{ run, sample string }

type evalsLog struct {
	*collector
	model string
	ended bool
	cases map[evalsKey]*evalsCase
	order []evalsKey
}

type evalsCase struct {
	text   text // of its first event
	raw    any
	events []evalsEvent
}

type evalsEvent struct {
	number int64
	line   int
	kind   string
	data   any
}

func (l *evalsLog) line(t text, row map[string]any) {
	switch {
	case row["spec"] != nil:
		l.model, _ = first(listAt(row, "spec", "completion_fns")).(string)
		return
	case row["final_report"] != nil:
		l.ended = true
		return
	}
	kind := textAt(row, "type")
	sample := textAt(row, "sample_id")
	number, ok := integer(row["event_id"])
	switch {
	case sample == "" && row["sample_id"] == nil && kind != "":
		return // an event of the run, not of a case
	case sample == "" || kind == "" || !ok:
		l.problem(t, "", "expected an event with \"sample_id\", \"event_id\" and \"type\"")
		return
	}
	switch kind {
	case "raw_sample", "sampling", "match", "metrics", "function_call", "error":
	default:
		l.tally.unread[kind]++
		return
	}
	key := evalsKey{textAt(row, "run_id"), sample}
	c := l.cases[key]
	if c == nil {
		c = &evalsCase{text: text{file: t.file, line: t.line}}
		l.cases[key] = c
		l.order = append(l.order, key)
	}
	if kind == "raw_sample" {
		c.raw = row["data"]
		return
	}
	c.events = append(c.events, evalsEvent{number, t.line, kind, row["data"]})
}

// close makes the samples of a case from its events.
func (l *evalsLog) close(key evalsKey, c *evalsCase) {
	slices.SortStableFunc(c.events, func(a, b evalsEvent) int { return cmp.Compare(a.number, b.number) })
	var of []evalsEvent
	judged := false
	flush := func() {
		if len(of) > 0 {
			l.sample(key, c, of)
		}
		of, judged = nil, false
	}
	for i, e := range c.events {
		if i > 0 && c.events[i-1].number == e.number {
			l.problem(text{file: l.name, line: e.line}, "", "event %d of %q is there twice, first on line %d; delete one", e.number, phrase.Abridge(key.sample, 40), c.events[i-1].line)
			return
		}
		verdict := e.kind == "match" || e.kind == "metrics"
		if judged && !verdict {
			flush()
		}
		judged = judged || verdict
		of = append(of, e)
	}
	flush()
}

func (l *evalsLog) sample(key evalsKey, c *evalsCase, events []evalsEvent) {
	e := entry{text: text{file: c.text.file, line: events[0].line}, variant: variant{name: key.run}}
	out := &e.row.Output
	all := newChecks("openai-evals")
	var sampled []any
	chosen := false
	why := ""
	out.ToolCalls = []output.ToolCall{}
	for _, event := range events {
		switch event.kind {
		case "sampling":
			sampled = append(sampled, event.data)
		case "function_call":
			if name := textAt(event.data, "name"); name != "" {
				addCall(out, name, at(event.data, "arguments"))
			}
		case "error":
			why = failure(event.data)
			if why == "" {
				why = "an error without a message"
			}
		default:
			why = "" // it went on to a verdict
			chosen = chosen || textAt(event.data, "choice") != ""
			evalsChecks(all, event)
		}
	}
	if len(out.ToolCalls) == 0 {
		out.ToolCalls = nil // an eval without tools records none
	}
	var answer any
	switch {
	case len(sampled) > 0 && chosen:
		answer = sampled[0]
	case len(sampled) > 0:
		answer = sampled[len(sampled)-1]
	}
	prompt := at(answer, "prompt")
	if prompt == nil {
		prompt = at(c.raw, "input")
	}
	e.row.Input = asInput(prompt)
	switch {
	case l.options.ID == "prompt":
		e.row.ID = digest("prompt", prompt)
	case l.options.ID != "":
		var wrong string
		if e.row.ID, wrong = l.chosenID(c.raw, map[string]any{"sample_id": key.sample}); wrong != "" {
			l.problem(e.text, "", "%s", wrong)
			return
		}
	default:
		e.row.ID = key.sample
	}
	switch text := evalsText(at(answer, "sampled")); {
	case why != "":
		e.row.Error, e.row.Output = why, output.Output{}
	case answer == nil && len(out.ToolCalls) == 0 && len(all.all) == 0:
		e.row.Error, e.row.Output = "the log holds no output of this sample", output.Output{}
	default:
		out.Text = text
		if out.Model = textAt(answer, "model"); out.Model == "" {
			out.Model = l.model
		}
		out.InputTokens = countAt(answer, "usage", "prompt_tokens")
		out.OutputTokens = countAt(answer, "usage", "completion_tokens")
		e.row.Checks = all.all
	}
	l.entry(e)
}

// evalsText returns what was sampled: a text, or a list of which the first is
// the answer.
func evalsText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		return evalsText(first(v))
	case string:
		return v
	default:
		return string(canonical.Marshal(v))
	}
}

func evalsChecks(all *checks, event evalsEvent) {
	if event.kind == "match" {
		pass := boolAt(event.data, "correct")
		message := ""
		if pass != nil && !*pass {
			message = "expected " + phrase.Abridge(spelled(at(event.data, "expected")), 40) + ", picked " + phrase.Abridge(spelled(at(event.data, "picked")), 40)
		}
		all.add("match", pass, oneOrZero(pass), message)
		return
	}
	metrics := objectAt(event.data)
	message := ""
	if choice := textAt(metrics, "choice"); choice != "" {
		message = "choice " + choice
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		score, pass := numberAt(metrics, name), boolAt(metrics, name)
		if pass != nil {
			score = oneOrZero(pass)
		}
		if score == nil {
			continue
		}
		if name == "accuracy" && (*score == 0 || *score == 1) {
			right := *score == 1
			pass = &right
		}
		all.add(name, pass, score, message)
	}
}

// oneOrZero is the score of a verdict, nil without one.
func oneOrZero(pass *bool) *float64 {
	if pass == nil {
		return nil
	}
	score := 0.0
	if *pass {
		score = 1
	}
	return &score
}
