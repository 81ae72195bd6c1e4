package interchange

import (
	"context"
	"maps"
	"slices"

	"docket/engine/output"
)

// hostedRule is how rows of a hosted evaluation pair.
const hostedRule = "a case's id is a hash of its item (--id names a key of the item instead)"

func isHostedEval(s *sight) bool {
	return s.first == '{' && s.has("item", "sample") && s.any("grades", "passes", "data_source_idx")
}

// readHostedEval reads the rows that OpenAI's dashboard exports of an
// evaluation, one on each line. Runs in one file are variants. A grader's
// verdict and its grade are one check.
func readHostedEval(ctx context.Context, in *input) (*collector, error) {
	c := newCollector(in)
	if in.options.ID == "" {
		c.tally.rule = hostedRule
	}
	return c, eachLine(ctx, c, in, func(t text, ended bool) {
		row, ok := c.lineObject(t, ended, text.parseLoose)
		if !ok {
			return
		}
		item, sample := objectAt(row, "item"), objectAt(row, "sample")
		if item == nil {
			c.problem(t, "", "expected an \"item\", the case that this is an output of, got %s", describe(row["item"]))
			return
		}
		e := entry{text: t, row: Row{ID: digest("item", item), Input: item}, variant: variant{name: textAt(row, "run_id")}}
		if n, ok := integer(row["data_source_idx"]); ok && n >= 0 && n < 1<<31 {
			e.order = int(n)
		}
		if !c.choose(&e, item, row) {
			return
		}
		if e.row.Error = failure(sample["error"]); e.row.Error == "" {
			if sample == nil {
				e.row.Error = "the export holds no output of this item"
			} else {
				hostedOutput(&e.row.Output, sample)
				e.row.Checks = hostedChecks(row)
			}
		}
		c.entry(e)
	})
}

func hostedOutput(out *output.Output, sample map[string]any) {
	out.ToolCalls = []output.ToolCall{}
	for _, message := range listAt(sample, "outputs") {
		if s := contentText(at(message, "content")); s != "" {
			out.Text = s // the last one is the answer
		}
		if !chatCalls(out, listAt(message, "tool_calls")) {
			out.ToolCallsError = "a call names no function"
		}
	}
	out.Model, out.StopReason = textAt(sample, "model"), textAt(sample, "finish_reason")
	out.InputTokens = countAt(sample, "token_usage", "prompt_tokens")
	out.OutputTokens = countAt(sample, "token_usage", "completion_tokens")
}

func hostedChecks(row map[string]any) []Check {
	all := newChecks("openai")
	names := slices.AppendSeq(slices.Collect(maps.Keys(objectAt(row, "passes"))), maps.Keys(objectAt(row, "grades")))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		pass, score := boolAt(row, "passes", name), numberAt(row, "grades", name)
		if score == nil {
			score = oneOrZero(pass)
		}
		all.add(name, pass, score, "")
	}
	return all.all
}
