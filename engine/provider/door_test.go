package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine/output"
	"docket/engine/provider"
)

// open opens a door for a test. Keys and addresses of the machine play no part.
func open(t testing.TB, c provider.Config) *provider.Door {
	t.Helper()
	if c.Getenv == nil {
		c.Getenv = func(string) string { return "" }
	}
	if c.Wait == nil {
		c.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	d, err := provider.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// begin books a sample on a line of its own.
func begin(t testing.TB, d *provider.Door, id string, sample int) *provider.Line {
	t.Helper()
	l := d.Line()
	t.Cleanup(l.Close)
	l.Begin(id, sample)
	return l
}

func providerAt(t testing.TB, l *provider.Line, name string) string {
	t.Helper()
	address, err := l.Provider(name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// post sends JSON and returns the status and the body.
func post(t testing.TB, url, body string) (int, string) {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	all, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(all)
}

// cannedTexts answers each case with texts.
func cannedTexts(byCase map[string][]string) func(string) ([]output.Output, error) {
	return func(id string) ([]output.Output, error) {
		texts, ok := byCase[id]
		if !ok {
			return nil, fmt.Errorf("this case has no canned answer; write one under mock")
		}
		var all []output.Output
		for _, text := range texts {
			all = append(all, output.Output{Text: text, ToolCalls: []output.ToolCall{}})
		}
		return all, nil
	}
}

// said takes the text out of the body of a chat completion.
func said(t testing.TB, body string) string {
	t.Helper()
	var d struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal([]byte(body), &d); err != nil || len(d.Choices) == 0 {
		t.Fatalf("no chat completion: %s", body)
	}
	return d.Choices[0].Message.Content
}

const ask = `{"model":"m-1","messages":[{"role":"user","content":"hello"}]}`

// TestOneExtraCall is the classic injection: in case 2 of 7 the system makes
// one call more. Answers that are dealt out by position would then be wrong
// from there on.
func TestOneExtraCall(t *testing.T) {
	canned := map[string][]string{}
	for n := range 7 {
		id := fmt.Sprintf("case-%d", n+1)
		canned[id] = []string{"first of " + id, "second of " + id}
	}
	for _, jobs := range []string{"one after another", "at once"} {
		d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(canned)})
		wrong := make([]error, 7)
		answers := make([][]string, 7)
		run := func(n int) {
			id := fmt.Sprintf("case-%d", n+1)
			l := d.Line()
			defer l.Close()
			l.Begin(id, 1)
			calls := 2
			if n == 1 {
				calls = 3
			}
			for range calls {
				if status, body := post(t, providerAt(t, l, "openai")+"/chat/completions", ask); status == http.StatusOK {
					answers[n] = append(answers[n], said(t, body))
				}
			}
			_, wrong[n] = l.End()
		}
		var all sync.WaitGroup
		for n := range 7 {
			if jobs == "at once" {
				all.Go(func() { run(n) })
			} else {
				run(n)
			}
		}
		all.Wait()
		for n := range 7 {
			id := fmt.Sprintf("case-%d", n+1)
			if got := strings.Join(answers[n], ", "); got != "first of "+id+", second of "+id {
				t.Errorf("%s: %s got %q", jobs, id, got)
			}
			if (wrong[n] != nil) != (n == 1) {
				t.Errorf("%s: %s ends with %v", jobs, id, wrong[n])
			}
		}
		if wrong[1] == nil || !strings.Contains(wrong[1].Error(), "model call 3 and the case has 2 canned answers") {
			t.Errorf("%s: the extra call is told as %v", jobs, wrong[1])
		}
	}
}

// TestCallsThatAreMissing names the case that made too few.
func TestCallsThatAreMissing(t *testing.T) {
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(map[string][]string{"a": {"1", "2"}, "b": {"1"}})})
	l := begin(t, d, "a", 1)
	post(t, providerAt(t, l, "openai")+"/chat/completions", ask)
	if _, err := l.End(); !errors.Is(err, provider.ErrUnused) || !strings.Contains(err.Error(), "made 1 model call and the case has 2 canned answers") {
		t.Errorf("a missing call is told as %v", err)
	}
	l = begin(t, d, "b", 1)
	providerAt(t, l, "anthropic")
	if _, err := l.End(); !errors.Is(err, provider.ErrSilent) || !strings.Contains(err.Error(), "the address of anthropic was given to it and nothing came") {
		t.Errorf("silence is told as %v", err)
	}
	l = begin(t, d, "b", 1)
	if _, err := l.End(); err != nil {
		t.Errorf("a system that was given nothing owes %v", err)
	}
	l = begin(t, d, "unknown", 1)
	status, body := post(t, providerAt(t, l, "openai")+"/chat/completions", ask)
	if _, err := l.End(); err == nil || status != http.StatusBadRequest || !strings.Contains(body, "no canned answer") {
		t.Errorf("an unknown case gets %d %s, %v", status, body, err)
	}
}

// TestSamplesBeginAnew gives each sample the first answer first.
func TestSamplesBeginAnew(t *testing.T) {
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(map[string][]string{"a": {"1"}})})
	l := d.Line() // as of a process that lives on
	defer l.Close()
	address := providerAt(t, l, "openai") + "/chat/completions"
	for sample := 1; sample <= 3; sample++ {
		l.Begin("a", sample)
		if _, body := post(t, address, ask); said(t, body) != "1" {
			t.Errorf("sample %d gets %s", sample, body)
		}
		if _, err := l.End(); err != nil {
			t.Error(err)
		}
		if status, _ := post(t, address, ask); status != http.StatusGone {
			t.Errorf("between samples the line answers %d", status)
		}
	}
}

const schemaTool = `{"name":"add_field","description":"adds a field","parameters":{"type":"object","additionalProperties":false,
 "required":["name","definition","access"],"properties":{"name":{"type":"string"},"access":{"enum":["read","write"]},
 "definition":{"type":"object","additionalProperties":false,"required":["type"],"properties":{"type":{"enum":["text","jsonb","int"]}}}}}}`

// TestCannedAnswersAreHeldToTheRequest knows the tools from the request alone.
func TestCannedAnswersAreHeldToTheRequest(t *testing.T) {
	withTool := `{"model":"m","messages":[],"tools":[{"type":"function","function":` + schemaTool + `}]}`
	withFormat := `{"model":"m","messages":[],"response_format":{"type":"json_schema","json_schema":{"name":"o","schema":{"type":"object","required":["status"],"properties":{"status":{"enum":["paid"]}}}}}}`
	call := func(name, arguments string) output.Output {
		return output.Output{ToolCalls: []output.ToolCall{{Name: name, Arguments: json.RawMessage(arguments)}}}
	}
	for _, tt := range []struct {
		name, request string
		answer        output.Output
		want          []string // "" is right
	}{
		{"right", withTool, call("add_field", `{"name":"n","access":"read","definition":{"type":"jsonb"}}`), nil},
		{"access nested under definition", withTool, call("add_field", `{"name":"n","definition":{"type":"jsonb","access":"read"}}`), []string{"/tool_calls/0/arguments", "access"}},
		{"json where jsonb is the type", withTool, call("add_field", `{"name":"n","access":"read","definition":{"type":"json"}}`), []string{"/tool_calls/0/arguments/definition/type", "jsonb"}},
		{"unknown tool", withTool, call("drop_field", `{}`), []string{"/tool_calls/0/name", "drop_field"}},
		{"a tool and none declared", ask, call("add_field", `{}`), []string{"/tool_calls/0/name", "not declared"}},
		{"forbidden", `{"model":"m","tool_choice":"none","tools":[` + schemaTool + `]}`, call("add_field", `{"name":"n","access":"read","definition":{"type":"int"}}`), []string{"/tool_calls/0", "forbids"}},
		{"required", `{"model":"m","tool_choice":"required","tools":[` + schemaTool + `]}`, output.Output{Text: "x"}, []string{"/tool_calls", "asks for a tool call"}},
		{"format", withFormat, output.Output{Text: `{"status":"paid"}`}, nil},
		{"enum of the format", withFormat, output.Output{Text: `{"status":"payed"}`}, []string{"/status"}},
		{"prose for a format", withFormat, output.Output{Text: `It is paid.`}, []string{"not JSON"}},
		{"prose for an object", `{"model":"m","response_format":{"type":"json_object"}}`, output.Output{Text: "[]"}, []string{"no JSON object"}},
	} {
		d := open(t, provider.Config{Models: provider.Mock, Canned: func(string) ([]output.Output, error) { return []output.Output{tt.answer}, nil }})
		l := begin(t, d, "a", 1)
		status, body := post(t, providerAt(t, l, "openai")+"/chat/completions", tt.request)
		_, err := l.End()
		if tt.want == nil {
			if err != nil || status != http.StatusOK {
				t.Errorf("%s: %d %v %s", tt.name, status, err, body)
			}
			continue
		}
		for _, want := range append(tt.want, "canned answer 1 breaks the contract") {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: says %v, want %q", tt.name, err, want)
			}
		}
		if status != http.StatusBadRequest {
			t.Errorf("%s: is answered with %d", tt.name, status)
		}
	}
}

// TestToolsAreHeldInEveryFormat declares one tool as each format does.
func TestToolsAreHeldInEveryFormat(t *testing.T) {
	parameters := schemaTool[strings.Index(schemaTool, `"parameters":`)+len(`"parameters":`) : len(schemaTool)-1]
	bad := output.Output{ToolCalls: []output.ToolCall{{Name: "add_field", Arguments: json.RawMessage(`{"name":"n","access":"read","definition":{"type":"json"}}`)}}}
	for _, tt := range []struct{ provider, path, body string }{
		{"anthropic", "/v1/messages", `{"model":"m","max_tokens":9,"messages":[],"tools":[{"name":"add_field","input_schema":` + parameters + `}]}`},
		{"openai", "/responses", `{"model":"m","input":"x","tools":[{"type":"function","name":"add_field","parameters":` + parameters + `}]}`},
	} {
		d := open(t, provider.Config{Models: provider.Mock, Canned: func(string) ([]output.Output, error) { return []output.Output{bad}, nil }})
		l := begin(t, d, "a", 1)
		_, body := post(t, providerAt(t, l, tt.provider)+tt.path, tt.body)
		if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "/tool_calls/0/arguments/definition/type") {
			t.Errorf("%s: %v, %s", tt.path, err, body)
		}
	}
}

// panicking is a network that must not be touched.
func panicking() *http.Transport {
	return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		panic("a connection was opened")
	}}
}

// memory is a tape without files: recordings by provider, case and sample, one
// answer for each request.
type memory struct {
	mu   sync.Mutex
	kept map[string]provider.Exchange
}

func (m *memory) at(key provider.Key, r provider.Request) string {
	if key.Service != "" {
		key.CaseID, key.Sample = "", 0
	}
	return fmt.Sprint(key, r.Method, r.Path, r.Query, string(r.Body))
}

func (m *memory) Find(_ context.Context, key provider.Key, r provider.Request) (provider.Exchange, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	x, ok := m.kept[m.at(key, r)]
	if !ok {
		return x, fmt.Errorf("%w of %s %s; the nearest differs in messages[0].content", provider.ErrMissed, r.Method, r.Path)
	}
	return x, nil
}

func (m *memory) Save(_ context.Context, key provider.Key, x provider.Exchange) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]provider.Exchange{}
	}
	m.kept[m.at(key, x.Request)] = x
	return nil
}

func (m *memory) Begin(string, int) {}
func (m *memory) End(string, int)   {}

// TestRecordedThenReplayed records what a model and a service answer, k samples
// apart, and replays it with no network at all.
func TestRecordedThenReplayed(t *testing.T) {
	var asked int
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Set-Cookie", "secret=1")
		fmt.Fprintf(w, "data: {\"model\":\"m-1-2026\",\"choices\":[{\"delta\":{\"content\":\"answer %d\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\ndata: [DONE]\n\n", asked)
	}))
	defer model.Close()
	search := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v2/find" || r.URL.RawQuery != "q=x" || r.Method != http.MethodGet {
			t.Errorf("the service is asked for %s %s", r.Method, r.URL)
		}
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, "nothing")
	}))
	defer search.Close()
	tape := &memory{}
	config := provider.Config{
		Models: provider.Record, Tape: tape, BaseURLs: map[string]string{"openai": model.URL + "/api/v1"},
		ServiceURLs: map[string]string{"search": search.URL + "/v2/"},
		Prices:      provider.Prices{All: &provider.Price{Input: 1, Output: 2}},
	}
	turn := func(d *provider.Door, sample int) (string, provider.Traffic) {
		l := begin(t, d, "a/../b", sample)
		address, err := l.Service("search")
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.Get(address + "/find?q=x")
		if err != nil {
			t.Fatal(err)
		}
		found, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != http.StatusNotFound || string(found) != "nothing" {
			t.Errorf("the service answers %d %s", r.StatusCode, found)
		}
		_, body := post(t, providerAt(t, l, "openai")+"/chat/completions", ask)
		traffic, err := l.End()
		if err != nil {
			t.Error(err)
		}
		return body, traffic
	}
	d := open(t, config)
	var live []string
	for sample := 1; sample <= 2; sample++ {
		body, traffic := turn(d, sample)
		live = append(live, body)
		call := traffic.Calls[0]
		if call.Model != "m-1-2026" || *call.Input != 10 || *call.Output != 5 || *call.Cost != 0.00002 || call.Recorded != nil {
			t.Errorf("the call is %+v", call)
		}
	}
	if live[0] == live[1] {
		t.Error("two samples have one answer")
	}
	config.Models, config.Transport = provider.Replay, panicking()
	for range 2 {
		d = open(t, config)
		for sample := 2; sample >= 1; sample-- {
			body, traffic := turn(d, sample)
			if body != live[sample-1] {
				t.Errorf("sample %d replays %s", sample, body)
			}
			if call := traffic.Calls[0]; call.Recorded == nil || call.Latency == nil || *call.Cost != 0.00002 || traffic.Services[0].Recorded == nil {
				t.Errorf("the replayed call is %+v", call)
			}
		}
	}
	l := begin(t, d, "a/../b", 3)
	status, body := post(t, providerAt(t, l, "openai")+"/chat/completions", ask)
	if _, err := l.End(); !errors.Is(err, provider.ErrMissed) || status != http.StatusFailedDependency || !strings.Contains(body, "the nearest differs") {
		t.Errorf("a miss is %d %s, %v", status, body, err)
	}
}

// TestLiveModelOverRecordedKnowledge answers for services from recordings where
// there are any.
func TestLiveModelOverRecordedKnowledge(t *testing.T) {
	asked := 0
	search := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		io.WriteString(w, "live")
	}))
	defer search.Close()
	tape := &memory{}
	tape.Save(t.Context(), provider.Key{Service: "search"}, provider.Exchange{
		Request:  provider.Request{Method: "GET", Path: "/known"},
		Response: provider.Response{Status: 200, Body: []byte("recorded")},
	})
	d := open(t, provider.Config{Models: provider.Live, Tape: tape, ServiceURLs: map[string]string{"search": search.URL}})
	l := begin(t, d, "a", 1)
	address, _ := l.Service("search")
	for path, want := range map[string]string{"/known": "recorded", "/new": "live"} {
		r, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if string(body) != want {
			t.Errorf("%s answers %s", path, body)
		}
	}
	traffic, err := l.End()
	if err != nil || asked != 1 || len(traffic.Services) != 2 {
		t.Errorf("asked %d times, %+v, %v", asked, traffic, err)
	}
}

// TestOpeningIsRefused checks that nothing opens that could not answer.
func TestOpeningIsRefused(t *testing.T) {
	for _, tt := range []struct {
		config provider.Config
		want   string
	}{
		{provider.Config{}, "say mock, replay, live or record"},
		{provider.Config{Models: provider.Mock}, "mock needs the canned answers"},
		{provider.Config{Models: provider.Replay}, "needs a place for recordings"},
		{provider.Config{Models: provider.Live, Services: provider.Mock}, "say replay, live or record"},
		{provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": "ftp://x"}}, "is not an address"},
		{provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": "https://me:pw@x"}}, "holds no user and no password"},
		{provider.Config{Models: provider.Live, Services: provider.Replay, ServiceURLs: map[string]string{"s": "http://x"}}, "needs a place for recordings"},
	} {
		tt.config.Getenv = func(string) string { return "" }
		d, err := provider.Open(tt.config)
		if err == nil {
			d.Close()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v opens with %v, want %q", tt.config, err, tt.want)
		}
	}
}

// TestStreamsAreMocked takes a canned answer as a stream and puts it together.
func TestStreamsAreMocked(t *testing.T) {
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(map[string][]string{"a": {strings.Repeat("long ", 40)}})})
	l := begin(t, d, "a", 1)
	r, err := http.Post(providerAt(t, l, "anthropic")+"/v1/messages", "application/json", strings.NewReader(`{"model":"m","max_tokens":5,"messages":[],"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") || bytes.Count(body, []byte("text_delta")) < 5 {
		t.Errorf("%s: %s", kind, body)
	}
}
