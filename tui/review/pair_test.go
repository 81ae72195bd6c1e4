package review_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"docket/engine"
	"docket/tui"
	"docket/tui/review"
	"docket/tui/tuitest"
)

// twoFiles writes two files of outputs: one label changed alike twice, and one
// answer stayed.
func twoFiles(t *testing.T) (dir, before, after string) {
	t.Helper()
	dir = t.TempDir()
	before, after = filepath.Join(dir, "old.jsonl"), filepath.Join(dir, "new.jsonl")
	write := func(path string, lines ...string) {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(before, `{"id":"a","text":"{\"status\": \"paid\", \"amount\": 12}","input":{"mail":"an invoice"}}`,
		`{"id":"b","text":"{\"status\": \"paid\", \"note\": \"x\"}"}`, `{"id":"c","text":"{\"status\": \"paid\"}"}`)
	write(after, `{"id":"a","text":"{\"status\": \"paid\"}"}`, `{"id":"b","text":"{\"status\": \"paid\"}"}`, `{"id":"c","text":"{\"status\": \"paid\"}"}`)
	return dir, before, after
}

func openPair(t *testing.T, before, after, out, state string) (*engine.Review, error) {
	t.Helper()
	pair, err := engine.Files(context.Background(), before, after)
	if err != nil {
		t.Fatal(err)
	}
	v, err := pair.Review(t.Context(), out, state)
	if err == nil {
		t.Cleanup(func() { v.Close() })
	}
	return v, err
}

func TestTwoFilesFromStartToWrittenBaseline(t *testing.T) {
	dir, before, after := twoFiles(t)
	out, state := filepath.Join(dir, "docket-review"), filepath.Join(dir, "state")
	v, err := openPair(t, before, after, out, state)
	if err != nil {
		t.Fatal(err)
	}
	screen, _ := review.Open(v, "docket review old new", false)
	d := tuitest.Drive(t, tuitest.Ready(screen), tui.Options{Width: 160, Height: 36})
	d.Sees("two files · old.jsonl → new.jsonl", "2 of 3 changed", "amount:number")
	d.Press("2")
	d.Sees("baseline, sample 1 of 1", `"amount": 12`)
	d.Press("4")
	d.Sees(`"mail": "an invoice"`)
	d.Press("a")
	d.Type("the amount is elsewhere now")
	d.Press("enter")
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 { // the two files and the state
		t.Errorf("before anything is written the folder holds %v, %v", entries, err)
	}
	if runtime.GOOS != "windows" {
		private(t, state)
	}

	// The session goes on where it was, by the contents of the files.
	moved := filepath.Join(dir, "moved.jsonl")
	if err := os.Rename(after, moved); err != nil {
		t.Fatal(err)
	}
	if v, err = openPair(t, before, moved, out, state); err != nil {
		t.Fatal(err)
	}
	screen, session := review.Open(v, "docket review old new", false)
	d = tuitest.Drive(t, tuitest.Ready(screen), tui.Options{Width: 160, Height: 36})
	d.Sees("resumed: 1 decision from before", "1 decided")
	d.Press("ctrl+s")
	d.Sees("live.jsonl: 1 accepted", "Neither of the two files is touched.")
	d.Press("y")
	if !d.Quit || session.Remaining() != 1 {
		t.Fatalf("%d left:\n%s", session.Remaining(), d.View())
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "baselines", "review", "live.jsonl"))
	if err != nil || strings.Contains(lineOf(string(text), "a"), "amount:number") || !strings.Contains(lineOf(string(text), "b"), "note:string") {
		t.Errorf("%v, the baseline is\n%s", err, text)
	}
	if files, err := filepath.Glob(filepath.Join(out, "baselines", "review", "decisions", "*.jsonl")); err != nil || len(files) != 1 {
		t.Errorf("decisions: %v, %v", files, err)
	}

	// What was written is the baseline of the next review of the same files.
	if v, err = openPair(t, before, moved, out, state); err != nil {
		t.Fatal(err)
	}
	screen, _ = review.Open(v, "docket review old new", false)
	d = tuitest.Drive(t, tuitest.Ready(screen), tui.Options{Width: 160, Height: 36})
	d.Sees("1 of 3 changed", "· b")
}

// private fails the test where others than the user can read what is kept.
func private(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the permissions %v", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestACaseThatTheNewFileLacks(t *testing.T) {
	dir, before, after := twoFiles(t)
	if err := os.WriteFile(after, []byte(`{"id":"a","text":"{\"status\": \"paid\"}"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	v, err := openPair(t, filepath.Base(before), filepath.Base(after), "", filepath.Join(dir, "state"))
	if err != nil {
		t.Fatal(err)
	}
	d := tuitest.Drive(t, ready(v), tui.Options{Width: 120, Height: 30})
	filter(d, "status:gone")
	d.Sees("why    the new file has no line for this case", "The new file has no line for this case")
	d.Misses("case file is gone", "tab 4 names the command")
	d.Press("2")
	d.Sees("There is no answer of this case in new.jsonl.")
	d.Press("k")
	d.Sees("Gone: in the old file and not in the new one.")
}

func TestWhatWasWrittenForOtherFilesIsNotOverwritten(t *testing.T) {
	dir, before, after := twoFiles(t)
	out, state := filepath.Join(dir, "docket-review"), filepath.Join(dir, "state")
	v, err := openPair(t, before, after, out, state)
	if err != nil {
		t.Fatal(err)
	}
	d := tuitest.Drive(t, ready(v), tui.Options{Width: 120, Height: 30})
	d.Press("a", "x", "enter", "ctrl+s", "y")
	if !d.Quit {
		t.Fatalf("not written:\n%s", d.View())
	}
	if _, err := openPair(t, after, before, out, state); err == nil || !strings.Contains(err.Error(), "name another folder with --out DIR") {
		t.Errorf("the other way round: %v", err)
	}
}

func TestStateFolder(t *testing.T) {
	env := func(vars map[string]string) func(string) string {
		return func(name string) string { return vars[name] }
	}
	tests := []struct {
		goos string
		vars map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": "/home/ada"}, "/home/ada/.local/state/docket"},
		{"linux", map[string]string{"HOME": "/home/ada", "XDG_STATE_HOME": "/var/state"}, "/var/state/docket"},
		{"linux", map[string]string{"HOME": "/home/ada", "XDG_STATE_HOME": "relative"}, "/home/ada/.local/state/docket"},
		{"windows", map[string]string{"LocalAppData": "/users/ada"}, "/users/ada/docket"},
		{"linux", nil, ""},
		{"windows", nil, ""},
	}
	for _, tt := range tests {
		got, err := engine.StateFolder(tt.goos, env(tt.vars))
		if filepath.ToSlash(got) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s %v: %q, %v; want %q", tt.goos, tt.vars, got, err, tt.want)
		}
	}
}
