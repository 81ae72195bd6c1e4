package check_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"docket/engine/canonical"
	"docket/engine/prose"
)

// A constraint is one instruction of IFEval, which the data gives with the
// verdict of IFEval's own checker.
type constraint struct {
	Type string
	Args map[string]any
}

// An outcome is how docket and upstream judged one constraint on one output.
type outcome struct {
	c              constraint
	text           string
	docket, theirs bool
}

func (c constraint) number(key string) int { n, _ := c.Args[key].(float64); return int(n) }
func (c constraint) string(key string) string {
	s, _ := c.Args[key].(string)
	return s
}

func (c constraint) strings(key string) []string {
	var all []string
	items, _ := c.Args[key].([]any)
	for _, item := range items {
		all = append(all, fmt.Sprint(item))
	}
	return all
}

// less reports whether a relation is "less than", in either language.
func less(relation string) bool { return relation == "less than" || relation == "moins de" }

// A mapping turns a type of constraint into an expectation, nil where this one
// does not map, and names the reason of each disagreement, "" where there is
// none that is known.
type mapping struct {
	expect func(c constraint) map[string]any
	reason func(o outcome) string
}

// times asks for a pattern at least, or fewer than, n times.
func times(pattern string, n int, fewer bool) map[string]any {
	repeated := fmt.Sprintf(`(?is)(?:%s.*?){%d}`, pattern, n)
	if fewer {
		return map[string]any{"must_not_match": []string{repeated}}
	}
	return map[string]any{"must_match": []string{repeated}}
}

func none(outcome) string { return "" }

// mappings is keyed by the type without its language.
var mappings = map[string]mapping{
	"punctuation:no_comma": {
		func(constraint) map[string]any { return map[string]any{"must_not_contain": []string{","}} }, none,
	},
	"detectable_content:no_digits": {
		func(constraint) map[string]any { return map[string]any{"must_not_match": []string{`\d`}} }, none,
	},
	"special_character:no_accents": {
		func(constraint) map[string]any {
			return map[string]any{"must_not_match": []string{`[àâäæçèéêëîïôöœùûüÿ]`}, "ignore_case": true}
		}, none,
	},
	"special_character:ethel_or_cedilla": {
		func(c constraint) map[string]any {
			return map[string]any{"must_not_contain": []string{c.string("forbidden_char")}, "ignore_case": true}
		}, none,
	},
	"keywords:existence": {
		func(c constraint) map[string]any {
			var facts []any
			for i, k := range c.strings("keywords") {
				facts = append(facts, map[string]any{"key": "k" + strconv.Itoa(i), "value": k})
			}
			return map[string]any{"must_contain_fact": facts, "ignore_case": true}
		}, none,
	},
	"keywords:forbidden_words": {
		func(c constraint) map[string]any {
			var patterns []string
			for _, w := range c.strings("forbidden_words") {
				patterns = append(patterns, `\b`+regexp.QuoteMeta(w)+`\b`)
			}
			return map[string]any{"must_not_match": patterns, "ignore_case": true}
		},
		func(o outcome) string {
			if strings.ContainsFunc(strings.Join(o.c.strings("forbidden_words"), "")+o.text, func(r rune) bool { return r >= 0x80 }) {
				return `RE2's \b knows ASCII letters only`
			}
			return ""
		},
	},
	"keywords:frequency": {
		func(c constraint) map[string]any {
			return times(regexp.QuoteMeta(c.string("keyword")), c.number("frequency"), less(c.string("relation")))
		}, none,
	},
	"keywords:letter_frequency": {
		func(c constraint) map[string]any {
			return times(regexp.QuoteMeta(c.string("letter")), c.number("let_frequency"), less(c.string("let_relation")))
		}, none,
	},
	"length_constraints:number_words": {
		func(c constraint) map[string]any {
			if less(c.string("relation")) {
				return map[string]any{"max_words": c.number("num_words") - 1}
			}
			return map[string]any{"min_words": c.number("num_words")}
		},
		func(o outcome) string {
			runs := len(regexp.MustCompile(`[\pL\pN_]+`).FindAllString(o.text, -1))
			if (runs >= o.c.number("num_words")) != less(o.c.string("relation")) == o.theirs {
				return "upstream counts don't and l'eau as two words, and 3.5 as two"
			}
			return ""
		},
	},
	"length_constraints:number_sentences": {
		func(c constraint) map[string]any {
			n := c.number("num_sentences")
			if less(c.string("relation")) {
				return map[string]any{"max_sentences": n - 1}
			}
			return map[string]any{"structure": map[string]any{"sentences": map[string]any{"min": n}}}
		},
		func(o outcome) string {
			n := o.c.number("num_sentences")
			joined := prose.Sentences(strings.Join(strings.Fields(o.text), " "))
			if (joined >= n) != less(o.c.string("relation")) == o.theirs {
				return "upstream joins lines: headings and list items are no sentences of their own"
			}
			return "upstream splits at quotes, abbreviations and numbers by other rules"
		},
	},
	"detectable_format:number_bullet_lists": {
		func(c constraint) map[string]any {
			return map[string]any{"structure": map[string]any{"bullets": c.number("num_bullets")}}
		},
		func(o outcome) string {
			if regexp.MustCompile(`(?m)^\s*(-\S|\*[^*\s]|-\s*$)`).MatchString(o.text) {
				return "upstream takes any line that starts with - or * for a bullet (rules, emphasis)"
			}
			if strings.Contains(o.text, "•") {
				return "upstream does not know • as a bullet"
			}
			return ""
		},
	},
	"detectable_format:multiple_sections": {
		func(c constraint) map[string]any {
			return map[string]any{"structure": map[string]any{"sections": map[string]any{"min": c.number("num_sections")}}}
		},
		func(outcome) string { return "upstream counts the word and a number anywhere, docket counts headings" },
	},
	"detectable_format:json_format": {
		func(constraint) map[string]any { return map[string]any{"json_schema": map[string]any{}} },
		func(o outcome) string {
			if o.docket && strings.Contains(o.text, "```") {
				return "docket finds JSON in a fenced block with prose around it"
			}
			return ""
		},
	},
	"detectable_format:title": {
		func(c constraint) map[string]any {
			if strings.HasPrefix(c.Type, "fr:") {
				return map[string]any{"must_match": []string{`##[^\n]*[^\s#][^\n]*##`}}
			}
			return map[string]any{"must_match": []string{`<<[^\n]*[^\s<>][^\n]*>>`}}
		}, none,
	},
	"startend:quotation": {
		func(constraint) map[string]any { return map[string]any{"must_match": []string{`(?s)^\s*".*"\s*$`}} }, none,
	},
	"startend:end_checker": {
		func(c constraint) map[string]any {
			return map[string]any{"must_match": []string{`(?is)` + regexp.QuoteMeta(strings.TrimSpace(c.string("end_phrase"))) + `["\s]*$`}}
		}, none,
	},
	"detectable_content:number_placeholders": {
		func(c constraint) map[string]any { return times(`\[[^\n]*?\]`, c.number("num_placeholders"), false) }, none,
	},
	"language:response_language": {
		func(c constraint) map[string]any {
			if !slices.Contains(prose.Languages(), c.string("language")) {
				return nil
			}
			return map[string]any{"language": c.string("language")}
		},
		func(o outcome) string {
			switch code := o.c.string("language"); {
			case code == "zh":
				return "upstream's detector says zh-cn where zh is asked for"
			case o.theirs && prose.Language(o.text) == prose.Unknown:
				return "docket looks at the first 300 characters, which are in two languages"
			}
			return ""
		},
	},
}

// unmapped says why the other types have no check of docket's.
var unmapped = map[string]string{
	"length_constraints:number_paragraphs":          "paragraphs are what stands between *** there, between blank lines here",
	"length_constraints:nth_paragraph_first_word":   "no check looks at the nth paragraph",
	"change_case:capital_word_frequency":            "no check counts words in capitals",
	"change_case:english_capital":                   "no check asks for capitals in one language",
	"change_case:english_lowercase":                 "no check asks for lower case in one language",
	"change_case:french_capital":                    "no check asks for capitals in one language",
	"change_case:french_lowercase":                  "no check asks for lower case in one language",
	"combination:repeat_prompt":                     "no check compares with the prompt",
	"combination:two_responses":                     "no check splits an answer in two",
	"detectable_content:postscript":                 "upstream allows spaces and other spellings inside the marker",
	"detectable_content:informal_address":           "no check reads the form of address",
	"detectable_format:constrained_response":        "the allowed answers are not in the data",
	"detectable_format:number_highlighted_sections": "no check counts emphasis",
	"special_character:accents":                     "no check spells words",
	"language:response_language":                    "a language that docket does not tell",
}

// agreements is how many constraints docket and upstream judged alike when the
// mappings were written, less a few, so that a better rule of ours may differ.
const agreements = 445

func TestIFEval(t *testing.T) {
	data := dataFolder(t)
	type tally struct {
		agree, of int
		reasons   map[string]int
	}
	tallies := map[string]*tally{}
	others := map[string]int{}
	// The verdicts are those on one system's outputs: only with these does a
	// constraint such as "no commas", which leaves nothing to interpret, agree
	// everywhere.
	for set, judged := range map[string]string{
		"ifeval-en-3systems": "claude-3-5-sonnet-20240620.jsonl",
		"ifeval-fr-2systems": "claude-3-opus-20240229.jsonl",
	} {
		for _, o := range outcomes(t, filepath.Join(data, set), judged, others) {
			key := o.c.Type
			if tallies[key] == nil {
				tallies[key] = &tally{reasons: map[string]int{}}
			}
			tl := tallies[key]
			tl.of++
			if o.docket == o.theirs {
				tl.agree++
				continue
			}
			_, kind, _ := strings.Cut(o.c.Type, ":")
			reason := mappings[kind].reason(o)
			if reason == "" {
				t.Errorf("%s %v: docket says %v, upstream %v, for no known reason:\n%.600q", o.c.Type, o.c.Args, o.docket, o.theirs, o.text)
			}
			tl.reasons[reason]++
		}
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "constraint\tagree\tof\twhy not")
	agree, of := 0, 0
	for _, key := range sortedKeys(tallies) {
		tl := tallies[key]
		agree, of = agree+tl.agree, of+tl.of
		var why []string
		for _, reason := range sortedKeys(tl.reasons) {
			why = append(why, fmt.Sprintf("%d: %s", tl.reasons[reason], reason))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", key, tl.agree, tl.of, strings.Join(why, "; "))
	}
	fmt.Fprintf(w, "all\t%d\t%d\t\n", agree, of)
	for _, key := range sortedKeys(others) {
		_, kind, _ := strings.Cut(key, ":")
		if unmapped[kind] == "" {
			t.Errorf("%s is not mapped, for no known reason", key)
		}
		fmt.Fprintf(w, "%s\t-\t%d\tnot mapped: %s\n", key, others[key], unmapped[kind])
	}
	w.Flush()
	t.Log("\n" + table.String())
	if agree < agreements {
		t.Errorf("docket and upstream agree on %d of %d constraints, before it was %d or more", agree, of, agreements)
	}
}

// outcomes judges the outputs of one system of a set by every constraint that maps, and
// counts those that do not.
func outcomes(t *testing.T, folder, judged string, others map[string]int) []outcome {
	t.Helper()
	type ifevalCase struct {
		ID     string
		Input  struct{ Constraints []constraint }
		Expect struct {
			Strict []bool `json:"upstream_strict"`
		}
	}
	cases := map[string]ifevalCase{}
	eachLine(t, filepath.Join(folder, "cases.jsonl"), func(c ifevalCase) { cases[c.ID] = c })
	type row struct{ ID, Text string }
	var all []outcome
	eachLine(t, filepath.Join(folder, judged), func(r row) {
		c := cases[r.ID]
		for i, con := range c.Input.Constraints {
			_, kind, _ := strings.Cut(con.Type, ":")
			var expect map[string]any
			if m, ok := mappings[kind]; ok {
				expect = m.expect(con)
			}
			if expect == nil {
				others[con.Type]++
				continue
			}
			all = append(all, outcome{con, r.Text, passes(t, expect, r.Text), c.Expect.Strict[i]})
		}
	})
	return all
}

// passes reports whether a text passes all checks of an expectation.
func passes(t *testing.T, expect map[string]any, text string) bool {
	t.Helper()
	s := subject(t, text)
	for _, c := range compile(t, string(canonical.Marshal(expect))) {
		if !judge(t, c, s).Pass {
			return false
		}
	}
	return true
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// dataFolder finds the data beside the repository.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Fatal("there is no go.mod above this folder")
	}
	data := filepath.Join(filepath.Dir(dir), "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skip("the upstream verdicts are not here (../shared/data): nothing is compared")
	}
	return data
}

func eachLine[T any](t *testing.T, file string, use func(T)) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		use(v)
	}
}
