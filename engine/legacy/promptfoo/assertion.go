package promptfoo

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"docket/engine/legacy"
	"docket/engine/source"
)

// maxSets is how deep sets of assertions may nest.
const maxSets = 20

// asserts makes claims of the assertions of a test.
func (r *reader) asserts(t *legacy.Test, list []source.Value, vars []variable, depth int) {
	for _, a := range list {
		if a.Get("type").Scalar() == "assert-set" && depth < maxSets {
			if n := a.Get("threshold"); !n.IsZero() && n.Scalar() != "1" {
				t.Unresolved = append(t.Unresolved, legacy.Problem{Line: r.line(a), Message: "of a set of assertions a score of " + n.Scalar() + " is enough"})
			}
			r.asserts(t, a.Get("assert").Items(), vars, depth+1)
			continue
		}
		line := r.line(a)
		var claims []legacy.Claim
		if text, ok := a.Text(); ok {
			claims = short(text)
		} else {
			value := a.Get("value").JSON()
			if text, ok := value.(string); ok && strings.HasPrefix(text, "file://") {
				x := r.fileVar("", text)
				value = x.value
				if x.why != "" {
					value = unread{x.why}
				}
			}
			threshold, _ := a.Get("threshold").Number()
			claims = claim(a.Get("type").Scalar(), value, threshold)
		}
		r.place(t, claims, line, a.Get("transform"), vars)
	}
}

func (r *reader) line(v source.Value) int {
	if r.inner {
		return r.at
	}
	return v.At().Line
}

// place puts claims into a test: vars are filled in, and a piece of the output
// that they are made of becomes their path.
func (r *reader) place(t *legacy.Test, claims []legacy.Claim, line int, transform source.Value, vars []variable) {
	for _, c := range claims {
		c.Line, c.End = line, line
		if !r.inner && line >= 1 && line <= len(r.lines) {
			c.End = r.itemEnd(line)
			c.Text = strings.TrimSpace(r.span(line, c.End))
		}
		fill(&c, vars)
		if text := transform.Scalar(); text != "" {
			if m := piece.FindStringSubmatch(strings.TrimSpace(text)); m != nil && c.Subject == legacy.Answer {
				c.Subject, c.Path = legacy.Document, strings.TrimPrefix(strings.ReplaceAll(m[2], "?", ""), ".")
			} else {
				c.Op, c.Values, c.Why = legacy.Unknown, nil, "of what a script makes of the answer"
			}
		}
		if c.Why != "" {
			t.Unresolved = append(t.Unresolved, legacy.Problem{Line: line, Message: c.Why})
		}
		t.Claims = append(t.Claims, c)
	}
}

var piece = regexp.MustCompile(`^(JSON\.parse\(output\)|output)((?:\??\.[A-Za-z_]\w*|\[\d+\])+)$`)

// itemEnd is the last line of the item of a list that begins on a line.
func (r *reader) itemEnd(line int) int {
	indent := len(r.lines[line-1]) - len(strings.TrimLeft(r.lines[line-1], " "))
	end := line
	for at := line; at < len(r.lines); at++ {
		text := r.lines[at]
		if blank(text) {
			continue
		}
		if len(text)-len(strings.TrimLeft(text, " ")) <= indent {
			break
		}
		end = at + 1
	}
	return end
}

var reference = regexp.MustCompile(`\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}`)

// fill puts vars in the place of {{name}}; a template that does more is left
// unresolved.
func fill(c *legacy.Claim, vars []variable) {
	for i, v := range c.Values {
		text, ok := v.(string)
		if !ok || !strings.Contains(text, "{{") {
			continue
		}
		text = reference.ReplaceAllStringFunc(text, func(m string) string {
			name := reference.FindStringSubmatch(m)[1]
			for _, x := range vars {
				if x.name == name && x.why == "" {
					switch v := x.value.(type) {
					case string:
						return v
					case json.Number:
						return v.String()
					}
				}
			}
			return m
		})
		if strings.Contains(text, "{{") || strings.Contains(text, "{%") {
			c.Values, c.Why = nil, "a template that a run fills in"
			return
		}
		c.Values[i] = text
	}
}

// An unread is a value that is not in the source.
type unread struct{ why string }

// claim says what an assertion of a type claims. Threshold is "" where there is
// none.
func claim(kind string, value any, threshold json.Number) []legacy.Claim {
	c := legacy.Claim{Subject: legacy.Answer}
	base, not := strings.CutPrefix(kind, "not-")
	c.Not = not
	if u, ok := value.(unread); ok {
		c.Op, c.Why = legacy.Unknown, u.why
		return []legacy.Claim{c}
	}
	if strings.HasPrefix(base, "i") && (strings.HasPrefix(base, "icontains") || strings.HasPrefix(base, "iequals") || strings.HasPrefix(base, "istarts")) {
		c.IgnoreCase = true
		base = base[1:]
	}
	c.Values = []any{value}
	if value == nil {
		c.Values = nil
	}
	switch base {
	case "contains":
		c.Op = legacy.Contains
	case "contains-all", "contains-any":
		c.Op, c.Any, c.Values = legacy.Contains, base == "contains-any", items(value)
	case "starts-with":
		c.Op = legacy.StartsWith
	case "ends-with":
		c.Op = legacy.EndsWith
	case "regex":
		c.Op = legacy.Matches
	case "equals":
		c.Op = legacy.Equals
		if _, text := value.(string); !text {
			c.Subject = legacy.Document
		}
	case "is-json":
		c.Op, c.Values = legacy.Parses, nil
		if value != nil {
			return append([]legacy.Claim{c}, schema(value, not)...)
		}
	case "is-refusal":
		c.Path, c.Op, c.Values = "refusal", legacy.Truthy, nil
	case "word-count":
		return words(c, value)
	case "cost", "latency", "perplexity", "perplexity-score":
		c.Subject, c.Path, c.Op, c.Values = legacy.Response, base, legacy.AtMost, nil
		if threshold != "" {
			c.Values = []any{threshold}
		}
	case "is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call", "finish-reason", "trace-span-count", "guardrails":
		c.Subject, c.Path, c.Op = legacy.Response, base, legacy.Truthy
	case "tool-call-f1":
		c.Subject, c.Op, c.Values = legacy.Tools, legacy.Contains, items(value)
	case "":
		c.Op, c.Why = legacy.Unknown, "it has no type"
	default:
		c.Op = legacy.Unknown
		c.Values, c.Why = nil, unresolved(base) // its source stands in Text
	}
	return []legacy.Claim{c}
}

func unresolved(kind string) string {
	switch kind {
	case "javascript", "python", "ruby", "webhook":
		return "what a script decides: " + kind
	case "llm-rubric", "model-graded-closedqa", "model-graded-factuality", "factuality", "g-eval", "answer-relevance", "context-recall", "context-relevance", "context-faithfulness", "select-best", "moderation", "pi", "search-rubric":
		return "what a model judges by a rubric: " + kind
	case "similar", "levenshtein", "rouge-n", "bleu", "gleu", "meteor", "classifier":
		return "a measure of likeness: " + kind
	case "contains-json", "is-xml", "contains-xml", "is-sql", "contains-sql", "is-html", "contains-html":
		return "a format that docket has no check for: " + kind
	}
	return fmt.Sprintf("a type of assertion that docket does not know: %q", kind)
}

// items are the values of a list, or of a text with commas between them.
func items(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case string:
		var list []any
		for part := range strings.SplitSeq(v, ",") {
			list = append(list, strings.TrimSpace(part))
		}
		return list
	}
	return nil
}

// schema says the keys that a JSON schema requires.
func schema(v any, not bool) []legacy.Claim {
	m, _ := v.(map[string]any)
	required, _ := m["required"].([]any)
	if len(required) == 0 || not {
		return nil
	}
	return []legacy.Claim{{Subject: legacy.Document, Op: legacy.HasKey, Values: required}}
}

// words reads how many words there may be: a number, or the least and the most.
func words(c legacy.Claim, v any) []legacy.Claim {
	c.Path = "words"
	switch v := v.(type) {
	case json.Number:
		c.Op, c.Values = legacy.Equals, []any{v}
		return []legacy.Claim{c}
	case map[string]any:
		var list []legacy.Claim
		for _, bound := range []struct {
			key string
			op  legacy.Op
		}{{"min", legacy.AtLeast}, {"max", legacy.AtMost}} {
			if n, ok := v[bound.key].(json.Number); ok {
				one := c
				one.Op, one.Values = bound.op, []any{n}
				list = append(list, one)
			}
		}
		return list
	}
	c.Op, c.Values, c.Why = legacy.Unknown, nil, "the number of words is not in the source"
	return []legacy.Claim{c}
}
