package draft

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"docket/engine/legacy"
)

// most is how often RE2 repeats at most.
const most = 1000

// answer says a claim about the text of the answer.
func answer(c *legacy.Claim, o Options) Check {
	if c.Path != "" {
		return counted(c)
	}
	switch c.Op {
	case legacy.Parses:
		if c.Not {
			return left("no check asks that a text is no JSON")
		}
		return expect("json_schema", map[string]any{"type": []any{"object", "array"}})
	case legacy.Truthy:
		if c.Not {
			return expect("must_not_match", []any{`\S`})
		}
		return expect("must_match", []any{`\S`})
	case legacy.Snapshot:
		return left("a snapshot is an old answer and no expectation: the baseline takes its place")
	case legacy.IsA, legacy.Called, legacy.Raises, legacy.HasKey, legacy.Unknown:
		return left("no check says this of a text")
	case legacy.Near, legacy.AtMost, legacy.AtLeast:
		return left("the place of the number in the text is not known: say it as must_match, or as a projection of numbers")
	}
	values, ok := texts(c.Values)
	if !ok {
		return left("its value is no text")
	}
	switch c.Op {
	case legacy.Contains:
		return contains(c, values)
	case legacy.Equals, legacy.OneOf:
		return equals(c, values, o)
	case legacy.StartsWith:
		return anchored(c, values, "^", "")
	case legacy.EndsWith:
		return anchored(c, values, "", `$`)
	case legacy.Matches:
		if blank(values) {
			return left("its pattern is blank")
		}
		return matches(c, values)
	}
	return left("no check says this of a text")
}

// texts returns values that are all strings.
func texts(values []any) ([]string, bool) {
	out := make([]string, 0, len(values))
	for _, v := range values {
		s, ok := v.(string)
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, len(out) > 0
}

func contains(c *legacy.Claim, values []string) Check {
	if slices.Contains(values, "") {
		return left("every text holds the empty string")
	}
	if blank(values) || strings.ContainsAny(strings.Join(values, ""), "\n\r\t") {
		return spaced(c, values) // a fact takes any white space for one space
	}
	switch {
	case !c.Not && (c.Any || len(values) == 1):
		return expect("must_contain_fact", []any{fact(values, c.IgnoreCase)})
	case !c.Not:
		facts := make([]any, 0, len(values))
		for _, v := range values {
			facts = append(facts, fact([]string{v}, c.IgnoreCase))
		}
		return expect("must_contain_fact", facts)
	case c.Any && len(values) > 1:
		return left("one of several strings must be absent, and no check says which")
	case c.IgnoreCase:
		patterns := make([]any, 0, len(values))
		for _, v := range values {
			patterns = append(patterns, "(?i)"+regexp.QuoteMeta(v))
		}
		return expect("must_not_match", patterns)
	}
	return expect("must_not_contain", list(values))
}

// spaced looks for strings whose white space counts: line ends, runs of spaces.
func spaced(c *legacy.Claim, values []string) Check {
	patterns := make([]string, len(values))
	for i, v := range values {
		patterns[i] = strings.NewReplacer("\r\n", `\n`, "\n", `\n`, "\r", `\r`, "\t", `\t`, " ", "[ ]").Replace(regexp.QuoteMeta(v))
		if c.IgnoreCase {
			patterns[i] = "(?i)" + patterns[i]
		}
	}
	switch {
	case c.Any && c.Not && len(values) > 1:
		return left("one of several strings must be absent, and no check says which")
	case c.Any:
		patterns = []string{strings.Join(patterns, "|")}
	}
	return expect(patternKey(c.Not), list(patterns))
}

// fact is one item of must_contain_fact, named after its first value.
func fact(values []string, ignoreCase bool) map[string]any {
	f := map[string]any{"key": factKey(values[0])}
	if len(values) == 1 {
		f["value"] = values[0]
	} else {
		f["any"] = list(values)
	}
	if ignoreCase {
		f["ignore_case"] = true
	}
	return f
}

func list(values []string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// equals says that the text is one of the values and nothing else: a label of
// the suite, or an exact pattern, white space around it aside.
func equals(c *legacy.Claim, values []string, o Options) Check {
	if c.Op == legacy.Equals && len(values) == 1 && !c.Not && !c.IgnoreCase && slices.Contains(o.Labels, values[0]) {
		return expect("label", values[0])
	}
	if !c.Not && !c.Any && c.Op == legacy.Equals && len(values) > 1 {
		return left("no text equals several others")
	}
	return anchored(c, values, `^\s*`, `\s*$`)
}

// anchored says that the text begins or ends with one of the values, or that it
// does not.
func anchored(c *legacy.Claim, values []string, before, after string) Check {
	if !c.Not && !c.Any && len(values) > 1 && c.Op != legacy.OneOf {
		return left("no text begins or ends with several others")
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = regexp.QuoteMeta(v)
	}
	pattern := strings.Join(quoted, "|")
	if len(quoted) > 1 {
		pattern = "(?:" + pattern + ")"
	}
	pattern = before + pattern + after
	if c.IgnoreCase {
		pattern = "(?i)" + pattern
	}
	return expect(patternKey(c.Not), []any{pattern})
}

func patternKey(not bool) string {
	if not {
		return "must_not_match"
	}
	return "must_match"
}

// matches says a pattern, where it means the same in RE2.
func matches(c *legacy.Claim, values []string) Check {
	if c.Not && c.Any && len(values) > 1 {
		return left("one of several patterns must not match, and no check says which")
	}
	patterns := make([]any, 0, len(values))
	for _, v := range values {
		p, why := RE2(v)
		if why != "" {
			return left(why)
		}
		if c.IgnoreCase {
			p = "(?i)" + p
		}
		patterns = append(patterns, p)
	}
	if c.Any && len(values) > 1 {
		joined := make([]string, len(patterns))
		for i, p := range patterns {
			joined[i] = "(?:" + p.(string) + ")"
		}
		patterns = []any{strings.Join(joined, "|")}
	}
	return expect(patternKey(c.Not), patterns)
}

// RE2 returns a pattern of Python or JavaScript as RE2 reads it, or why it
// cannot be said there.
func RE2(pattern string) (re2, why string) {
	re2 = strings.ReplaceAll(pattern, `\Z`, `\z`)
	if strings.Contains(pattern, `\\Z`) { // a backslash and a letter, then
		re2 = pattern
	}
	if _, err := regexp.Compile(re2); err != nil {
		return "", fmt.Sprintf("the pattern %q is none of RE2, which has no look-around and no back-references", pattern)
	}
	return re2, ""
}

// counted says how many words, lines or other parts a text has.
func counted(c *legacy.Claim) Check {
	switch c.Path {
	case "words", "sentences", "characters", "chars", "lines", "bullets", "paragraphs", "sections":
	default:
		return left("no check looks at " + c.Path + " alone")
	}
	if c.Op == legacy.OneOf || len(c.Values) != 1 {
		return left("no check says this of a count of " + c.Path)
	}
	number, ok := c.Values[0].(json.Number)
	if !ok {
		return left("no check says this of the " + c.Path + " of an answer one by one")
	}
	n, err := strconv.Atoi(number.String())
	if err != nil || n < 0 {
		return left("the count is no whole number")
	}
	op := c.Op
	if c.Not {
		switch op {
		case legacy.AtMost: // not at most n is at least n+1
			op, n = legacy.AtLeast, n+1
		case legacy.AtLeast:
			op, n = legacy.AtMost, n-1
		default:
			return left("no check denies a count of " + c.Path)
		}
	}
	if n < 0 {
		return left("no text has so few " + c.Path)
	}
	switch op {
	case legacy.Equals, legacy.AtMost, legacy.AtLeast:
	default:
		return left("no check says this of a count of " + c.Path)
	}
	return amount(c.Path, op, n)
}

// amount says that there are so many of a part.
func amount(part string, op legacy.Op, n int) Check {
	number := json.Number(strconv.Itoa(n))
	switch part {
	case "words":
		switch op {
		case legacy.AtMost:
			return expect("max_words", number)
		case legacy.AtLeast:
			return expect("min_words", number)
		}
		return Check{Expect: map[string]any{"min_words": number, "max_words": number}}
	case "sentences":
		if op == legacy.AtMost {
			return expect("max_sentences", number)
		}
	case "characters", "chars":
		return characters(op, n, number)
	}
	switch part {
	case "lines", "bullets", "sentences", "paragraphs", "sections":
	default:
		return left("no check counts " + part)
	}
	switch op {
	case legacy.AtMost:
		return expect("structure", map[string]any{part: map[string]any{"max": number}})
	case legacy.AtLeast:
		return expect("structure", map[string]any{part: map[string]any{"min": number}})
	}
	return expect("structure", map[string]any{part: number})
}

func characters(op legacy.Op, n int, number json.Number) Check {
	switch {
	case op == legacy.AtMost && n > 0:
		return expect("max_chars", number)
	case n > most:
		return left(fmt.Sprintf("no check asks for %d characters at least", n))
	case op == legacy.AtLeast && n > 0:
		return expect("must_match", []any{fmt.Sprintf("(?s)^.{%d,}$", n)})
	case op == legacy.Equals:
		return expect("must_match", []any{fmt.Sprintf("(?s)^.{%d}$", n)})
	}
	return left("no check says this of a count of characters")
}
