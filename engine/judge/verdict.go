package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/source"
)

const zero = json.Number("0")

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// A Verdict is what a judge says of one output.
type Verdict struct {
	Pass   bool
	Score  float64 // 0..1
	Reason string  // untrusted
	// Unscored says why there is no verdict; "" where there is one.
	Unscored string
}

// The words of a verdict.
const (
	pass     = "pass"
	fail     = "fail"
	unscored = "unscored"
)

// verdictSchema is the form of a verdict: every field required, none with a
// default, so that what a judge leaves out is not taken for a yes.
func verdictSchema() any {
	return map[string]any{
		"type":                 "object",
		"additionalProperties": false,
		"required":             []any{"reason", "verdict", "score"},
		"properties": map[string]any{
			"reason":  map[string]any{"type": "string"},
			"verdict": map[string]any{"type": "string", "enum": []any{pass, fail, unscored}},
			"score":   map[string]any{"type": "number"},
		},
	}
}

// readVerdict reads what a judge answered: one JSON object in the form that was
// asked for, and nothing around it. A score outside 0 to 1 is not clamped, since
// that would turn a slip into full marks.
func readVerdict(o *output.Output) (Verdict, error) {
	if o.StopReason == "length" || o.StopReason == "max_tokens" {
		return Verdict{}, errors.New("the answer was cut off")
	}
	value, err := canonical.Parse([]byte(strings.TrimSpace(o.Text)))
	if err != nil {
		return Verdict{}, errors.New("the answer is not a JSON object")
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return Verdict{}, errors.New("the answer is not a JSON object")
	}
	word, _ := fields["verdict"].(string)
	reason, hasReason := fields["reason"].(string)
	n, hasScore := fields["score"].(json.Number)
	score, err := n.Float64()
	switch {
	case word != pass && word != fail && word != unscored:
		return Verdict{}, errors.New("the verdict is neither pass, fail nor unscored")
	case !hasReason:
		return Verdict{}, errors.New("the verdict has no reason")
	case word == unscored:
		return Verdict{Unscored: "the judge gave no verdict: " + reason}, nil
	case !hasScore || err != nil || !(score >= 0 && score <= 1):
		return Verdict{}, errors.New("the score is not a number from 0 to 1")
	}
	return Verdict{Pass: word == pass, Score: score, Reason: reason}, nil
}

// CompileMock reads the canned verdict of a case, as mock_verdicts has it: pass,
// fail or unscored; a mapping with verdict, and a reason and a score if wanted;
// or a list of these, one for each call of the judge, of which the second is
// the retry after an answer that could not be read. The answers that are
// returned go through the door like a model's.
func CompileMock(v source.Value) ([]output.Output, source.Problems) {
	items := []source.Value{v}
	if v.Kind() == source.List {
		items = v.Items()
	}
	if len(items) == 0 {
		return nil, source.Problems{v.Problemf("mock_verdicts is an empty list; expected a verdict, such as pass")}
	}
	var answers []output.Output
	var problems source.Problems
	for _, item := range items {
		answer, more := cannedVerdict(item)
		problems = append(problems, more...)
		answers = append(answers, output.Output{Text: answer, ToolCalls: []output.ToolCall{}})
	}
	return answers, problems
}

func cannedVerdict(v source.Value) (string, source.Problems) {
	word, reason, score := v, "canned", ""
	if v.Kind() == source.Map {
		if problems := source.Known(v, "a verdict", "verdict", "reason", "score"); len(problems) > 0 {
			return "", problems
		}
		word = v.Get("verdict")
		if r, ok := v.Get("reason").Text(); ok {
			reason = r
		}
		if s := v.Get("score"); !s.IsZero() {
			n, ok := s.Number()
			if f, err := n.Float64(); !ok || err != nil || f < 0 || f > 1 {
				return "", source.Problems{s.Problemf("score must be a number from 0 to 1, got %s", s.Describe())}
			}
			score = n.String()
		}
	}
	switch word.Scalar() {
	case pass:
		if score == "" {
			score = "1"
		}
	case fail, unscored:
		if score == "" {
			score = "0"
		}
	default:
		at := word
		if at.IsZero() {
			at = v
		}
		return "", source.Problems{at.Problemf("a canned verdict is pass, fail or unscored, or a mapping such as {verdict: fail, score: 0.4, reason: curt}, got %s", at.Describe())}
	}
	return fmt.Sprintf(`{"reason":%s,"score":%s,"verdict":%q}`, canonical.Marshal(reason), score, word.Scalar()), nil
}
