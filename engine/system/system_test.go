package system_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/source"
	"docket/engine/system"
)

// declare compiles one entry of `systems:` in a folder with a few files.
func declare(t *testing.T, dir, yaml string) (*system.Declared, error) {
	t.Helper()
	v, problems := source.Parse(".docket.yaml", []byte(yaml))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	d, problems := system.Compile("app", v, system.Env{Root: root(t, dir)})
	return d, problems.Err()
}

func root(t *testing.T, dir string) *os.Root {
	t.Helper()
	r, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDeclarationsThatAreWrong(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "broken.json", "{")
	write(t, dir, "p.md", "{{.body}}")
	write(t, dir, "bad.md", "a\n{{.body")
	for _, tt := range []struct{ yaml, want string }{
		{"[]", `.docket.yaml:1:1: system "app": expected a mapping with a kind (anthropic, canned, exec, http, openai, outputs), got a list`},
		{"model: m", `.docket.yaml:1:1: system "app" has no kind; expected one of anthropic, canned, exec, http, openai, outputs`},
		{"kind: 3", ".docket.yaml:1:7: kind must be a name (anthropic, canned, exec, http, openai, outputs), got the number 3"},
		{"kind: cannned", `.docket.yaml:1:7: there is no system of kind "cannned"; did you mean "canned"?`},
		{"kind: anthropic", "a system of kind anthropic needs a model, such as model: claude"},
		{"kind: openai", "a system of kind openai needs a prompt, a file such as"},
		{"{kind: openai, model: m, prompt: bad.md}", ".docket.yaml:1:34: the prompt is not a valid template: bad.md:2: unclosed action"},
		{"{kind: openai, model: m, prompt: p.md, params: {messages: []}}", "messages is not a parameter here: write it under prompt"},
		{"{kind: openai, model: m, prompt: p.md, url: api}", "url, where openai is, must be an address"},
		{"{kind: openai, model: m, prompt: p.md, timeout: 3}", "timeout must be a time such as 60s"},
		{"{kind: openai, model: m, prompt: p.md, price: 3}", "price must be a mapping such as {input: 3.00, output: 15.00}"},
		{"{kind: openai, model: m, prompt: p.md, price: {input: -1, output: 2}}", "a price has input, in US dollars per million tokens, as a number that is not negative"},
		{"{kind: openai, model: m, prompt: p.md, price: {input: 1}}", "a price has output"},
		{"{kind: openai, model: m, prompt: p.md, tools: [3]}", "tool 1 has no name"},
		{"{kind: canned, system_prompt: p.md}", `unknown key "system_prompt" in a system of kind canned`},
		{"kind: http", "a system of kind http needs a url"},
		{"{kind: http, url: [x]}", "url must be an address such as https://host/path, got a list"},
		{"{kind: canned, file: x}", `.docket.yaml:1:16: unknown key "file" in a system of kind canned; `},
		{"{kind: outputs, fil: x}", `.docket.yaml:1:17: unknown key "fil" in a system of kind outputs; did you mean "file"?`},
		{"{kind: canned, environment: [x]}", "environment must be a string, got a list"},
		{"{kind: canned, params: x}", "params must be a mapping such as {temperature: 0}"},
		{"{kind: canned, prompt: ../p.md}", `.docket.yaml:1:24: prompt: the file "../p.md" lies outside the folder of .docket.yaml`},
		{"{kind: canned, prompt: q.md}", `prompt: the file "q.md" does not exist`},
		{"{kind: canned, prompt: .}", `prompt: "." is not a regular file`},
		{"{kind: canned, tools: broken.json}", "the file \"broken.json\" is not JSON: line 1"},
		{"kind: outputs", "a system of kind outputs needs a file"},
		{"{kind: outputs, file: [a]}", "file must name a file of outputs, got a list"},
		{"{kind: outputs, file: /etc/passwd}", `the file "/etc/passwd" lies outside the folder`},
		{"{kind: outputs, file: a, mode: replay}", "mode says who answered in this file, mock or live, got"},
		{"kind: exec", "a system of kind exec needs a command"},
		{"{kind: exec, command: python -m x}", "command must be a list, the program and its arguments, since no shell reads it"},
		{"{kind: exec, command: []}", "command is empty"},
		{"{kind: exec, command: ['', x]}", "a word of command must be text"},
		{"{kind: exec, command: [a, [b]]}", "a word of command must be text, got a list"},
		{"{kind: exec, command: [a], timeout: 60}", "timeout must be a time such as 60s or 2m, got the number 60"},
		{"{kind: exec, command: [a], timeout: -1s}", "timeout must be a time such as 60s or 2m"},
		{"{kind: exec, command: [a], protocol: json}", "protocol must be jsonl"},
		{"{kind: exec, command: [a], env: [b]}", "env must be a mapping of names and values, got a list"},
		{"{kind: exec, command: [a], env: {A: [b]}}", "the value of a variable must be text, got a list"},
		{"{kind: exec, command: [a], env: {'A=B': c}}", `"A=B" cannot be the name of a variable`},
		{`{kind: exec, command: [a], env: {OPENAI_BASE_URL: '{{provider "opnai"}}'}}`, `there is no provider "opnai"; did you mean "openai"?`},
		{`{kind: exec, command: [a], env: {OPENAI_BASE_URL: '{{provider openai}}'}}`, `an address is written {{provider "openai"}} or {{service "search"}}`},
		{`{kind: exec, command: [a], env: {SEARCH_URL: '{{service "search"}}'}}`, `there is no service "search"; declare it: services: {search: {url: 'https://…'}}`},
	} {
		_, err := declare(t, dir, tt.yaml)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s\n says %v\n want %s", tt.yaml, err, tt.want)
		}
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := declare(t, t.TempDir(), "{kind: exec, timeout: x, protocol: y, environment: [z], comand: [a]}")
	for _, want := range []string{"needs a command", "timeout must", "protocol must", "environment must", `did you mean "command"?`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
}

// TestIdentity reads what a declaration says of who answers.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "p.md", "Summarise.")
	write(t, dir, "schemas/out.json", `{"type": "object"}`)
	d, err := declare(t, dir, "{kind: canned, environment: staging, model: m-1, sdk: go/1, params: {temperature: 0}, prompt: p.md, tools: [{name: f}], output_schema: schemas/out.json}")
	if err != nil {
		t.Fatal(err)
	}
	id := d.Identity()
	if id.System != "app" || id.Mode != "mock" || id.Model != "m-1" || id.SDK != "go/1" || id.Environment != "staging" {
		t.Errorf("identity is %+v", id)
	}
	if want := canonical.HashBytes([]byte("Summarise.")); id.Prompt != want || !strings.HasPrefix(id.Tools, "sha256:") {
		t.Errorf("prompt %s, want %s; tools %s", id.Prompt, want, id.Tools)
	}
	if diff := cmp.Diff(any(map[string]any{"type": "object"}), d.OutputSchema()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(any([]any{map[string]any{"name": "f"}}), d.Tools()); diff != "" {
		t.Error(diff)
	}
	// The schema of the output is part of what the hash covers.
	without, err := declare(t, dir, "{kind: canned, tools: [{name: f}]}")
	if err != nil {
		t.Fatal(err)
	}
	if without.Identity().Tools == id.Tools {
		t.Error("the hash does not see the schema of the output")
	}
}

func open(t *testing.T, dir, yaml string, mock map[string]string) system.System {
	t.Helper()
	d, err := declare(t, dir, yaml)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Open(t.Context(), system.Surroundings{
		Dir: dir, Root: root(t, dir),
		Mock: func(id string) source.Value {
			text, ok := mock[id]
			if !ok {
				return source.Value{}
			}
			v, _ := source.Parse("cases/"+id+".yaml", []byte(text))
			return v.Get("mock")
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := s.(interface{ Close() error }); ok {
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return s
}

func TestCanned(t *testing.T) {
	none := []output.ToolCall{}
	s := open(t, t.TempDir(), "kind: canned", map[string]string{
		"text":     "mock: It is paid.",
		"calls":    "mock: [{text: Let me see., tool_calls: [{name: lookup, arguments: {b: 1.0, a: x}}]}]",
		"last":     "mock: [{tool_calls: [{name: lookup}]}, It is paid.]",
		"string":   `mock: [{tool_calls: [{name: f, arguments: '{"a": 1}'}, {name: g}]}]`,
		"empty":    "mock: []",
		"number":   "mock: 3",
		"typo":     "mock: [{txt: x}]",
		"nothing":  "mock: [{}]",
		"not json": "mock: [{tool_calls: [{name: f, arguments: '{'}]}]",
		"unnamed":  "mock: [{tool_calls: [{arguments: {}}]}]",
	})
	for id, want := range map[string]output.Output{
		"text":   {Text: "It is paid.", ToolCalls: none},
		"calls":  {Text: "Let me see.", ToolCalls: []output.ToolCall{{Name: "lookup", Arguments: []byte(`{"a":"x","b":1}`)}}},
		"last":   {Text: "It is paid.", ToolCalls: none},
		"string": {ToolCalls: []output.ToolCall{{Name: "f", Arguments: []byte(`{"a": 1}`)}, {Name: "g"}}},
	} {
		got, err := s.Answer(t.Context(), system.Request{ID: id, Sample: 1})
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	for id, want := range map[string]string{
		"unheard of": "this case has no canned answer; write one under mock",
		"empty":      "cases/empty.yaml:1:7: mock is an empty list",
		"number":     "mock must be a string, or a list with one answer for each model call, got the number 3",
		"typo":       `unknown key "txt" in an answer of mock; did you mean "text"?`,
		"nothing":    "an answer of mock has a text, tool_calls or both",
		"not json":   `the arguments of "f" did not parse`,
		"unnamed":    "a tool call needs the name of the tool",
	} {
		if _, err := s.Answer(t.Context(), system.Request{ID: id, Sample: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s says %v, want %s", id, err, want)
		}
	}
}

func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "runs/new.jsonl", `{"id":"a","sample":3,"text":"three"}
{"id":"b","text":"b"}
{"id":"a","text":"one"}
{"id":"a","error":"HTTP 529"}
{"id":"zz","text":""}
`)
	s := open(t, dir, "{kind: outputs, file: runs/new.jsonl}", nil).(*system.Outputs)
	if diff := cmp.Diff([]int{1, 2, 3}, s.Samples("a")); diff != "" {
		t.Error(diff)
	}
	if n := s.Samples("c"); len(n) != 0 {
		t.Errorf("a case without a line has samples %v", n)
	}
	if diff := cmp.Diff([]string{"b", "zz"}, s.Unknown([]string{"a", "c"})); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		id      string
		sample  int
		text    string
		failure string
	}{
		{"a", 1, "one", ""},
		{"a", 3, "three", ""},
		{"a", 2, "", "HTTP 529"},
		{"a", 4, "", "runs/new.jsonl has no sample 4 of this case"},
		{"c", 1, "", "runs/new.jsonl has no line for this case"},
	} {
		got, err := s.Answer(t.Context(), system.Request{ID: tt.id, Sample: tt.sample})
		if got.Text != tt.text || fmt.Sprint(err) != tt.failure && tt.failure+fmt.Sprint(err) != "<nil>" {
			t.Errorf("%s %d: %q, %v", tt.id, tt.sample, got.Text, err)
		}
	}
}

func TestOutputsThatCannotBeRead(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, dir, "broken.jsonl", `{"id":3}`)
	write(t, outside, "elsewhere.jsonl", `{"id":"a","text":""}`)
	if err := os.Symlink(filepath.Join(outside, "elsewhere.jsonl"), filepath.Join(dir, "link.jsonl")); err != nil {
		t.Log("no links here:", err)
	}
	for file, want := range map[string]string{
		"missing.jsonl": `system "app": the file "missing.jsonl" does not exist`,
		".":             `system "app": "." is not a regular file`,
		"broken.jsonl":  `broken.jsonl:1:7: "id" must be a string`,
		"link.jsonl":    `system "app": the file "link.jsonl" `,
	} {
		d, err := declare(t, dir, "{kind: outputs, file: "+file+", mode: mock}")
		if err != nil {
			t.Fatal(err)
		}
		if d.Mode != "mock" {
			t.Errorf("mode is %s", d.Mode)
		}
		_, err = d.Open(t.Context(), system.Surroundings{Dir: dir, Root: root(t, dir)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s says %v, want %s", file, err, want)
		}
	}
}
