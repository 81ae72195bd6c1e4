package check

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/engine/prose"
	"docket/engine/source"
)

// A structureCheck passes when the text has the parts that it asks for. The
// score is the share of parts found: of three sections asked, two give 2/3, and
// four give 3/4.
type structureCheck struct {
	counts     []partCount // in the order of structureKinds
	headings   []string    // as written
	folded     []string
	ignoreCase bool
}

// A partCount asks for between least and most parts of a kind; most is -1
// where there is no upper limit.
type partCount struct {
	kind        string
	least, most int
}

// structureKinds is what a structure can count.
func structureKinds() []string {
	return []string{"sections", "paragraphs", "lines", "bullets", "sentences"}
}

func countParts(kind, text string) int {
	switch kind {
	case "sections":
		return len(prose.Sections(text))
	case "paragraphs":
		return len(prose.Paragraphs(text))
	case "lines":
		return len(prose.Lines(text))
	case "bullets":
		return len(prose.Bullets(text))
	default:
		return prose.Sentences(text)
	}
}

func (st *structureCheck) Name() string { return "structure" }

func (st *structureCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	var got, asked float64
	var wrong []string
	for _, p := range st.counts {
		n := countParts(p.kind, s.Output.Text)
		found, wanted := n, p.least
		if p.most >= 0 && n > p.most {
			found, wanted = p.most, n
		}
		got += float64(min(found, wanted))
		asked += float64(wanted)
		if n < p.least || p.most >= 0 && n > p.most {
			wrong = append(wrong, fmt.Sprintf("%s: %d, asked for %s", p.kind, n, p.wish()))
		}
	}
	if len(st.folded) > 0 {
		var have []string
		for _, h := range prose.Headings(s.Output.Text) {
			have = append(have, fold(h, st.ignoreCase))
		}
		found := commonSubsequence(have, st.folded)
		got += float64(found)
		asked += float64(len(st.folded))
		if found < len(st.folded) {
			wrong = append(wrong, st.missing(have))
		}
	}
	return share(got, asked, func() string { return strings.Join(wrong, "; ") }), nil
}

func (p partCount) wish() string {
	switch {
	case p.most < 0:
		return fmt.Sprintf("at least %d", p.least)
	case p.least == p.most:
		return strconv.Itoa(p.least)
	}
	return fmt.Sprintf("%d to %d", p.least, p.most)
}

func (st *structureCheck) missing(have []string) string {
	for i, h := range st.folded {
		if !slices.Contains(have, h) {
			return fmt.Sprintf("there is no heading %s", quote(st.headings[i]))
		}
	}
	return "the headings are in another order"
}

// commonSubsequence returns the length of the longest common subsequence.
func commonSubsequence(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

const structureForms = "three_sections, 2_paragraphs, or a mapping such as {sections: 3, headings: [Situation, Action taken, Open question]}"

func compileStructure(c *compiler, v source.Value) []item {
	st := &structureCheck{ignoreCase: c.ignoreCase}
	asked := map[string]any{}
	switch v.Kind() {
	case source.String:
		written, _ := v.Text()
		p, ok := parseStructure(written)
		if !ok {
			c.problem(v, "structure: expected %s, got %s", structureForms, v.Describe())
			return nil
		}
		st.counts = []partCount{p}
	case source.Map:
		before := len(c.problems)
		c.structureMapping(st, v)
		if len(c.problems) > before {
			return nil
		}
		if len(st.counts)+len(st.headings) == 0 {
			c.problem(v, "structure asks nothing: expected %s", structureForms)
			return nil
		}
	default:
		c.problem(v, "structure: expected %s, got %s", structureForms, v.Describe())
		return nil
	}
	for _, p := range st.counts {
		asked[p.kind] = []any{json.Number(strconv.Itoa(p.least)), json.Number(strconv.Itoa(p.most))}
	}
	if len(st.folded) > 0 {
		asked["headings"] = texts(st.folded)
		asked[ignoreCase] = st.ignoreCase
	}
	return []item{{st, asked}}
}

func (c *compiler) structureMapping(st *structureCheck, v source.Value) {
	c.known(v, "a structure", append(structureKinds(), "headings")...)
	for _, kind := range structureKinds() {
		if n := v.Get(kind); !n.IsZero() {
			if p, ok := c.partCount(kind, n); ok {
				st.counts = append(st.counts, p)
			}
		}
	}
	if h := v.Get("headings"); !h.IsZero() {
		st.headings = c.strings(h, "headings", "[Situation, Action taken]")
		for _, text := range st.headings {
			st.folded = append(st.folded, fold(text, st.ignoreCase))
		}
	}
}

// partCount reads 3, or {min: 2, max: 4}.
func (c *compiler) partCount(kind string, v source.Value) (partCount, bool) {
	if n, ok := wholeNumber(v); ok {
		return partCount{kind, n, n}, true
	}
	if v.Kind() != source.Map || len(v.Entries()) == 0 {
		c.problem(v, "%s: expected a whole number, or {min: 2, max: 4}, got %s", kind, v.Describe())
		return partCount{}, false
	}
	c.known(v, "a range", "min", "max")
	p := partCount{kind, 0, -1}
	for _, e := range v.Entries() {
		n, ok := wholeNumber(e.Value)
		if !ok {
			c.problem(e.Value, "%s: expected a whole number, got %s", e.Key, e.Value.Describe())
			return p, false
		}
		switch e.Key {
		case "min":
			p.least = n
		case "max":
			p.most = n
		}
	}
	if p.most >= 0 && p.least > p.most {
		c.problem(v, "%s: min is %d and max is %d: no text has both", kind, p.least, p.most)
		return p, false
	}
	return p, true
}

// parseStructure reads a number and a kind: three_sections, "3 sections".
func parseStructure(s string) (partCount, bool) {
	number, kind, found := strings.Cut(strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(s))), "_")
	if !found {
		return partCount{}, false
	}
	n := slices.Index([]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}, number)
	if n < 1 {
		parsed, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return partCount{}, false
		}
		n = int(parsed)
	}
	if !strings.HasSuffix(kind, "s") {
		kind += "s"
	}
	return partCount{kind, n, n}, slices.Contains(structureKinds(), kind)
}
