package recording_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/system"
)

// A store is what the door asks of recordings.
var _ provider.Tape = (*recording.Store)(nil)

var day = time.Date(2026, 8, 11, 10, 22, 3, 0, time.UTC)

func open(t testing.TB, dir string, change ...func(*recording.Options)) *recording.Store {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := recording.Options{Shown: "cases/support", Now: func() time.Time { return day }}
	for _, c := range change {
		c(&o)
	}
	s := recording.Open(root, o)
	t.Cleanup(func() { s.Close(); root.Close() })
	return s
}

func chat(body string) provider.Request {
	return provider.Request{
		Method: "POST", Path: "/v1/chat/completions", Body: []byte(body),
		Header: http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer sk-canary-0123456789abcd"}},
	}
}

func answer(body string) provider.Response {
	return provider.Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
}

func model(caseID string, sample int) recording.Key {
	return recording.Key{Provider: "openai", CaseID: caseID, Sample: sample}
}

func save(t testing.TB, s *recording.Store, key recording.Key, r provider.Request, a provider.Response) {
	t.Helper()
	if err := s.Save(context.Background(), key, provider.Exchange{Request: r, Response: a, Recorded: day, Latency: 812 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, s *recording.Store, key recording.Key, r provider.Request) provider.Exchange {
	t.Helper()
	x, err := s.Find(context.Background(), key, r)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// files returns every file below dir with its content.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func one(t testing.TB, dir, ext string) (name, content string) {
	t.Helper()
	for n, c := range files(t, dir) {
		if strings.HasSuffix(n, ext) {
			if name != "" {
				t.Fatalf("both %s and %s", name, n)
			}
			name, content = n, c
		}
	}
	if name == "" {
		t.Fatalf("no %s file", ext)
	}
	return filepath.Join(dir, filepath.FromSlash(name)), content
}

func TestServiceFile(t *testing.T) {
	dir := t.TempDir()
	rules, err := recording.NewRules([]string{"request_id"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, func(o *recording.Options) { o.Rules = map[string]recording.Rules{"search": rules} })
	key := recording.Key{Service: "search", CaseID: "a", Sample: 1}
	request := provider.Request{
		Method: "POST", Path: "/v1/search", Query: "token=canary-1&limit=5",
		Header: http.Header{"Content-Type": {"application/json"}, "X-Api-Key": {"canary-2"}},
		Body:   []byte(`{"request_id": "r-1", "q": "refund window"}`),
	}
	save(t, s, key, request, answer(`{"hits": [{"id": 1.0, "text": "30 days"}]}`))
	s.Close()

	name, got := one(t, dir, ".json")
	if base := filepath.Base(name); !strings.HasPrefix(base, "post-v1-search-limit-5-token-redacted-") || len(base) != len("post-v1-search-limit-5-token-redacted-")+16+len(".json") {
		t.Errorf("the file is named %s", base)
	}
	want := `{
  "format": 1,
  "service": "search",
  "recorded": "2026-08-11T10:22:03Z",
  "latency_ms": 812,
  "rules": {
    "canonical": 1,
    "ignore": [
      "request_id"
    ],
    "redaction": 1
  },
  "key": "sha256:KEY",
  "request": {
    "method": "POST",
    "path": "/v1/search",
    "query": "limit=5&token=%5Bredacted%5D",
    "headers": {
      "content-type": "application/json"
    },
    "body": {
      "q": "refund window",
      "request_id": "r-1"
    }
  },
  "response": {
    "status": 200,
    "headers": {
      "content-type": "application/json"
    },
    "layout": "spaced",
    "body": {
      "hits": [
        {
          "id": 1.0,
          "text": "30 days"
        }
      ]
    }
  },
  "seal": "sha256:SEAL"
}
`
	for _, field := range []string{"key", "seal"} {
		at := strings.Index(got, `"`+field+`": "sha256:`) + len(field) + len(`"": "sha256:`)
		got = got[:at] + strings.ToUpper(field) + got[at+64:]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "recordings", ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	// Another case, another request id: the same recording, as often as asked.
	request.Body = []byte(`{"q":"refund window","request_id":"r-2"}`)
	replay := open(t, dir, func(o *recording.Options) { o.Rules = map[string]recording.Rules{"search": rules} })
	for range 3 {
		x := find(t, replay, recording.Key{Service: "search", CaseID: "b", Sample: 2}, request)
		if got := string(x.Response.Body); got != `{"hits": [{"id": 1.0, "text": "30 days"}]}` {
			t.Errorf("not byte for byte: %s", got)
		}
		if !x.Recorded.Equal(day) || x.Latency != 812*time.Millisecond {
			t.Errorf("recorded %v, latency %v", x.Recorded, x.Latency)
		}
	}
}

func TestModelCalls(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for sample := 1; sample <= 3; sample++ {
		key := model("a/b ü", sample)
		save(t, s, key, chat(`{"n":1}`), answer(fmt.Sprintf(`{"first":%d}`, sample)))
		save(t, s, key, chat(`{"n":1}`), answer(fmt.Sprintf(`{"second":%d}`, sample)))
		save(t, s, key, chat(`{"n":2}`), answer(fmt.Sprintf(`{"third":%d}`, sample)))
	}
	s.Close()

	replay := open(t, dir)
	samples, err := replay.Samples("a/b ü")
	if err != nil || fmt.Sprint(samples) != "[1 2 3]" {
		t.Errorf("samples %v, %v", samples, err)
	}
	for sample := 1; sample <= 3; sample++ {
		key := model("a/b ü", sample)
		// Another order than the recorded one: only equal requests have one.
		for _, c := range []struct{ body, want string }{{`{"n":2}`, "third"}, {`{ "n" : 1.0 }`, "first"}, {`{"n":1}`, "second"}} {
			want := fmt.Sprintf(`{"%s":%d}`, c.want, sample)
			if got := string(find(t, replay, key, chat(c.body)).Response.Body); got != want {
				t.Errorf("sample %d, %s: got %s, want %s", sample, c.body, got, want)
			}
		}
		_, err := replay.Find(context.Background(), key, chat(`{"n":1}`))
		var miss *recording.Miss
		if !errors.As(err, &miss) || miss.Reason != recording.UsedUp || miss.Recorded != 2 {
			t.Errorf("a third equal call: %v", err)
		}
	}
	replay.Begin("a/b ü", 1)
	if got := string(find(t, replay, model("a/b ü", 1), chat(`{"n":1}`)).Response.Body); got != `{"first":1}` {
		t.Errorf("a sample that is tried anew begins with %s", got)
	}
}

// TestRecordingAgain: a new recording of a sample replaces its file, calls
// stand in the order in which they were sent, and samples of an older, longer
// recording go.
func TestRecordingAgain(t *testing.T) {
	dir := t.TempDir()
	old := open(t, dir)
	for sample := 1; sample <= 5; sample++ {
		save(t, old, model("c", sample), chat(`{"n":1}`), answer(`"old"`))
	}
	old.Close()
	s := open(t, dir)
	for i, at := range []int{2, 0, 1} {
		err := s.Save(context.Background(), model("c", 1), provider.Exchange{
			Request: chat(fmt.Sprintf(`{"n":%d}`, at)), Response: answer(fmt.Sprint(i)), Recorded: day.Add(time.Duration(at) * time.Millisecond),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Trim("openai", "c", 1); err != nil {
		t.Fatal(err)
	}
	_, content := one(t, dir, ".jsonl")
	var order []string
	for line := range strings.Lines(content) {
		_, rest, _ := strings.Cut(line, `"body":{"n":`)
		order = append(order, rest[:1])
	}
	if got := strings.Join(order, ""); got != "012" {
		t.Errorf("calls in the order %s", got)
	}
}

func TestMisses(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	save(t, s, model("c", 1), chat(`{"model":"m-1","messages":[{"content":"You are a careful assistant. Refunds take 30 days, says the policy.","role":"system"},{"content":"hi","role":"user"}]}`), answer(`1`))
	save(t, s, model("c", 1), chat(`{"model":"m-1","messages":[{"content":"other","role":"user"}],"tools":[]}`), answer(`2`))
	service := recording.Key{Service: "search", CaseID: "c", Sample: 1}
	save(t, s, service, provider.Request{Method: "GET", Path: "/find", Query: "q=a&limit=5"}, answer(`3`))
	s.Close()

	replay := open(t, dir)
	for _, c := range []struct {
		name string
		key  recording.Key
		r    provider.Request
		want []string
	}{
		{
			"a changed prompt", model("c", 1),
			chat(`{"model":"m-2","messages":[{"content":"You are a careful assistant. Refunds take 14 days, says the policy.","role":"system"},{"content":"hi","role":"user"}]}`),
			[]string{
				`no recording of POST /v1/chat/completions to openai in sample 1 of case "c"`, "cases/support/recordings/openai/c-", "/1.jsonl:1",
				`/body/messages/0/content (`, `Refunds take 30 days`, `Refunds take 14 days`, `/body/model ("m-1" → "m-2")`, "docket run --mode record",
			},
		},
		{
			"a message more", model("c", 1),
			chat(`{"model":"m-1","messages":[{"content":"new","role":"system"},{"content":"other","role":"user"}],"tools":[]}`),
			[]string{"/1.jsonl:2", `/body/messages/0 (new: {"content":"new","role":"system"})`},
		},
		{"a sample more", model("c", 2), chat(`{"model":"m-1"}`), []string{"of this case the recorded samples are 1"}},
		{"a new case", model("d", 1), chat(`{"model":"m-1"}`), []string{"nothing of this case is recorded", "the nearest is cases/support/recordings/openai/c-"}},
		{
			"a service", service,
			provider.Request{Method: "GET", Path: "/find", Query: "limit=6&q=a"},
			[]string{"no recording of GET /find?limit=6&q=a to the service search", `/query/limit ("5" → "6")`, "docket run --services record"},
		},
		{"nothing at all", recording.Key{Service: "other"}, provider.Request{Method: "GET", Path: "/"}, []string{"no recording of GET / to the service other; `docket run"}},
	} {
		_, err := replay.Find(context.Background(), c.key, c.r)
		if !errors.Is(err, system.ErrMissed) || !errors.Is(err, provider.ErrMissed) {
			t.Errorf("%s: not a miss: %v", c.name, err)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s:\n%v\nlacks %s", c.name, err, part)
			}
		}
		if len(err.Error()) > 3000 || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: not one short line: %q", c.name, err)
		}
	}
}

func TestOtherRules(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	key := recording.Key{Service: "search", CaseID: "c"}
	request := provider.Request{Method: "GET", Path: "/find", Query: "q=a&trace=1"}
	save(t, s, key, request, answer(`1`))
	s.Close()
	rules, _ := recording.NewRules([]string{"trace"}, nil)
	replay := open(t, dir, func(o *recording.Options) { o.Rules = map[string]recording.Rules{"search": rules} })
	_, err := replay.Find(context.Background(), key, request)
	var miss *recording.Miss
	if !errors.As(err, &miss) || miss.Reason != recording.OtherRules || !strings.Contains(err.Error(), "docket rekey") {
		t.Errorf("got %v", err)
	}
}

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

// TestCanary: no secret reaches the disk, wherever it stood.
func TestCanary(t *testing.T) {
	dir := t.TempDir()
	secrets := recording.Secrets([]string{"OPENAI_API_KEY=canary-key-of-the-environment"})
	s := open(t, dir, func(o *recording.Options) { o.Secrets = secrets })
	request := provider.Request{
		Method: "POST", Path: "/v1/x", Query: "api_key=canary-q1&key=canary-q2&sig=canary-q3&X-Amz-Signature=canary-q4",
		Header: http.Header{
			"Content-Type": {"application/json"}, "Authorization": {"Bearer canary-h1"}, "X-Api-Key": {"canary-h2"}, "x-api-key": {"canary-h3"},
			"Cookie": {"session=canary-h4"}, "Anthropic-Beta": {"Bearer canary-h5"}, "Proxy-Authorization": {"canary-h6"},
		},
		Body: []byte(`{"api_key":"canary-b1","nested":[{"password":"canary-b2"}],"text":"use Bearer canary-b3 or canary-key-of-the-environment","args":"{\"client_secret\":\"canary-b4\"}"}`),
	}
	response := provider.Response{
		Status: 401,
		Header: http.Header{
			"Content-Type": {"application/json"}, "Set-Cookie": {"a=canary-r1"}, "set-cookie": {"b=canary-r2"}, "X-Error-Json": {"Y2FuYXJ5LXIz"},
			"Www-Authenticate": {"Bearer canary-r4"}, "Location": {"https://h/x?token=canary-r5"}, "X-Request-Id": {"canary-r6"},
		},
		Body: []byte(`{"error":"Bearer canary-r7","access_token":"canary-r8","echo":{"Authorization":"canary-r9","Set-Cookie":"c=canary-r10"},"note":"canary-key-of-the-environment"}`),
	}
	save(t, s, model("c", 1), request, response)
	save(t, s, recording.Key{Service: "search"}, request, response)
	form := request
	form.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	form.Body = []byte("grant_type=x&client_secret=canary-f1&code=canary-f2")
	stream := response
	stream.Header = http.Header{"Content-Type": {"text/event-stream"}}
	stream.Body = []byte("data: {\"t\":\"Bearer canary-s1\"}\n\ndata: {\"access_token\":\"canary-s2\"}\n\ndata: canary-key-of-the-environment\n\n")
	save(t, s, recording.Key{Service: "search"}, form, stream)
	s.Close()
	for name, content := range files(t, dir) {
		for text, what := range map[string]string{name: "name", content: "content"} {
			lower := strings.ToLower(text)
			if at := strings.Index(lower, "canary"); at >= 0 {
				t.Errorf("a secret in the %s of %s: …%s…", what, name, text[max(0, at-40):min(len(text), at+40)])
			}
			for _, header := range []string{`"set-cookie":"c=`, `"x-api-key"`, `"authorization"`} {
				if at := strings.Index(lower, header); at >= 0 && !strings.Contains(lower[at:min(len(lower), at+40)], "[redacted]") {
					t.Errorf("%s in %s", header, name)
				}
			}
		}
	}
	// A machine with another key, or with none, makes the same request.
	request.Header.Set("Authorization", "Bearer "+provider.Placeholder)
	request.Body = bytes.ReplaceAll(request.Body, []byte("canary-key-of-the-environment"), []byte(provider.Placeholder))
	request.Query = strings.ReplaceAll(request.Query, "canary", "other")
	if got := find(t, open(t, dir), model("c", 1), request); got.Response.Status != 401 {
		t.Errorf("status %d", got.Response.Status)
	}
	_, err := open(t, dir).Find(context.Background(), model("d", 1), provider.Request{Method: "GET", Path: "/", Query: "token=canary-m1"})
	if err == nil || strings.Contains(err.Error(), "canary-m1") {
		t.Errorf("a miss shows a secret: %v", err)
	}
}

// TestDamage: what is not whole is an error with its place, is never taken for
// missing, and stays as it is, whether it is read or recorded again.
func TestDamage(t *testing.T) {
	service := recording.Key{Service: "search", CaseID: "c"}
	get := provider.Request{Method: "GET", Path: "/find", Query: "q=a"}
	for _, c := range []struct {
		name  string
		model bool
		edit  func(string) string
		want  string
	}{
		{"a conflict", true, func(s string) string { return "<<<<<<< HEAD\n" + s + "=======\n" + s + ">>>>>>> x\n" }, "1.jsonl:1: a conflict marker"},
		{"a conflict in a service", false, func(s string) string {
			return strings.Replace(s, "  \"latency_ms\": 812,\n", "<<<<<<< HEAD\n  \"latency_ms\": 812,\n=======\n  \"latency_ms\": 9,\n>>>>>>> x\n", 1)
		}, ".json:5:1: a conflict marker"},
		{"a flipped byte in the answer", true, func(s string) string { return strings.Replace(s, "days", "dayz", 1) }, "1.jsonl:1:1: the seal does not fit"},
		{"an edited answer of a service", false, func(s string) string { return strings.Replace(s, "days", "dayz", 1) }, ".json:1:1: the seal does not fit"},
		{"an edited date", false, func(s string) string { return strings.Replace(s, "2026-08", "2027-08", 1) }, "the seal does not fit"},
		{"an edited request", false, func(s string) string { return strings.Replace(s, `"q=a"`, `"q=b"`, 1) }, "does not have the key"},
		{"a key twice", false, func(s string) string {
			return strings.Replace(s, "  \"format\": 1,\n", "  \"format\": 1,\n  \"format\": 1,\n", 1)
		}, `.json:3:3: the key "format" comes twice`},
		{"a key twice, in the answer", true, func(s string) string { return strings.Replace(s, `"body":{"text"`, `"body":{"text":1,"text"`, 1) }, `the key "text" stands twice`},
		{"cut off", true, func(s string) string { return s[:len(s)-20] }, "1.jsonl:2: the last line has no end"},
		{"cut off in a service", false, func(s string) string { return s[:len(s)-40] }, ".json:"},
		{"without its last newline", true, func(s string) string { return strings.TrimSuffix(s, "\n") }, "the last line has no end"},
		{"empty", true, func(string) string { return "" }, "1.jsonl:1: the file is empty"},
		{"empty service", false, func(string) string { return "" }, ".json:1:1: the line is blank"},
		{"a newer format", false, func(s string) string { return strings.Replace(s, `"format": 1`, `"format": 2`, 1) }, "install a newer docket"},
		{"an unknown key", false, func(s string) string { return strings.Replace(s, `"format": 1,`, `"format": 1, "x": 1,`, 1) }, `unknown key "x"`},
		{"a cookie", false, func(s string) string {
			return strings.Replace(s, `"content-type": "application/json"`, `"set-cookie": "a=b"`, 2)
		}, `the header "set-cookie" is not kept`},
		{"binary", true, func(string) string { return "\x00\x01\n" }, "1.jsonl:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			key, request, ext := service, get, ".json"
			if c.model {
				key, request, ext = model("c", 1), chat(`{"n":1}`), ".jsonl"
				save(t, s, key, request, answer(`{"text":"30 days"}`))
				save(t, s, key, chat(`{"n":2}`), answer(`{"text":"40 days"}`))
			} else {
				save(t, s, key, request, answer(`{"text":"30 days"}`))
			}
			s.Close()
			name, content := one(t, dir, ext)
			damaged := c.edit(content)
			if damaged == content {
				t.Fatal("the edit did nothing")
			}
			if err := os.WriteFile(name, []byte(damaged), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := open(t, dir).Find(context.Background(), key, request)
			if err == nil || errors.Is(err, system.ErrMissed) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "cases/support/recordings/") {
				t.Errorf("find: %v, want %s", err, c.want)
			}
			again := open(t, dir)
			if err := again.Save(context.Background(), key, provider.Exchange{Request: request, Response: answer(`{}`)}); err == nil {
				t.Error("recorded over a damaged file")
			}
			if left, _ := os.ReadFile(name); string(left) != damaged {
				t.Error("the damaged file was changed")
			}
		})
	}
}

func TestRenamedByHand(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	key := recording.Key{Service: "search", CaseID: "c"}
	a, b := provider.Request{Method: "GET", Path: "/a"}, provider.Request{Method: "GET", Path: "/b"}
	save(t, s, key, a, answer(`1`))
	nameA, contentA := one(t, dir, ".json")
	os.Remove(nameA)
	save(t, s, key, b, answer(`2`))
	nameB, _ := one(t, dir, ".json")
	s.Close()
	os.WriteFile(nameB, []byte(contentA), 0o666)
	_, err := open(t, dir).Find(context.Background(), key, b)
	if err == nil || errors.Is(err, system.ErrMissed) || !strings.Contains(err.Error(), "renamed or copied by hand") {
		t.Errorf("got %v", err)
	}
	// Likewise a sample's file under another sample's name.
	save(t, s, model("c", 1), chat(`{}`), answer(`1`))
	s.Close()
	name, content := one(t, dir, ".jsonl")
	os.WriteFile(filepath.Join(filepath.Dir(name), "2.jsonl"), []byte(content), 0o666)
	_, err = open(t, dir).Find(context.Background(), model("c", 2), chat(`{}`))
	if err == nil || errors.Is(err, system.ErrMissed) {
		t.Errorf("got %v", err)
	}
}

func TestNothingEscapes(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	s := open(t, dir)
	for _, id := range []string{"../../x", "/etc/passwd", "NUL", "con.json", "a:b", ".", "..", "é", strings.Repeat("x", 256), "😀", " trailing. "} {
		save(t, s, model(id, 1), chat(`{}`), answer(`"`+fmt.Sprint(len(id))+`"`))
		if got := string(find(t, s, model(id, 1), chat(`{}`)).Response.Body); got != `"`+fmt.Sprint(len(id))+`"` {
			t.Errorf("%q: %s", id, got)
		}
	}
	for _, bad := range []recording.Key{{}, {Provider: "../x", CaseID: "c", Sample: 1}, {Service: "a/b"}, {Service: "s", Provider: "p"}, {Provider: "p", Sample: 1}, {Provider: "p", CaseID: "c"}} {
		if err := s.Save(context.Background(), bad, provider.Exchange{Request: chat(`{}`), Response: answer(`1`)}); err == nil {
			t.Errorf("saved under %+v", bad)
		}
		if _, err := s.Find(context.Background(), bad, chat(`{}`)); err == nil || errors.Is(err, system.ErrMissed) {
			t.Errorf("looked for under %+v: %v", bad, err)
		}
	}
	s.Close()
	if err := os.Symlink(outside, filepath.Join(dir, "recordings", "linked")); err != nil {
		t.Log(err) // some systems give links to administrators only
		return
	}
	linked := open(t, dir)
	if err := linked.Save(context.Background(), recording.Key{Service: "linked"}, provider.Exchange{Request: chat(`{}`), Response: answer(`1`)}); err == nil {
		t.Error("wrote through a link")
	}
	if left := files(t, outside); len(left) > 0 {
		t.Errorf("escaped: %v", left)
	}
}

// TestNoneSwapped: cases that run at once never get each other's answers.
func TestNoneSwapped(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	each := func(do func(id string, sample int)) {
		var group sync.WaitGroup
		for _, id := range []string{"left", "right"} {
			for sample := range 2 {
				group.Go(func() { do(id, sample+1) })
			}
		}
		group.Wait()
	}
	want := func(id string, sample, call int) string { return fmt.Sprintf(`"%s %d %d"`, id, sample, call) }
	each(func(id string, sample int) {
		for call := range 3 {
			save(t, s, model(id, sample), chat(`{"same":"request"}`), answer(want(id, sample, call)))
		}
	})
	s.Close()
	for range 100 {
		replay := open(t, dir)
		each(func(id string, sample int) {
			for call := range 3 {
				x, err := replay.Find(context.Background(), model(id, sample), chat(`{"same":"request"}`))
				if err != nil || string(x.Response.Body) != want(id, sample, call) {
					t.Errorf("%s %d %d: %s, %v", id, sample, call, x.Response.Body, err)
				}
			}
			replay.End(id, sample)
		})
	}
}

func TestServicesInOneSession(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	key := recording.Key{Service: "search", CaseID: "c"}
	get := provider.Request{Method: "GET", Path: "/a"}
	busy := provider.Response{Status: 429, Header: http.Header{"Retry-After": {"1"}}}
	now := func() string {
		x := find(t, s, key, get)
		return fmt.Sprint(x.Response.Status, " ", string(x.Response.Body))
	}
	save(t, s, key, get, busy)
	if got := now(); got != "429 " {
		t.Errorf("got %s", got)
	}
	save(t, s, key, get, answer(`"good"`))
	save(t, s, key, get, busy)
	save(t, s, key, get, answer(`"good"`))
	if got := now(); got != `200 "good"` || len(s.Unsteady()) != 0 {
		t.Errorf("got %s, unsteady %v", got, s.Unsteady())
	}
	save(t, s, key, get, answer(`"another"`))
	if got := now(); got != `200 "good"` || len(s.Unsteady()) != 1 {
		t.Errorf("got %s, unsteady %v", got, s.Unsteady())
	}
	s.Close()
	s = open(t, dir)
	save(t, s, key, get, answer(`"tomorrow's"`))
	if got := now(); got != `200 "tomorrow's"` {
		t.Errorf("a new session did not replace: %s", got)
	}
	other := open(t, dir)
	if err := other.Save(context.Background(), key, provider.Exchange{Request: get, Response: busy}); err == nil {
		t.Error("two sessions record at once")
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	record := func(date time.Time, text string) {
		s := open(t, dir)
		defer s.Close()
		for _, x := range []struct {
			key recording.Key
			r   provider.Request
		}{
			{model("a", 1), chat(`{}`)},
			{model("b", 1), chat(`{}`)},
			{recording.Key{Service: "search"}, provider.Request{Method: "GET", Path: "/1"}},
			{recording.Key{Service: "search"}, provider.Request{Method: "GET", Path: "/2"}},
		} {
			if err := s.Save(context.Background(), x.key, provider.Exchange{Request: x.r, Response: answer(`"` + text + x.r.Path + `"`), Recorded: date}); err != nil {
				t.Fatal(err)
			}
		}
	}
	replay := func(paths ...string) *recording.Store {
		s := open(t, dir)
		find(t, s, model("a", 1), chat(`{}`))
		for _, p := range paths {
			find(t, s, recording.Key{Service: "search", CaseID: "a", Sample: 1}, provider.Request{Method: "GET", Path: p})
		}
		s.End("a", 1)
		return s
	}
	record(day, "x")
	s := replay("/1", "/2", "/1")
	used := s.Used()
	if len(used) != 2 || used[0].Name != "search" || used[0].Model || used[0].Calls != 3 || used[1].Name != "openai" || !used[1].Model {
		t.Errorf("used %+v", used)
	}
	for days, want := range map[int]string{0: "recorded today", 1: "recorded yesterday", 12: "recorded 12 days ago"} {
		if got := used[0].Age(day.AddDate(0, 0, days)); got != want {
			t.Errorf("after %d days: %s", days, got)
		}
	}
	unused, err := s.Unused()
	if err != nil || len(unused) != 1 || !strings.HasPrefix(unused[0], "cases/support/recordings/openai/b-") {
		t.Errorf("unused %v, %v", unused, err)
	}
	hash, caseHash := s.Hash(), s.CaseHash("a")
	if other := replay("/2", "/1"); other.Hash() != hash || other.CaseHash("a") != caseHash {
		t.Error("the hash depends on the order, or on how often")
	}
	if replay("/1").Hash() == hash {
		t.Error("the hash does not say what was used")
	}
	record(day.AddDate(0, 1, 0), "x")
	if replay("/1", "/2").Hash() != hash {
		t.Error("the same answers, recorded again, have another hash")
	}
	record(day, "y")
	if replay("/1", "/2").Hash() == hash {
		t.Error("other answers have the same hash")
	}
	if open(t, dir).Hash() != "" {
		t.Error("nothing used has a hash")
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
