package interchange

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/engine/output"
)

// promptfooRule is how rows of promptfoo pair: it has no id for a test, and
// the ones that it has (a row's id, testIdx) are new in every run.
const promptfooRule = "a case's id is its test's description; a test without one is known by a hash of its variables (--id names a key of its metadata or a variable instead)"

func isPromptfoo(s *sight) bool {
	return s.first == '{' && s.has("results.version") &&
		s.any("results.timestamp", "results.results", "results.prompts", "results.table", "results.stats")
}

func isPromptfooLine(s *sight) bool {
	return s.first == '{' && s.has("vars", "provider", "success") && !s.keys["results"]
}

// readPromptfoo reads the results that promptfoo writes as JSON, versions 3 and
// 2: one row for each test, prompt, provider and repeat.
//
// A row is an error where promptfoo says so (failureReason 2), and in files
// that lack that field where it has an error and was not graded: the field
// "error" also holds why a plain assertion failed. Assertions become checks,
// named by their metric or else their type.
func readPromptfoo(ctx context.Context, in *input) (*collector, error) {
	p := newPromptfoo(in)
	s := newStream(ctx, in)
	err := s.object(func(key string) error {
		if key != "results" {
			return s.skip()
		}
		return s.object(func(key string) error {
			switch key {
			case "results":
				return s.list(func(i int) error {
					t, err := s.capture()
					if err != nil {
						return err
					}
					return p.capturedRow(t, fmt.Sprintf("results.results[%d]", i))
				})
			case "version":
				v, err := s.value()
				if n, ok := integer(v); err == nil && (!ok || n < 2 || n > 3) {
					p.tally.note("this is version %s of promptfoo's results; versions 2 and 3 are known", spelled(v))
				}
				return err
			case "table":
				return p.table(s)
			default:
				return s.skip()
			}
		})
	})
	if err == nil {
		err = s.end()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	p.describe()
	return p.collector, nil
}

// readPromptfooLines reads rows that promptfoo writes one on a line.
func readPromptfooLines(ctx context.Context, in *input) (*collector, error) {
	p := newPromptfoo(in)
	return p.collector, eachLine(ctx, p.collector, in, func(t text, ended bool) {
		if row, ok := p.lineObject(t, ended, text.parse); ok {
			p.row(t, "", row)
		}
	})
}

// A promptfoo is a collector of promptfoo's rows.
type promptfoo struct {
	*collector
	// nameless are the ids made from variables, and the variables as the table
	// of version 2 spells them, where descriptions stand.
	nameless     map[string]string
	descriptions map[string]string // by such a spelling; "" where there are several
}

func newPromptfoo(in *input) *promptfoo {
	c := newCollector(in)
	if in.options.ID == "" {
		c.tally.rule = promptfooRule
	}
	return &promptfoo{collector: c, nameless: map[string]string{}, descriptions: map[string]string{}}
}

func (p *promptfoo) capturedRow(t text, place string) error {
	v, err := t.parse()
	if err != nil {
		return err
	}
	row, ok := v.(map[string]any)
	if !ok {
		p.problem(t, place, "expected an object, one result, got %s", describe(v))
	} else {
		p.row(t, place, row)
	}
	return p.more()
}

func (p *promptfoo) row(t text, place string, row map[string]any) {
	_, graded := row["gradingResult"]
	if row["response"] == nil && row["success"] == nil && row["error"] == nil && !graded {
		p.problem(t, place, "this is no result of promptfoo: it has no \"response\", \"success\" or \"error\"")
		return
	}
	vars := objectAt(row, "vars")
	if vars == nil {
		vars = objectAt(row, "testCase", "vars")
	}
	e := entry{text: t, place: place, variant: promptfooVariant(row)}
	if !p.identify(&e, row, vars) {
		return
	}
	e.row.Input = vars
	if len(vars) == 0 {
		e.row.Input = nil
		if prompt := textAt(row, "prompt", "raw"); prompt != "" {
			e.row.Input = map[string]any{"prompt": prompt}
		}
	}
	if n, ok := integer(row["testIdx"]); ok && n >= 0 && n < 1<<31 {
		e.order = int(n)
	}
	e.unique = textAt(row, "id")
	if e.row.Error = promptfooFailure(row); e.row.Error == "" {
		promptfooOutput(&e.row.Output, row)
		e.row.Checks = promptfooChecks(row)
	}
	p.entry(e)
}

// identify finds the id of a row's case.
func (p *promptfoo) identify(e *entry, row, vars map[string]any) bool {
	test := objectAt(row, "testCase")
	if p.options.ID != "" {
		id, why := p.chosenID(test["metadata"], vars, test, row)
		if why != "" {
			p.problem(e.text, e.place, "%s", why)
			return false
		}
		e.row.ID = id
		return true
	}
	if id := strings.TrimSpace(textAt(test, "description")); id != "" {
		e.row.ID, e.sameInput = shortID(id), digest("vars", vars)
		return true
	}
	if id := strings.TrimSpace(textAt(row, "description")); id != "" {
		e.row.ID, e.sameInput = shortID(id), digest("vars", vars)
		return true
	}
	e.row.ID = digest("vars", vars)
	// Two tests may ask different things of the same variables.
	e.sameInput = digest("assert", test["assert"])
	p.nameless[e.row.ID] = tableKey(vars)
	return true
}

// shortID makes an id of a description, which may be a paragraph.
func shortID(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= MaxID {
		return s
	}
	const kept = 200
	cut := kept
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "… " + digest("text", s)
}

// table reads the descriptions of tests from the table that version 2 has
// beside its results.
func (p *promptfoo) table(s *stream) error {
	if c, err := s.next(); err != nil || c != '{' {
		return s.skip()
	}
	var names []any
	return s.object(func(key string) error {
		switch key {
		case "head":
			v, err := s.value()
			names = listAt(v, "vars")
			return err
		case "body":
			return s.list(func(int) error {
				v, err := s.value()
				if err != nil {
					return err
				}
				values := listAt(v, "vars")
				vars := make(map[string]any, len(names))
				for i, name := range names {
					if name, ok := name.(string); ok && i < len(values) {
						vars[name] = values[i]
					}
				}
				text := strings.TrimSpace(textAt(v, "description"))
				if text == "" {
					text = strings.TrimSpace(textAt(v, "test", "description"))
				}
				spelling := tableKey(vars)
				if before, seen := p.descriptions[spelling]; seen && before != text {
					text = ""
				}
				p.descriptions[spelling] = text
				return nil
			})
		default:
			return s.skip()
		}
	})
}

// tableKey spells variables as promptfoo's table does, which holds strings.
func tableKey(vars map[string]any) string {
	words := make(map[string]any, len(vars))
	for name, v := range vars {
		words[name] = spelled(v)
	}
	return digest("table", words)
}

// describe gives rows that are known by their variables the description that
// the table has for these, where it is one test's alone.
func (p *promptfoo) describe() {
	users := map[string]int{}
	for _, spelling := range p.nameless {
		users[p.descriptions[spelling]]++
	}
	for i := range p.rows {
		id := p.rows[i].ID
		if text := p.descriptions[p.nameless[id]]; text != "" && users[text] == 1 && badID(shortID(text)) == "" {
			p.rows[i].ID = shortID(text)
		}
	}
}

// promptfooVariant names the prompt and the provider of a row.
func promptfooVariant(row map[string]any) variant {
	id, label := textAt(row, "provider", "id"), textAt(row, "provider", "label")
	if id == "" {
		id = textAt(row, "provider")
	}
	prompt := textAt(row, "prompt", "label")
	if prompt == "" {
		prompt = textAt(row, "prompt", "raw")
	}
	provider := label
	if provider == "" {
		provider = id
	}
	return named(provider, prompt, id, textAt(row, "promptId"))
}

// named names a variant by its provider and its prompt. Two prompts that begin
// alike are told apart by their ids.
func named(provider, prompt, providerID, promptID string) variant {
	words := strings.Join(strings.Fields(prompt), " ")
	v := variant{name: provider}
	switch short := shorten(words); {
	case short == words && words != "":
		v.name += ", " + words
	case promptID != "":
		v.name += ", " + short + " " + promptID[:min(8, len(promptID))]
	case words != "":
		v.name += ", " + digest(short, words)
	}
	for _, n := range []string{provider, providerID, prompt, promptID} {
		if n != "" {
			v.names = append(v.names, n)
		}
	}
	return v
}

// promptfooFailure returns why a row has no output, "" where it has one.
func promptfooFailure(row map[string]any) string {
	why := failure(row["error"])
	if why == "" {
		why = failure(at(row, "response", "error"))
	}
	if reason, ok := integer(row["failureReason"]); ok {
		switch {
		case reason != 2:
			return ""
		case why == "":
			return "promptfoo reports an error and does not say which"
		}
		return why
	}
	if at(row, "gradingResult") != nil {
		return ""
	}
	return why
}

func promptfooOutput(out *output.Output, row map[string]any) {
	response := row["response"]
	answer := at(response, "output")
	if s, ok := response.(string); ok {
		answer = s
	}
	if answer != nil {
		out.Text = spelled(answer)
		promptfooCalls(out, answer)
	}
	out.Model = textAt(row, "provider", "id")
	if out.Model == "" {
		out.Model = textAt(row, "provider")
	}
	out.StopReason = textAt(response, "finishReason")
	if cached := boolAt(response, "cached"); cached == nil || !*cached {
		out.LatencyMS = amountAt(row, "latencyMs") // else the time of the cache
	}
	out.InputTokens = countAt(response, "tokenUsage", "prompt")
	out.OutputTokens = countAt(response, "tokenUsage", "completion")
	out.CostUSD = amountAt(response, "cost")
	if cost := amountAt(row, "cost"); out.CostUSD == nil && cost != nil && *cost > 0 {
		out.CostUSD = cost // promptfoo writes 0 where it does not know
	}
}

// promptfooChecks returns the verdicts of a row's assertions.
func promptfooChecks(row map[string]any) []Check {
	grading := objectAt(row, "gradingResult")
	all := newChecks("promptfoo")
	for _, v := range listAt(grading, "componentResults") {
		name := textAt(v, "assertion", "metric")
		if name == "" {
			name = textAt(v, "assertion", "type")
		}
		pass := boolAt(v, "pass")
		weight := numberAt(v, "assertion", "weight")
		if alone := boolAt(v, "metadata", "metricOnly"); weight != nil && *weight == 0 || alone != nil && *alone {
			pass = nil // measured only: it never fails a test
		}
		all.add(name, pass, numberAt(v, "score"), textAt(v, "reason"))
	}
	asked := len(listAt(row, "testCase", "assert")) > 0 || objectAt(row, "testCase") == nil
	whole := at(row, "testCase", "threshold") != nil || len(all.all) == 0 && asked
	if pass := boolAt(row, "success"); whole && pass != nil && grading != nil && textAt(grading, "reason") != "No assertions" {
		all.add("success", pass, numberAt(row, "score"), textAt(grading, "reason"))
	}
	return all.all
}

// promptfooCalls reads an output, or JSON in its text, that is a list of tool
// calls in the form of a vendor. Text beside the calls stays text.
func promptfooCalls(out *output.Output, answer any) {
	list, ok := answer.([]any)
	if s, text := answer.(string); text && strings.HasPrefix(strings.TrimSpace(s), "[") {
		v, err := parseText(s)
		list, ok = v.([]any)
		ok = ok && err == nil
	}
	if !ok || len(list) == 0 {
		return
	}
	var called output.Output
	var said []string
	for _, item := range list {
		switch kind := textAt(item, "type"); {
		case kind == "tool_use" && textAt(item, "name") != "":
			addCall(&called, textAt(item, "name"), at(item, "input"))
		case kind == "text" && textAt(item, "text") != "":
			said = append(said, textAt(item, "text"))
		case textAt(item, "function", "name") != "":
			addCall(&called, textAt(item, "function", "name"), at(item, "function", "arguments"))
		default:
			return // it is an answer that happens to be a list
		}
	}
	if len(called.ToolCalls) == 0 {
		return
	}
	out.Text = strings.Join(said, "\n")
	out.ToolCalls, out.ToolCallsError = called.ToolCalls, called.ToolCallsError
}
