package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// startVendor starts a fake vendor of a model, which is also a service, for one
// script, and sets OPENAI_BASE_URL, OPENAI_API_KEY and VENDOR, its address.
//
// The file asked gets a line for each call: the path, and the key it came with.
// Where there is a file down, calls about it are refused: those whose body holds
// what the file does.
func startVendor(env *testscript.Env) {
	var mu sync.Mutex
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		count++
		log, err := os.OpenFile(filepath.Join(env.WorkDir, "asked"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			fmt.Fprintln(log, r.URL.Path, r.Header.Get("Authorization"))
			log.Close()
		}
		w.Header().Set("Content-Type", "application/json")
		if down, err := os.ReadFile(filepath.Join(env.WorkDir, "down")); err == nil && strings.Contains(string(body), strings.TrimSpace(string(down))) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"no such customer"}}`)
			return
		}
		if r.URL.Path == "/find" {
			fmt.Fprintf(w, `{"found":%q}`, r.URL.Query().Get("q"))
			return
		}
		vendorAnswers(w, body, count)
	}))
	env.Defer(server.Close)
	env.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	env.Setenv("OPENAI_API_KEY", "sk-canary-0123456789")
	env.Setenv("VENDOR", server.URL)
}

// vendorAnswers answers a chat completion: with a search where there are tools
// and none was made yet, else with a status and a number that no other answer
// has.
func vendorAnswers(w io.Writer, body []byte, count int) {
	var asked struct {
		Messages []struct{ Role, Content string }
		Tools    []any
	}
	json.Unmarshal(body, &asked)
	last := asked.Messages[len(asked.Messages)-1]
	if strings.Contains(last.Content, "<<<rubric ") {
		judgeAnswers(w, last.Content)
		return
	}
	message := map[string]any{"role": "assistant", "content": fmt.Sprintf("Answer %d. Status: %s", count, status(string(body)))}
	reason := "stop"
	if len(asked.Tools) > 0 && last.Role != "tool" {
		message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
			"id": "call_1", "type": "function", "function": map[string]any{"name": "search", "arguments": `{"q":"terms"}`},
		}}}
		reason = "tool_calls"
	}
	json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "model": "m-1-2026",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}},
		"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5},
	})
}

// judgeAnswers is a judge that follows the answer that it is shown: it passes one
// that thanks, fails others, and says what cannot be read of gibberish.
func judgeAnswers(w io.Writer, asked string) {
	verdict := `{"reason":"it is curt","verdict":"fail","score":0.25}`
	switch {
	case strings.Contains(asked, "gibberish"):
		verdict = "PASS, I would say"
	case strings.Contains(asked, "thank"):
		verdict = `{"reason":"it thanks","verdict":"pass","score":1}`
	}
	json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-2", "object": "chat.completion", "model": "gpt-4o-2024-08-06",
		"choices": []any{map[string]any{"index": 0, "message": map[string]any{"role": "assistant", "content": verdict}, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 1000, "completion_tokens": 100},
	})
}

// fakeAgent is a program that an exec system starts: it asks the model behind
// OPENAI_BASE_URL, searches what that calls for behind SEARCH_URL, asks again
// with what was found, and prints the answer. It writes its environment to the
// file that SEEN names.
func fakeAgent() {
	var request struct{ Input struct{ Mail string } }
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent: no request:", err)
		os.Exit(3)
	}
	if name := os.Getenv("SEEN"); name != "" {
		seen := map[string]string{}
		for _, v := range os.Environ() {
			key, value, _ := strings.Cut(v, "=")
			seen[key] = value
		}
		data, _ := json.Marshal(seen)
		os.WriteFile(name, data, 0o600)
	}
	messages := []any{map[string]any{"role": "user", "content": request.Input.Mail}}
	for {
		body, _ := json.Marshal(map[string]any{
			"model": "m-1", "messages": messages,
			"tools": []any{map[string]any{"type": "function", "function": map[string]any{
				"name": "search", "parameters": map[string]any{"type": "object", "required": []any{"q"}, "properties": map[string]any{"q": map[string]any{"type": "string"}}},
			}}},
		})
		r, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", strings.NewReader(string(body)))
		message := agentReads(r, err)
		calls, _ := message["tool_calls"].([]any)
		if len(calls) == 0 {
			json.NewEncoder(os.Stdout).Encode(map[string]any{"text": message["content"]})
			return
		}
		messages = append(messages, message)
		for _, c := range calls {
			call := c.(map[string]any)
			var arguments struct{ Q string }
			json.Unmarshal([]byte(call["function"].(map[string]any)["arguments"].(string)), &arguments)
			r, err := http.Get(os.Getenv("SEARCH_URL") + "/find?q=" + url.QueryEscape(arguments.Q))
			found, _ := json.Marshal(agentReads(r, err))
			messages = append(messages, map[string]any{"role": "tool", "tool_call_id": call["id"], "content": string(found)})
		}
	}
}

// agentReads returns the JSON object of an answer, of a chat completion its
// message, and ends the program where there is none.
func agentReads(r *http.Response, err error) map[string]any {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer r.Body.Close()
	var answer struct {
		Choices []struct{ Message map[string]any }
	}
	text, _ := io.ReadAll(r.Body)
	var object map[string]any
	if json.Unmarshal(text, &object) != nil || r.StatusCode != http.StatusOK {
		fmt.Fprintf(os.Stderr, "HTTP %d: %s\n", r.StatusCode, text)
		os.Exit(1)
	}
	if json.Unmarshal(text, &answer); len(answer.Choices) > 0 {
		return answer.Choices[0].Message
	}
	return object
}

// scriptFill writes the address of the vendor into a file, in the place of
// ${VENDOR}.
func scriptFill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fill FILE")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "${VENDOR}", ts.Getenv("VENDOR"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// scriptNowhere looks for a text in all files, but in what the vendor was asked.
func scriptNowhere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nowhere TEXT")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "asked" {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), args[0]) {
			ts.Fatalf("%s holds %s", path, args[0])
		}
		return err
	}))
}
