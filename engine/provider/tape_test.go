package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"docket/engine/provider"
)

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

func (m *memory) Kept(ctx context.Context, key provider.Key, r provider.Request) (provider.Exchange, bool) {
	if key.Service == "" {
		return provider.Exchange{}, false
	}
	x, err := m.Find(ctx, key, r)
	return x, err == nil
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

// TestAServiceIsRecordedOnce: whatever a service would say later, every sample of
// a session hears what a replay will say.
func TestAServiceIsRecordedOnce(t *testing.T) {
	asked := 0
	clock := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		fmt.Fprintf(w, "it is %d", asked)
	}))
	defer clock.Close()
	d := open(t, provider.Config{Models: provider.Live, Services: provider.Record, Tape: &memory{}, ServiceURLs: map[string]string{"clock": clock.URL}})
	for sample := range 3 {
		l := begin(t, d, "a", sample+1)
		address, _ := l.Service("clock")
		if status, body := post(t, address+"/now", "{}"); status != 200 || body != "it is 1" {
			t.Errorf("sample %d hears %d %s", sample+1, status, body)
		}
		if _, body := post(t, address+"/then", "{}"); body != "it is 2" {
			t.Errorf("sample %d hears %s of something else", sample+1, body)
		}
		if traffic, err := l.End(); err != nil || len(traffic.Services) != 2 {
			t.Errorf("sample %d ends with %+v, %v", sample+1, traffic, err)
		}
	}
	if asked != 2 {
		t.Errorf("the service is asked %d times", asked)
	}
}
