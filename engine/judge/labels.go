package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"docket/engine/canonical"
	"docket/engine/jsonl"
	"docket/engine/stats"
)

// A Label is what people say of one output by one rubric, with what the judge
// says of it, where that is known.
type Label struct {
	Line   int // in the file
	ID     string
	Rubric string
	Input  map[string]any
	Output string
	Human  bool
	// Judge is the verdict of the judge; nil where it was not asked yet, or gave
	// none.
	Judge *bool
	// Unscored says why the judge gave no verdict.
	Unscored string
}

// MaxLabels bounds, in bytes, a file of labels.
const MaxLabels = 64_000_000

// ReadLabels reads a file of labels, JSON Lines: an object with output, label
// (pass or fail) and rubric on each line; id, input and verdict may be there. An
// error has the file and the line.
func ReadLabels(name string, data []byte) ([]Label, error) {
	if len(data) > MaxLabels {
		return nil, fmt.Errorf("%s is larger than %d MB", name, MaxLabels/1_000_000)
	}
	var labels []Label
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		label, err := readLabel(bytes.TrimSpace(line))
		if err != nil {
			return nil, &jsonl.Error{File: name, Line: number, Message: err.Error()}
		}
		label.Line = number
		if label.ID == "" {
			label.ID = fmt.Sprintf("line %d", number)
		}
		labels = append(labels, label)
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("%s holds no label: expected one object on each line, such as {\"output\": \"…\", \"rubric\": \"…\", \"label\": \"pass\"}", name)
	}
	return labels, nil
}

func readLabel(line []byte) (Label, error) {
	var l Label
	value, err := canonical.Parse(line)
	if err != nil {
		return l, fmt.Errorf("not one JSON object: %w", err)
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return l, fmt.Errorf("expected an object such as {\"output\": \"…\", \"rubric\": \"…\", \"label\": \"pass\"}")
	}
	text := func(key string) string { s, _ := fields[key].(string); return s }
	l.ID, l.Rubric, l.Output = text("id"), text("rubric"), text("output")
	if _, ok := fields["output"].(string); !ok {
		return l, fmt.Errorf(`expected "output", the text that was judged`)
	}
	switch in := fields["input"].(type) {
	case map[string]any:
		l.Input = in
	case nil:
	default:
		l.Input = map[string]any{"input": in}
	}
	human, err := word(fields["label"])
	if err != nil {
		return l, fmt.Errorf(`"label", what people say, %w`, err)
	}
	l.Human = human
	if given := fields["verdict"]; given != nil {
		if given == unscored {
			l.Unscored = "the file says so"
			return l, nil
		}
		verdict, err := word(given)
		if err != nil {
			return l, fmt.Errorf(`"verdict", what the judge says, %w`, err)
		}
		l.Judge = &verdict
	}
	if l.Judge == nil && strings.TrimSpace(l.Rubric) == "" {
		return l, fmt.Errorf(`expected "rubric", what the judge is to hold the output to, or "verdict", what it said`)
	}
	return l, nil
}

// word reads a verdict: pass or fail, or true or false.
func word(v any) (bool, error) {
	switch v {
	case pass, true:
		return true, nil
	case fail, false:
		return false, nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		text = []byte("something else")
	}
	return false, fmt.Errorf("must be pass or fail, got %.40s", text)
}

// Agree counts how a judge's verdicts meet those of people. Outputs without a
// verdict are counted apart, and enter nothing else.
func Agree(labels []Label) (c stats.Confusion, without int) {
	for i := range labels {
		switch l := &labels[i]; {
		case l.Judge == nil:
			without++
		case *l.Judge && l.Human:
			c.BothPass++
		case *l.Judge:
			c.JudgePass++
		case l.Human:
			c.HumanPass++
		default:
			c.BothFail++
		}
	}
	return c, without
}
