package recording

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"docket/engine/provider"
)

func sample(t failer, key Key, contentType, body string) *record {
	t.Helper()
	r := provider.Request{Method: "POST", Path: "/v1/x", Query: "a=1", Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"b":[1.0,"x"]}`)}
	a, err := ask(upstreamOf(key), &r, newRedactor(nil))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := NewRules([]string{"b[0]"}, []string{"c"})
	if err != nil {
		t.Fatal(err)
	}
	response := &provider.Response{Status: 200, Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)}
	return newRecord(key, rules, a, response, time.Date(2026, 8, 11, 0, 0, 0, 0, time.UTC), time.Second)
}

// FuzzParseFile: a reader never fails but with an error, and what it takes is
// written again as what it was.
func FuzzParseFile(f *testing.F) {
	key := Key{Service: "search"}
	for _, body := range []string{`{"a": 1.0}`, "", "text", "\xff"} {
		f.Add(sample(f, key, "application/json", body).appendFile(nil))
	}
	f.Add(sample(f, key, "text/event-stream", "data: 1\n\ndata: 2\n\n").appendFile(nil))
	f.Add([]byte("<<<<<<< x\n{}"))
	f.Add([]byte(`{"format":1,"service":"s","request":{"body":1,"text":""},"response":{"status":200}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseFile("x.json", data)
		if err != nil {
			return
		}
		written := r.appendFile(nil)
		again, err := parseFile("x.json", written)
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, written)
		}
		if again.hash != r.hash || again.answer != r.answer || !bytes.Equal(again.appendFile(nil), written) {
			t.Fatalf("not the same again:\n%s", written)
		}
	})
}

func FuzzParseCalls(f *testing.F) {
	key := Key{Provider: "openai", CaseID: "c é", Sample: 2}
	f.Add(appendCalls(nil, []*record{sample(f, key, "application/json", `{"a":1}`), sample(f, key, "text/event-stream", "data: 1\n\ndata: 2\n\n")}))
	f.Add([]byte("{}\n"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		calls, err := parseCalls("1.jsonl", data)
		if err != nil {
			return
		}
		written := appendCalls(nil, calls)
		again, err := parseCalls("1.jsonl", written)
		if err != nil || !bytes.Equal(appendCalls(nil, again), written) {
			t.Fatalf("not the same again: %v\n%s", err, written)
		}
	})
}

func FuzzParseMisses(f *testing.F) {
	f.Add([]byte(`{"format":1,"service":"s","request":{"method":"GET","path":"/","headers":{}},"nearest":"sha256:00"}` + "\n"))
	f.Add([]byte(`{"format":1,"provider":"p","case":"c","sample":1,"request":{"method":"GET","path":"/","headers":{},"base64":"AA=="},"nearest":""}` + "\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = parseMisses("m.jsonl", data)
	})
}

// FuzzEvents: the pieces of a stream are the stream.
func FuzzEvents(f *testing.F) {
	f.Add("text/event-stream", []byte("data: 1\r\n\r\n\n\r\rx"))
	f.Add("application/x-ndjson", []byte("{}\n\n{}"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		r := provider.Response{Header: http.Header{"Content-Type": {contentType}}, Body: body}
		if got := bytes.Join(events(&r), nil); !bytes.Equal(got, body) {
			t.Fatalf("%q became %q", body, got)
		}
	})
}

func FuzzLayout(f *testing.F) {
	f.Add([]byte(`{"a": [1, 2], "b": "x, y"}`))
	f.Add([]byte("{\n  \"a\": {}\n}\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		layout, compact, ok := layoutOf(body)
		if !ok {
			return
		}
		if again, ok := laidOut(compact, layout); !ok || !bytes.Equal(again, body) {
			t.Fatalf("%q in layout %q became %q", body, layout, again)
		}
	})
}
