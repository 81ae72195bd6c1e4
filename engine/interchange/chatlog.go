package interchange

import (
	"context"
	"fmt"
)

func isChatLog(s *sight) bool {
	answer := s.any("response.choices", "response.output") && s.any("response.object", "response.model", "request")
	return s.first == '{' && (answer || isBareChat(s))
}

// isBareChat recognises lines that are answers of the API and nothing else.
func isBareChat(s *sight) bool {
	return s.words["object"] == "chat.completion" && s.has("choices")
}

// readChatLog reads logged chat completions: lines with a request and the
// response to it, whose case is named by "case_id", "custom_id" or "id", or
// lines that are bare responses. These do not say whose they are, so the field
// that does must be chosen; "line" pairs them by their place in the file.
func readChatLog(ctx context.Context, in *input) (*collector, error) {
	c := newCollector(in)
	if in.options.ID == "line" {
		c.tally.rule = "a case's id is its line's number in the file, as --id line asks"
	}
	return c, eachLine(ctx, c, in, func(t text, ended bool) {
		row, ok := c.lineObject(t, ended, text.parse)
		if !ok {
			return
		}
		e := entry{text: t}
		body := row["response"]
		bare := body == nil && row["choices"] != nil
		if bare {
			body = row
		}
		if n, given := integer(row["sample"]); given && !bare {
			if n < 1 || n > 1<<30 {
				c.problem(t, "", "\"sample\" must be a whole number from 1, got %s", describe(row["sample"]))
				return
			}
			e.row.Sample = int(n)
		}
		sample := e.row.Sample
		switch {
		case in.options.ID == "line":
			e.row.ID = fmt.Sprintf("line-%d", t.line)
		case in.options.ID != "":
			if !c.choose(&e, row, row["request"]) {
				return
			}
			e.row.Sample = sample
		case bare:
			c.problem(t, "", "this chat completion does not say which case it answers; name the field that does with --id, such as metadata.case, or pair by line with --id line")
			return
		default:
			for _, key := range []string{"case_id", "custom_id", "id"} {
				if e.row.ID == "" {
					e.row.ID = textAt(row, key)
				}
			}
			if e.row.ID == "" {
				c.problem(t, "", "expected a \"case_id\", the case that this is an output of; another field can be named with --id")
				return
			}
		}
		if messages := at(row, "request", "messages"); messages != nil {
			e.row.Input = asInput(messages)
		} else {
			e.row.Input = asInput(at(row, "request", "input"))
		}
		e.row.Output.LatencyMS = amountAt(row, "latency_ms")
		why := failure(row["error"])
		if why == "" {
			why = failure(at(body, "error"))
		}
		c.answers(e, body, why)
	})
}
