package recording_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/secret"
)

// TestCanary: no secret reaches the disk, wherever it stood.
func TestCanary(t *testing.T) {
	dir := t.TempDir()
	secrets := secret.Environment([]string{"OPENAI_API_KEY=canary-key-of-the-environment"})
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
