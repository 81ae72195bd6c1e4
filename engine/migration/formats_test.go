package migration_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/canonical"
	"docket/engine/contract"
	"docket/engine/interchange"
	"docket/engine/legacy"
	"docket/engine/migration"
)

// format is a claim about the format of an answer.
type format struct {
	text  string
	claim legacy.Claim
}

func formats() []format {
	n := func(s string) json.Number { return json.Number(s) }
	words := func(op legacy.Op, not bool, s string) format {
		return format{fmt.Sprintf("%v %s %q", !not, op, s), legacy.Claim{Subject: legacy.Answer, Op: op, Not: not, Values: []any{s}}}
	}
	count := func(part string, op legacy.Op, of string) format {
		return format{fmt.Sprintf("%s %s %s", part, op, of), legacy.Claim{Subject: legacy.Answer, Path: part, Op: op, Values: []any{n(of)}}}
	}
	return []format{
		words(legacy.Contains, true, "\n"), words(legacy.Contains, false, "\n"), words(legacy.Contains, true, "**"), words(legacy.Contains, false, "**"),
		words(legacy.StartsWith, false, "Page:"), words(legacy.StartsWith, false, "Dear"), words(legacy.EndsWith, false, "."), words(legacy.EndsWith, false, "!"),
		count("lines", legacy.Equals, "1"), count("lines", legacy.Equals, "4"), count("lines", legacy.AtMost, "6"), count("lines", legacy.AtLeast, "2"),
		count("words", legacy.AtMost, "60"), count("words", legacy.AtMost, "80"), count("words", legacy.AtLeast, "70"),
	}
}

// ofTests makes the contracts of tests that ask for these formats, each with the
// style that it gives.
func ofTests(tests [][]format, styles []string) *migration.Work {
	f := &legacy.File{Name: "tests/test_pages.py", Language: "python"}
	all := map[string]migration.Choice{}
	for i, claims := range tests {
		t := legacy.Test{Name: fmt.Sprintf("test_%d", i), Line: 10 * i, End: 10*i + 9, Source: fmt.Sprint("def test_", i), Call: "page(ALERT)"}
		t.Inputs = []legacy.Input{{Name: "alert", Value: fmt.Sprintf("disk %d is full", i)}}
		if styles[i] != "" {
			t.Inputs = append(t.Inputs, legacy.Input{Name: "style", Value: styles[i]})
		}
		for j, c := range claims {
			c.claim.Line, c.claim.Text = 10*i+j, c.text
			t.Claims = append(t.Claims, c.claim)
		}
		f.Tests = append(f.Tests, t)
		all[f.Name+"::"+t.Name] = choose(migration.Contract)
	}
	return migration.Propose([]*legacy.File{f}, migration.Options{}).Assemble(all, migration.Target{Suite: "pages", Cases: "cases/pages"}, nil)
}

// TestFormatsByArgument: one function that gives two formats has two contracts.
func TestFormatsByArgument(t *testing.T) {
	f := formats()
	noEnds, lines4, lines6, page, dear, words60, words80 := f[0], f[9], f[10], f[4], f[5], f[12], f[13]
	for _, tt := range []struct {
		name   string
		tests  [][]format
		styles []string
		want   string // the contracts, by what they are of
		left   int
	}{
		{"by style", [][]format{{noEnds, page}, {lines4}, {lines6, dear}}, []string{"pager", "mail", "mail"}, `mail {"must_match":["^Dear"],"structure":{"lines":{"max":6,"min":4}}}; pager {"must_match":["^Page:"],"must_not_match":["\\n"]}`, 0},
		{"by none and one", [][]format{{noEnds}, {lines4}, {lines4}}, []string{"pager", "", ""}, ` {"structure":{"lines":4}}; pager {"must_not_match":["\\n"]}`, 0},
		{"by nothing", [][]format{{noEnds}, {lines4}}, []string{"", ""}, ``, 2},
		{"the odd one", [][]format{{dear}, {f[1]}, {noEnds}, {lines4}}, []string{"", "", "", ""}, ` {"must_match":["^Dear","\\n"],"structure":{"lines":4}}`, 1},
		{"limits alone", [][]format{{words60}, {words80}}, []string{"", ""}, ` {"max_words":80}`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := ofTests(tt.tests, tt.styles)
			var got []string
			for _, c := range w.Contracts {
				got = append(got, c.Of+" "+string(canonical.Marshal(c.Expect)))
			}
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
			left := 0
			for _, r := range w.Records {
				left += len(r.Left)
			}
			if left != tt.left {
				t.Errorf("%d were left, want %d: %v", left, tt.left, w.Records)
			}
			if tt.name == "limits alone" && !strings.Contains(string(w.Contracts[0].YAML()), "the tests differ in max_words, and the widest stands: 60 in test_0 and 80 in test_1") {
				t.Errorf("it does not say that limits differ:\n%s", w.Contracts[0].YAML())
			}
		})
	}
}

// TestPropertyContractsCanBeKept: whatever tests ask together, some answer keeps
// each contract that comes of it.
func TestPropertyContractsCanBeKept(t *testing.T) {
	answers := keepers()
	rapid.Check(t, func(rt *rapid.T) {
		tests := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(formats()), 1, 3), 1, 6).Draw(rt, "tests")
		styles := rapid.SliceOfN(rapid.SampledFrom([]string{"", "pager", "mail"}), len(tests), len(tests)).Draw(rt, "styles")
		for _, made := range ofTests(tests, styles).Contracts {
			c, problems := contract.Parse("c.yaml", made.YAML(), nil)
			if len(problems) > 0 {
				rt.Fatalf("%v in\n%s", problems, made.YAML())
			}
			r, err := c.Hold(rt.Context(), answers)
			if err != nil {
				rt.Fatal(err)
			}
			if r.Broken == r.Outputs {
				rt.Fatalf("no answer keeps\n%s", made.YAML())
			}
		}
	})
}

// keepers are answers of every format that formats can ask for.
func keepers() []interchange.Row {
	var all []interchange.Row
	for _, head := range []string{"Page:", "Dear"} {
		for _, tail := range []string{".", "!"} {
			for _, bold := range []string{"", " **now**"} {
				for _, lines := range []int{1, 2, 3, 4, 5, 6, 7} {
					for _, words := range []int{1, 60, 70, 75} {
						text := head + bold + strings.Repeat("\nx", lines-1) + strings.Repeat(" x", max(0, words-lines)) + tail
						row := interchange.Row{ID: fmt.Sprint(len(all))}
						row.Output.Text = text
						all = append(all, row)
					}
				}
			}
		}
	}
	return all
}
