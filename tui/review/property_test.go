package review_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/output"
	"docket/engine/run"
	"docket/tui/tuitest"
)

// babel is a library whose every text is random.
func babel(t *rapid.T) *library {
	l := newLibrary()
	clear(l.base)
	clear(l.next)
	clear(l.failed)
	s := func(label string) string { return tuitest.Hostile().Draw(t, label) }
	valid := func(label string) string { return strings.ToValidUTF8(s(label), "�") }
	for i := range rapid.IntRange(1, 8).Draw(t, "cases") {
		id := fmt.Sprint(i, valid("id"))
		old, now := question(id, valid("label"), 5), question(id, valid("label"), 3)
		check := "c" + valid("check")
		old.Checks[check], now.Checks[check] = verdict(5, 5), verdict(rapid.IntRange(0, 3).Draw(t, "passed"), 3)
		old.Projections["entities"] = []any{valid("entity"), valid("entity")}
		old.Unstable = map[string]map[string]int{"shape": {valid("member"): 2}}
		if rapid.Bool().Draw(t, "edited") {
			now.Input = "sha256:edited"
		}
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			l.base[id] = old
		case 1:
			l.next[id] = now
		case 2:
			l.base[id] = old
			l.failed[id] = s("failure")
		default:
			l.base[id], l.next[id] = old, now
		}
		l.about[id] = engine.About{Provenance: s("why"), Added: s("added"), Tags: []string{s("tag")}, Links: []string{s("link")}}
		call := output.ToolCall{Name: s("tool"), Arguments: json.RawMessage(s("arguments"))}
		sample := func() run.Sample {
			return run.Sample{
				Number: 1, Output: output.Output{Text: s("text"), ToolCalls: []output.ToolCall{call}, ToolCallsError: s("unparsable"), Raw: json.RawMessage(s("raw"))},
				Checks: []run.Verdict{{Check: check, Message: s("message")}},
			}
		}
		l.answers[id] = engine.Outputs{Old: []run.Sample{sample()}, New: []run.Sample{sample(), {Number: 2, Error: s("error")}}}
		if rapid.Bool().Draw(t, "no prose") {
			l.answers[id] = engine.Outputs{NoOld: s("no old"), New: []run.Sample{sample()}}
		}
		l.past[id] = []decision.Past{{Decision: decision.Decision{
			At: time.Unix(0, 0), By: s("by"), Verdict: decision.Reject, Reason: s("reason"), Provenance: s("why"),
			Changes: []decision.Change{{Kind: "projection", Of: s("of"), Old: s("old"), New: []any{s("new")}}},
		}}}
	}
	return l
}

func TestPropertyFrames(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := babel(rt)
		tuitest.Storm(t, rt, l.screen(t), tuitest.Window(rt), "1", "2", "3", "4", "2", ">", "<", "o", "a", "r", "A", "R", "x", "s", "t", ":")
	})
}
