package export

import (
	"cmp"
	"io"
	"strconv"
	"time"

	"docket/engine/canonical"
	"docket/engine/run"
	"docket/engine/safetext"
)

// writeInspect writes a log of Inspect as one JSON document: a case is a sample,
// its samples are epochs, and a check is a scorer whose value is C or I. Inspect
// names scorers without a colon, so that the tool's name before a check goes into
// the scorer's with a slash.
func writeInspect(w io.Writer, r *Run) error {
	created := r.Started.UTC().Format(time.RFC3339)
	finished := created
	if !r.Finished.IsZero() {
		finished = r.Finished.UTC().Format(time.RFC3339)
	}
	model := cmp.Or(r.Config.Model, r.Config.System, "docket/unknown")
	status := "success"
	if r.Interrupted {
		status = "cancelled"
	}
	epochs := 1
	var samples, ids []any
	for i := range r.Cases {
		c := &r.Cases[i]
		of := c.samples()
		if len(of) > 0 {
			ids = append(ids, c.ID)
		}
		for _, s := range of {
			epochs = max(epochs, s.Number)
			samples = append(samples, inspectSample(c, &s, model))
		}
	}
	return safetext.IndentedJSON(w, map[string]any{
		"version": 2, "status": status,
		"eval": map[string]any{
			"eval_id": r.ID, "run_id": r.ID, "created": created, "task": cmp.Or(r.Config.Suite, "docket"), "task_id": cmp.Or(r.Config.Suite, "docket"),
			"task_version": 0, "dataset": map[string]any{"name": r.Config.Suite, "samples": len(ids), "sample_ids": list(ids), "shuffled": false},
			"model": model, "config": map[string]any{"epochs": epochs}, "task_attribs": map[string]any{}, "task_args": map[string]any{}, "model_args": map[string]any{},
			"packages": map[string]any{},
		},
		"plan":    map[string]any{"name": "plan", "steps": []any{}, "config": map[string]any{}},
		"results": map[string]any{"total_samples": len(samples), "completed_samples": len(samples), "scores": []any{}},
		"stats":   map[string]any{"started_at": created, "completed_at": finished, "model_usage": map[string]any{}},
		"samples": list(samples),
	})
}

func inspectSample(c *Case, s *run.Sample, model string) map[string]any {
	asked := ""
	if c.Input != nil {
		asked = string(canonical.Marshal(c.Input))
	}
	messages := []any{map[string]any{"role": "user", "content": asked, "source": "input"}}
	scores := map[string]any{}
	for _, v := range s.Checks {
		if v.Unscored != "" {
			continue
		}
		value := "I"
		if v.Pass {
			value = "C"
		}
		name, theirs := cutTool(v.Check, "inspect:")
		if !theirs {
			name = v.Check
		}
		scores[name] = map[string]any{"value": value, "explanation": v.Message, "metadata": map[string]any{"score": v.Score}}
	}
	sample := map[string]any{
		"id": c.ID, "epoch": s.Number, "input": asked, "target": "", "scores": scores, "metadata": map[string]any{"version": c.Version},
		"store": map[string]any{}, "events": []any{}, "attachments": map[string]any{}, "model_usage": map[string]any{},
	}
	if s.Error != "" {
		sample["messages"], sample["output"] = messages, map[string]any{"model": model, "choices": []any{}}
		sample["error"] = map[string]any{"message": s.Error, "traceback": "", "traceback_ansi": ""}
		delete(sample, "scores")
		return sample
	}
	answer := map[string]any{"role": "assistant", "content": s.Output.Text, "source": "generate"}
	if s.Output.ToolCalls != nil {
		var calls []any
		for i, call := range s.Output.ToolCalls {
			args, _ := arguments(call.Arguments).(map[string]any)
			if args == nil {
				args = map[string]any{}
			}
			calls = append(calls, map[string]any{"id": "call_" + strconv.Itoa(i+1), "function": call.Name, "arguments": args, "type": "function"})
		}
		answer["tool_calls"] = list(calls)
	}
	stop := "stop"
	if len(s.Output.ToolCalls) > 0 {
		stop = "tool_calls"
	}
	out := map[string]any{"model": cmp.Or(s.Output.Model, model), "choices": []any{map[string]any{"message": answer, "stop_reason": stop}}, "completion": s.Output.Text}
	if in, o := s.Output.InputTokens, s.Output.OutputTokens; in != nil && o != nil {
		usage := map[string]any{"input_tokens": *in, "output_tokens": *o, "total_tokens": *in + *o}
		if s.Output.CostUSD != nil {
			usage["total_cost"] = *s.Output.CostUSD
		}
		out["usage"] = usage
		sample["model_usage"] = map[string]any{model: usage}
	}
	if ms := s.Output.LatencyMS; ms != nil {
		out["time"], sample["total_time"], sample["working_time"] = *ms/1000, *ms/1000, *ms/1000
	}
	sample["messages"], sample["output"] = append(messages, answer), out
	return sample
}
