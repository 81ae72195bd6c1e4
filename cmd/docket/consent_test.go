//go:build unix

package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// consentSuite writes a suite of one case that canned answers and an agent
// answer.
func consentSuite(t *testing.T, systems string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".git/HEAD"), "")
	judge, rubric := "", ""
	if strings.Contains(systems, "\njudges:") {
		judge, rubric = ", judge: j", "expect: {rubric: polite}\nscoring: judged\n"
	}
	write(t, filepath.Join(dir, ".docket.yaml"), "version: 1\nsuites:\n  desk: {cases: cases, system: s, expires: never"+judge+"}\nsystems:\n  s: "+systems+"\n")
	write(t, filepath.Join(dir, "p.md"), "{{.mail}}")
	write(t, filepath.Join(dir, "cases/one.yaml"), "id: one\nadded: 2026-01-01\nprovenance: written for the tests\ninput: {mail: hello}\nmock: 'Status: paid'\n"+rubric)
	return dir
}

// TestKeysComeFromTheEnvironmentAlone says that the configuration has no place
// for one.
func TestKeysComeFromTheEnvironmentAlone(t *testing.T) {
	const key = "sk-in-the-wrong-place-0123456789"
	for what, config := range map[string]string{
		"a system":          "{kind: openai, model: m-1, prompt: p.md, api_key: " + key + "}",
		"another spelling":  "{kind: anthropic, model: m-1, prompt: p.md, key: " + key + "}",
		"a header":          "{kind: http, url: 'http://127.0.0.1:1/', headers: {Authorization: Bearer " + key + "}}",
		"a judge":           "{kind: canned}\njudges:\n  j: {kind: openai, model: j-1-20260101, prompt: p.md, api_key: " + key + "}",
		"a service":         "{kind: canned}\nservices:\n  v: {url: 'http://127.0.0.1:1', headers: {X-Api-Key: " + key + "}}",
		"an address":        "{kind: openai, model: m-1, prompt: p.md, url: 'http://ada:" + key + "@127.0.0.1:1/v1'}",
		"a service's":       "{kind: exec, command: [fakesystem], env: {V: '{{service \"v\"}}'}}\nservices:\n  v: {url: 'http://ada:" + key + "@127.0.0.1:1'}",
		"an http system's":  "{kind: http, url: 'http://ada:" + key + "@127.0.0.1:1/'}",
		"the configuration": "{kind: canned}\napi_keys: {openai: " + key + "}",
	} {
		t.Run(what, func(t *testing.T) {
			t.Chdir(consentSuite(t, config))
			args := []string{"run"}
			if strings.Contains(config, "url: 'http://ada") && strings.Contains(config, "openai") {
				args = append(args, "--mode", "live")
			}
			s := invoke(nil, args...)
			if s.code != codeWrong {
				t.Errorf("exit code %d\n%s%s", s.code, s.out, s.err)
			}
			if strings.Contains(s.out+s.err, key) {
				t.Errorf("the key is repeated: %s%s", s.out, s.err)
			}
		})
	}
}

// TestWhatAProgramIsGiven looks at the environment and the folder of an exec
// system: where nobody real answers for models, every variable that holds a key
// holds a placeholder; where somebody does, all is as docket has it.
func TestWhatAProgramIsGiven(t *testing.T) {
	names := []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "AZURE_OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "HF_TOKEN", "MISTRAL_API_KEY", "OPENROUTER_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"}
	dir := consentSuite(t, `{kind: exec, command: [fakeagent], env: {OPENAI_BASE_URL: '{{provider "openai"}}', ANTHROPIC_BASE_URL: '{{provider "anthropic"}}', SEEN: seen.json, MINE: 'a {{.mail}} b'}}`)
	vendor := leakyVendor(func(string) {})
	defer vendor.Close()
	env := []string{"OPENAI_BASE_URL=" + vendor.URL + "/v1", "OF_DOCKET=yes"}
	for _, name := range names {
		env = append(env, name+"=key-of-"+name+"-0123456789")
	}
	for _, mode := range []string{"mock", "record", "replay", "live"} {
		os.Remove(filepath.Join(dir, "seen.json"))
		said := finish(t, child(filepath.Join(dir, "cases"), env, "run", "--mode", mode))
		var seen map[string]string
		if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "seen.json"))), &seen); err != nil { // in the folder of .docket.yaml
			t.Fatalf("%s: %v\n%s%s", mode, err, said.out, said.err)
		}
		if seen["OF_DOCKET"] != "yes" || seen["MINE"] != "a {{.mail}} b" {
			t.Errorf("%s: the program has OF_DOCKET=%s, MINE=%s", mode, seen["OF_DOCKET"], seen["MINE"])
		}
		if base := seen["OPENAI_BASE_URL"]; !strings.HasPrefix(base, "http://127.0.0.1:") || !strings.HasSuffix(base, "/v1") || strings.HasPrefix(base, vendor.URL) {
			t.Errorf("%s: OPENAI_BASE_URL is %s", mode, base)
		}
		if base := seen["ANTHROPIC_BASE_URL"]; !strings.HasPrefix(base, "http://127.0.0.1:") || strings.HasSuffix(base, "/v1") {
			t.Errorf("%s: ANTHROPIC_BASE_URL is %s", mode, base)
		}
		for _, name := range names {
			real := seen[name] == "key-of-"+name+"-0123456789"
			if real != (mode == "live" || mode == "record") || !real && !strings.Contains(seen[name], "placeholder") {
				t.Errorf("%s: %s is %s", mode, name, seen[name])
			}
		}
	}
}

// TestWhoAnswersIsNoGuess says of programs and systems that no provider stands
// behind that mock is refused, and of a program that was given one and asked it
// nothing that the case is an error.
func TestWhoAnswersIsNoGuess(t *testing.T) {
	for _, system := range []string{"{kind: exec, command: [fakesystem]}", "{kind: http, url: 'http://127.0.0.1:1/'}"} {
		t.Chdir(consentSuite(t, system))
		if s := invoke(nil, "run", "--mode", "mock"); s.code != codeWrong {
			t.Errorf("%s: exit code %d\n%s%s", system, s.code, s.out, s.err)
		}
	}
	t.Chdir(consentSuite(t, `{kind: exec, command: [fakesystem], env: {OPENAI_BASE_URL: '{{provider "openai"}}'}}`))
	for _, mode := range []string{"mock", "replay"} {
		if s := invoke(nil, "run", "--mode", mode); s.code != codeUnmeasured || !strings.Contains(s.out, "1 case: 1 error") && !strings.Contains(s.out, "1 failed") {
			t.Errorf("%s: exit code %d\n%s%s", mode, s.code, s.out, s.err)
		}
	}
}

// TestLocalStateIsPrivate runs under a umask that takes nothing away.
func TestLocalStateIsPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	t.Chdir(copySuite(t))
	must(t, codeOK, "calibrate", "--system", "old")
	must(t, codeChange, "run", "--system", "new")
	must(t, codeOK, "accept", "inv-1", "--reason", "fine")
	var seen []string
	err := filepath.WalkDir(".docket", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		seen = append(seen, path)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		return nil
	})
	if err != nil || !slices.Contains(seen, ".docket/results.db") || len(seen) < 5 {
		t.Errorf("looked at %q: %v", seen, err)
	}
}
