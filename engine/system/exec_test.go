package system_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine/source"
	"docket/engine/system"
)

// role is the variable that makes this test binary the program under test.
const role = "DOCKET_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		// Under the race detector a program takes a second to end, unless told.
		os.Setenv("GORACE", "atexit_sleep_ms=0")
		os.Exit(m.Run())
	case "once":
		once()
	case "lines":
		lines()
	case "docket":
		beDocket()
	case "agent":
		agent()
	}
}

type request struct {
	ID     string         `json:"id"`
	Sample int            `json:"sample"`
	Input  map[string]any `json:"input"`
}

// once answers one request, in the way that its input asks for.
func once() {
	var r request
	if os.Getenv("DEAF") == "" {
		if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
			fmt.Fprintln(os.Stderr, "no request:", err)
			os.Exit(9)
		}
	}
	how, _ := r.Input["how"].(string)
	if behave(how) {
		return
	}
	dir, _ := os.Getwd()
	text := fmt.Sprintf("%s %d %s %s", r.ID, r.Sample, os.Getenv("GREETING"), dir)
	json.NewEncoder(os.Stdout).Encode(map[string]any{"text": text, "cost_usd": 0.5})
}

// lines answers a request on each line, and says which process it is.
func lines() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			fmt.Println("not understood:", err)
			continue
		}
		how, _ := r.Input["how"].(string)
		if behave(how) {
			continue
		}
		fmt.Printf("\n{\"text\": \"%s %d\"}\n", r.ID, os.Getpid())
	}
}

// behave misbehaves where it is asked to, and reports whether that was the
// answer.
func behave(how string) (answered bool) {
	switch how {
	case "crash":
		fmt.Fprint(os.Stderr, strings.Repeat("noise\n", 5000), "Traceback:\n  the last words\n")
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("<html>Bad gateway</html>")
	case "flood":
		chunk := strings.Repeat("x", 1<<20)
		for range 50 {
			os.Stdout.WriteString(chunk)
		}
	case "silent":
		os.Exit(0)
	case "error":
		fmt.Println(`{"error": "HTTP 529 overloaded"}`)
		return true
	case "twice":
		fmt.Println(`{"text": "one too many"}`)
	case "another":
		fmt.Println(`{"id": "somebody else", "text": "x"}`)
		return true
	case "leaves":
		// A child that holds stdout and stderr for an hour.
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), role+"=once", "DEAF=")
		hold, _, _ := os.Pipe()
		child.Stdin, child.Stdout, child.Stderr = hold, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
	}
	return false
}

// beDocket starts a program that hangs, and hangs.
func beDocket() {
	v, _ := source.Parse("c", fmt.Appendf(nil, "{kind: exec, command: [%q], env: {%s: lines}, protocol: jsonl}", os.Args[0], role))
	d, problems := system.Compile("app", v, system.Env{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	s, err := d.Open(context.Background(), system.Surroundings{Dir: "."})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := s.Answer(context.Background(), system.Request{ID: "pid", Sample: 1})
	fmt.Println(out.Text, err)
	go s.Answer(context.Background(), system.Request{ID: "pid", Sample: 2, Input: map[string]any{"how": "hang"}})
	time.Sleep(time.Hour)
}

// openProgram declares this test binary as a system.
func openProgram(t *testing.T, dir, as, more string) system.System {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dir, fmt.Sprintf("{kind: exec, command: [%q], env: {%s: %s, GREETING: hello}%s}", self, role, as, more), nil)
}

func ask(t *testing.T, s system.System, id, how string) (string, error) {
	t.Helper()
	out, err := s.Answer(t.Context(), system.Request{ID: id, Sample: 1, Input: map[string]any{"how": how}})
	return out.Text, err
}

func TestProcessPerSample(t *testing.T) {
	dir := t.TempDir()
	s := openProgram(t, dir, "once", "")
	out, err := s.Answer(t.Context(), system.Request{ID: "é-1", Sample: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.Text, "é-1 2 hello ") || !strings.Contains(out.Text, "Test") {
		t.Errorf("the text is %q", out.Text)
	}
	if out.CostUSD == nil || *out.CostUSD != 0.5 || out.LatencyMS == nil || *out.LatencyMS <= 0 || out.InputTokens != nil {
		t.Errorf("the output is %+v", out)
	}
	for how, want := range map[string]string{
		"crash":   `ended with exit status 3; its stderr ends with "`,
		"garbage": `printed no answer: expected one JSON object, got "<html>Bad gateway</h"`,
		"flood":   "printed more than 16 MB and was ended",
		"silent":  "printed nothing; expected one JSON object",
		"error":   "HTTP 529 overloaded",
		"another": `answered for case "somebody else" when it was asked for this one`,
		"twice":   "printed no answer",
	} {
		text, err := ask(t, s, "a", how)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %q, %v; want %s", how, text, err, want)
		}
		if how == "crash" && (!strings.HasSuffix(err.Error(), `Traceback:\n  the last words"`) || len(err.Error()) > 1000) {
			t.Errorf("the end of stderr is lost: %v", err)
		}
		if _, err := ask(t, s, "next", ""); err != nil {
			t.Errorf("after %s, the next case: %v", how, err)
		}
	}
}

func TestHangCostsItsTimeout(t *testing.T) {
	for _, as := range []string{"once", "lines, protocol: jsonl"} {
		as, more, _ := strings.Cut(as, ",")
		if more != "" {
			more = "," + more
		}
		s := openProgram(t, t.TempDir(), as, ", timeout: 300ms"+more)
		_, err := ask(t, s, "a", "hang")
		if err == nil || !strings.Contains(err.Error(), "within 300ms and was ended") {
			t.Errorf("%s: a hang gives %v", as, err)
		}
	}
}

// TestInputNobodyReads gives a program a request that no pipe holds and that it
// does not read.
func TestInputNobodyReads(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, t.TempDir(), fmt.Sprintf("{kind: exec, command: [%q], env: {%s: once, DEAF: '1'}}", self, role), nil)
	out, err := s.Answer(t.Context(), system.Request{ID: "a", Sample: 1, Input: map[string]any{"long": strings.Repeat("x", 1<<20)}})
	if err != nil || out.Text == "" {
		t.Errorf("the answer is %q, %v", out.Text, err)
	}
}

// TestNothingIsLeftBehind has a program start another that would run for an
// hour and holds its stdout.
func TestNothingIsLeftBehind(t *testing.T) {
	s := openProgram(t, t.TempDir(), "once", "")
	text, err := ask(t, s, "a", "leaves")
	if err != nil || text == "" {
		t.Errorf("the answer is %q, %v", text, err)
	}
}

func TestCancelEndsTheProgram(t *testing.T) {
	for _, as := range []string{"once", "lines"} {
		more := ""
		if as == "lines" {
			more = ", protocol: jsonl"
		}
		s := openProgram(t, t.TempDir(), as, more)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		_, err := s.Answer(ctx, system.Request{ID: "a", Sample: 1, Input: map[string]any{"how": "hang"}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", as, err)
		}
	}
}

func TestLongLivedProcess(t *testing.T) {
	s := openProgram(t, t.TempDir(), "lines", ", protocol: jsonl")
	pid := func(how string) string {
		t.Helper()
		text, err := ask(t, s, "a", how)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := pid("")
	for range 3 {
		if again := pid(""); again != first {
			t.Errorf("%s answers after %s", again, first)
		}
	}
	if _, err := ask(t, s, "a", "error"); err == nil || err.Error() != "HTTP 529 overloaded" {
		t.Errorf("an error that the program reports is %v", err)
	}
	last := first
	for how, want := range map[string]string{
		"crash":   `ended with exit status 3 before it answered; its stderr ends with "`,
		"silent":  "ended before it answered",
		"garbage": "printed no answer: expected one JSON object",
		"flood":   "printed a line of more than 16 MB and was ended",
		"another": `answered for case "somebody else"`,
	} {
		if text, err := ask(t, s, "a", how); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %q, %v; want %s", how, text, err, want)
		}
		now := pid("")
		if now == last {
			t.Errorf("after %s the same process answers", how)
		}
		last = now
	}
}

// TestAnswersKeepToTheirCases has a program print one answer too many: the next
// case must not get it.
func TestAnswersKeepToTheirCases(t *testing.T) {
	s := openProgram(t, t.TempDir(), "lines", ", protocol: jsonl")
	if text, err := ask(t, s, "a", "twice"); err != nil || text != "one too many" {
		t.Fatalf("%q, %v", text, err)
	}
	time.Sleep(50 * time.Millisecond)
	if text, err := ask(t, s, "b", ""); err != nil || !strings.HasPrefix(text, "b ") {
		t.Errorf("the next case gets %q, %v", text, err)
	}
}

func TestOneProcessForEachJob(t *testing.T) {
	s := openProgram(t, t.TempDir(), "lines", ", protocol: jsonl")
	var mu sync.Mutex
	pids := map[string]bool{}
	var jobs sync.WaitGroup
	for range 4 {
		jobs.Go(func() {
			for range 10 {
				text, err := ask(t, s, "a", "")
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				pids[text] = true
				mu.Unlock()
			}
		})
	}
	jobs.Wait()
	if len(pids) == 0 || len(pids) > 4 {
		t.Errorf("%d processes for 4 jobs", len(pids))
	}
}

func TestProgramThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "plain.txt", "x")
	for command, want := range map[string]string{
		"docket-has-no-such-program": `system "app": the program "docket-has-no-such-program" is not in PATH`,
		"./missing":                  `system "app": the program "./missing" does not exist; a relative one is looked for from the folder of .docket.yaml`,
		"./plain.txt":                `system "app": the program "./plain.txt" cannot be run: `,
	} {
		d, err := declare(t, dir, "{kind: exec, command: ['"+command+"']}")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Open(t.Context(), system.Surroundings{Dir: dir}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s says %v, want %s", command, err, want)
		}
	}
}
