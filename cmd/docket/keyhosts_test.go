//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestAKeyGoesToItsVendorAlone has configurations name addresses of strangers,
// some that look like a vendor's or like this machine. They are called, since a
// run is consent to that, and get no key: not at once, not by a redirect, and not
// over a connection that anybody can listen to. A host that a person names on the
// command line gets one.
func TestAKeyGoesToItsVendorAlone(t *testing.T) {
	const openai, anthropic = "sk-vendor-0123456789abcdef", "sk-ant-vendor-0123456789abcdef"
	var mu sync.Mutex
	var heard []string
	answer := `{"id":"c","object":"chat.completion","model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"fine"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"input_tokens":1,"output_tokens":1},"type":"message","role":"assistant","content":[{"type":"text","text":"fine"}],"stop_reason":"end_turn","text":"fine"}` // in each form
	// All that goes to a host which is not this machine goes by way of a proxy.
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, fmt.Sprint(r.URL.Host, " ", r.Header, " ", string(body)))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
	defer proxy.Close()
	redirected := 0
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		redirected++
		http.Redirect(w, r, "http://stranger.example"+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer near.Close()
	env := []string{
		"OPENAI_API_KEY=" + openai, "ANTHROPIC_API_KEY=" + anthropic, "HTTP_PROXY=" + proxy.URL, "http_proxy=" + proxy.URL, "HTTPS_PROXY=" + proxy.URL, "NO_PROXY=", "no_proxy=",
		"OPENAI_BASE_URL=", "ANTHROPIC_BASE_URL=",
	}
	for _, c := range []struct {
		what, system, judge string
		more                []string // flags
		env                 []string
		redirects, gets     bool
	}{
		{what: "system", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://stranger.example/v1'"},
		{what: "system of the other vendor", system: "kind: anthropic, model: m-1, prompt: p.md, params: {max_tokens: 9}, url: 'http://stranger.example'"},
		{what: "the vendor's name below another", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://api.openai.com.stranger.example/v1'"},
		{what: "the vendor without TLS", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://api.openai.com/v1'"},
		{what: "like this machine", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://localhost.stranger.example/v1'"},
		{what: "like this machine's address", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://127.0.0.1.stranger.example/v1'"},
		{what: "the other vendor's host", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://api.anthropic.com/v1'"},
		{what: "judge", system: "kind: canned", judge: "url: 'http://stranger.example/v1'"},
		{what: "http system", system: "kind: http, url: 'http://stranger.example/ask'"},
		{what: "redirect", system: "kind: openai, model: m-1, prompt: p.md, url: '" + near.URL + "/v1'", redirects: true},
		{what: "redirect of an http system", system: "kind: http, url: '" + near.URL + "/ask'", redirects: true},
		{what: "the environment's base URL", system: "kind: openai, model: m-1, prompt: p.md", env: []string{"OPENAI_BASE_URL=http://stranger.example/v1"}},
		{what: "another host is named", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://stranger.example/v1'", more: []string{"--key-host", "friend.example"}},
		{what: "this host is named", system: "kind: openai, model: m-1, prompt: p.md, url: 'http://stranger.example/v1'", more: []string{"--key-host", "stranger.example"}, gets: true},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			judge, scoring, sits := "", "", ""
			if c.judge != "" {
				sits, judge, scoring = ", judge: j", "judges: {j: {kind: openai, model: j-1-20260101, prompt: j.md, "+c.judge+"}}\n", "expect: {rubric: polite}\nscoring: judged\n"
			}
			write(t, filepath.Join(dir, ".git/HEAD"), "")
			write(t, filepath.Join(dir, ".docket.yaml"), "version: 1\nsuites:\n  desk: {cases: cases, system: s, expires: never"+sits+"}\nsystems:\n  s: {"+c.system+"}\n"+judge)
			write(t, filepath.Join(dir, "p.md"), "Read {{.mail}} {{if .env}}{{.env}}{{end}}")
			write(t, filepath.Join(dir, "j.md"), "{{.rubric}} {{.output}}")
			write(t, filepath.Join(dir, "cases/one.yaml"), "id: one\nadded: 2026-01-01\nprovenance: written for the tests\ninput: {mail: \"hello {{env}} {{provider \\\"openai\\\"}} ${OPENAI_API_KEY} $OPENAI_API_KEY\"}\nmock: fine\n"+scoring)
			mu.Lock()
			heard, redirected = nil, 0
			mu.Unlock()
			args := []string{"run"}
			switch {
			case c.judge != "":
				args = append(args, "--judges", "live")
			case !strings.Contains(c.system, "kind: http"):
				args = append(args, "--mode", "live")
			}
			said := finish(t, child(dir, append(append([]string{}, env...), c.env...), append(args, c.more...)...))
			all := strings.Join(heard, "\n")
			if c.redirects {
				if redirected == 0 || len(heard) > 0 {
					t.Errorf("%d calls were redirected, and followed to %q\n%s%s", redirected, heard, said.out, said.err)
				}
			} else if len(heard) == 0 {
				t.Errorf("nobody was asked\n%s%s", said.out, said.err)
			}
			if got := strings.Contains(all, openai) || strings.Contains(all, anthropic); got != c.gets {
				t.Errorf("a key was sent: %t\n%s", got, all)
			}
			if !c.redirects && c.judge == "" && !strings.Contains(c.system, "kind: http") && !strings.Contains(all, "hello {{env}}") {
				t.Errorf("what a case holds is no template, and was sent otherwise: %s", all)
			}
			if strings.Contains(said.out+said.err, openai) || strings.Contains(said.out+said.err, anthropic) {
				t.Error("a key is printed")
			}
		})
	}
}
