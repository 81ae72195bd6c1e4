package projection_test

import (
	"strings"
	"testing"

	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/source"
)

// compile compiles a configuration with its labels, and fails on problems.
func compile(t testing.TB, config string, labels ...string) *projection.Set {
	t.Helper()
	var value source.Value
	if config != "" {
		v, problems := source.Parse("config.yaml", []byte(config))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		value = v
	}
	finder, problems := projection.Labels(labels, value, source.Position{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	set, problems := projection.Compile(value, finder)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return set
}

// subject makes a subject of an output's text.
func subject(text string, input map[string]any) *projection.Subject {
	doc, has := output.Document(text)
	return &projection.Subject{Input: input, Output: &output.Output{Text: text}, Document: doc, HasDocument: has}
}

// fold measures texts as the samples of one case.
func fold(set *projection.Set, input map[string]any, texts ...string) map[string]projection.Measured {
	samples := make([]map[string]any, len(texts))
	for i, text := range texts {
		samples[i] = set.Project(subject(text, input))
	}
	return measured(set, samples)
}

func measured(set *projection.Set, samples []map[string]any) map[string]projection.Measured {
	stable, unstable := set.Fold(samples)
	all := map[string]projection.Measured{}
	for _, name := range set.Names() {
		v, ok := stable[name]
		all[name] = projection.Measured{Stable: v, HasStable: ok, Unstable: unstable[name], Samples: len(samples)}
	}
	return all
}

// differences compares all projections of a set and writes each difference on
// a line: name, member, kind, old → new.
func differences(set *projection.Set, old, new map[string]projection.Measured) []string {
	var lines []string
	for _, name := range set.Names() {
		for _, d := range set.Compare(name, old[name], new[name]) {
			lines = append(lines, spellDifference(name, d))
		}
	}
	return lines
}

func spellDifference(name string, d projection.Difference) string {
	parts := []string{name}
	if d.Member != "" {
		parts = append(parts, d.Member)
	}
	side := func(v any) string {
		if s, ok := v.(string); ok {
			return s
		}
		return projection.Spell(v)
	}
	return strings.Join(append(parts, string(d.Kind), side(d.Old), "→", side(d.New)), " ")
}

// TestSixRows is the probe that text similarity gets the wrong way round: what
// changes the meaning in a few characters is a change, what changes characters
// alone is none.
func TestSixRows(t *testing.T) {
	const answer = `{"action":"refund","amount":20,"currency":"USD","order":"4417","note":"The parcel arrived damaged and the customer sent photographs of it."}`
	const config = `
label: {path: action}
numbers:
  amount: {path: amount, within: 0.01}
  promised: {pattern: 'refund of \$([\d.,]+)', within: 0.01}
`
	const prose = "We have reviewed order 4417 and approved a refund of $20.00. It will reach the customer's card within five working days, and no further action is needed."
	const paraphrase = "Order 4417 was checked, and we agreed to pay back the customer: a refund of $20.00 goes to the card. Expect it in five working days; nothing else has to be done."
	long := strings.Repeat("The agent read the ticket, looked up the order and wrote down what had happened so far. ", 38) + "The refund of $20.00 was approved."
	input := map[string]any{"ticket": "Order 4417 arrived broken, I paid $20.00 for it."}

	set := compile(t, config, "refund", "reject")
	for _, row := range []struct {
		name     string
		old, new string
		want     []string
	}{
		{"keys reordered, same data", answer, `{"order":"4417","note":"The parcel arrived damaged and the customer sent photographs of it.","currency":"USD","amount":20,"action":"refund"}`, nil},
		{"refund becomes reject", answer, strings.Replace(answer, "refund", "reject", 1), []string{"label changed refund → reject"}},
		{"amount 20 becomes 90", answer, strings.Replace(answer, "20", "90", 1), []string{"entities 20 lost 20 → null", "numbers amount changed 20 → 90"}},
		{"$20.00 becomes $200.00 in prose", prose, strings.Replace(prose, "$20.00", "$200.00", 1), []string{"entities 20 lost 20 → null", "numbers promised changed 20 → 200"}},
		{"faithful paraphrase", prose, paraphrase, nil},
		{"one word in 3,400 characters", long, strings.Replace(long, "read", "studied", 1), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := differences(set, fold(set, input, row.old), fold(set, input, row.new))
			if strings.Join(got, "\n") != strings.Join(row.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}

	// Without any configuration, and without the input, what can be seen is.
	plain := compile(t, "")
	if got := differences(plain, fold(plain, input, prose), fold(plain, input, strings.Replace(prose, "$20.00", "$200.00", 1))); len(got) != 1 || !strings.HasPrefix(got[0], "entities 20 lost") {
		t.Errorf("without configuration: %v", got)
	}
	for _, same := range [][2]string{{prose, paraphrase}, {answer, `{"note":"The parcel arrived damaged and the customer sent photographs of it.","amount":20,"order":"4417","currency":"USD","action":"refund"}`}} {
		if got := differences(plain, fold(plain, nil, same[0]), fold(plain, nil, same[1])); len(got) > 0 {
			t.Errorf("without configuration: %v", got)
		}
	}
}
