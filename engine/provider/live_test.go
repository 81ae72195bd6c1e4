package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine/provider"
)

// A turn is what a fake provider does with one request.
type turn struct {
	status int
	header map[string]string
	body   string
	cut    bool // the connection breaks where the body ends
	hang   bool // there is no answer
}

const wholeAnswer = `{"model":"m-1","choices":[{"message":{"content":"at last"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`

// fake is a provider that does one thing after another.
func fake(t testing.TB, turns ...turn) (*httptest.Server, func() int) {
	var mu sync.Mutex
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) != ask {
			t.Errorf("the provider is sent %q", body)
		}
		mu.Lock()
		now := turns[min(asked, len(turns)-1)]
		asked++
		mu.Unlock()
		if now.hang {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		for name, value := range now.header {
			w.Header().Set(name, value)
		}
		if now.cut {
			w.Header().Set("Content-Length", fmt.Sprint(len(now.body)+100))
		}
		w.WriteHeader(now.status)
		io.WriteString(w, now.body)
	}))
	t.Cleanup(s.Close)
	return s, func() int {
		mu.Lock()
		defer mu.Unlock()
		return asked
	}
}

// TestFailuresAreTriedAgain counts attempts and pauses, and what is left in the
// end.
func TestFailuresAreTriedAgain(t *testing.T) {
	good := turn{status: 200, body: wholeAnswer}
	stream := map[string]string{"Content-Type": "text/event-stream"}
	const opening = ": hold on\n\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
	for _, tt := range []struct {
		name   string
		turns  []turn
		asked  int
		status int    // that the system sees
		want   string // of the case's error; "" for none
	}{
		{"at once", []turn{good}, 1, 200, ""},
		{"a limit, then an answer", []turn{{status: 429, body: `{"error":{"message":"slow down"}}`}, good}, 2, 200, ""},
		{"a limit that stays", []turn{{status: 429, body: `{"error":{"message":"slow down","type":"rate_limit_exceeded"}}`}}, 4, 429, "openai answered with an error: 429 rate_limit_exceeded: slow down (after 4 attempts)"},
		{"a fault that stays", []turn{{status: 500, body: "<html>oops"}}, 4, 500, "500: <html>oops (after 4 attempts)"},
		{"overloaded", []turn{{status: 529, body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, good}, 2, 200, ""},
		{"no quota", []turn{{status: 429, body: `{"error":{"message":"no money","code":"insufficient_quota"}}`}}, 1, 429, "no money"},
		{"a bad request is the system's affair", []turn{{status: 400, body: `{"error":{"message":"bad"}}`}}, 1, 400, ""},
		{"no key", []turn{{status: 401, body: `{"error":{"message":"who"}}`}}, 1, 401, ""},
		{"not JSON", []turn{{status: 200, body: "<html>"}, good}, 2, 200, ""},
		{"never JSON", []turn{{status: 200, body: "<html>"}}, 4, 502, "the answer of openai is not whole"},
		{"an error dressed as an answer", []turn{{status: 200, body: `{"error":{"message":"boom","type":"server_error"}}`}, good}, 2, 200, ""},
		{"a body cut off", []turn{{status: 200, body: wholeAnswer[:40], cut: true}, good}, 2, 200, ""},
		{"a stream cut off before it says anything", []turn{{status: 200, header: stream, body: opening}, good}, 2, 200, ""},
		{"a stream that never says anything", []turn{{status: 200, header: stream, body: opening}}, 4, 502, "ends in the middle"},
		{"a stream that reports an overload", []turn{{status: 200, header: stream, body: "data: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n"}, good}, 2, 200, ""},
		{"no answer in time", []turn{{hang: true}, good}, 2, 200, ""},
		{"never an answer in time", []turn{{hang: true}}, 4, 504, "openai could not be reached: no answer within"},
		{"asked to wait too long", []turn{{status: 429, header: map[string]string{"Retry-After": "3600"}, body: "{}"}}, 1, 429, "429"},
		{"a redirect is not followed", []turn{{status: 307, header: map[string]string{"Location": "http://elsewhere.example/"}}}, 1, 307, ""},
	} {
		server, asked := fake(t, tt.turns...)
		d := open(t, provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": server.URL}, Timeout: 300 * time.Millisecond})
		l := begin(t, d, "a", 1)
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		r, err := client.Post(providerAt(t, l, "openai")+"/chat/completions", "application/json", strings.NewReader(ask))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		_, err = l.End()
		if r.StatusCode != tt.status || asked() != tt.asked {
			t.Errorf("%s: the system sees %d after %d attempts, want %d after %d", tt.name, r.StatusCode, asked(), tt.status, tt.asked)
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the case ends with %v, want %q", tt.name, err, tt.want)
		}
		if err != nil && r.Header.Get("X-Should-Retry") != "false" {
			t.Errorf("%s: the system's client would ask again", tt.name)
		}
	}
}

// TestPausesAreBounded grows them, and heeds what a server asks for.
func TestPausesAreBounded(t *testing.T) {
	var pauses []time.Duration
	wait := func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	for _, tt := range []struct {
		header map[string]string
		most   []time.Duration
	}{
		{nil, []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}},
		{map[string]string{"Retry-After": "7"}, []time.Duration{7 * time.Second, 7 * time.Second, 7 * time.Second}},
		{map[string]string{"Retry-After-Ms": "20", "Retry-After": "7"}, []time.Duration{20 * time.Millisecond, 20 * time.Millisecond, 20 * time.Millisecond}},
		{map[string]string{"Retry-After": "Mon, 02 Jan 2006 15:04:05 GMT"}, []time.Duration{0, 0, 0}},
	} {
		pauses = nil
		server, _ := fake(t, turn{status: 429, header: tt.header})
		d := open(t, provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": server.URL}, Wait: wait})
		l := begin(t, d, "a", 1)
		post(t, providerAt(t, l, "openai")+"/chat/completions", ask)
		l.End()
		if !slices.EqualFunc(pauses, tt.most, func(got, most time.Duration) bool { return got >= most/2 && got <= most }) {
			t.Errorf("%v: pauses of %v, want at most %v", tt.header, pauses, tt.most)
		}
	}
}

// TestServicesAreNotAskedTwice leaves it to the system what a service's failure
// means, and repeats nothing that could be done twice.
func TestServicesAreNotAskedTwice(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.WriteHeader(http.StatusInternalServerError)
	}))
	d := open(t, provider.Config{Models: provider.Live, Services: provider.Live, ServiceURLs: map[string]string{"orders": server.URL}})
	l := begin(t, d, "a", 1)
	address, _ := l.Service("orders")
	if status, _ := post(t, address+"/new", "{}"); status != http.StatusInternalServerError || asked != 1 {
		t.Errorf("the system sees %d after %d requests", status, asked)
	}
	if _, err := l.End(); err != nil {
		t.Errorf("what a service answers costs the case: %v", err)
	}
	server.Close()
	l = begin(t, d, "a", 1)
	address, _ = l.Service("orders")
	if status, _ := post(t, address+"/new", "{}"); status != http.StatusBadGateway {
		t.Errorf("a service that is gone answers %d", status)
	}
	if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "orders could not be reached") {
		t.Errorf("a service that is gone is told as %v", err)
	}
}

// A wiretap answers in the place of the network and keeps what it was sent.
type wiretap struct {
	mu   sync.Mutex
	seen []*http.Request
}

func (n *wiretap) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen = append(n.seen, r)
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}, "Set-Cookie": {"a=b"}},
		Body: io.NopCloser(strings.NewReader(wholeAnswer)), Request: r,
	}, nil
}

// TestKeysGoToTheirVendorAlone sends requests with and without keys to hosts of
// every kind.
func TestKeysGoToTheirVendorAlone(t *testing.T) {
	environment := map[string]string{"OPENAI_API_KEY": "sk-own", "ANTHROPIC_API_KEY": "ant-own", "GROQ_API_KEY": "gsk-own"}
	const sent = "Bearer sk-sent"
	for _, tt := range []struct {
		base  string
		hosts []string
		sends map[string]string
		want  map[string]string
	}{
		{"", nil, nil, map[string]string{"Authorization": "Bearer sk-own"}},
		{"", nil, map[string]string{"Authorization": sent}, map[string]string{"Authorization": sent}},
		{"", nil, map[string]string{"Authorization": "Bearer " + provider.Placeholder}, map[string]string{"Authorization": "Bearer sk-own"}},
		{"", nil, map[string]string{"X-Other": "ant-own", "X-Groq": "gsk-own"}, map[string]string{"X-Other": "", "X-Groq": ""}},
		{"https://api.openai.com/v1", nil, nil, map[string]string{"Authorization": "Bearer sk-own"}},
		{"http://api.openai.com/v1", nil, map[string]string{"Authorization": sent}, map[string]string{"Authorization": ""}},
		{"https://gateway.example/v1", nil, map[string]string{"Authorization": sent, "Api-Key": "x", "Cookie": "c"}, map[string]string{"Authorization": "", "Api-Key": "", "Cookie": ""}},
		{"https://gateway.example/v1", []string{"gateway.example"}, nil, map[string]string{"Authorization": "Bearer sk-own"}},
		{"https://api.openai.com.evil.example/v1", nil, nil, map[string]string{"Authorization": ""}},
		{"http://127.0.0.1:8089/v1", nil, nil, map[string]string{"Authorization": "Bearer sk-own"}},
		{"http://localhost:8089/v1", nil, map[string]string{"Authorization": sent}, map[string]string{"Authorization": sent}},
		{"https://api.anthropic.com/v1", nil, nil, map[string]string{"Authorization": "", "X-Api-Key": ""}},
	} {
		network := &wiretap{}
		d := open(t, provider.Config{
			Models: provider.Live, BaseURLs: map[string]string{"openai": tt.base}, KeyHosts: tt.hosts, Transport: network,
			Getenv: func(name string) string { return environment[name] },
		})
		l := begin(t, d, "a", 1)
		request, _ := http.NewRequest("POST", providerAt(t, l, "openai")+"/chat/completions", strings.NewReader(ask))
		for name, value := range tt.sends {
			request.Header.Set(name, value)
		}
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.Header.Get("Set-Cookie") != "" {
			t.Error("a cookie comes through")
		}
		if len(network.seen) != 1 {
			t.Fatalf("%q: %d requests went out", tt.base, len(network.seen))
		}
		for name, want := range tt.want {
			if got := network.seen[0].Header.Get(name); got != want {
				t.Errorf("%q %v: %s is %q, want %q", tt.base, tt.sends, name, got, want)
			}
		}
	}
}

// TestWhereCallsGo joins addresses and paths.
func TestWhereCallsGo(t *testing.T) {
	for _, tt := range []struct{ base, variable, want string }{
		{"", "", "https://api.openai.com/v1/chat/completions?a=1"},
		{"", "http://127.0.0.1:1/v1/", "http://127.0.0.1:1/v1/chat/completions?a=1"},
		{"https://x.example/deep/v9?k=2", "http://ignored.example", "https://x.example/deep/v9/chat/completions?k=2&a=1"},
	} {
		network := &wiretap{}
		d := open(t, provider.Config{
			Models: provider.Live, BaseURLs: map[string]string{"openai": tt.base}, Transport: network,
			Getenv: func(name string) string {
				if name == "OPENAI_BASE_URL" {
					return tt.variable
				}
				return ""
			},
		})
		l := begin(t, d, "a", 1)
		post(t, providerAt(t, l, "openai")+"/chat/completions?a=1", ask)
		if got := network.seen[0].URL.String(); got != tt.want {
			t.Errorf("%q goes to %s, want %s", tt.base, got, tt.want)
		}
	}
}

// TestEnvironment hides keys where nobody real answers.
func TestEnvironment(t *testing.T) {
	getenv := func(name string) string {
		return map[string]string{"GROQ_API_KEY": "gsk-own", "OPENAI_API_KEY": "sk-own", "NO_PROXY": "a.example"}[name]
	}
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(nil), Getenv: getenv})
	got := strings.Join(d.Environment(), " ")
	for _, want := range []string{"NO_PROXY=a.example,127.0.0.1", "no_proxy=127.0.0.1", "OPENAI_API_KEY=" + provider.Placeholder, "ANTHROPIC_API_KEY=" + provider.Placeholder, "GROQ_API_KEY=" + provider.Placeholder} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if strings.Contains(got, "MISTRAL") || strings.Contains(got, "own") {
		t.Errorf("the environment is %q", got)
	}
	d = open(t, provider.Config{Models: provider.Live, Getenv: getenv})
	if got := strings.Join(d.Environment(), " "); strings.Contains(got, "KEY") {
		t.Errorf("live, the environment is %q", got)
	}
}

// TestASystemThatGivesUpIsNoFailure: what a client leaves unread costs nothing.
func TestASystemThatGivesUpIsNoFailure(t *testing.T) {
	server, _ := fake(t, turn{hang: true})
	d := open(t, provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": server.URL}})
	l := begin(t, d, "a", 1)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, "POST", providerAt(t, l, "openai")+"/chat/completions", strings.NewReader(ask))
	if _, err := http.DefaultClient.Do(request); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if _, err := l.End(); err != nil {
		t.Errorf("the case ends with %v", err)
	}
}
