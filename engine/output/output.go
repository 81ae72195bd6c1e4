// Package output holds what a system under test returned for one case: its
// text, its tool calls, what it cost, and the model that answered. Systems
// give outputs, judgement takes them.
//
// The package refuses to judge: it knows no case, no check and no projection,
// and nothing in it reads Raw.
package output

import (
	"encoding/json"
	"slices"
)

// An Output is what a system returned for one sample of one case.
//
// Absent is not zero. A nil number was not measured, and a nil ToolCalls says
// that nobody recorded whether tools were called, while an empty one says that
// none was.
type Output struct {
	// Text is the answer's text, exactly as it came, UTF-8 but otherwise
	// untrusted: it must pass safetext before a terminal shows it.
	Text string `json:"text"`

	// ToolCalls are the calls in the order in which the model made them;
	// nil when unknown.
	ToolCalls []ToolCall `json:"tool_calls,omitzero"`

	// ToolCallsError says why the model's call could not be parsed. It is the
	// model's behaviour, not a failure of the system.
	ToolCallsError string `json:"tool_calls_error,omitzero"`

	Model        string   `json:"model,omitzero"`         // the model that answered, as its provider names it
	LatencyMS    *float64 `json:"latency_ms,omitzero"`    // milliseconds of wall time
	InputTokens  *int64   `json:"input_tokens,omitzero"`  // tokens billed as input
	OutputTokens *int64   `json:"output_tokens,omitzero"` // tokens billed as output
	CostUSD      *float64 `json:"cost_usd,omitzero"`      // US dollars
	StopReason   string   `json:"stop_reason,omitzero"`   // as the provider names it

	// Raw is whatever else the source kept. Judgement never reads it.
	Raw json.RawMessage `json:"raw,omitzero"`
}

// A ToolCall is one call that a model asked for.
type ToolCall struct {
	Name string `json:"name"`
	// Arguments is a JSON object, or nil for a call without any.
	Arguments json.RawMessage `json:"arguments,omitzero"`
}

// ArgumentKeys returns the names of the call's arguments, sorted by bytes. It
// reports false where the arguments are not a JSON object.
func (c ToolCall) ArgumentKeys() ([]string, bool) {
	if len(c.Arguments) == 0 || string(c.Arguments) == "null" {
		return nil, true
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(c.Arguments, &members); err != nil {
		return nil, false
	}
	keys := make([]string, 0, len(members))
	for k := range members {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys, true
}
