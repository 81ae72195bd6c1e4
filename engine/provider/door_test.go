package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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
