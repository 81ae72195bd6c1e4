package engine_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// scriptedSystem answers sample 3 of case a with what the file a.3 holds, else
// with what the file a does; a text that begins with ! is what went wrong. Given
// a service it answers with what that says.
func scriptedSystem(folder string) {
	var request struct {
		ID     string `json:"id"`
		Sample int    `json:"sample"`
	}
	line, _ := bufio.NewReader(os.Stdin).ReadBytes('\n')
	if err := json.Unmarshal(line, &request); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	text, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("%s.%d", request.ID, request.Sample)))
	if err != nil {
		text, err = os.ReadFile(filepath.Join(folder, request.ID))
	}
	if service := os.Getenv("SEARCH_URL"); service != "" {
		if text, err = get(service + "/" + request.ID); err != nil {
			text = []byte("!" + err.Error())
		}
	}
	reply := map[string]any{"text": string(text), "model": "acorn-1"}
	if model, err := os.ReadFile(filepath.Join(folder, "model")); err == nil {
		reply["model"] = string(model)
	}
	if why, bad := strings.CutPrefix(string(text), "!"); bad || err != nil {
		reply = map[string]any{"error": "down: " + why}
	}
	if err := json.NewEncoder(os.Stdout).Encode(reply); err != nil {
		os.Exit(2)
	}
}

func get(url string) ([]byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// A scripted workspace has a live system that answers as files say.
type scripted struct{ *workspace }

// newScripted makes a suite of one case for each answer, with the answers of
// the system `app`.
func newScripted(t testing.TB, answers map[string]string, system string) scripted {
	t.Helper()
	var cases []testCase
	for id := range answers {
		cases = append(cases, testCase{ID: id, Input: map[string]any{"mail": "When will ticket 12345 be paid?"}})
	}
	w := scripted{newWorkspace(t, cases, "labels: [paid, overdue, disputed]\n    samples: 5", nil)}
	w.configure(system)
	for id, text := range answers {
		w.says(id, text)
	}
	return w
}

// configure writes what the system declares beside its command. Under the race
// detector a process sleeps for a second before it ends, unless told not to.
func (w scripted) configure(declared string) {
	w.t.Helper()
	self, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(".docket.yaml", fmt.Appendf(nil, `version: 1
suites:
  s: {cases: cases, expires: never, system: app, labels: [paid, overdue, disputed], samples: 5}
systems:
  app: {kind: exec, command: [%s], env: {DOCKET_TEST_ANSWERS: %s, GORACE: atexit_sleep_ms=0}%s}
`, strconv.Quote(self), strconv.Quote(filepath.Join(w.dir, "answers")), declared))
}

// says scripts the answer to a case, or to one sample of it: "a", "a.3".
func (w scripted) says(what, text string) {
	w.t.Helper()
	w.write("answers/"+what, []byte(text))
}

// forget deletes the results store, as on another machine.
func (w scripted) forget() {
	w.t.Helper()
	if err := os.RemoveAll(filepath.Join(w.dir, ".docket")); err != nil {
		w.t.Fatal(err)
	}
}

func (w scripted) read(name string) []byte {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil {
		w.t.Fatal(err)
	}
	return data
}

func (w scripted) remove(name string) {
	w.t.Helper()
	if err := os.Remove(filepath.Join(w.dir, filepath.FromSlash(name))); err != nil {
		w.t.Fatal(err)
	}
}

// caseOf returns the path of a case's file, from the folder of the suite.
func caseOf(t *testing.T, w scripted, id string) string {
	t.Helper()
	c, ok := w.open("").Case(id)
	if !ok {
		t.Fatalf("no case %s", id)
	}
	return c.Path
}
