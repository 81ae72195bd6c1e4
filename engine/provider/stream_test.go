package provider_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"docket/engine/provider"
)

// A streamer is a fake that sends one event after another, each when it is told
// to, and then ends, or breaks off.
type streamer struct {
	*httptest.Server
	next  chan string // an event; "" breaks the connection off
	asked chan struct{}
}

func newStreamer(t *testing.T) *streamer {
	s := &streamer{next: make(chan string), asked: make(chan struct{}, 8)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		s.asked <- struct{}{}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		for {
			select {
			case event, ok := <-s.next:
				if !ok {
					return
				}
				if event == "" {
					panic(http.ErrAbortHandler)
				}
				io.WriteString(w, event)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// listen asks through a line and returns what comes, event by event.
func listen(t *testing.T, address string) (*http.Response, *bufio.Reader) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(ask))
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	return r, bufio.NewReader(r.Body)
}

// hear reads to the end of an event.
func hear(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	var said strings.Builder
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ends with %v after %q", err, said.String())
		}
		said.WriteString(line)
		if line == "\n" {
			return said.String()
		}
	}
}

const (
	opens = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
	says  = "data: {\"model\":\"m-1-2026\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one \"}}]}\n\n"
	goes  = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"two\"}}]}\n\n"
	stops = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
	ends  = "data: [DONE]\n\n"
)

// TestStreamsAreLive gives the system each event when it comes: the next is not
// sent before the system has the one before.
func TestStreamsAreLive(t *testing.T) {
	for _, who := range []provider.Who{provider.Live, provider.Record} {
		model, tape := newStreamer(t), &memory{}
		config := provider.Config{Models: who, Tape: tape, BaseURLs: map[string]string{"openai": model.URL}}
		l := begin(t, open(t, config), "a", 1)
		go func() { model.next <- opens; model.next <- says }()
		r, from := listen(t, providerAt(t, l, "openai")+"/chat/completions")
		if got := hear(t, from) + hear(t, from); r.StatusCode != 200 || got != opens+says {
			t.Fatalf("%s: the system hears %d %q", who, r.StatusCode, got)
		}
		model.next <- goes
		if got := hear(t, from); got != goes {
			t.Fatalf("%s: the system hears %q", who, got)
		}
		model.next <- stops
		model.next <- ends
		close(model.next)
		if rest, err := io.ReadAll(from); err != nil || string(rest) != stops+ends {
			t.Errorf("%s: the stream ends %q, %v", who, rest, err)
		}
		traffic, err := l.End()
		if err != nil || len(traffic.Calls) != 1 || traffic.Calls[0].Model != "m-1-2026" || traffic.Calls[0].Stop != "stop" {
			t.Errorf("%s: %+v, %v", who, traffic, err)
		}
		if who == provider.Live {
			continue
		}
		config.Models, config.Transport = provider.Replay, panicking()
		l = begin(t, open(t, config), "a", 1)
		if _, body := post(t, providerAt(t, l, "openai")+"/chat/completions", ask); body != opens+says+goes+stops+ends {
			t.Errorf("it replays as %q", body)
		}
	}
}

// TestStreamsThatBreakOff: an answer of which the system has a part is not asked
// for again, and is no whole answer to it either.
func TestStreamsThatBreakOff(t *testing.T) {
	reported := "data: {\"error\":{\"type\":\"server_error\",\"message\":\"boom\"}}\n\n"
	for _, tt := range []struct {
		name   string
		events []string
		whole  bool // the stream comes to a regular end for the system
		want   string
	}{
		{"cut", []string{says, ""}, false, "the answer of openai is not whole: the stream ends in the middle of the answer"},
		{"no end", []string{says, goes}, false, "the answer of openai is not whole"},
		{"an error on the way", []string{says, reported}, true, "openai answered with an error: 500 server_error: boom"},
	} {
		model := newStreamer(t)
		tape := &memory{}
		l := begin(t, open(t, provider.Config{Models: provider.Record, Tape: tape, BaseURLs: map[string]string{"openai": model.URL}}), "a", 1)
		go func() {
			for _, event := range tt.events {
				model.next <- event
			}
			close(model.next)
		}()
		_, from := listen(t, providerAt(t, l, "openai")+"/chat/completions")
		body, err := io.ReadAll(from)
		if (err == nil) != tt.whole || !strings.HasPrefix(string(body), says) || tt.whole && !strings.Contains(string(body), "boom") {
			t.Errorf("%s: the system hears %q, %v", tt.name, body, err)
		}
		if traffic, err := l.End(); err == nil || !strings.Contains(err.Error(), tt.want) || len(traffic.Calls) != 0 {
			t.Errorf("%s: the case ends with %v", tt.name, err)
		}
		if len(model.asked) != 1 || len(tape.kept) != 0 {
			t.Errorf("%s: asked %d times, %d recorded", tt.name, len(model.asked), len(tape.kept))
		}
	}
}

// A full tape keeps nothing.
type full struct{ memory }

func (*full) Save(context.Context, provider.Key, provider.Exchange) error {
	return errors.New("the disk is full")
}

// TestTheEndWaitsForTheRecording: no system takes for whole what a replay would
// lack.
func TestTheEndWaitsForTheRecording(t *testing.T) {
	model := newStreamer(t)
	l := begin(t, open(t, provider.Config{Models: provider.Record, Tape: &full{}, BaseURLs: map[string]string{"openai": model.URL}}), "a", 1)
	go func() {
		for _, event := range []string{says, stops, ends} {
			model.next <- event
		}
		close(model.next)
	}()
	_, from := listen(t, providerAt(t, l, "openai")+"/chat/completions")
	if body, err := io.ReadAll(from); err == nil || string(body) != says {
		t.Errorf("the system hears %q, %v", body, err)
	}
	if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "could not be recorded: the disk is full") {
		t.Errorf("the case ends with %v", err)
	}
}

// TestAServiceThatStreams is passed on while it comes, too, and a client that
// has heard enough is no failure.
func TestAServiceThatStreams(t *testing.T) {
	service := newStreamer(t)
	l := begin(t, open(t, provider.Config{Models: provider.Live, Services: provider.Live, ServiceURLs: map[string]string{"news": service.URL}}), "a", 1)
	address, err := l.Service("news")
	if err != nil {
		t.Fatal(err)
	}
	go func() { service.next <- "event: x\ndata: 1\n\n" }()
	r, from := listen(t, address)
	if got := hear(t, from); got != "event: x\ndata: 1\n\n" {
		t.Errorf("the system hears %q", got)
	}
	r.Body.Close()
	if _, err := l.End(); err != nil {
		t.Errorf("the case ends with %v", err)
	}
}
