package recording_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/system"
)

func TestBodiesComeBackByteForByte(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write([]byte(`{"a":1}`))
	w.Close()
	sse := "event: a\ndata: {\"x\": 1}\n\ndata: two\r\n\r\n: comment\n\n\n\ndata: [DONE]\n\n"
	for _, c := range []struct {
		name, contentType, encoding, body, want, holds string
	}{
		{"compact", "application/json", "", `{"a":1.0,"b":[]}`, "", `"layout":"compact"`},
		{"spaced", "application/json", "", `{"a": 1, "b": [1, 2], "c": "x, y: \" z"}`, "", `"layout":"spaced"`},
		{"indented", "application/json", "", "{\n  \"a\": [\n    1e2\n  ]\n}\n", "", `"layout":"indented newline"`},
		{"another layout", "application/json", "", "{ \"a\":1 }", "", `"text":"{ \"a\":1 }"`},
		{"a key twice", "application/json", "", `{"a":1,"a":2}`, "", `"text":`},
		{"empty", "application/json", "", "", "", `"headers":{"content-type":"application/json"}}`},
		{"a stream", "text/event-stream; charset=utf-8", "", sse, "", `"stream":["event: a\ndata: {\"x\": 1}\n\n","data: two\r\n\r\n",`},
		{"lines", "application/x-ndjson", "", "{\"a\":1}\n{\"a\":2}\n", "", `"stream":["{\"a\":1}\n","{\"a\":2}\n"]`},
		{"bytes", "image/png", "", "\x89PNG\xff\x00", "", `"base64":`},
		{"text", "text/plain", "", "déjà vu\u2028\x00\x1b[0m", "", `"text":`},
		{"gzip", "application/json", "gzip", zipped.String(), `{"a":1}`, `"body":{"a":1}`},
		{"an encoding that is not undone", "text/plain", "br", "\x8b\x02\x80", "", `"content-encoding":"br"`},
		{"gzip that is none", "text/plain", "gzip", "plain", "", `"content-encoding":"gzip"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			h := http.Header{"Content-Type": {c.contentType}}
			if c.encoding != "" {
				h.Set("Content-Encoding", c.encoding)
			}
			save(t, s, model("c", 1), chat(`{}`), provider.Response{Status: 200, Header: h, Body: []byte(c.body)})
			s.Close()
			if _, content := one(t, dir, ".jsonl"); !strings.Contains(content, c.holds) {
				t.Errorf("the file lacks %s:\n%s", c.holds, content)
			}
			want := c.body
			if c.want != "" {
				want = c.want
			}
			x := find(t, open(t, dir), model("c", 1), chat(`{}`))
			if got := string(x.Response.Body); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestSaveFindIdentity: what is saved is found, byte for byte.
func TestSaveFindIdentity(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		key := model(fmt.Sprint("case ", n), 1)
		request := provider.Request{
			Method: rapid.SampledFrom([]string{"GET", "POST", "PUT"}).Draw(rt, "method"),
			Path:   "/" + rapid.StringMatching(`[a-z0-9/%]{0,20}`).Draw(rt, "path"),
			Query:  rapid.StringMatching(`([a-c]=[a-z%+&;]{0,5}&?){0,3}`).Draw(rt, "query"),
			Header: http.Header{"Content-Type": {rapid.SampledFrom([]string{"", "application/json", "text/plain", "application/x-www-form-urlencoded"}).Draw(rt, "type")}},
			Body:   drawBody(rt),
		}
		response := provider.Response{
			Status: rapid.IntRange(200, 599).Draw(rt, "status"),
			Header: http.Header{"Content-Type": {rapid.SampledFrom([]string{"application/json", "text/event-stream", "application/x-ndjson", "text/plain"}).Draw(rt, "answer's type")}},
			Body:   drawBody(rt),
		}
		s := open(t, dir)
		defer s.Close()
		save(t, s, key, request, response)
		if rapid.Bool().Draw(rt, "from disk") {
			s = open(t, dir)
		}
		got := find(t, s, key, request)
		if len(response.Body) == 0 {
			response.Body = nil
		}
		if diff := cmp.Diff(response, got.Response); diff != "" {
			rt.Fatalf("(-saved +found):\n%s", diff)
		}
		again := askAgain(s, key, got.Request)
		if again != nil && !errors.Is(again, system.ErrMissed) {
			rt.Fatalf("the recorded request cannot be asked: %v", again)
		}
	})
}

// askAgain asks a request whose one recording was used: it must be the same
// request, used up.
func askAgain(s *recording.Store, key recording.Key, r provider.Request) error {
	_, err := s.Find(context.Background(), key, r)
	var miss *recording.Miss
	if errors.As(err, &miss) && miss.Reason != recording.UsedUp {
		return fmt.Errorf("the recorded request has another key: %v", err)
	}
	return err
}

func drawBody(t *rapid.T) []byte {
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 0:
		return rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")
	case 1:
		return []byte(rapid.String().Draw(t, "text"))
	case 2:
		return []byte(rapid.SampledFrom([]string{`{"a":1}`, `{"a": [1.50, "x"]}`, "{\n  \"a\": {}\n}\n", `[]`, `null`, `"\u00e9"`, ` 1`}).Draw(t, "json"))
	}
	return []byte(rapid.StringMatching(`(data: [a-z]{0,3}(\n|\r|\r\n){1,3}){0,4}`).Draw(t, "events"))
}
