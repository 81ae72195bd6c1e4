package provider

import (
	"encoding/json"
	"time"

	"docket/engine/output"
	"docket/engine/wire"
)

// Traffic is what passed while one sample of one case was under way.
type Traffic struct {
	Calls    []Call        // to models, in the order in which they were made
	Services []ServiceCall // to services, in the order in which they were answered
}

// A Call is one call of a model that was answered. What is not known is nil.
type Call struct {
	Provider string            `json:"provider"`
	Asked    string            `json:"asked,omitzero"`      // the model
	Model    string            `json:"model,omitzero"`      // that answered
	Attempts int               `json:"attempts,omitzero"`   // 1 where the first was answered
	Latency  *float64          `json:"latency_ms,omitzero"` // of the answer, when it was live
	Input    *int64            `json:"input_tokens,omitzero"`
	Output   *int64            `json:"output_tokens,omitzero"`
	Cost     *float64          `json:"cost_usd,omitzero"`
	Stop     string            `json:"stop_reason,omitzero"`
	Refused  bool              `json:"refused,omitzero"`
	Cut      bool              `json:"truncated,omitzero"`
	Tools    []output.ToolCall `json:"-"`
	BadCall  string            `json:"-"`                 // why the arguments of a tool call did not parse
	Recorded *time.Time        `json:"recorded,omitzero"` // of an answer from a recording: when

	begun int
}

// A ServiceCall is one call of a service that was answered.
type ServiceCall struct {
	Service  string
	Recorded *time.Time // of an answer from a recording: when; else nil
}

// fill notes what an answer says.
func (c *Call) fill(a *wire.Answer) {
	c.Model, c.Stop, c.Refused, c.Cut = a.Model, a.StopReason, a.Refused, a.Truncated
	c.Input, c.Output = a.Input, a.Output
	c.Tools, c.BadCall = a.ToolCalls, a.ToolCallsError
}

// Complete fills in what an output does not say and the traffic knows: the
// tool calls that models made, the model that answered last and why it stopped,
// and, summed over all calls, tokens, cost and the time they took. A sum is
// unknown where one of its parts is. Where the output keeps nothing of its own
// beside, the calls are kept, too.
func (t Traffic) Complete(o *output.Output) {
	if len(t.Calls) == 0 {
		return
	}
	last := t.Calls[len(t.Calls)-1]
	if o.Model == "" {
		o.Model = last.Model
	}
	if o.StopReason == "" {
		o.StopReason = last.Stop
	}
	if o.ToolCalls == nil && o.ToolCallsError == "" {
		o.ToolCalls = []output.ToolCall{}
		for _, c := range t.Calls {
			o.ToolCalls = append(o.ToolCalls, c.Tools...)
			if o.ToolCallsError == "" {
				o.ToolCallsError = c.BadCall
			}
		}
	}
	if o.InputTokens == nil {
		o.InputTokens = total(t.Calls, func(c Call) *int64 { return c.Input })
	}
	if o.OutputTokens == nil {
		o.OutputTokens = total(t.Calls, func(c Call) *int64 { return c.Output })
	}
	if o.CostUSD == nil {
		o.CostUSD = t.Cost()
	}
	if o.LatencyMS == nil {
		o.LatencyMS = total(t.Calls, func(c Call) *float64 { return c.Latency })
	}
	if len(o.Raw) == 0 {
		if raw, err := json.Marshal(map[string]any{"calls": t.Calls}); err == nil {
			o.Raw = raw
		}
	}
}

// Cost is what the calls cost together, in US dollars; nil where it is not
// known of one.
func (t Traffic) Cost() *float64 {
	return total(t.Calls, func(c Call) *float64 { return c.Cost })
}

// total adds a number over all calls; nil where it is not known of one.
func total[N int64 | float64](calls []Call, of func(Call) *N) *N {
	var sum N
	for _, c := range calls {
		n := of(c)
		if n == nil {
			return nil
		}
		sum += *n
	}
	return &sum
}
