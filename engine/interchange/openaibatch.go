package interchange

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"docket/engine/output"
)

func isBatchInput(s *sight) bool {
	return s.first == '{' && s.has("custom_id", "method", "url") && !s.keys["response"]
}

func refuseBatchInput(_ context.Context, in *input) (*collector, error) {
	return nil, wholeFile(in.name, "it holds the requests of a batch and no outputs; give the batch's output file")
}

func isBatch(s *sight) bool {
	return s.first == '{' && s.has("custom_id") && s.any("response", "error") && !s.any("text", "output", "tool_calls")
}

// readBatch reads the output file of a batch of OpenAI's API, its error file,
// or the two behind one another. A case's id is the custom_id; where that ends
// in "#" and a number, "refund#2", the number is the sample's. Lines that
// failed, by an HTTP status of 400 and more or by an error, are errors.
func readBatch(ctx context.Context, in *input) (*collector, error) {
	c := newCollector(in)
	return c, eachLine(ctx, c, in, func(t text, ended bool) {
		row, ok := c.lineObject(t, ended, text.parse)
		if !ok {
			return
		}
		custom := textAt(row, "custom_id")
		if custom == "" {
			c.problem(t, "", "expected a \"custom_id\", the case that this is an output of, got %s", describe(row["custom_id"]))
			return
		}
		e := entry{text: t, unique: custom}
		e.row.ID, e.row.Sample = splitSample(custom)
		if !c.choose(&e, row["response"], row) {
			return
		}
		why := failure(row["error"])
		status, known := integer(at(row, "response", "status_code"))
		if why == "" && known && status >= 400 {
			if why = failure(at(row, "response", "body", "error")); why == "" {
				why = "HTTP " + strconv.FormatInt(status, 10)
			}
		}
		c.answers(e, at(row, "response", "body"), why)
	})
}

// choose takes the id of a row from the field that a person chose, if one did.
func (c *collector) choose(e *entry, documents ...any) bool {
	if c.options.ID == "" {
		return true
	}
	id, why := c.chosenID(documents...)
	if why != "" {
		c.problem(e.text, e.place, "%s", why)
		return false
	}
	e.row.ID, e.row.Sample = id, 0
	return true
}

// splitSample splits "refund#2" into a case and the number of its sample.
func splitSample(id string) (string, int) {
	name, number, ok := cutLast(id, "#")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 || n > 1<<30 || strconv.Itoa(n) != number || strings.TrimSpace(name) == "" {
		return id, 0
	}
	return name, n
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// answers takes in the outputs of an answer of OpenAI's API: one for each
// choice of a chat completion, which are then samples, or one for a response.
// What is neither is a problem; why says that the request failed instead.
func (c *collector) answers(e entry, body any, why string) {
	if why != "" {
		e.row.Error = why
		c.entry(e)
		return
	}
	out := output.Output{
		Model: textAt(body, "model"), InputTokens: countAt(body, "usage", "prompt_tokens"), OutputTokens: countAt(body, "usage", "completion_tokens"),
		LatencyMS: e.row.Output.LatencyMS,
	}
	choices := listAt(body, "choices")
	if len(choices) == 0 {
		items, ok := at(body, "output").([]any)
		if !ok {
			c.problem(e.text, e.place, "expected an answer with \"choices\" or \"output\", got %s", describe(body))
			return
		}
		responseItems(&out, items)
		out.InputTokens, out.OutputTokens = countAt(body, "usage", "input_tokens"), countAt(body, "usage", "output_tokens")
		out.StopReason = textAt(body, "status")
		e.row.Output = out
		c.entry(e)
		return
	}
	for i, choice := range choices {
		one := e
		one.row.Output = out
		if len(choices) > 1 {
			// The tokens are those of all choices together.
			one.row.Sample, one.row.Output.InputTokens, one.row.Output.OutputTokens = 0, nil, nil
			if e.unique != "" {
				one.unique = e.unique + "\x00" + strconv.Itoa(i)
			}
		}
		if !chatAnswer(&one.row.Output, choice) {
			c.problem(e.text, e.place, "%s has no message", fmt.Sprintf("choices[%d]", i))
			return
		}
		c.entry(one)
	}
}

// chatAnswer reads a choice of a chat completion. A refusal is the text where
// there is no other.
func chatAnswer(out *output.Output, choice any) bool {
	message := objectAt(choice, "message")
	if message == nil {
		if text, ok := at(choice, "text").(string); ok { // the older completions
			out.Text, out.StopReason = text, textAt(choice, "finish_reason")
			return true
		}
		return false
	}
	out.Text = contentText(message["content"])
	if out.Text == "" {
		out.Text = textAt(message, "refusal")
	}
	out.ToolCalls = []output.ToolCall{}
	if !chatCalls(out, listAt(message, "tool_calls")) {
		out.ToolCallsError = "a call names no function"
	}
	if name := textAt(message, "function_call", "name"); name != "" {
		addCall(out, name, at(message, "function_call", "arguments"))
	}
	out.StopReason = textAt(choice, "finish_reason")
	return true
}

// responseItems reads the items of a response: messages and calls.
func responseItems(out *output.Output, items []any) {
	out.ToolCalls = []output.ToolCall{}
	var said []string
	for _, item := range items {
		switch textAt(item, "type") {
		case "message":
			if s := contentText(at(item, "content")); s != "" {
				said = append(said, s)
			}
		case "function_call":
			if name := textAt(item, "name"); name != "" {
				addCall(out, name, at(item, "arguments"))
			}
		}
	}
	out.Text = strings.Join(said, "\n")
}
