//go:build unix

package check_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/engine/check"
)

// script makes a check that runs a shell script in an empty folder.
func script(t *testing.T, body string) (check.Check, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "judge.sh"), []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	e := env(t)
	e.Dir = dir
	compiled, problems := check.Compile(parse(t, "command: [sh, judge.sh]"), e)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return compiled[0].Check, dir
}

func TestCommandVerdicts(t *testing.T) {
	for _, tt := range []struct {
		body string
		want check.Verdict
		fail string
	}{
		{`echo '{"pass": true}'`, check.Verdict{Pass: true, Score: 1}, ""},
		{`cat >/dev/null; echo '{"pass": false, "score": 0.25, "message": "too \u001b[31mcold"}'`, check.Verdict{Score: 0.25, Message: "too <ESC>[31mcold"}, ""},
		{`echo nonsense`, check.Verdict{}, "it printed no JSON object"},
		{`echo '{"score": 1}'`, check.Verdict{}, "lacks pass"},
		{`echo '{"pass": true, "score": 7}'`, check.Verdict{}, "from 0 to 1"},
		{`echo '{"pass": true, "score": "high"}'`, check.Verdict{}, "not a number"},
		{`echo '{"pass": true, "message": 3}'`, check.Verdict{}, "not a string"},
		{`echo boom >&2; exit 3`, check.Verdict{}, "exit status 3: boom"},
		{`exec head -c 2000000 /dev/zero`, check.Verdict{}, "printed more than"},
		{`exit 0`, check.Verdict{}, "it printed no JSON object"},
	} {
		c, _ := script(t, tt.body)
		v, err := c.Judge(context.Background(), subject(t, "text"))
		if tt.fail != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fail) {
				t.Errorf("%s: error %v, want %q", tt.body, err, tt.fail)
			}
			continue
		}
		if err != nil || v.Pass != tt.want.Pass || v.Score != tt.want.Score || strings.Contains(v.Message, "\x1b") || (tt.want.Message == "") != (v.Message == "") {
			t.Errorf("%s: %+v, %v, want %+v", tt.body, v, err, tt.want)
		}
	}
}

func TestCommandGetsTheCase(t *testing.T) {
	c, dir := script(t, `cat > seen.json; echo '{"pass": true}'`)
	s := subject(t, "the answer")
	s.Output.Raw = json.RawMessage(`{"secret":1}`)
	judge(t, c, s)
	data, err := os.ReadFile(filepath.Join(dir, "seen.json"))
	if err != nil {
		t.Fatal(err)
	}
	var seen struct {
		ID     string
		Sample int
		Input  map[string]any
		Output struct{ Text string }
	}
	if err := json.Unmarshal(data, &seen); err != nil {
		t.Fatal(err)
	}
	if seen.ID != "c-1" || seen.Sample != 1 || seen.Input["n"] != 4.0 || seen.Output.Text != "the answer" || strings.Contains(string(data), "secret") {
		t.Errorf("the program got %s", data)
	}
}

func TestCommandRelativeToItsFolder(t *testing.T) {
	e := env(t)
	if err := os.WriteFile(filepath.Join(e.Dir, "judge"), []byte("#!/bin/sh\necho '{\"pass\": true}'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	compiled, _ := check.Compile(parse(t, "command: [./judge]"), e)
	judge(t, compiled[0], subject(t, ""))
	compiled, _ = check.Compile(parse(t, "command: [no-such-program-here]"), e)
	if _, err := compiled[0].Judge(context.Background(), subject(t, "")); err == nil || !strings.Contains(err.Error(), "was not found") {
		t.Errorf("a missing program: %v", err)
	}
}

func TestCommandIsKilledWithItsChildren(t *testing.T) {
	c, dir := script(t, "sleep 300 &\necho $! > child\nwait\n")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := c.Judge(ctx, subject(t, ""))
		done <- err
	}()
	var child int
	for child == 0 {
		data, _ := os.ReadFile(filepath.Join(dir, "child"))
		child, _ = strconv.Atoi(strings.TrimSpace(string(data)))
		time.Sleep(2 * time.Millisecond)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled judgement: %v", err)
	}
	for range 1000 {
		if gone(child) {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Error("a child of the program outlived it")
}

// gone reports whether a process has ended. One that nobody waited for is a
// zombie, which has ended, too.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && strings.Contains(string(stat), ") Z ")
}
