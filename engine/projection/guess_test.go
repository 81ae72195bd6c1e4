package projection

import (
	"fmt"
	"testing"

	"docket/engine/output"
	"docket/engine/source"
)

func answers(texts ...string) []Answer {
	all := make([]Answer, len(texts))
	for i, text := range texts {
		document, has := output.Document(text)
		all[i] = Answer{Text: text, Document: document, HasDocument: has}
	}
	return all
}

func TestGuess(t *testing.T) {
	many := func(n int, format string, values ...any) []string {
		var texts []string
		for i := range n {
			texts = append(texts, fmt.Sprintf(format, values[i%len(values)], i))
		}
		return texts
	}
	tests := []struct {
		name  string
		texts []string
		want  string
	}{
		{"a usual name and a number", many(4, `{"status":%q,"amount":%d}`, "paid", "overdue"), "the label at status and the numbers amount"},
		{"another name with few values", many(12, `{"queue":%q,"n":{"of":%d}}`, "billing", "returns"), "the label at queue and the numbers n.of"},
		{"another name, too few answers to tell", many(4, `{"queue":%q,"n":%d}`, "billing", "returns"), "the numbers n"},
		{"every answer another", many(20, `{"customer":"c-%[2]d","note":%q}`, "It left on Monday, and is expected within the week."), ""},
		{"a field that is a number or a text", []string{`{"amount":1}`, `{"amount":"1"}`}, ""},
		{"fenced", many(3, "```json\n{\"label\":%q,\"n\":%d}\n```", "a", "b"), "the label at label and the numbers n"},
		{"a list of labels", []string{`["a","b"]`, `["a"]`, `["b"]`}, "the label at []"},
		{"whole answers are labels", []string{"Paid", "overdue", "paid", "paid", "overdue", "paid"}, "the labels overdue, paid"},
		{"prose", many(9, "It is %s, as of the %d. of May, and we have written to them twice since.", "paid"), ""},
		{"odd keys", many(3, `{"a.b":%[2]d,"label":%[1]q}`, "x"), `the label at label and the numbers "a.b"`},
		{"nothing", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := GuessFrom(answers(test.texts...))
			config, problems := source.Parse("guess", g.Config())
			labels, more := Labels(g.Labels, config, source.Position{})
			_, wrong := Compile(config, labels)
			if problems = append(append(problems, more...), wrong...); len(problems) > 0 {
				t.Errorf("the guess does not compile: %v", problems)
			}
			if got := g.String(); got != test.want {
				t.Errorf("guessed %q, want %q", got, test.want)
			}
		})
	}
}
