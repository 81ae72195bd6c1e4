package promptfoo_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"docket/engine/legacy"
	"docket/engine/legacy/promptfoo"
)

// told spells a test in one line.
func told(t legacy.Test) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d-%d", t.Name, t.Line, t.End)
	for _, in := range t.Inputs {
		v, _ := json.Marshal(in.Value)
		fmt.Fprintf(&b, " %s=%s", in.Name, v)
		if in.Why != "" {
			b.WriteString("?")
		}
	}
	for _, c := range t.Claims {
		fmt.Fprintf(&b, "; %d-%d %s", c.Line, c.End, c.Subject)
		if c.Path != "" {
			b.WriteString("." + c.Path)
		}
		if c.Not {
			b.WriteString(" not")
		}
		b.WriteString(" " + string(c.Op))
		if c.Any {
			b.WriteString(" any")
		}
		for _, v := range c.Values {
			text, _ := json.Marshal(v)
			b.WriteString(" " + string(text))
		}
		if c.IgnoreCase {
			b.WriteString(" i")
		}
		if c.Why != "" {
			b.WriteString(" ?")
		}
	}
	return b.String()
}

const config = `description: the desk's prompts
prompts: [file://prompt.txt]
providers: [openai:gpt-4o]
defaultTest:
  vars: {locale: en-GB}
  assert:
    - type: latency
      threshold: 5000
tests:
  # INC-219: the window was dropped
  - description: keeps the window
    vars:
      ticket: file://tickets/4471.txt
      amount: 18.50
    assert:
      - type: contains
        value: 30 days
      - type: not-icontains
        value: Ilse
      - type: contains-any
        value: [refund, "{{amount}} EUR"]
      - type: javascript
        value: output.length < 400
  - vars: {ticket: [a, b], who: file://who.py}
    assert:
      - type: is-json
        value: {type: object, required: [queue, reason]}
      - type: equals
        value: theft
        transform: JSON.parse(output).queue
      - type: llm-rubric
        value: is polite
      - type: regex
        value: '{{ pattern | safe }}'
      - {type: word-count, value: {max: 60}}
  - file://more.csv
`

func TestConfiguration(t *testing.T) {
	files := map[string]string{"tickets/4471.txt": "a ticket\n", "more.csv": "q,__expected,__description\nhi,\"contains: x\",third\n"}
	f, err := promptfoo.Read("promptfooconfig.yaml", []byte(config), func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("%q is not there", name)
	})
	if err != nil {
		t.Fatal(err)
	}
	second := `26-27 answer parses; 26-27 document has key "queue" "reason"; 28-30 document.queue equals "theft"; 31-32 answer unknown ?; 33-34 answer matches ?; 35-35 answer.words at most 60`
	want := []string{
		`keeps the window 11-23 locale="en-GB" ticket="a ticket" amount=18.50; 7-8 response.latency at most 5000; 16-17 answer contains "30 days"; 18-19 answer not contains "Ilse" i; 20-21 answer contains any "refund" "18.50 EUR"; 22-23 answer unknown ?`,
		`test 2 24-35 locale="en-GB" ticket="a" who=null?; 7-8 response.latency at most 5000; ` + second,
		`test 2 (2) 24-35 locale="en-GB" ticket="b" who=null?; 7-8 response.latency at most 5000; ` + second,
		`third 36-36 q="hi"; 36-36 answer contains "x"`,
	}
	if len(f.Tests) != len(want) || len(f.Problems) > 0 {
		t.Fatalf("%d tests, %v", len(f.Tests), f.Problems)
	}
	for i, w := range want {
		if g := told(f.Tests[i]); g != w {
			t.Errorf("test %d\n got %s\nwant %s", i, g, w)
		}
	}
	if c := f.Tests[0].Comments; len(c) != 1 || c[0] != "INC-219: the window was dropped" {
		t.Errorf("comments are %q", c)
	}
	if f.Tests[0].Inputs[1].From != "tickets/4471.txt" {
		t.Errorf("the ticket is from %q", f.Tests[0].Inputs[1].From)
	}
}

func TestTable(t *testing.T) {
	table := "question,__expected,__expected2,__description\n\"two\nlines\",contains-all: a,\"not-contains: b, c\",first\nx,similar(0.8): y,is-json,\nz,plain text,,\nz,note: a text,,\n"
	if !promptfoo.Knows("t.csv", []byte(table)) || promptfoo.Knows("t.csv", []byte("a,b\n")) {
		t.Error("a table is known by its column __expected")
	}
	f, err := promptfoo.Read("t.csv", []byte(table), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`first 2-3 question="two\nlines"; 2-3 answer contains "a"; 2-3 answer not contains "b, c"`,
		`row 2 4-4 question="x"; 4-4 answer unknown ?; 4-4 answer parses`,
		`row 3 5-5 question="z"; 5-5 answer equals "plain text"`,
		`row 4 6-6 question="z"; 6-6 answer equals "note: a text"`,
	}
	for i, w := range want {
		if g := told(f.Tests[i]); g != w {
			t.Errorf("row %d\n got %s\nwant %s", i, g, w)
		}
	}
}

// A file that a configuration names stays within the folder.
func TestFilesStayInTheFolder(t *testing.T) {
	f, err := promptfoo.Read("p.yaml", []byte("tests:\n  - vars: {a: file://../secret.txt, b: file:///etc/passwd}\n    assert: [{type: equals, value: file://../x}]\n  - file://../more.yaml\n"),
		func(name string) ([]byte, error) {
			t.Errorf("%q was read", name)
			return []byte("x"), nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Tests) != 1 || len(f.Tests[0].Unresolved) != 3 || len(f.Problems) != 1 {
		t.Errorf("%v %v", f.Tests, f.Problems)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a.yaml", []byte(config))
	f.Add("a.yaml", []byte("- vars: {a: [1, 2], b: [3]}\n  assert:\n    - type: assert-set\n      assert: [{type: not-}]"))
	f.Add("a.yaml", []byte("scenarios: [{config: [{vars: x}], tests: [{assert: [1, [], 'contains: y']}]}]"))
	f.Add("a.csv", []byte("a,__expected\n\"x\ny\",\"contains: {{a}}\"\n1,2,3\n\"\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		got, err := promptfoo.Read(name, data, nil)
		if err != nil {
			return
		}
		for _, test := range got.Tests {
			if test.Line < 1 || test.End < test.Line || test.End > got.Lines+1 {
				t.Fatalf("a test on lines %d to %d of %d", test.Line, test.End, got.Lines)
			}
		}
	})
}
