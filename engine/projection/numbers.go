package projection

import (
	"encoding/json"
	"regexp"
	"strings"

	"docket/engine/field"
	"docket/engine/label"
	"docket/engine/source"
)

// numbers are the numbers that the suite named, each by a path into the JSON
// or by a pattern in the text. A place that is not there, or holds no number,
// is null: the number was looked for and is absent. (Were it left out, a
// number that somebody adds to the configuration would look like one that
// every answer suddenly carries.)
//
// At a path a number may be a JSON number, or a string that is one number
// ("1,000.00", "$20"). A pattern is taken at its first match: its first group
// must be one number; a pattern without a group gives the first number in what
// it matched. Where the suite names no number the projection does not apply.
type numbers struct{ named []named }

type named struct {
	name    string
	path    field.Path
	pattern *regexp.Regexp // nil: by path
	within  float64
}

func compileNumbers(setting source.Value, _ *label.Finder) (compiled, source.Problems) {
	if !isMap(setting) {
		return compiled{}, nil
	}
	n := numbers{}
	within := map[string]float64{}
	settings := map[string]any{}
	var problems source.Problems
	for _, e := range setting.Entries() {
		one, found := compileNumber(e)
		problems = append(problems, found...)
		if len(found) > 0 {
			continue
		}
		n.named = append(n.named, one)
		within[one.name] = one.within
		settings[one.name] = e.Value.JSON()
	}
	if len(n.named) == 0 {
		return compiled{}, problems
	}
	return compiled{projection: n, rule: numeric{within: within, closed: true}, settings: settings}, problems
}

func compileNumber(e source.Entry) (named, source.Problems) {
	what := "number " + e.Key
	if !isMap(e.Value) {
		return named{}, source.Problems{e.Value.Problemf("%s: settings are a mapping such as {path: amount, within: 0.01}, found %s", what, e.Value.Describe())}
	}
	n := named{name: e.Key}
	problems := source.Known(e.Value, what, "path", "pattern", "within")
	path, pattern := e.Value.Get("path"), e.Value.Get("pattern")
	if path.IsZero() == pattern.IsZero() {
		problems = append(problems, e.Value.Problemf("%s: needs either a path into the JSON or a pattern in the text", what))
		return n, problems
	}
	if !path.IsZero() {
		text, ok := path.Text()
		p, err := field.Parse(text)
		switch {
		case !ok:
			problems = append(problems, path.Problemf("%s: path is a string such as amount, found %s", what, path.Describe()))
		case err != nil:
			problems = append(problems, path.Problemf("%s: %v", what, err))
		case p.Multiple():
			problems = append(problems, path.Problemf("%s: the path leads to several values, and a number is one: write a position such as [0]", what))
		}
		n.path = p
	} else {
		re, problem := compilePattern(pattern, what)
		if problem != nil {
			problems = append(problems, *problem)
		}
		n.pattern = re
	}
	if v := e.Value.Get("within"); !v.IsZero() {
		number, ok := v.Number()
		within, err := number.Float64()
		if !ok || err != nil || within < 0 {
			problems = append(problems, v.Problemf("%s: within is how far the number may move, 0 or more, found %s", what, v.Describe()))
		}
		n.within = within
	}
	return n, problems
}

func (numbers) Name() string { return "numbers" }

func (n numbers) Project(s *Subject) (any, bool) {
	values := make(map[string]any, len(n.named))
	for _, one := range n.named {
		values[one.name] = nil
		if v, ok := one.find(s); ok {
			values[one.name] = v
		}
	}
	return values, true
}

func (n named) find(s *Subject) (json.Number, bool) {
	if n.pattern != nil {
		return n.match(s.Output.Text)
	}
	if !s.HasDocument {
		return "", false
	}
	for _, v := range n.path.Find(s.Document) {
		switch v := v.(type) {
		case json.Number:
			return canonicalNumber(v)
		case string:
			return readNumber(v)
		}
	}
	return "", false
}

func (n named) match(text string) (json.Number, bool) {
	m := n.pattern.FindStringSubmatchIndex(text)
	if m == nil {
		return "", false
	}
	if len(m) > 2 {
		if m[2] < 0 {
			return "", false
		}
		return readNumber(text[m[2]:m[3]])
	}
	return firstNumber(text[m[0]:m[1]])
}

// firstNumber reads the first number in a text, with the minus before it.
func firstNumber(text string) (json.Number, bool) {
	start := strings.IndexFunc(text, isDigit[rune])
	if start < 0 {
		return "", false
	}
	end := start
	for end < len(text) && (isDigit(text[end]) || end+1 < len(text) && strings.IndexByte(".,'", text[end]) >= 0 && isDigit(text[end+1])) {
		end++
	}
	// A hyphen behind a letter or a digit joins ("INC-20"), it is no minus.
	before, negative := strings.CutSuffix(strings.TrimRight(text[:start], "$€£¥"), "-")
	if !negative {
		before, negative = strings.CutSuffix(before, "\u2212")
	}
	if negative && before != "" && isAlnum(before[len(before)-1]) {
		negative = false
	}
	return number(negative, text[start:end])
}
