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

// writePromptfoo writes results as version 3 of promptfoo's JSON. The id of a
// case is the description of its test, as docket reads it; a check is an
// assertion whose metric is the check's name, and a verdict of promptfoo's own
// has that name without its prefix.
func writePromptfoo(w io.Writer, r *Run) error {
	const promptText = "{{input}}"
	provider := map[string]any{"id": cmp.Or(r.Config.Model, r.Config.System, "docket"), "label": cmp.Or(r.Config.System, "docket")}
	promptID := canonical.Hash(promptText)[len("sha256:"):]
	label := cmp.Or(r.Config.Suite, "docket")
	tally := newTally()
	var rows []any
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, s := range c.samples() {
			rows = append(rows, promptfooRow(c, &s, i, provider, map[string]any{
				"raw": promptText, "label": label,
			}, promptID, r.ID, tally))
		}
	}
	started := r.Started.UTC().Format(time.RFC3339)
	metrics := tally.metrics()
	return safetext.IndentedJSON(w, promptfooFile{
		EvalID: "docket-" + r.ID,
		Results: promptfooResults{
			Version: 3, Timestamp: started,
			Prompts: []any{map[string]any{"raw": promptText, "label": label, "id": promptID, "provider": provider["label"], "metrics": metrics}},
			Results: list(rows),
			Stats: map[string]any{
				"successes": tally.passed, "failures": tally.failed, "errors": tally.errors, "tokenUsage": metrics["tokenUsage"],
			},
		},
		Config:   map[string]any{"description": "docket " + r.Config.Suite + ", run " + r.ID, "prompts": []any{promptText}, "providers": []any{provider["id"]}, "tests": []any{}},
		Metadata: map[string]any{"exportedAt": started, "evaluationCreatedAt": started},
	})
}

// A promptfooFile is the envelope, in promptfoo's own order: programs tell the
// format by what stands first.
type promptfooFile struct {
	EvalID       string           `json:"evalId"`
	Results      promptfooResults `json:"results"`
	Config       map[string]any   `json:"config"`
	ShareableURL *string          `json:"shareableUrl"`
	Metadata     map[string]any   `json:"metadata"`
}

type promptfooResults struct {
	Version   int            `json:"version"`
	Timestamp string         `json:"timestamp"`
	Prompts   []any          `json:"prompts"`
	Results   []any          `json:"results"`
	Stats     map[string]any `json:"stats"`
}

// list is a list that is never null.
func list(items []any) []any {
	if items == nil {
		return []any{}
	}
	return items
}

func promptfooRow(c *Case, s *run.Sample, test int, provider, prompt map[string]any, promptID, runID string, t *tally) map[string]any {
	vars := c.Input
	if vars == nil {
		vars = map[string]any{}
	}
	components, asserts := []any{}, []any{}
	pass := s.Error == "" && (s.Pass == nil || *s.Pass)
	reason := "All assertions passed"
	if len(s.Checks) == 0 {
		reason = "No assertions"
	}
	named := map[string]any{}
	for _, v := range s.Checks {
		if v.Unscored != "" {
			continue
		}
		name, theirs := cutTool(v.Check, "promptfoo:")
		assertion := map[string]any{"type": "javascript", "metric": name, "value": "docket's check " + v.Check}
		if theirs {
			assertion["value"] = "promptfoo's own verdict"
		}
		components = append(components, map[string]any{"pass": v.Pass, "score": v.Score, "reason": v.Message, "assertion": assertion})
		asserts = append(asserts, assertion)
		named[name] = v.Score
		t.named[name] += v.Score
		t.counts[name]++
		t.check(v.Pass)
		if !v.Pass {
			reason = cmp.Or(v.Message, v.Check)
		}
	}
	score := 0.0
	switch {
	case s.Score != nil:
		score = *s.Score
	case pass:
		score = 1
	}
	row := map[string]any{
		"id":       canonical.Hash([]any{runID, c.ID, strconv.Itoa(s.Number)})[len("sha256:"):][:32],
		"promptId": promptID, "promptIdx": 0, "testIdx": test, "provider": provider, "prompt": prompt, "vars": vars,
		"testCase": map[string]any{"description": c.ID, "vars": vars, "assert": asserts, "metadata": map[string]any{"caseId": c.ID, "sample": s.Number}, "options": map[string]any{}},
		"success":  pass, "score": score, "namedScores": named, "metadata": map[string]any{"caseId": c.ID, "sample": s.Number},
		"failureReason": 0,
	}
	tokens := t.row(s, pass)
	row["tokenUsage"] = tokens
	if s.Error != "" {
		row["failureReason"], row["error"], row["response"] = 2, s.Error, map[string]any{"output": nil, "error": s.Error}
		return row
	}
	response := map[string]any{"output": promptfooOutput(s), "tokenUsage": tokens}
	if s.Output.CostUSD != nil {
		response["cost"], row["cost"] = *s.Output.CostUSD, *s.Output.CostUSD
	}
	if s.Output.LatencyMS != nil {
		row["latencyMs"] = *s.Output.LatencyMS
	}
	if s.Output.StopReason != "" {
		response["finishReason"] = s.Output.StopReason
	}
	if !pass {
		row["failureReason"], row["error"] = 1, reason
	}
	row["response"] = response
	row["gradingResult"] = map[string]any{"pass": pass, "score": score, "reason": reason, "namedScores": named, "componentResults": components, "tokensUsed": map[string]any{"total": 0, "prompt": 0, "completion": 0}}
	return row
}

// promptfooOutput is the text, or the calls in the form of OpenAI's interface
// with the text beside them.
func promptfooOutput(s *run.Sample) any {
	if len(s.Output.ToolCalls) == 0 {
		return s.Output.Text
	}
	var items []any
	if s.Output.Text != "" {
		items = append(items, map[string]any{"type": "text", "text": s.Output.Text})
	}
	for _, c := range s.Output.ToolCalls {
		items = append(items, map[string]any{"type": "function", "function": map[string]any{
			"name": c.Name, "arguments": string(canonical.Marshal(arguments(c.Arguments))),
		}})
	}
	return items
}

func cutTool(name, tool string) (string, bool) {
	if len(name) > len(tool) && name[:len(tool)] == tool {
		return name[len(tool):], true
	}
	return name, false
}

// A tally sums up what promptfoo shows above its table.
type tally struct {
	passed, failed, errors   int
	checksPass, checksFail   int
	score, cost, latency     float64
	prompt, completion, rows int64
	named, counts            map[string]float64
}

func newTally() *tally { return &tally{named: map[string]float64{}, counts: map[string]float64{}} }

func (t *tally) check(pass bool) {
	if pass {
		t.checksPass++
	} else {
		t.checksFail++
	}
}

// row counts a sample and returns its tokens.
func (t *tally) row(s *run.Sample, pass bool) map[string]any {
	tokens := map[string]any{}
	t.rows++
	switch {
	case s.Error != "":
		t.errors++
	case pass:
		t.passed++
	default:
		t.failed++
	}
	if s.Score != nil {
		t.score += *s.Score
	} else if pass {
		t.score++
	}
	o := &s.Output
	if o.CostUSD != nil {
		t.cost += *o.CostUSD
	}
	if o.LatencyMS != nil {
		t.latency += *o.LatencyMS
	}
	if o.InputTokens != nil {
		tokens["prompt"] = *o.InputTokens
		t.prompt += *o.InputTokens
	}
	if o.OutputTokens != nil {
		tokens["completion"] = *o.OutputTokens
		t.completion += *o.OutputTokens
	}
	if o.InputTokens != nil && o.OutputTokens != nil {
		tokens["total"] = *o.InputTokens + *o.OutputTokens
	}
	return tokens
}

func (t *tally) metrics() map[string]any {
	return map[string]any{
		"score": t.score, "testPassCount": t.passed, "testFailCount": t.failed, "testErrorCount": t.errors,
		"assertPassCount": t.checksPass, "assertFailCount": t.checksFail, "totalLatencyMs": t.latency, "cost": t.cost,
		"tokenUsage":  map[string]any{"prompt": t.prompt, "completion": t.completion, "cached": 0, "total": t.prompt + t.completion, "numRequests": t.rows},
		"namedScores": t.named, "namedScoresCount": t.counts,
	}
}
