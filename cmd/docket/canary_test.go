//go:build unix

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A canary is a secret that stands in one place and is to be found in no other.
type canary struct {
	place string // where it is planted
	form  string // of the secret: %s is 32 hexadecimal digits that no other has
}

// canaries is the table of all places that a secret can come from. Those under
// "env" are known by their variable; those that no variable holds are known by
// the name of what holds them, or by their look.
func canaries() []canary {
	return []canary{
		{"env OPENAI_API_KEY", "sk-proj-%s"},
		{"env ANTHROPIC_API_KEY", "sk-ant-api03-%s"},
		{"env OPENAI_ADMIN_KEY", "%s"},
		{"env AZURE_OPENAI_API_KEY", "%s"},
		{"env GEMINI_API_KEY", "AIza%s"},
		{"env HF_TOKEN", "hf_%s"},
		{"env SEARCH_TOKEN", "%s"},
		{"env DB_PASSWORD", "p@ss/%s"},
		{"env AWS_ACCESS_KEY_ID", "%s"},
		{"configured env", "%s"},       // a variable of an exec system, whose name says it
		{"service address", "%s"},      // ?key= in the url of a service
		{"header authorization", "%s"}, // of what the agent asks
		{"header x-api-key", "%s"},
		{"header cookie", "%s"},
		{"query key", "%s"},
		{"query token", "%s"},
		{"address userinfo", "%s"}, // in a text that the agent sends
		{"body api_key", "%s"},
		{"body nested", "%s"},
		{"body text", "sk-%s"},
		{"form client_secret", "%s"},
		{"answer set-cookie", "%s"}, // of what the vendor and the service answer
		{"answer header", "%s"},
		{"answer access_token", "%s"},
		{"answer text", "Bearer %s"},
		{"refusal", "sk-proj-%s"}, // the vendor repeats the key that it refuses
		{"judge refusal", "sk-%s"},
		{"stderr", "sk-ant-%s"}, // of the agent, when it fails
		{"stderr headers", "%s"},
		{"trace", "sk-%s"}, // of an SDK
		{"reported error", "sk-%s"},
		{"raw", "%s"},
		{"check message", "sk-%s"},
		{"check stderr", "sk-%s"},
		{"netrc", "%s"},
		{"log input", "sk-%s"}, // of logs and of other tools' results
		{"log header", "%s"},
		{"log raw", "%s"},
		{"promptfoo config", "%s"},
		{"promptfoo header", "%s"},
		{"promptfoo vars", "sk-%s"},
		{"inspect config", "%s"},
		{"old suite", "sk-%s"}, // a suite that migrate reads
		{"old suite call", "%s"},
		{"commit message", "sk-%s"},
		{"old suite expected", "sk-%s"},
	}
}

// planted is the secret of a place. It ends the program where there is none of
// that name, so that no place is planted under a name that nobody looks for.
func planted(place string) string {
	for _, c := range canaries() {
		if c.place == place {
			sum := sha256.Sum256([]byte(place))
			return fmt.Sprintf(c.form, hex.EncodeToString(sum[:16]))
		}
	}
	panic("no canary is called " + place)
}

// core is what is looked for of a secret: its digits, in whatever they stand.
func core(place string) string {
	sum := sha256.Sum256([]byte(place))
	return hex.EncodeToString(sum[:16])
}

// fakeLeak is a program that tells everybody its keys. As a check it is started
// with an argument, and tells them to whoever reads its verdict.
func fakeLeak() {
	var request struct {
		ID    string `json:"id"`
		Input struct{ Mail string }
	}
	json.NewDecoder(os.Stdin).Decode(&request)
	if len(os.Args) > 1 {
		if request.ID == "checkfails" {
			fmt.Fprintln(os.Stderr, "no ledger for", planted("check stderr"), os.Getenv("OPENAI_API_KEY"))
			os.Exit(1)
		}
		json.NewEncoder(os.Stdout).Encode(map[string]any{"pass": true, "message": "asked with " + planted("check message") + " and " + os.Getenv("OPENAI_API_KEY")})
		return
	}
	var keys []string
	for _, c := range canaries() {
		if name, ok := strings.CutPrefix(c.place, "env "); ok {
			keys = append(keys, os.Getenv(name))
		}
	}
	keys = append(keys, os.Getenv("LEDGER_TOKEN"))
	all := strings.Join(keys, " ")
	fmt.Fprintln(os.Stderr, "the keys are", all)
	switch {
	case strings.HasPrefix(request.ID, "crashes"):
		fmt.Fprintf(os.Stderr, "Traceback (most recent call last):\n  openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key provided: %s'}}\nheaders={\"authorization\": \"Bearer %s\", \"x-api-key\": \"%s\"} by %s", planted("trace"), planted("stderr"), planted("stderr headers"), all)
		os.Exit(1)
	case request.ID == "longline":
		// One line of which only the end is kept: it must not begin inside a key.
		fmt.Fprint(os.Stderr, strings.Repeat(strings.Join(keys, ","), 3), " end ", strings.Repeat("x", 560))
		os.Exit(1)
	case request.ID == "reports":
		json.NewEncoder(os.Stdout).Encode(map[string]any{"error": "refused " + planted("reported error") + " of " + all})
		return
	}
	ask := func(method, url, kind, body string, model bool) map[string]any {
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Cookie", "session="+planted("header cookie"))
		r.Header.Set("X-Custom-Auth", os.Getenv("SEARCH_TOKEN"))
		if !model {
			r.Header.Set("Authorization", "Bearer "+planted("header authorization"))
			r.Header.Set("X-Api-Key", planted("header x-api-key"))
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil
		}
		defer answer.Body.Close()
		var v map[string]any
		json.NewDecoder(answer.Body).Decode(&v)
		return v
	}
	search := os.Getenv("SEARCH_URL")
	found := ask("GET", search+"/find?q=x&key="+planted("query key")+"&token="+planted("query token"), "", "", false)
	ask("POST", search+"/form", "application/x-www-form-urlencoded", "a=1&client_secret="+planted("form client_secret"), false)
	body, _ := json.Marshal(map[string]any{
		"model": "m-1", "api_key": planted("body api_key"), "metadata": map[string]any{"auth": map[string]any{"password": planted("body nested")}},
		"messages": []any{map[string]any{"role": "user", "content": request.Input.Mail + " " + planted("body text") + " https://ada:" + planted("address userinfo") + "@host.example/x " + all}},
	})
	said := ask("POST", os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", string(body), true)
	answer, _ := json.Marshal(said["choices"])
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"text":       "Status: " + cmp.Or(os.Getenv("FAKELEAK_STATUS"), "paid") + " by " + all + " " + base64.StdEncoding.EncodeToString([]byte("u:"+all)) + string(answer[:min(len(answer), 40)]),
		"raw":        map[string]any{"request": map[string]any{"headers": map[string]any{"authorization": "Bearer " + planted("raw")}, "env": all}, "found": found},
		"tool_calls": []any{map[string]any{"name": "send", "arguments": map[string]any{"key": all}}},
	})
}

// leakyVendor answers as a model, as a judge and as a service, each with more
// than was asked for.
func leakyVendor(heard func(string)) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard(fmt.Sprint(r.URL, r.Header, string(body)))
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Set-Cookie", "session="+planted("answer set-cookie"))
		h.Set("X-Session-Token", planted("answer header"))
		h.Set("X-Request-Auth", r.Header.Get("Authorization"))
		said := "You came with " + r.Header.Get("Authorization") + r.Header.Get("X-Api-Key")
		switch {
		case strings.Contains(r.URL.Path, "/find"), strings.Contains(r.URL.Path, "/form"):
			json.NewEncoder(w).Encode(map[string]any{
				"found": "terms", "access_token": planted("answer access_token"), "note": planted("answer text"), "url": "https://search.example" + r.URL.String(), "said": said,
			})
			return
		case strings.Contains(string(body), "judge-refused"):
			w.WriteHeader(http.StatusUnauthorized)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"type": "invalid_request_error", "message": "Incorrect API key provided: " + planted("judge refusal") + ". " + said}})
			return
		case strings.Contains(string(body), "vendor-refused"):
			w.WriteHeader(http.StatusUnauthorized)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"type": "invalid_request_error", "message": "Incorrect API key provided: " + planted("refusal") + ". " + said}})
			return
		case strings.Contains(string(body), "<<<rubric "):
			said = `{"reason":"polite, by ` + r.Header.Get("Authorization") + `","verdict":"pass","score":1}`
		}
		json.NewEncoder(w).Encode(map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion", "model": "m-1-2026", "access_token": planted("answer access_token"),
			"choices": []any{map[string]any{"index": 0, "message": map[string]any{"role": "assistant", "content": said}, "finish_reason": "stop"}},
			"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5},
		})
	}))
}

// TestCanaries plants a secret in every place that one can come from, runs every
// command that writes or prints, and looks for each secret in every byte that
// docket wrote below the folder, in the state of the user and on both outputs,
// also behind base64, gzip and what JSON escapes.
func TestCanaries(t *testing.T) {
	var mu sync.Mutex
	heard := ""
	vendor := leakyVendor(func(request string) {
		mu.Lock()
		defer mu.Unlock()
		heard += request + "\n"
	})
	defer vendor.Close()
	outer := t.TempDir()
	dir := filepath.Join(outer, "repository")
	plantSuite(t, dir, vendor.URL)
	write(t, filepath.Join(outer, ".netrc"), "machine api.openai.com login ada password "+planted("netrc")+"\n")
	env := []string{"HOME=" + outer, "XDG_STATE_HOME=" + filepath.Join(outer, "state"), "OPENAI_BASE_URL=" + vendor.URL + "/v1", "ANTHROPIC_BASE_URL=" + vendor.URL}
	for _, c := range canaries() {
		if name, ok := strings.CutPrefix(c.place, "env "); ok {
			env = append(env, name+"="+planted(c.place))
		}
	}
	before, err := everyFile(outer)
	if err != nil {
		t.Fatal(err)
	}
	docket := func(env []string, line ...string) said {
		said := finish(t, child(dir, env, line...))
		what := "docket " + strings.Join(line, " ")
		lookFor(t, what+", stdout", []byte(said.out))
		lookFor(t, what+", stderr", []byte(said.err))
		if said.code == codeWrong {
			t.Errorf("%s came to nothing: %s", what, clipped(said.err))
		}
		return said
	}
	for _, line := range [][]string{
		{"run", "--mode", "mock"},
		{"run", "--mode", "record", "--services", "record"},
		{"run", "--mode", "record", "--judges", "record", "--samples", "2", "--format", "json"},
		{"run", "--mode", "live", "--jobs", "4", "--confirm", "2", "--format", "markdown"},
		{"run", "--mode", "live", "--failed"},
		{"run", "--mode", "replay"},
		{"calibrate", "--mode", "live", "--samples", "2"},
		{"calibrate", "--mode", "replay"},
		{"calibrate", "--mode", "mock"},
		{"run", "--mode", "mock"},
		{"run", "--mode", "live", "--across"},
		{"run", "direct", "--mode", "live"},
		{"run", "--system", "bare"},
		{"diff"},
		{"diff", "--mode", "live", "--across"},
		{"diff", "--format", "json", "--across"},
		{"diff", "--format", "markdown", "--across"},
		{"diff", "--format", "html", "--across"},
		{"diff", "--format", "junit", "--across"},
		{"diff", "old.jsonl", "new.jsonl", "--format", "html"},
		{"diff", "promptfoo.json", "promptfoo.json", "--format", "json"},
		{"diff", "promptfoo.json", "new.jsonl", "--format", "html"},
		{"diff", "inspect.json", "new.jsonl", "--format", "html"},
		{"review", "--plain"},
		{"review", "old.jsonl", "new.jsonl", "--plain"},
		{"export"},
		{"export", "--format", "jsonl"},
		{"export", "--format", "csv"},
		{"export", "--format", "junit"},
		{"export", "--format", "promptfoo"},
		{"export", "--format", "inspect"},
		{"judge", "check", "labels.jsonl", "--ask"},
		{"judge", "check", "labels.jsonl", "--ask", "--format", "json"},
		{"history"},
		{"history", "plain"},
		{"history", "crashes", "--format", "json"},
		{"why", "plain"},
		{"describe"},
		{"compare", "leak", "bare"},
		{"doctor"},
		{"lint"},
		{"cases"},
		{"rekey"},
		{"import", "log.jsonl", "--suite", "logged"},
		{"import", "promptfoo.json", "--suite", "logged", "--id", "vars.id"},
		{"import", "log.jsonl", "--cases", "cases/all"},
		{"import", "log.jsonl", "--cases", "cases/golden", "--sample", "2", "--by", "locale"},
		{"import", "log.jsonl", "--cases", "cases/redacted", "--sample", "2", "--by", "locale", "--redact"},
		{"import", "promptfoo.json", "--cases", "cases/promptfoo"},
		{"import", "inspect.json", "--cases", "cases/inspect"},
		{"migrate", "test_old.py", "--plan"},
		{"migrate", "HEAD:test_old.py", "--plan"},
		{"prune", "--list"},
		{"results", "prune", "--older-than", "1d"},
		{"man"},
	} {
		docket(env, line...)
	}
	// A change, so that there is something to decide.
	docket(append(env, "FAKELEAK_STATUS=overdue"), "run", "--mode", "mock")
	docket(env, "diff", "--format", "html")
	docket(env, "reject", "plain", "--reason", "not so")
	docket(env, "accept", "plain", "--reason", "fine")
	docket(env, "why", "plain")
	docket(env, "write")
	docket(env, "describe")
	write(t, filepath.Join(dir, "j.md"), "Judge: {{.rubric}} {{.output}}")
	docket(env, "rescore", "--mode", "live", "--reason", "looked again")
	// Whoever has no keys has the same recordings.
	if said := docket(env[:4], "run", "--mode", "replay", "--across"); strings.Contains(said.out, "missed") {
		t.Errorf("what was recorded is not found without the keys\n%s", clipped(said.out))
	}
	// The addresses that the environment names are told of when they are wrong.
	for _, address := range []string{"https//ada:%s@host.example", "https://ada:%s@host.example", "host.example?key=%s", "https://host.example/?key=%s#x", "https://host.example/%%zz?key=%s"} {
		said := finish(t, child(dir, append(env, "OPENAI_BASE_URL="+fmt.Sprintf(address, planted("query key"))), "run", "--mode", "live"))
		lookFor(t, "an address that is wrong, stdout", []byte(said.out))
		lookFor(t, "an address that is wrong, stderr", []byte(said.err))
	}
	after, err := everyFile(outer)
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	for name, data := range after {
		if was, there := before[name]; there && bytes.Equal(was, data) {
			continue // as it was planted
		}
		stored++
		lookFor(t, name, data)
		lookFor(t, "the name of "+name, []byte(name))
		if strings.HasSuffix(name, ".db") {
			lookInto(t, filepath.Join(outer, name))
		}
	}
	// What is looked for in vain was there: the agent sent all that it could.
	for _, c := range canaries() {
		kind, _, _ := strings.Cut(c.place, " ")
		if slices.Contains([]string{"env", "configured", "header", "query", "address", "body", "form", "service"}, kind) && !strings.Contains(heard, core(c.place)) {
			t.Errorf("the secret of %q was never sent", c.place)
		}
	}
	if stored < 10 {
		t.Errorf("%d files were written: the canaries were hardly tried", stored)
	}
}

// plantSuite writes a repository whose every file holds a secret.
func plantSuite(t *testing.T, dir, vendor string) {
	t.Helper()
	write(t, filepath.Join(dir, ".docket.yaml"), `
version: 1
suites:
  desk: {cases: cases/desk, system: leak, judge: tone, labels: [paid, overdue], expires: never}
  direct: {cases: cases/direct, system: model, labels: [paid, overdue], expires: never}
  logged: {cases: cases/logged, system: file, labels: [paid, overdue], expires: never}
systems:
  leak:
    kind: exec
    command: [fakeleak]
    env: {OPENAI_BASE_URL: '{{provider "openai"}}', SEARCH_URL: '{{service "search"}}', LEDGER_TOKEN: `+planted("configured env")+`}
  bare: {kind: exec, command: [fakeleak], env: {LEDGER_TOKEN: `+planted("configured env")+`}}
  model: {kind: openai, model: m-1, prompt: p.md}
  file: {kind: outputs, file: log.jsonl}
judges:
  tone: {kind: openai, model: j-1-20260101, prompt: j.md}
services:
  search: {url: '`+vendor+`/?key=`+planted("service address")+`', expires: never}
`)
	write(t, filepath.Join(dir, "p.md"), "Read {{.mail}}.")
	write(t, filepath.Join(dir, "j.md"), "{{.rubric}} {{.output}}")
	desk := map[string]string{"plain": "hello", "crashes": "x", "crashes2": "x", "longline": "x", "reports": "x", "refused": "vendor-refused", "checkfails": "hello", "unjudged": "judge-refused"}
	for id, mail := range desk {
		expect := "command: [fakeleak, check]"
		switch id {
		case "plain":
			expect += ", rubric: is it polite"
		case "unjudged":
			expect = "rubric: judge-refused"
		}
		write(t, filepath.Join(dir, "cases/desk", id+".yaml"), "id: "+id+"\nadded: 2026-01-01\nprovenance: written for the tests\ninput: {mail: "+mail+"}\nexpect: {"+expect+"}\nscoring: judged\nmock: 'Status: paid'\nmock_verdicts: pass\n")
	}
	for _, mail := range []string{"hello", "vendor-refused"} {
		write(t, filepath.Join(dir, "cases/direct", mail+".yaml"), "id: "+mail+"\nadded: 2026-01-01\nprovenance: written for the tests\ninput: {mail: "+mail+"}\n")
	}
	headers := func(secret string) map[string]any {
		return map[string]any{"headers": map[string]any{"Authorization": "Bearer " + secret, "Cookie": "session=" + secret}, "apiKey": secret}
	}
	lines := func(name string, all ...map[string]any) {
		var b strings.Builder
		for _, v := range all {
			line, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
		write(t, filepath.Join(dir, name), b.String())
	}
	var log []map[string]any
	for i := range 4 {
		id := fmt.Sprintf("log-%d", i)
		write(t, filepath.Join(dir, "cases/logged", id+".yaml"), "id: "+id+"\nadded: 2026-01-01\nprovenance: written for the tests\ninput: {mail: x}\n")
		log = append(log, map[string]any{
			"id": id, "locale": []string{"de", "en"}[i%2], "text": "paid", "raw": headers(planted("log raw")),
			"input": map[string]any{"mail": "I pasted " + planted("log input") + " and ada@example.com", "request": headers(planted("log header"))},
		})
	}
	lines("log.jsonl", log...)
	lines("old.jsonl", map[string]any{"id": "a", "text": "paid", "raw": headers(planted("log raw"))}, map[string]any{"id": "b", "error": "refused " + planted("log input")})
	lines("new.jsonl", map[string]any{"id": "a", "text": "overdue, says " + planted("env OPENAI_API_KEY"), "raw": headers(planted("log raw"))}, map[string]any{"id": "b", "text": "paid", "raw": headers(planted("log raw"))})
	lines("labels.jsonl",
		map[string]any{"id": "a", "output": "Dear Ada", "rubric": "polite", "label": "pass"},
		map[string]any{"id": "b", "output": "judge-refused", "rubric": "polite", "label": "fail"})
	row := func(id string, pass bool) map[string]any {
		provider := map[string]any{"id": "openai:gpt-4o", "config": headers(planted("promptfoo config"))}
		return map[string]any{
			"provider": provider, "prompt": map[string]any{"raw": "Answer", "label": "Answer", "config": headers(planted("promptfoo config"))}, "promptIdx": 0, "testIdx": 0, "success": pass, "score": 1, "latencyMs": 5,
			"vars":          map[string]any{"id": id, "mail": "with " + planted("promptfoo vars")},
			"testCase":      map[string]any{"vars": map[string]any{"id": id, "mail": "with " + planted("promptfoo vars")}, "assert": []any{map[string]any{"type": "contains", "value": "paid", "provider": provider}}, "options": map[string]any{"provider": provider}},
			"response":      map[string]any{"output": "paid by " + planted("env SEARCH_TOKEN"), "metadata": map[string]any{"http": headers(planted("promptfoo header"))}, "raw": headers(planted("promptfoo header"))},
			"gradingResult": map[string]any{"pass": pass, "score": 1, "reason": "x", "componentResults": []any{map[string]any{"pass": pass, "score": 1, "reason": "asked with Bearer " + planted("promptfoo header"), "assertion": map[string]any{"type": "contains", "value": "paid", "provider": provider}}}},
		}
	}
	whole := func(name string, v any) {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(data))
	}
	whole("promptfoo.json", map[string]any{
		"evalId": "eval-1", "config": map[string]any{"providers": []any{map[string]any{"id": "openai:gpt-4o", "config": headers(planted("promptfoo config"))}}, "env": map[string]any{"OPENAI_API_KEY": planted("promptfoo config")}},
		"results": map[string]any{"version": 3, "timestamp": "2026-01-01T00:00:00Z", "prompts": []any{}, "results": []any{row("log-0", true), row("log-1", false)}, "stats": map[string]any{}},
	})
	whole("inspect.json", map[string]any{
		"version": 2, "status": "success", "eval": map[string]any{"task": "desk", "run_id": "r", "task_id": "t", "created": "2026-01-01T00:00:00Z", "model": "openai/gpt-4o", "model_args": headers(planted("inspect config")), "dataset": map[string]any{}, "config": map[string]any{}},
		"plan": map[string]any{"config": headers(planted("inspect config"))},
		"samples": []any{map[string]any{
			"id": "log-0", "epoch": 1, "input": "hello", "target": "paid", "metadata": headers(planted("inspect config")), "messages": []any{},
			"output": map[string]any{"model": "gpt-4o", "choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": "paid"}, "stop_reason": "stop"}}, "metadata": headers(planted("inspect config"))},
			"scores": map[string]any{"match": map[string]any{"value": "C", "explanation": "asked with Bearer " + planted("inspect config"), "metadata": headers(planted("inspect config"))}}, "events": []any{headers(planted("inspect config"))},
		}},
	})
	write(t, filepath.Join(dir, "test_old.py"), `import openai

client = openai.OpenAI(api_key="`+planted("old suite")+`")

def ask(mail, api_key="`+planted("old suite call")+`"):
    return client.responses.create(model="gpt-4o", input=mail, extra_headers={"Authorization": "Bearer `+planted("old suite call")+`"}).output_text

def test_late():
    """INC-7: the key `+planted("old suite")+` leaked."""
    mail = "my key is `+planted("old suite")+` and I paid late"
    answer = ask(mail, api_key="`+planted("old suite call")+`")
    assert "overdue" in answer
    assert "`+planted("old suite expected")+`" not in answer
    assert answer.headers["authorization"] == "Bearer `+planted("old suite call")+`"
`)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "incident INC-7: the key " + planted("commit message") + " leaked"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=M", "GIT_AUTHOR_EMAIL=m@tests.example", "GIT_COMMITTER_NAME=M", "GIT_COMMITTER_EMAIL=m@tests.example")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}
