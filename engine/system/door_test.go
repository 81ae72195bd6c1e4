package system_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine/output"
	"docket/engine/provider"
	"docket/engine/source"
	"docket/engine/system"
)

// openBehind opens a system with a door of that configuration.
func openBehind(t *testing.T, dir, yaml string, c provider.Config) system.System {
	t.Helper()
	v, problems := source.Parse(".docket.yaml", []byte(yaml))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	d, problems := system.Compile("app", v, system.Env{Root: root(t, dir), Services: []string{"search"}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	c.Prices, c.Remote, c.Timeout = d.Needs.Prices, d.Needs.Remote, d.Needs.Timeout
	if c.Getenv == nil {
		c.Getenv = func(string) string { return "" }
	}
	door, err := provider.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { door.Close() })
	s, err := d.Open(t.Context(), system.Surroundings{Dir: dir, Door: door})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if c, ok := s.(io.Closer); ok {
			c.Close()
		}
	})
	return s
}

// cannedFor answers every case with a search and then a text that names it.
func cannedFor(id string) ([]output.Output, error) {
	if strings.HasPrefix(id, "bad") {
		return []output.Output{{ToolCalls: []output.ToolCall{{Name: "search", Arguments: json.RawMessage(`{"query":"x"}`)}}}, {Text: "x"}}, nil
	}
	return []output.Output{
		{ToolCalls: []output.ToolCall{{Name: "search", Arguments: json.RawMessage(`{"q":"refunds"}`)}}},
		{Text: "answer of " + id, ToolCalls: []output.ToolCall{}},
	}, nil
}

// A shelf is a tape whose services always find something, and that has no
// answers of models.
type shelf struct{}

func (shelf) Find(_ context.Context, key provider.Key, r provider.Request) (provider.Exchange, error) {
	if key.Service == "" || r.Path != "/find" {
		return provider.Exchange{}, fmt.Errorf("%w of %s", provider.ErrMissed, r.Path)
	}
	return provider.Exchange{Response: provider.Response{Status: 200, Body: []byte("found")}}, nil
}

func (shelf) Begin(string, int) {}
func (shelf) End(string, int)   {}

func (shelf) Save(context.Context, provider.Key, provider.Exchange) error { return nil }

func (shelf) Kept(context.Context, provider.Key, provider.Request) (provider.Exchange, bool) {
	return provider.Exchange{}, false
}

func agentYAML(t *testing.T, more string) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{kind: exec, command: [%q], env: {%s: agent, OPENAI_BASE_URL: '{{provider "openai"}}', SEARCH_URL: '{{ service "search" }}'}%s}`, self, role, more)
}

// TestAnAgentInMock runs a program with a loop of its own on canned answers: in
// case 2 of 7 it makes one call more, and 6 of 7 are right.
func TestAnAgentInMock(t *testing.T) {
	for _, more := range []string{"", ", protocol: jsonl"} {
		s := openBehind(t, t.TempDir(), agentYAML(t, more), provider.Config{
			Models: provider.Mock, Canned: cannedFor, Tape: shelf{}, ServiceURLs: map[string]string{"search": "https://search.example"},
		})
		var all sync.WaitGroup
		texts, wrong := make([]output.Output, 8), make([]error, 8)
		for n := 1; n <= 7; n++ {
			all.Go(func() {
				input := map[string]any{"question": "?"}
				if n == 2 {
					input["extra"], input["stubborn"] = 1, true
				}
				texts[n], wrong[n] = s.Answer(t.Context(), system.Request{ID: fmt.Sprintf("case-%d", n), Sample: 1, Input: input})
			})
		}
		all.Wait()
		for n := 1; n <= 7; n++ {
			out, err := texts[n], wrong[n]
			if n == 2 {
				if err == nil || !strings.Contains(err.Error(), "model call 3 and the case has 2 canned answers") {
					t.Errorf("%s: the extra call is told as %v", more, err)
				}
				continue
			}
			if err != nil || out.Text != fmt.Sprintf("answer of case-%d", n) {
				t.Errorf("%s: case %d gives %q, %v", more, n, out.Text, err)
			}
			if len(out.ToolCalls) != 1 || out.ToolCalls[0].Name != "search" || string(out.ToolCalls[0].Arguments) != `{"q":"refunds"}` {
				t.Errorf("%s: the calls are %v", more, out.ToolCalls)
			}
			if out.InputTokens != nil || out.CostUSD != nil || out.Model != "" || out.LatencyMS == nil {
				t.Errorf("%s: the output is %+v", more, out)
			}
		}
		if _, err := s.Answer(t.Context(), system.Request{ID: "quiet", Sample: 1, Input: map[string]any{"mute": true}}); !errors.Is(err, provider.ErrSilent) {
			t.Errorf("%s: a program that calls nobody gives %v", more, err)
		}
		if _, err := s.Answer(t.Context(), system.Request{ID: "bad", Sample: 1, Input: map[string]any{"question": "?"}}); err == nil || !strings.Contains(err.Error(), "canned answer 1 breaks the contract") || !strings.Contains(err.Error(), "/tool_calls/0/arguments") {
			t.Errorf("%s: a canned answer that breaks the contract gives %v", more, err)
		}
		if out, err := s.Answer(t.Context(), system.Request{ID: "after", Sample: 1, Input: map[string]any{"question": "?"}}); err != nil || out.Text != "answer of after" {
			t.Errorf("%s: the case after gives %q, %v", more, out.Text, err)
		}
	}
}

// TestAnAgentInReplay tells a miss from a failure, although all that the
// program knows is an HTTP status.
func TestAnAgentInReplay(t *testing.T) {
	s := openBehind(t, t.TempDir(), agentYAML(t, ""), provider.Config{
		Models: provider.Replay, Tape: shelf{}, ServiceURLs: map[string]string{"search": "https://search.example"},
	})
	_, err := s.Answer(t.Context(), system.Request{ID: "a", Sample: 1, Input: map[string]any{"question": "?"}})
	if !errors.Is(err, system.ErrMissed) {
		t.Errorf("a miss is %v", err)
	}
}

// TestAnAgentLive gets tokens, cost, the model and its tool calls for nothing.
func TestAnAgentLive(t *testing.T) {
	turn := 0
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-test" {
			t.Errorf("the key is %q", r.Header.Get("Authorization"))
		}
		turn++
		if turn == 1 {
			io.WriteString(w, `{"model":"m-1-2026","choices":[{"message":{"content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"search","arguments":"{\"q\":\"r\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":100,"completion_tokens":10}}`)
			return
		}
		io.WriteString(w, `{"model":"m-1-2026","choices":[{"message":{"content":"done"},"finish_reason":"length"}],"usage":{"prompt_tokens":200,"completion_tokens":20}}`)
	}))
	defer model.Close()
	s := openBehind(t, t.TempDir(), agentYAML(t, ", price: {input: 10, output: 100, date: 2026-08-01}"), provider.Config{
		Models: provider.Live, Tape: shelf{}, ServiceURLs: map[string]string{"search": "https://search.example"},
		BaseURLs: map[string]string{"openai": model.URL + "/v1"},
		Getenv: func(name string) string {
			return map[string]string{"OPENAI_API_KEY": "sk-test"}[name]
		},
	})
	t.Setenv("OPENAI_API_KEY", "sk-test")
	out, err := s.Answer(t.Context(), system.Request{ID: "a", Sample: 1, Input: map[string]any{"question": "?"}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Text != "done" || out.Model != "m-1-2026" || out.StopReason != "length" || len(out.ToolCalls) != 1 {
		t.Errorf("the output is %+v", out)
	}
	if *out.InputTokens != 300 || *out.OutputTokens != 30 || *out.CostUSD != 0.006 || out.LatencyMS == nil {
		t.Errorf("tokens %d and %d, cost %v", *out.InputTokens, *out.OutputTokens, *out.CostUSD)
	}
	if !strings.Contains(string(out.Raw), `"truncated":true`) {
		t.Errorf("what is kept beside is %s", out.Raw)
	}
}

// TestAskingAModel sends what the declaration says and reads what comes back,
// for both vendors.
func TestAskingAModel(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "p.md", "Summarise {{.ticket}}{{if .missing}} never{{end}} {{.items}} {{json .nested}} {{join .items \"+\"}} {{.amount}}")
	write(t, dir, "s.md", "You are {{.who}}.")
	write(t, dir, "out.json", `{"type":"object"}`)
	input := map[string]any{"ticket": "<b>&", "items": []any{"a", json.Number("1.50")}, "nested": map[string]any{"k": nil}, "amount": json.Number("128.40"), "who": "kind"}
	prompt := `Summarise <b>& ["a",1.5] {\"k\":null} a+1.50 128.40`
	for _, tt := range []struct {
		kind, path, header, answer string
		want                       []string
	}{
		{
			"openai", "/v1/chat/completions", "Authorization: Bearer sk-test",
			`{"model":"m-2026","choices":[{"message":{"content":"{}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`,
			[]string{`"temperature":0.2`, `"model":"m-1"`, `{"content":"You are kind.","role":"system"}`, `"response_format":`, `"tools":[{"function":{"name":"f"`},
		},
		{
			"anthropic", "/v1/messages", "X-Api-Key: ant-test",
			`{"type":"message","model":"m-2026","content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":2}}`,
			[]string{`"temperature":0.2`, `"model":"m-1"`, `"system":"You are kind."`, `"output_config":{"format":`, `"tools":[{"input_schema":`, `"max_tokens":4096`},
		},
	} {
		var sent string
		vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			sent = string(body)
			name, value, _ := strings.Cut(tt.header, ": ")
			if r.URL.Path != tt.path || r.Header.Get(name) != value {
				t.Errorf("%s is asked at %s with %v", tt.kind, r.URL.Path, r.Header)
			}
			io.WriteString(w, tt.answer)
		}))
		defer vendor.Close()
		base := vendor.URL
		if tt.kind == "openai" {
			base += "/v1"
		}
		s := openBehind(t, dir, fmt.Sprintf("{kind: %s, model: m-1, prompt: p.md, system_prompt: s.md, params: {temperature: 0.2}, tools: [{name: f, input_schema: {type: object}}], output_schema: out.json, price: {input: 1, output: 2}}", tt.kind), provider.Config{
			Models: provider.Live, BaseURLs: map[string]string{tt.kind: base},
			Getenv: func(name string) string {
				return map[string]string{"OPENAI_API_KEY": "sk-test", "ANTHROPIC_API_KEY": "ant-test"}[name]
			},
		})
		out, err := s.Answer(t.Context(), system.Request{ID: "a", Sample: 1, Input: input})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range append(tt.want, strings.ReplaceAll(prompt, `"a"`, `\"a\"`)) {
			if !strings.Contains(sent, want) {
				t.Errorf("%s: %s is missing in %s", tt.kind, want, sent)
			}
		}
		if out.Text != "{}" || out.Model != "m-2026" || *out.InputTokens != 7 || *out.OutputTokens != 2 || *out.CostUSD != 0.000011 || string(out.Raw) != tt.answer {
			t.Errorf("%s: the output is %+v", tt.kind, out)
		}
		if out.ToolCalls == nil || len(out.ToolCalls) != 0 {
			t.Errorf("%s: the calls are %#v", tt.kind, out.ToolCalls)
		}
		if _, err := s.Answer(t.Context(), system.Request{ID: "a", Sample: 1, Input: map[string]any{"items": []any{}}}); err == nil || !strings.Contains(err.Error(), `p.md prints "ticket", which its input has not got`) {
			t.Errorf("%s: a key that is missing is told as %v", tt.kind, err)
		}
	}
}

// TestAskingInMock cannot tell that nobody real answers, and takes no canned
// number for a measured one.
func TestAskingInMock(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "p.md", "Answer.")
	for _, kind := range []string{"openai", "anthropic"} {
		s := openBehind(t, dir, "{kind: "+kind+", model: m-1, prompt: p.md, price: {input: 1, output: 1}}", provider.Config{
			Models: provider.Mock, Canned: func(id string) ([]output.Output, error) {
				if id == "b" {
					return nil, errors.New("this case has no canned answer; write one under mock")
				}
				return []output.Output{{Text: "canned " + id}}, nil
			},
		})
		out, err := s.Answer(t.Context(), system.Request{ID: "a", Sample: 1})
		if err != nil || out.Text != "canned a" || out.Model != "" || out.InputTokens != nil || out.OutputTokens != nil || out.CostUSD != nil {
			t.Errorf("%s: %+v, %v", kind, out, err)
		}
		if _, err := s.Answer(t.Context(), system.Request{ID: "b", Sample: 1}); err == nil || err.Error() != "this case has no canned answer; write one under mock" {
			t.Errorf("%s: a case without a canned answer gives %v", kind, err)
		}
	}
}

// TestErrorsOfAModel names what is wrong, and never a key.
func TestErrorsOfAModel(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "p.md", "Answer.")
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error"}}`)
	}))
	defer vendor.Close()
	t.Setenv("OPENAI_API_KEY", "")
	s := openBehind(t, dir, "{kind: openai, model: m-1, prompt: p.md}", provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": vendor.URL}})
	_, err := s.Answer(t.Context(), system.Request{ID: "a", Sample: 1})
	if err == nil || err.Error() != "openai answered with an error: 401 invalid_request_error: Incorrect API key provided; set OPENAI_API_KEY" {
		t.Errorf("no key is told as %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Answer(ctx, system.Request{ID: "a", Sample: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt is told as %v", err)
	}
}

// TestRemote posts cases to a system that runs somewhere else.
func TestRemote(t *testing.T) {
	var mu sync.Mutex
	var paths []string
	busy := 2
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		paths = append(paths, r.Method+" "+r.URL.String())
		var got request
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		switch {
		case got.ID == "busy" && busy > 0:
			busy--
			w.WriteHeader(http.StatusServiceUnavailable)
		case got.ID == "error":
			io.WriteString(w, `{"error":"no stock"}`)
		case got.ID == "other":
			io.WriteString(w, `{"id":"another","text":"x"}`)
		case got.ID == "html":
			io.WriteString(w, `<html>`)
		case got.ID == "gone":
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"detail":"Not Found"}`)
		default:
			fmt.Fprintf(w, `{"text":"%s %d %v","tool_calls":[]}`, got.ID, got.Sample, got.Input["a"])
		}
	}))
	defer app.Close()
	s := openBehind(t, t.TempDir(), "{kind: http, url: '"+app.URL+"/answer?k=1'}", provider.Config{
		Models: provider.Live, Wait: func(context.Context, time.Duration) error { return nil },
	})
	for id, want := range map[string]string{"plain": "plain 3 1", "busy": "busy 3 1"} {
		out, err := s.Answer(t.Context(), system.Request{ID: id, Sample: 3, Input: map[string]any{"a": json.Number("1")}})
		if err != nil || out.Text != want || out.LatencyMS == nil || out.Model != "" {
			t.Errorf("%s: %+v, %v", id, out, err)
		}
	}
	for id, want := range map[string]string{
		"error": "no stock", "other": `it is for case "another"`, "html": "the system gave no answer: expected one JSON object",
		"gone": "the system answered with an error: 404: Not Found",
	} {
		if _, err := s.Answer(t.Context(), system.Request{ID: id, Sample: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
	if slices.ContainsFunc(paths, func(p string) bool { return p != "POST /answer?k=1" }) {
		t.Errorf("asked at %v", paths)
	}
}
