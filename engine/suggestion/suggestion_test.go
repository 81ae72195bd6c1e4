package suggestion

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/source"
	"docket/engine/suite"
)

func subject(id, question, expect string, set ...func(*Subject)) Subject {
	v, problems := source.Parse(id, []byte(expect))
	if len(problems) > 0 {
		panic(problems)
	}
	c := &suite.Case{ID: id, Weight: 1, Provenance: "p", Input: map[string]any{"question": question}, Expect: v, InputHash: question, ExpectHash: expect}
	s := Subject{Case: c}
	for _, f := range set {
		f(&s)
	}
	return s
}

func idle(runs, failed, days int) func(*Subject) {
	return func(s *Subject) {
		s.Judged, s.Failed = runs, failed
		s.First = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
		s.Last = s.First.AddDate(0, 0, days)
	}
}

func told(f Found) string {
	var all []string
	for _, s := range f.Suggestions {
		for _, finding := range s.Findings {
			all = append(all, s.ID+": "+finding.Why)
		}
	}
	return strings.Join(all, "\n")
}

func TestFind(t *testing.T) {
	facts := "{must_contain_fact: [{key: hours, value: \"17:30\"}], max_words: 60}"
	long := "When does the branch in Ely open on the day before a holiday, and may I bring back the books that my mother borrowed in spring"
	heavy := func(s *Subject) { s.Case.Weight = 3 }
	incident := func(s *Subject) { s.Incident = true }
	added := func(day string) func(*Subject) { return func(s *Subject) { s.Case.Added = day } }
	for _, tc := range []struct {
		name     string
		subjects []Subject
		o        Options
		want     string
		left     string
	}{
		{"never failed", []Subject{subject("a", "q", facts, idle(20, 0, 60)), subject("b", "another thing", facts, idle(20, 1, 60)), subject("c", "third", facts, idle(19, 0, 90)), subject("d", "the fourth", facts, idle(90, 0, 59))}, Options{}, "a: never failed in 20 runs over 60 days", "0 0 0"},
		{"what a person rejected was caught", []Subject{subject("a", "q", facts, idle(20, 0, 60), func(s *Subject) { s.Caught = true })}, Options{}, "", "0 0 0"},
		{"left out", []Subject{subject("a", "q", facts, idle(20, 0, 60), heavy), subject("b", "r s", facts, idle(20, 0, 60), incident), subject("c", "t u", facts, idle(20, 0, 60), func(s *Subject) { s.Kept = true })}, Options{}, "", "1 1 1"},
		{"asked for", []Subject{subject("a", "q", facts, idle(20, 0, 60), heavy), subject("b", "r s", facts, idle(20, 0, 60), incident), subject("c", "t u", facts, idle(20, 0, 60), func(s *Subject) { s.Kept = true })}, Options{Heavy: true, Again: true}, "a: never failed in 20 runs over 60 days\nb: never failed in 20 runs over 60 days\nc: never failed in 20 runs over 60 days", "0 0 0"},
		{"the same, the older stays", []Subject{subject("a", long, facts, added("2026-01-02")), subject("b", long, facts, added("2025-01-02"))}, Options{}, "a: has the same input and expectation as b", "0 0 0"},
		{"nearly the same, the heavier stays", []Subject{subject("a", long+" please", facts), subject("b", long, facts, heavy)}, Options{}, "a: asks 9", "0 0 0"},
		{"another expectation is another case", []Subject{subject("a", long, facts), subject("b", long, "{label: open}")}, Options{}, "", "0 0 0"},
		{"another number is another case", []Subject{subject("a", long, facts), subject("b", long, strings.Replace(facts, "17:30", "18:00", 1))}, Options{}, "", "0 0 0"},
		{"wavering", []Subject{subject("a", "q", facts, func(s *Subject) {
			s.Held, s.Wavering, s.Samples, s.Mode = []string{"refusal"}, []string{"hours", "label"}, 5, "live"
		}), subject("b", "z y", facts, func(s *Subject) { s.Held, s.Wavering = []string{"x"}, []string{"y"} })}, Options{}, "a: 2 of 3 things that are measured waver over 5 samples of the live baseline: hours and label", "0 0 0"},
		{"gone comes first", []Subject{subject("a", "q", facts, idle(20, 0, 60), func(s *Subject) { s.Gone = []string{"it refers to docs/a.md, which is gone"} })}, Options{}, "a: it refers to docs/a.md, which is gone\na: never failed in 20 runs over 60 days", "0 0 0"},
	} {
		f := Find(tc.subjects, tc.o)
		if got := told(f); got != tc.want && (tc.want == "" || !strings.HasPrefix(got, tc.want)) {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
		if left := fmt.Sprint(f.Heavy, f.Incidents, f.Kept); left != tc.left {
			t.Errorf("%s: left out %s, want %s", tc.name, left, tc.left)
		}
	}
}

func TestAlikeFindsWhatCountingAllPairsFinds(t *testing.T) {
	var texts []Text
	words := strings.Fields("the a branch book card desk reader fine hour day week town street house school class term loan letter rule")
	at := 1
	for i := range 60 {
		text := make([]string, 30)
		for j := range text {
			at = at*48271%2147483647 + 1
			text[j] = words[at%len(words)]
		}
		if i%3 != 0 { // two near copies of each
			copy(text, texts[i-i%3].Input)
			text[i%30] = "other"
		}
		texts = append(texts, Text{text, []string{"x"}})
	}
	got := Alike(texts)
	if len(got) < 37 {
		t.Errorf("%d copies of 40 are found", len(got))
	}
	for _, p := range got {
		if p.A/3 != p.B/3 || p.A >= p.B {
			t.Errorf("%d is said to be like %d", p.B, p.A)
		}
	}
	if got := Alike([]Text{{nil, nil}, {nil, nil}, {Words("返金は３０日"), nil}}); len(got) != 1 || got[0].Like != 1 {
		t.Errorf("of texts without words: %v", got)
	}
}

func TestSteadiness(t *testing.T) {
	line := baseline.Line{
		Checks:      map[string]baseline.Check{"hours": {Tally: baseline.Tally{Passed: 3, Of: 5}}, "max_words": {Tally: baseline.Tally{Passed: 5, Of: 5}}},
		Projections: map[string]any{"refusal": false, "language": "en", "shape": []any{"a:string"}},
		Unstable:    map[string]map[string]int{"label": {"a": 2, "b": 3}, "length": {"short": 1}, "shape": {"b:string": 1}},
	}
	held, wavering := Steadiness(&line)
	if got := fmt.Sprint(held, wavering); got != "[max_words refusal] [hours label shape]" {
		t.Errorf("got %s", got)
	}
}

// A suite that was made from one template: every case is like every other.
func TestAlikeOfTextsThatAreAllAlike(t *testing.T) {
	texts := make([]Text, 20_000)
	for i := range texts {
		texts[i] = Text{Words(strings.Repeat("when does the branch open on a holiday and who is at the desk ", 3) + fmt.Sprint(i)), []string{"x"}}
	}
	pairs := Alike(texts)
	if len(pairs) != len(texts)-1 {
		t.Fatalf("%d of %d are like another", len(pairs), len(texts)-1)
	}
	for _, p := range pairs {
		if p.A != 0 {
			t.Fatalf("%d is said to be like %d, and the first is 0", p.B, p.A)
		}
	}
}

// BenchmarkFind looks for grounds against a thousand cases; the goal for all of
// docket's own suggestions is a second.
func BenchmarkFind(b *testing.B) {
	var subjects []Subject
	for i := range 1000 {
		question := fmt.Sprintf("case %d: ", i/2) + strings.Repeat(fmt.Sprintf("when does the branch %d open on day %d, and who is at the desk? ", i%97, i%31), 12)
		subjects = append(subjects, subject(fmt.Sprint("case-", i), question, "{must_contain_fact: [{key: hours, value: \"17:30\"}], max_words: 60}", idle(40, 0, 90)))
	}
	for b.Loop() {
		if f := Find(subjects, Options{}); len(f.Suggestions) != 1000 {
			b.Fatal(len(f.Suggestions))
		}
	}
}
