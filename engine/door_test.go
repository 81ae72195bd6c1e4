package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/report"
	"docket/engine/run"
)

// A modelled workspace has a system that asks a model, and a fake of it that
// never gives the same answer twice.
type modelled struct {
	*workspace
	vendor *httptest.Server
	asked  atomic.Int64
}

func newModelled(t testing.TB) *modelled {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", "sk-secret-of-this-machine")
	m := &modelled{workspace: newWorkspace(t, []testCase{
		{ID: "a/../b", Input: map[string]any{"mail": "one"}, Mock: `{"status":"paid"}`},
		{ID: "b", Input: map[string]any{"mail": "two"}, Mock: `{"status":"payed"}`},
		{ID: "c", Input: map[string]any{"mail": "three"}, Mock: []any{`{"status":"paid"}`, "left over"}},
	}, "labels: [paid, overdue]", nil)}
	m.vendor = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := m.asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer sk-secret-of-this-machine" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Set-Cookie", "session=sk-secret-of-this-machine")
		fmt.Fprintf(w, `{"model":"m-1-2026","choices":[{"message":{"content":"{\"status\":\"paid\",\"n%d\":1}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`, n)
	}))
	t.Cleanup(m.vendor.Close)
	m.write("prompts/p.md", []byte("Read this: {{.mail}}"))
	m.configure(m.vendor.URL)
	return m
}

func (m *modelled) configure(url string) {
	m.write(".docket.yaml", fmt.Appendf(nil, `version: 1
suites:
  s: {cases: cases, expires: never, system: prod, labels: [paid, overdue]}
systems:
  prod:
    kind: openai
    model: m-1
    prompt: prompts/p.md
    url: %s/v1
    price: {input: 1, output: 2}
    output_schema: {type: object, required: [status], properties: {status: {enum: [paid, overdue]}}}
`, url))
}

func (m *modelled) in(mode string) *engine.Suite {
	m.t.Helper()
	p, err := engine.Load(filepath.Join(m.dir, ".docket.yaml"))
	if err != nil {
		m.t.Fatal(err)
	}
	s, err := p.Open("", "", mode)
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

func (m *modelled) run(mode string, o engine.RunOptions) *engine.RunReport {
	m.t.Helper()
	r, err := m.in(mode).Run(m.t.Context(), o)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

// caseLines joins the lines of a run.
func caseLines(r *run.Run) string {
	var all []byte
	for _, result := range r.Results {
		all = append(append(append(all, result.Outcome...), ' '), result.Line...)
		all = append(all, '\n')
	}
	return string(all)
}

// TestRecordThenReplay records three samples of each case, and replays them
// twice, with the model gone, to the same bytes.
func TestRecordThenReplay(t *testing.T) {
	m := newModelled(t)
	recorded := m.run("record", engine.RunOptions{Samples: 3, Jobs: 4})
	if r := recorded.Run; !r.Recorded || r.Config.Mode != "live" || m.asked.Load() != 9 {
		t.Errorf("the record run is %+v after %d calls", r, m.asked.Load())
	}
	if _, err := m.in("record").Calibrate(t.Context(), engine.RunOptions{}); !errors.Is(err, engine.ErrRecorded) {
		t.Errorf("a baseline of a record run is told as %v", err)
	}
	fs.WalkDir(os.DirFS(filepath.Join(m.dir, "cases")), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(m.dir, "cases", path))
		if bytes.Contains(data, []byte("sk-secret")) {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	m.vendor.Close()
	first := m.run("replay", engine.RunOptions{Jobs: 3})
	if got := caseLines(first.Run); got != caseLines(recorded.Run) {
		t.Errorf("the replay measures\n%s, the recording measured\n%s", got, caseLines(recorded.Run))
	}
	if c := first.Run.Config; c.Mode != "replay" || c.Samples != 3 || c.Recordings == "" || fmt.Sprint(c.Answered) != "[m-1-2026]" || first.Run.Recorded {
		t.Errorf("the replay is of %+v", c)
	}
	if said := report.Answered("replay", first.Run.Sources, time.Now()); said != "model replayed, recorded today" || len(first.Recordings) > 0 {
		t.Errorf("the replay says %q", said)
	}
	second := m.run("replay", engine.RunOptions{})
	if caseLines(first.Run) != caseLines(second.Run) || first.Run.Config.Recordings != second.Run.Config.Recordings {
		t.Error("two replays differ")
	}
	c, err := m.in("replay").Calibrate(t.Context(), engine.RunOptions{})
	if err != nil || c.Receipt.File == nil {
		t.Fatalf("a replay is calibrated with %+v, %v", c, err)
	}

	// What nothing asks for any more is named, once all the rest was.
	wide := caseYAML(t, testCase{ID: "c", Input: map[string]any{"mail": "three"}, Mock: "x"})
	gone := filepath.Join(m.dir, caseFile(2))
	must(t, os.Remove(gone))
	if said := strings.Join(m.run("replay", engine.RunOptions{}).Recordings, ";"); !strings.Contains(said, "nothing asked for 3 recordings: ") || !strings.Contains(said, "recordings/openai/c-") {
		t.Errorf("with a case less: %q", said)
	}
	m.write(caseFile(2), wide)

	// A case that was not recorded costs itself, and a prompt that changed says
	// where the request differs.
	m.write(caseFile(3), caseYAML(t, testCase{ID: "new", Input: map[string]any{"mail": "four"}}))
	r := m.run("replay", engine.RunOptions{}).Run
	if r.Results[3].Outcome != run.Missed || r.Results[0].Outcome != run.Measured {
		t.Errorf("with a case more: %s", caseLines(r))
	}
	m.write("prompts/p.md", []byte("Read that: {{.mail}}"))
	r = m.run("replay", engine.RunOptions{}).Run
	for _, result := range r.Results {
		if result.Outcome != run.Missed {
			t.Errorf("%s is %s under another prompt", result.ID, result.Outcome)
		}
	}
	if why := r.Results[0].Error; !strings.Contains(why, "/body/messages/0/content") || !strings.Contains(why, "Read that") {
		t.Errorf("the miss says %s", why)
	}
}

// TestARunIsKeptWhereItsMissesCannotBe stores a run that was made although what
// it leaves for rekey cannot be written.
func TestARunIsKeptWhereItsMissesCannotBe(t *testing.T) {
	m := newModelled(t)
	m.write(".docket/misses", []byte("a file in the place of the folder"))
	made := m.run("replay", engine.RunOptions{})
	if made.Run.Results[0].Outcome != run.Missed || !strings.Contains(strings.Join(made.Recordings, ";"), "could not be kept for docket rekey") {
		t.Errorf("%s, %q", made.Run.Results[0].Outcome, made.Recordings)
	}
	if stored, err := m.in("replay").StoredRun(t.Context(), made.Run.ID); err != nil || len(stored.Results) != 3 || stored.Finished.IsZero() {
		t.Errorf("%+v, %v", stored, err)
	}
}

// TestTheMockIsHeldToTheRequest runs the same system on canned answers: one is
// right, one breaks the format that the request asks for, one was not asked
// for.
func TestTheMockIsHeldToTheRequest(t *testing.T) {
	m := newModelled(t)
	r := m.run("mock", engine.RunOptions{}).Run
	if m.asked.Load() != 0 || r.Config.Mode != "mock" || len(r.Config.Answered) != 0 {
		t.Errorf("the mock asked %d times, %+v", m.asked.Load(), r.Config)
	}
	for i, want := range []string{"", "/status", "made 1 model call and the case has 2 canned answers"} {
		if got := r.Results[i].Error; (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("case %q says %q, want %q", r.Results[i].ID, got, want)
		}
	}
}

// TestServicesThatNobodyCalls are no choice.
func TestServicesThatNobodyCalls(t *testing.T) {
	s := newModelled(t).in("live")
	for who, want := range map[string]string{"replay": "is given no service", "mock": "say replay, live or record"} {
		if err := s.AnswerServices(who); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is told as %v", who, err)
		}
	}
	if err := s.AnswerServices(""); err != nil {
		t.Error(err)
	}
}

// config returns what .docket.yaml holds.
func (m *modelled) config() string {
	m.t.Helper()
	data, err := os.ReadFile(filepath.Join(m.dir, ".docket.yaml"))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(data)
}
