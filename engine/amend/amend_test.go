package amend

import (
	"slices"
	"strings"
	"testing"

	"docket/engine/source"
)

const duty = `# the one on the desk
id: desk-1
added: 2025-04-02
provenance: ticket DESK-12 — a reader asked twice   # see the wiki

input: {question: "When?"}
expect:
  # the facts
  must_contain_fact:
    - key: opening_hours
      value: "17:30"   # as on the door

  max_words: 60 # short
tags: [hours, 'en']
# the end
`

func TestProvenanceIsTheOnlyByteThatChanges(t *testing.T) {
	for _, tc := range []struct{ name, before, text, after string }{
		{"plain", "id: a\nprovenance: old words   # why\ninput: {}\n", "new words", "id: a\nprovenance: new words   # why\ninput: {}\n"},
		{"quoted", "id: a\nprovenance: \"old # \\\" words\" # why\ninput: {}\n", "new: words # 3", "id: a\nprovenance: \"new: words # 3\" # why\ninput: {}\n"},
		{"single", "id: a\nprovenance: 'it''s old'\ninput: {}\n", "x", "id: a\nprovenance: x\ninput: {}\n"},
		{"folded", "id: a\nprovenance: >\n  old words\n  and more\n\n# input\ninput: {}\n", "x", "id: a\nprovenance: x\n\n# input\ninput: {}\n"},
		{"windows", "id: a\r\nprovenance: old\r\ninput: {}\r\n", "[x]", "id: a\r\nprovenance: \"[x]\"\r\ninput: {}\r\n"},
		{"last without an end", "id: a\ninput: {}\nprovenance: old", "x", "id: a\ninput: {}\nprovenance: x"},
		{"wide", "id: a\nprovenance: 返金\ninput: {}\n", "返金 INC-1", "id: a\nprovenance: 返金 INC-1\ninput: {}\n"},
	} {
		got, err := Provenance("a.yaml", []byte(tc.before), tc.text)
		if err != nil || string(got) != tc.after {
			t.Errorf("%s: got %q, %v, want %q", tc.name, got, err, tc.after)
		}
	}
	for _, bad := range []string{"{id: a, provenance: b, input: {}}\n", "id: a\ninput: {}\n", "- a\n", "id: [\n"} {
		if got, err := Provenance("a.yaml", []byte(bad), "x"); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestMergeAddsWhatIsLackingAndListsTheRest(t *testing.T) {
	other := `id: desk-2
provenance: incident INC-7
input: {question: "When then?"}
expect:
  must_contain_fact:
    - {key: phone, any: ["0123", "4567"]}
    - key: opening_hours
      value: "18:00"
    - key: address
      # the new house
      value: "Ely, |3"
  max_words: 80
  language: en
  structure:
    sections: 3
tags:
  - en
  - "a, b"
weight: 3
`
	got, err := Merge("1.yaml", []byte(duty), "2.yaml", []byte(other), "desk-2")
	if err != nil {
		t.Fatal(err)
	}
	want := `# the one on the desk
id: desk-1
added: 2025-04-02
provenance: "ticket DESK-12 — a reader asked twice; merged from desk-2: incident INC-7"   # see the wiki

input: {question: "When?"}
expect:
  # the facts
  must_contain_fact:
    - key: opening_hours
      value: "17:30"   # as on the door
    - {key: phone, any: ["0123", "4567"]}
    - key: address
      # the new house
      value: "Ely, |3"

  max_words: 60 # short
  language: en
  structure:
    sections: 3
tags: [hours, 'en', "a, b"]
version: 2
# the end
`
	if string(got.Data) != want {
		t.Errorf("got\n%s\nwant\n%s", got.Data, want)
	}
	if added := strings.Join(got.Added, "; "); added != "must_contain_fact phone; must_contain_fact address; language; structure; tag a, b; provenance" {
		t.Errorf("added %q", added)
	}
	if len(got.Conflicts) != 3 || !strings.Contains(got.Conflicts[0], "opening_hours") || !strings.Contains(got.Conflicts[1], "max_words: 60 stays, 80") || !strings.Contains(got.Conflicts[2], "weight") {
		t.Errorf("conflicts %q", got.Conflicts)
	}
}

func TestMergeOfTheSameChangesOnlyWhereItCameFrom(t *testing.T) {
	got, err := Merge("1.yaml", []byte(duty), "2.yaml", []byte(strings.Replace(duty, "ticket DESK-12 — a reader asked twice", "INC-9", 1)), "desk-9")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(duty, "a reader asked twice", "a reader asked twice; merged from desk-9: INC-9", 1); !slices.Equal(got.Added, []string{"provenance"}) ||
		strings.ReplaceAll(string(got.Data), `"`, "") != strings.ReplaceAll(want, `"`, "") {
		t.Errorf("added %q:\n%s", got.Added, got.Data)
	}
}

func TestMergeIntoACaseWithoutExpectations(t *testing.T) {
	got, err := Merge("1.yaml", []byte("id: a\r\nprovenance: p\r\ninput: {}"), "2.yaml", []byte("id: b\nprovenance: q\ninput: {}\nexpect: {max_words: 3}\ntags: [x]\n"), "b")
	want := "id: a\r\nprovenance: \"p; merged from b: q\"\r\ntags: [x]\r\ninput: {}\r\nexpect:\r\n  max_words: 3\r\nversion: 2\r\n"
	if err != nil || string(got.Data) != want {
		t.Errorf("got %q, %v, want %q", got.Data, err, want)
	}
}

// FuzzMerge merges any two files: what comes out reads, or there is an error.
func FuzzMerge(f *testing.F) {
	f.Add(duty, duty)
	f.Add("id: a\nprovenance: p\n", "id: b\nexpect:\n  must_match:\n  - a\n  - b\n")
	f.Add("id: a\nprovenance: p\nexpect:\n  must_match: [a]\n", "id: b\nexpect:\n  must_match:\n  - |\n    # no comment\n  - b\n")
	f.Fuzz(func(t *testing.T, mine, theirs string) {
		got, err := Merge("1.yaml", []byte(mine), "2.yaml", []byte(theirs), "b")
		if err != nil {
			return
		}
		if _, problems := source.Parse("1.yaml", got.Data); len(problems) > 0 {
			t.Errorf("%q and %q became %q: %v", mine, theirs, got.Data, problems)
		}
	})
}
