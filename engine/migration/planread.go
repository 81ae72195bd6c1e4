package migration

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/source"
	"docket/engine/suite"
)

type planReader struct {
	s        *Suite
	choices  map[string]Choice
	fixtures map[string]string
	problems []PlanProblem
	confirm  bool // somebody says that every provenance was read
}

func (p *planReader) wrong(pointer, format string, args ...any) {
	p.problems = append(p.problems, PlanProblem{pointer, fmt.Sprintf(format, args...)})
}

// known refuses keys that a plan has not.
func (p *planReader) known(at string, m map[string]any, keys ...string) {
	for _, key := range sortedKeys(m) {
		if !slices.Contains(keys, key) {
			p.wrong(at+"/"+escape(key), "unknown key; %s", source.Suggest(key, keys))
		}
	}
}

func escape(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

func (p *planReader) text(at string, m map[string]any, key string, need bool) string {
	switch v := m[key].(type) {
	case string:
		return v
	case nil:
		if need {
			p.wrong(at, "%q is missing: expected a text", key)
		}
	default:
		p.wrong(at+"/"+key, "expected a text")
	}
	return ""
}

func (p *planReader) number(at string, m map[string]any, key string) int {
	n, ok := m[key].(json.Number)
	i, err := strconv.Atoi(n.String())
	if !ok || err != nil || i < 0 {
		if m[key] != nil {
			p.wrong(at+"/"+key, "expected a whole number, a line of the old file")
		}
		return 0
	}
	return i
}

func (p *planReader) root(m map[string]any) string {
	p.known("", m, "format", "source", "suite", "tests", "fixtures", "known", "problems")
	if n, ok := m["format"].(json.Number); !ok || n.String() != strconv.Itoa(PlanFormat) {
		p.wrong("/format", "expected %d, the format of the plans that this docket reads", PlanFormat)
	}
	p.readFixtures(m["fixtures"])
	tests, ok := m["tests"].([]any)
	if !ok {
		p.wrong("/tests", "expected the list of tests")
	}
	for i, v := range tests {
		at := "/tests/" + strconv.Itoa(i)
		if test, ok := v.(map[string]any); ok {
			p.test(at, test)
		} else {
			p.wrong(at, "expected a test, an object with its name, pile, case and assertions")
		}
	}
	return p.text("", m, "suite", false)
}

// readFixtures reads the texts of fixtures, whose names must stay in their
// folder.
func (p *planReader) readFixtures(v any) {
	p.fixtures = map[string]string{}
	m, ok := v.(map[string]any)
	if v != nil && !ok {
		p.wrong("/fixtures", "expected an object of file names and their texts")
	}
	for _, name := range sortedKeys(m) {
		at := "/fixtures/" + escape(name)
		text, ok := m[name].(string)
		switch {
		case !ok:
			p.wrong(at, "expected the text of the file")
		case !draft.FixtureName(name):
			p.wrong(at, "expected a name such as fixtures/ticket_4471.txt: in the folder fixtures, of letters, digits, - and _, ending in .txt")
		default:
			p.fixtures[name] = text
			p.s.Fixtures.Put(name, text)
		}
	}
}

func (p *planReader) test(at string, m map[string]any) {
	p.known(at, m, "name", "file", "line", "end", "source", "pile", "why", "sure", "confirmed", "asks", "case", "assertions", "unresolved")
	t := Test{
		Name: p.text(at, m, "name", true), File: p.text(at, m, "file", false), Hash: p.text(at, m, "source", true),
		Asked: p.text(at, m, "asks", false), Line: p.number(at, m, "line"), End: p.number(at, m, "end"),
	}
	t.Key = p.s.key(t.File + "::" + t.Name)
	t.Pile = p.pile(at, m)
	assertions, ok := m["assertions"].([]any)
	if m["assertions"] != nil && !ok {
		p.wrong(at+"/assertions", "expected the list of assertions")
	}
	for i, v := range assertions {
		p.assertion(at+"/assertions/"+strconv.Itoa(i), v, &t)
	}
	unresolved, ok := m["unresolved"].([]any)
	if m["unresolved"] != nil && !ok {
		p.wrong(at+"/unresolved", "expected a list of sentences")
	}
	for _, v := range unresolved {
		if note, ok := v.(string); ok {
			t.Draft.Notes = append(t.Draft.Notes, note)
		}
	}
	confirmed, ok := m["confirmed"].(bool)
	if m["confirmed"] != nil && !ok {
		p.wrong(at+"/confirmed", "expected true or false")
	}
	choice := Choice{Verdict: verdictOf(t.Pile)}
	made, ok := m["case"].(map[string]any)
	if t.Pile == legacy.Situation {
		if !ok {
			p.wrong(at, "a situation needs its case: \"case\" is missing")
			return
		}
		p.caseOf(at+"/case", made, &t, &choice)
		if !confirmed && !p.confirm {
			p.wrong(at+"/confirmed", "it is false: read case.provenance, mend it where it is wrong, and write true; --confirm says so of all")
		}
		choice.Provenance = t.Draft.Provenance
	}
	p.s.at[t.Key] = len(p.s.Tests)
	p.s.Tests = append(p.s.Tests, t)
	if choice.Verdict != "" {
		p.choices[t.Key] = choice
	}
}

func (p *planReader) pile(at string, m map[string]any) legacy.Pile {
	switch pile := legacy.Pile(p.text(at, m, "pile", false)); pile {
	case legacy.Situation, legacy.Contract, legacy.SDK, legacy.Unsorted:
		return pile
	default:
		p.wrong(at+"/pile", "%q is no pile: write situation, contract or sdk, or leave it empty to decide later", string(pile))
		return ""
	}
}

func (p *planReader) assertion(at string, v any, t *Test) {
	m, ok := v.(map[string]any)
	if !ok {
		p.wrong(at, "expected an assertion, an object with line, text and pile")
		return
	}
	p.known(at, m, "line", "text", "pile", "why", "sure", "expect", "left")
	c := Claim{Line: p.number(at, m, "line"), Text: p.text(at, m, "text", false), Pile: p.pile(at, m)}
	c.End = c.Line
	c.Left = p.text(at, m, "left", false)
	switch expect := m["expect"].(type) {
	case nil:
		if c.Left == "" {
			c.Left = "the plan says no check for it"
		}
	case map[string]any:
		c.Expect, c.Left = expect, ""
	default:
		p.wrong(at+"/expect", "expected checks under the keys of expect, such as {\"max_words\": 60}")
	}
	t.Claims = append(t.Claims, c)
}

// caseOf reads the case of a test, which is written as it stands.
func (p *planReader) caseOf(at string, m map[string]any, t *Test, choice *Choice) {
	p.known(at, m, "id", "added", "provenance", "input", "expect", "tags", "family")
	c := draft.Case{ID: p.text(at, m, "id", true), Added: p.text(at, m, "added", false), Provenance: p.text(at, m, "provenance", true), Family: p.text(at, m, "family", false)}
	if err := suite.CheckID(c.ID); err != nil && c.ID != "" {
		p.wrong(at+"/id", "%v", err)
	}
	if strings.TrimSpace(c.Provenance) == "" && m["provenance"] != nil {
		p.wrong(at+"/provenance", "it is blank: say why the case exists")
	}
	tags, ok := m["tags"].([]any)
	if m["tags"] != nil && !ok {
		p.wrong(at+"/tags", "expected a list of texts")
	}
	for i, v := range tags {
		if tag, ok := v.(string); ok {
			c.Tags = append(c.Tags, tag)
		} else {
			p.wrong(at+"/tags/"+strconv.Itoa(i), "expected a text")
		}
	}
	if c.Input, ok = m["input"].(map[string]any); !ok {
		p.wrong(at+"/input", "expected what the system is asked, an object")
	}
	for _, key := range sortedKeys(c.Input) {
		name, isText := c.Input[key].(string)
		if _, there := p.fixtures[name]; isText && strings.HasSuffix(key, "_file") && !there {
			p.wrong(at+"/input/"+escape(key), "the plan's fixtures have no %q", name)
		}
	}
	if m["expect"] != nil {
		if c.Expect, ok = m["expect"].(map[string]any); !ok {
			p.wrong(at+"/expect", "expected checks, such as {\"max_words\": 60}")
		}
	}
	p.misplaced(strings.TrimSuffix(at, "/case"), &c, t)
	c.Notes = t.Draft.Notes
	for i := range t.Claims {
		if claim := &t.Claims[i]; claim.Left != "" && claim.Pile != legacy.SDK {
			c.Notes = append(c.Notes, notes([]Left{{claim.Line, claim.Text, claim.Left}})...)
		}
	}
	t.Draft = c
	choice.Draft = c.YAML()
}

// misplaced finds assertions that were moved out of the case in one place and
// not in the other.
func (p *planReader) misplaced(at string, c *draft.Case, t *Test) {
	for i := range t.Claims {
		claim := &t.Claims[i]
		if claim.Expect == nil || claim.Pile == legacy.Situation || !draft.Holds(c.Expect, claim.Expect) {
			continue
		}
		elsewhere := slices.ContainsFunc(t.Claims, func(o Claim) bool {
			return o.Pile == legacy.Situation && o.Expect != nil && draft.Holds(o.Expect, claim.Expect)
		})
		if !elsewhere {
			p.wrong(fmt.Sprintf("%s/assertions/%d", at, i), "its pile is %q, and the case asks for it all the same: take it out of case.expect, or make it a situation", string(claim.Pile))
		}
	}
}
