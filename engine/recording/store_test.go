package recording_test

import (
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

	"docket/engine/provider"
	"docket/engine/recording"
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
	if x, ok := s.Kept(t.Context(), key, get); !ok || string(x.Response.Body) != `"good"` {
		t.Errorf("the session keeps %s, %v", x.Response.Body, ok)
	}
	save(t, s, key, get, answer(`"another"`))
	if got := now(); got != `200 "good"` || len(s.Unsteady()) != 1 {
		t.Errorf("got %s, unsteady %v", got, s.Unsteady())
	}
	s.Close()
	s = open(t, dir)
	if _, ok := s.Kept(t.Context(), key, get); ok {
		t.Error("an earlier session's answer is kept for this one")
	}
	save(t, s, key, get, answer(`"tomorrow's"`))
	if got := now(); got != `200 "tomorrow's"` {
		t.Errorf("a new session did not replace: %s", got)
	}
	other := open(t, dir)
	if err := other.Save(context.Background(), key, provider.Exchange{Request: get, Response: busy}); err == nil {
		t.Error("two sessions record at once")
	}
}

// TestKeptIsWhatWasAnswered gives a system of the session nothing that a service
// did not say to it: not a busy answer, and not a token that was redacted.
func TestKeptIsWhatWasAnswered(t *testing.T) {
	s := open(t, t.TempDir())
	key := recording.Key{Service: "search", CaseID: "c", Sample: 1}
	busy := answer(`{}`)
	busy.Status = 429
	for path, a := range map[string]provider.Response{"/busy": busy, "/token": answer(`{"access_token":"abcdefgh12345678"}`)} {
		get := provider.Request{Method: "GET", Path: path}
		save(t, s, key, get, a)
		if x, ok := s.Kept(t.Context(), key, get); ok {
			t.Errorf("%s is kept as %s", path, x.Response.Body)
		}
	}
	call := chat(`{"n":1}`)
	save(t, s, model("c", 1), call, answer(`{}`))
	if _, ok := s.Kept(t.Context(), model("c", 1), call); ok {
		t.Error("an answer of a model is kept for the next sample")
	}
}
