package provider_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"docket/engine/provider"
)

// TestHugeAnswersAreRefused has an upstream answer with a gigabyte, as a document
// and as a stream, of one event and of many.
func TestHugeAnswersAreRefused(t *testing.T) {
	for name, tt := range map[string]struct{ kind, piece string }{
		"a document":            {"application/json", strings.Repeat(" ", 1<<20)},
		"a stream of one event": {"text/event-stream", "data: " + strings.Repeat("x", 1<<20)},
		"a stream of many":      {"text/event-stream", "data: {\"choices\":[{\"delta\":{\"content\":\"" + strings.Repeat("x", 1<<20) + "\"}}]}\n\n"},
	} {
		var sent int
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", tt.kind)
			for range 1 << 10 {
				n, err := io.WriteString(w, tt.piece)
				if sent += n; err != nil {
					return
				}
			}
		}))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d := open(t, provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": upstream.URL}})
		l := begin(t, d, "a", 1)
		r, err := http.Post(providerAt(t, l, "openai")+"/chat/completions", "application/json", strings.NewReader(ask))
		if err != nil {
			t.Fatal(err)
		}
		_, cut := io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if r.StatusCode == http.StatusOK && cut == nil {
			t.Errorf("%s: the system takes it for whole", name)
		}
		if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "the answer has more than 64 MB") {
			t.Errorf("%s is told as %v", name, err)
		}
		upstream.Close()
		runtime.ReadMemStats(&after)
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 1500 || sent > 512<<20 {
			t.Errorf("%s: %d MB were sent, %d MB allocated", name, sent>>20, used)
		}
	}
}

// TestAnUpstreamThatNeverEnds keeps a connection open without a word, and without
// an end: the call has its time, and the case is told.
func TestAnUpstreamThatNeverEnds(t *testing.T) {
	for name, begins := range map[string]string{
		"silent":             "",
		"no end to a stream": "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
		"comments for ever":  ": hold on\n\n",
	} {
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for {
				io.WriteString(w, begins)
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		}))
		d := open(t, provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": upstream.URL}, Timeout: 150 * time.Millisecond, Attempts: 2})
		l := begin(t, d, "a", 1)
		r, err := http.Post(providerAt(t, l, "openai")+"/chat/completions", "application/json", strings.NewReader(ask))
		if err != nil {
			t.Fatal(err)
		}
		_, cut := io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if r.StatusCode == http.StatusOK && cut == nil {
			t.Errorf("%s: the system takes it for whole", name)
		}
		if _, err := l.End(); err == nil {
			t.Errorf("%s costs nothing", name)
		}
		upstream.Close()
	}
}

// TestALiveStreamThatNobodyReads is let go of when its sample ends.
func TestALiveStreamThatNobodyReads(t *testing.T) {
	piece := "data: {\"choices\":[{\"delta\":{\"content\":\"" + strings.Repeat("x", 1<<16) + "\"}}]}\n\n"
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 500 {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
		}
		<-r.Context().Done()
	}))
	defer upstream.Close()
	for _, write := range []time.Duration{100 * time.Millisecond, time.Hour} {
		d := open(t, provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": upstream.URL}})
		d.BePatient(time.Minute, write)
		l := begin(t, d, "a", 1)
		c, u := dial(t, providerAt(t, l, "openai")+"/chat/completions")
		c.(*net.TCPConn).SetReadBuffer(1 << 10)
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", u.Path, u.Host, len(ask), ask)
		time.Sleep(300 * time.Millisecond)
		ended := make(chan error, 1)
		go func() { _, err := l.End(); ended <- err }()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the sample does not end")
		}
	}
}

// TestWhatAnUpstreamCannotSay: headers of an answer that speak of the connection,
// of its length, or set a cookie, do not reach the system.
func TestWhatAnUpstreamCannotSay(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 1<<16))
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\nKeep-Alive: timeout=5\r\nSet-Cookie: a=b\r\nProxy-Authenticate: x\r\nX-Kept: 2\r\n\r\n%s", len(wholeAnswer), wholeAnswer)
			c.Close()
		}
	}()
	d := open(t, provider.Config{Models: provider.Live, BaseURLs: map[string]string{"openai": "http://" + listener.Addr().String()}})
	l := begin(t, d, "a", 1)
	r, err := http.Post(providerAt(t, l, "openai")+"/chat/completions", "application/json", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if string(body) != wholeAnswer || r.ContentLength != int64(len(wholeAnswer)) {
		t.Errorf("the body is %s", body)
	}
	for name, want := range map[string]string{"Keep-Alive": "", "Connection": "", "Set-Cookie": "", "Proxy-Authenticate": "", "X-Kept": "2"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s comes through as %q", name, got)
		}
	}
	if _, err := l.End(); err != nil {
		t.Error(err)
	}
}

// TestHalfADocumentIsNone asks for something that is no answer of a model, whose
// connection breaks: it is asked for again, and half of it is never recorded.
func TestHalfADocumentIsNone(t *testing.T) {
	asked := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		if asked == 1 {
			w.Header().Set("Content-Length", "100")
		}
		io.WriteString(w, `{"data":[0.25]}`)
	}))
	defer upstream.Close()
	tape := &memory{}
	d := open(t, provider.Config{Models: provider.Record, Tape: tape, BaseURLs: map[string]string{"openai": upstream.URL}})
	l := begin(t, d, "a", 1)
	status, body := post(t, providerAt(t, l, "openai")+"/embeddings", `{"input":"x"}`)
	if _, err := l.End(); err != nil || status != http.StatusOK || body != `{"data":[0.25]}` || asked != 2 || len(tape.kept) != 1 {
		t.Errorf("after %d requests the system has %d %s, %d recorded, %v", asked, status, body, len(tape.kept), err)
	}
}
