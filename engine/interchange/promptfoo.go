package interchange

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	if p.options.Asked {
		e.row.Asked = listAt(row, "testCase", "assert")
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
