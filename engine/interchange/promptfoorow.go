package interchange

import (
	"strings"

	"docket/engine/output"
	"docket/engine/phrase"
)

// promptfooVariant names the prompt and the provider of a row.
func promptfooVariant(row map[string]any) variant {
	id, label := textAt(row, "provider", "id"), textAt(row, "provider", "label")
	if id == "" {
		id = textAt(row, "provider")
	}
	prompt := textAt(row, "prompt", "label")
	if prompt == "" {
		prompt = textAt(row, "prompt", "raw")
	}
	provider := label
	if provider == "" {
		provider = id
	}
	return named(provider, prompt, id, textAt(row, "promptId"))
}

// named names a variant by its provider and its prompt. Two prompts that begin
// alike are told apart by their ids.
func named(provider, prompt, providerID, promptID string) variant {
	words := strings.Join(strings.Fields(prompt), " ")
	v := variant{name: provider}
	switch short := phrase.Abridge(words, 40); {
	case short == words && words != "":
		v.name += ", " + words
	case promptID != "":
		v.name += ", " + short + " " + promptID[:min(8, len(promptID))]
	case words != "":
		v.name += ", " + digest(short, words)
	}
	for _, n := range []string{provider, providerID, prompt, promptID} {
		if n != "" {
			v.names = append(v.names, n)
		}
	}
	return v
}

// promptfooFailure returns why a row has no output, "" where it has one.
func promptfooFailure(row map[string]any) string {
	why := failure(row["error"])
	if why == "" {
		why = failure(at(row, "response", "error"))
	}
	if reason, ok := integer(row["failureReason"]); ok {
		switch {
		case reason != 2:
			return ""
		case why == "":
			return "promptfoo reports an error and does not say which"
		}
		return why
	}
	if at(row, "gradingResult") != nil {
		return ""
	}
	return why
}

func promptfooOutput(out *output.Output, row map[string]any) {
	response := row["response"]
	answer := at(response, "output")
	if s, ok := response.(string); ok {
		answer = s
	}
	if answer != nil {
		out.Text = spelled(answer)
		promptfooCalls(out, answer)
	}
	out.Model = textAt(row, "provider", "id")
	if out.Model == "" {
		out.Model = textAt(row, "provider")
	}
	out.StopReason = textAt(response, "finishReason")
	if cached := boolAt(response, "cached"); cached == nil || !*cached {
		out.LatencyMS = amountAt(row, "latencyMs") // else the time of the cache
	}
	out.InputTokens = countAt(response, "tokenUsage", "prompt")
	out.OutputTokens = countAt(response, "tokenUsage", "completion")
	out.CostUSD = amountAt(response, "cost")
	if cost := amountAt(row, "cost"); out.CostUSD == nil && cost != nil && *cost > 0 {
		out.CostUSD = cost // promptfoo writes 0 where it does not know
	}
}

// promptfooChecks returns the verdicts of a row's assertions.
func promptfooChecks(row map[string]any) []Check {
	grading := objectAt(row, "gradingResult")
	all := newChecks("promptfoo")
	for _, v := range listAt(grading, "componentResults") {
		name := textAt(v, "assertion", "metric")
		if name == "" {
			name = textAt(v, "assertion", "type")
		}
		pass := boolAt(v, "pass")
		weight := numberAt(v, "assertion", "weight")
		if alone := boolAt(v, "metadata", "metricOnly"); weight != nil && *weight == 0 || alone != nil && *alone {
			pass = nil // measured only: it never fails a test
		}
		all.add(name, pass, numberAt(v, "score"), textAt(v, "reason"))
	}
	asked := len(listAt(row, "testCase", "assert")) > 0 || objectAt(row, "testCase") == nil
	whole := at(row, "testCase", "threshold") != nil || len(all.all) == 0 && asked
	if pass := boolAt(row, "success"); whole && pass != nil && grading != nil && textAt(grading, "reason") != "No assertions" {
		all.add("success", pass, numberAt(row, "score"), textAt(grading, "reason"))
	}
	return all.all
}

// promptfooCalls reads an output, or JSON in its text, that is a list of tool
// calls in the form of a vendor. Text beside the calls stays text.
func promptfooCalls(out *output.Output, answer any) {
	list, ok := answer.([]any)
	if s, text := answer.(string); text && strings.HasPrefix(strings.TrimSpace(s), "[") {
		v, err := parseText(s)
		list, ok = v.([]any)
		ok = ok && err == nil
	}
	if !ok || len(list) == 0 {
		return
	}
	var called output.Output
	var said []string
	for _, item := range list {
		switch kind := textAt(item, "type"); {
		case kind == "tool_use" && textAt(item, "name") != "":
			addCall(&called, textAt(item, "name"), at(item, "input"))
		case kind == "text" && textAt(item, "text") != "":
			said = append(said, textAt(item, "text"))
		case textAt(item, "function", "name") != "":
			addCall(&called, textAt(item, "function", "name"), at(item, "function", "arguments"))
		default:
			return // it is an answer that happens to be a list
		}
	}
	if len(called.ToolCalls) == 0 {
		return
	}
	out.Text = strings.Join(said, "\n")
	out.ToolCalls, out.ToolCallsError = called.ToolCalls, called.ToolCallsError
}
