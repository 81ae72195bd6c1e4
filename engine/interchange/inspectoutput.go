package interchange

import (
	"slices"

	"docket/engine/output"
	"docket/engine/phrase"
)

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
				out.ToolCallsError = "the arguments of " + phrase.Abridge(name, 40) + " did not parse: " + why
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
