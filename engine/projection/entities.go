package projection

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"docket/engine/label"
	"docket/engine/output"
	"docket/engine/prose"
	"docket/engine/source"
)

// entities are the identifiers of the case's input that the output carries, in
// its text or in the arguments of its tool calls, sorted. What is an
// identifier, and when two are the same, says the scanner; or the suite's
// patterns, which then stand alone. A number or a date is spelled in its normal
// form, a code as the input spells it first.
//
// Where the input is unknown, or has no identifier, the projection does not
// apply: there is nothing that the output could lose.
type entities struct{ patterns []*regexp.Regexp }

const (
	// maxIdentifiers bounds how many identifiers of one input are followed.
	maxIdentifiers = 5000
	// maxLiteral bounds those that are looked for one by one.
	maxLiteral = 500
)

func compileEntities(setting source.Value, _ *label.Finder) (compiled, source.Problems) {
	e := &entities{}
	settings := map[string]any{}
	var problems source.Problems
	if isMap(setting) {
		problems = source.Known(setting, "entities", "patterns")
		if v := setting.Get("patterns"); !v.IsZero() {
			var found source.Problems
			e.patterns, found = compilePatterns(v)
			problems = append(problems, found...)
			settings["patterns"] = v.JSON()
		}
	}
	return compiled{projection: e, rule: members{}, settings: settings}, problems
}

func compilePatterns(v source.Value) ([]*regexp.Regexp, source.Problems) {
	if v.Kind() != source.List || len(v.Items()) == 0 {
		return nil, source.Problems{v.Problemf("entities: patterns is a list of regular expressions, found %s", v.Describe())}
	}
	var patterns []*regexp.Regexp
	var problems source.Problems
	for _, item := range v.Items() {
		re, problem := compilePattern(item, "entities")
		if problem != nil {
			problems = append(problems, *problem)
			continue
		}
		patterns = append(patterns, re)
	}
	return patterns, problems
}

// compilePattern reads one RE2 pattern.
func compilePattern(v source.Value, what string) (*regexp.Regexp, *source.Problem) {
	text, ok := v.Text()
	if !ok || text == "" {
		p := v.Problemf("%s: a pattern is a regular expression in quotes, found %s", what, v.Describe())
		return nil, &p
	}
	re, err := regexp.Compile(text)
	if err != nil {
		p := v.Problemf("%s: %v (patterns are RE2: no look-around, no back-references)", what, err)
		return nil, &p
	}
	return re, nil
}

func (*entities) Name() string { return "entities" }

func (e *entities) Project(s *Subject) (any, bool) {
	var ids *identifiers
	if s.Prepared != nil {
		ids = s.Prepared.identifiers
	} else {
		ids = e.identify(s.Input)
	}
	if ids == nil || len(ids.byForm)+len(ids.literal) == 0 {
		return nil, false
	}
	return list(ids.carried(s)), true
}

// identifiers are the identifiers of one input.
type identifiers struct {
	byForm map[string]string // normal form → as it is spelled in the baseline
	// literal holds what a pattern found and the scanner has no normal form
	// for, by its folded text.
	literal map[string]string
}

func (e *entities) identify(input map[string]any) *identifiers {
	if len(input) == 0 {
		return nil
	}
	ids := &identifiers{byForm: map[string]string{}}
	scan := scanner{emit: func(m mention) {
		if m.sure && len(ids.byForm) < maxIdentifiers {
			if _, known := ids.byForm[string(m.form)]; !known {
				ids.byForm[string(m.form)] = spelling(m)
			}
		}
	}}
	visit := scan.scan
	if e.patterns != nil {
		ids.literal = map[string]string{}
		visit = func(text string) { e.match(ids, text) }
	}
	for _, key := range slices.Sorted(maps.Keys(input)) {
		// The path of a file that was read is machinery: its content counts.
		if stem, isFile := strings.CutSuffix(key, "_file"); isFile {
			if _, read := input[stem]; read {
				continue
			}
		}
		walkLeaves(input[key], func(leaf any) bool {
			visit(leafText(leaf))
			return true
		})
	}
	return ids
}

// spelling is the mention as a code is shown, and the normal form of all else.
func spelling(m mention) string {
	if strings.EqualFold(string(m.form), m.text) {
		return m.text
	}
	return string(m.form)
}

func leafText(leaf any) string {
	switch leaf := leaf.(type) {
	case string:
		return leaf
	case json.Number:
		if strings.ContainsAny(leaf.String(), "eE") {
			leaf, _ = canonicalNumber(leaf) // 1e3 is 1000
		}
		return leaf.String()
	}
	return ""
}

// match collects what the suite's patterns find: the first group, or the whole
// match of a pattern without one. A lone number is followed in its normal form.
func (e *entities) match(ids *identifiers, text string) {
	for _, re := range e.patterns {
		for _, m := range re.FindAllStringSubmatchIndex(text, maxIdentifiers) {
			from, to := m[0], m[1]
			if len(m) > 2 {
				from, to = m[2], m[3]
			}
			if from < 0 || to-from > maxIdentifier*4 || len(ids.byForm) >= maxIdentifiers {
				continue
			}
			found := prose.Normalize(text[from:to])
			if form, ok := soleForm(found); ok {
				ids.byForm[form] = form
			} else if found != "" {
				key := strings.ToLower(found)
				if _, known := ids.literal[key]; !known && len(ids.literal) < maxLiteral {
					ids.literal[key] = found
				}
			}
		}
	}
}

// soleForm returns the normal form of a text that is one number, with or
// without a currency, or one date.
func soleForm(text string) (string, bool) {
	currency := 0
	var forms []string
	scan := scanner{emit: func(m mention) {
		if currencyOf(string(m.form)) != "" {
			currency++
			return
		}
		if !slices.Contains(forms, string(m.form)) {
			forms = append(forms, string(m.form))
		}
	}}
	scan.scan(text)
	if len(forms) != 1 || currency > 1 {
		return "", false
	}
	if _, ok := readNumber(text); ok || len(forms[0]) == len("2026-08-11") && forms[0][4] == '-' && len(text) <= len("the 11th of September, 2026") {
		return forms[0], true
	}
	return "", false
}

// carried returns the identifiers that an output carries, each once.
func (ids *identifiers) carried(s *Subject) []string {
	var found []string
	seen := func(spelled string) {
		if !slices.Contains(found, spelled) {
			found = append(found, spelled)
		}
	}
	if len(ids.byForm) > 64 {
		// Many identifiers: a set is quicker than looking through the list.
		set := map[string]bool{}
		seen = func(spelled string) {
			if !set[spelled] {
				set[spelled] = true
				found = append(found, spelled)
			}
		}
	}
	scan := scanner{emit: func(m mention) {
		if spelled, ok := ids.byForm[string(m.form)]; ok {
			seen(spelled)
		}
	}}
	texts := func(text string) {
		scan.scan(text)
		if len(ids.literal) > 0 {
			folded := strings.ToLower(prose.Normalize(text))
			for key, spelled := range ids.literal {
				if containsWord(folded, key) {
					seen(spelled)
				}
			}
		}
	}
	leaves := func(doc any) {
		walkLeaves(doc, func(leaf any) bool {
			texts(leafText(leaf))
			return true
		})
	}
	// JSON is read leaf by leaf, since [1,200] is no 1,200 and "\n4417" is no
	// n4417.
	if s.HasDocument {
		leaves(s.Document)
	}
	if text := s.prose(); text != "" {
		texts(text)
	}
	for _, call := range s.Output.ToolCalls {
		if arguments, ok := output.Document(string(call.Arguments)); ok {
			leaves(arguments)
		}
	}
	return found
}

// containsWord reports whether a text holds another that no letter or digit
// continues on either side.
func containsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		if (start == 0 || !isAlnum(text[start-1]) || !isAlnum(word[0])) &&
			(end == len(text) || !isAlnum(text[end]) || !isAlnum(word[len(word)-1])) {
			return true
		}
		from = start + 1
	}
}
