package provider_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine/output"
	"docket/engine/provider"
)

// dial opens a plain connection to where an address is.
func dial(t *testing.T, address string) (net.Conn, *url.URL) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return c, u
}

// TestStrangersLearnNothing calls the door without an address, or with half a
// right one.
func TestStrangersLearnNothing(t *testing.T) {
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(map[string][]string{"a": {"1"}})})
	l := begin(t, d, "a", 1)
	u, _ := url.Parse(providerAt(t, l, "openai"))
	if host := u.Hostname(); host != "127.0.0.1" {
		t.Fatalf("the door is on %s", host)
	}
	token := strings.Split(u.Path, "/")[1]
	if len(token) < 32 {
		t.Errorf("the address can be guessed: %s", token)
	}
	for _, path := range []string{"", "/", "/v1/chat/completions", "/" + token[1:] + "/p/openai/v1/chat/completions", "/" + strings.ToUpper(token) + "x/p/openai", "//" + token + "/p/openai/v1"} {
		if status, body := post(t, "http://"+u.Host+path, ask); status != http.StatusNotFound || strings.Contains(body, "docket") {
			t.Errorf("%q is answered with %d %s", path, status, body)
		}
	}
	request, _ := http.NewRequest("POST", u.String()+"/chat/completions", strings.NewReader(ask))
	request.Host = "evil.example:" + u.Port()
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusNotFound {
		t.Errorf("by another name the door answers %d", r.StatusCode)
	}
	post(t, u.String()+"/chat/completions", ask)
	if _, err := l.End(); err != nil {
		t.Errorf("strangers cost the case: %v", err)
	}
}

// TestPathsStayBelow sends paths that lead elsewhere.
func TestPathsStayBelow(t *testing.T) {
	network := &wiretap{}
	d := open(t, provider.Config{
		Models: provider.Live, Services: provider.Live, Transport: network,
		ServiceURLs: map[string]string{"../odd name/": "http://x.example/only/here"},
	})
	for _, path := range []string{"/../admin", "/a/%2e%2e/%2E%2e/admin", "/..%2fadmin", "/.", `/..%5cadmin`, "/a%00b"} {
		l := begin(t, d, "a", 1)
		address, err := l.Service("../odd name/")
		if err != nil {
			t.Fatal(err)
		}
		c, u := dial(t, address)
		fmt.Fprintf(c, "GET %s%s HTTP/1.1\r\nHost: %s\r\n\r\n", u.EscapedPath(), path, u.Host)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s is answered with %v, %v", path, r, err)
		}
		if _, err := l.End(); err == nil {
			t.Errorf("%s costs nothing", path)
		}
	}
	if len(network.seen) != 0 {
		t.Errorf("%s went out", network.seen[0].URL)
	}
	l := begin(t, d, "a", 1)
	address, _ := l.Service("../odd name/")
	post(t, address+"/b%2Fc/d", "{}")
	if len(network.seen) != 1 || network.seen[0].URL.EscapedPath() != "/only/here/b%2Fc/d" {
		t.Errorf("%v went out", network.seen)
	}
}

// TestHugeBodiesAreRefused sends a body of a gigabyte, announced and not.
func TestHugeBodiesAreRefused(t *testing.T) {
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(map[string][]string{"a": {"1"}})})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, announced := range []bool{true, false} {
		l := begin(t, d, "a", 1)
		request, _ := http.NewRequest("POST", providerAt(t, l, "openai")+"/chat/completions", io.LimitReader(zeros{}, 1<<30))
		if announced {
			request.ContentLength = 1 << 30
		}
		r, err := http.DefaultClient.Do(request)
		if err == nil { // else the connection was closed while the client wrote
			r.Body.Close()
			if r.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("a gigabyte is answered with %d", r.StatusCode)
			}
		}
		if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "a body of more than 32 MB") {
			t.Errorf("a gigabyte is told as %v", err)
		}
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 400 {
		t.Errorf("two gigabytes made the door allocate %d MB", used)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// TestSlowBodiesAreCutOff sends a body that never ends.
func TestSlowBodiesAreCutOff(t *testing.T) {
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(map[string][]string{"a": {"1"}})})
	d.BePatient(100*time.Millisecond, time.Second)
	l := begin(t, d, "a", 1)
	c, u := dial(t, providerAt(t, l, "openai")+"/chat/completions")
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\n{", u.Path, u.Host)
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || r.StatusCode != http.StatusBadRequest {
		t.Errorf("half a body is answered with %v, %v", r, err)
	}
	if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "did not come to its end") {
		t.Errorf("half a body is told as %v", err)
	}
}

// TestAClientThatNeverReads is let go of: when it is slow, and when its sample
// ends.
func TestAClientThatNeverReads(t *testing.T) {
	long := strings.Repeat("x", 30<<20)
	canned := func(string) ([]output.Output, error) { return []output.Output{{Text: long}}, nil }
	for _, write := range []time.Duration{100 * time.Millisecond, time.Hour} {
		d := open(t, provider.Config{Models: provider.Mock, Canned: canned})
		d.BePatient(time.Minute, write)
		l := begin(t, d, "a", 1)
		c, u := dial(t, providerAt(t, l, "openai")+"/chat/completions")
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", u.Path, u.Host, len(ask), ask)
		c.(*net.TCPConn).SetReadBuffer(1 << 10)
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

// TestHeadersThatSmuggle sends requests that two servers could read in two
// ways, and looks at what goes on.
func TestHeadersThatSmuggle(t *testing.T) {
	network := &wiretap{}
	d := open(t, provider.Config{Models: provider.Live, Transport: network})
	for _, tt := range []struct {
		headers, body string
		status        int
	}{
		{"Content-Length: 5\r\nContent-Length: 6", "hello!", 400},
		{"Transfer-Encoding: chunked, identity\r\nContent-Length: 5", "hello", 501},
		{"Transfer-Encoding: xchunked", "5\r\nhello\r\n0\r\n\r\n", 501},
		{"Content-Length: +5", "hello", 400},
		{"Upgrade: websocket\r\nConnection: upgrade", "", 501},
	} {
		l := begin(t, d, "a", 1)
		c, u := dial(t, providerAt(t, l, "openai")+"/embeddings")
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n%s", u.Path, u.Host, tt.headers, tt.body)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != tt.status {
			t.Errorf("%q is answered with %v, %v", tt.headers, r, err)
		}
		l.End()
	}
	if len(network.seen) != 0 {
		t.Fatalf("%d requests went out", len(network.seen))
	}
	l := begin(t, d, "a", 1)
	c, u := dial(t, providerAt(t, l, "openai")+"/embeddings")
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nConnection: X-Hidden, close\r\nX-Hidden: 1\r\nX-Kept: 2\r\nProxy-Authorization: p\r\nX-Forwarded-For: 1.2.3.4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", u.Path, u.Host)
	if r, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || r.StatusCode != 200 {
		t.Fatalf("%v, %v", r, err)
	}
	h := network.seen[0].Header
	for name, want := range map[string]string{"X-Hidden": "", "X-Kept": "2", "Proxy-Authorization": "", "X-Forwarded-For": "", "Connection": ""} {
		if got := h.Get(name); got != want {
			t.Errorf("%s goes on as %q", name, got)
		}
	}
}

// TestAThousandAtOnce books a thousand cases at once, each with ids that are
// anything but a path, and lets none see another's answers.
func TestAThousandAtOnce(t *testing.T) {
	const cases = 1000
	canned := func(id string) ([]output.Output, error) {
		return []output.Output{{Text: "1 " + id}, {Text: "2 " + id}}, nil
	}
	d := open(t, provider.Config{Models: provider.Mock, Canned: canned})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for n := range cases {
		all.Go(func() {
			id := fmt.Sprintf("../%d/[請求]|:\x00%%2f", n)
			l := d.Line()
			defer l.Close()
			l.Begin(id, 1)
			address, _ := l.Provider("openai")
			for call := 1; call <= 2; call++ {
				r, err := client.Post(address+"/chat/completions", "application/json", strings.NewReader(ask))
				if err != nil {
					t.Error(err)
					return
				}
				body, _ := io.ReadAll(r.Body)
				r.Body.Close()
				if got, want := said(t, string(body)), fmt.Sprintf("%d %s", call, id); got != want {
					t.Errorf("case %q got %q", id, got)
				}
			}
			if traffic, err := l.End(); err != nil || len(traffic.Calls) != 2 {
				t.Errorf("case %q ends with %d calls, %v", id, len(traffic.Calls), err)
			}
		})
	}
	all.Wait()
	if d.Lines() != 0 {
		t.Errorf("%d addresses are left", d.Lines())
	}
}
