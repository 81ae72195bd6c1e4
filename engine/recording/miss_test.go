package recording_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/system"
)

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
