package decision

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

const run = "20260811T102203Z-7f3a"

type fataler interface{ Fatal(args ...any) }

// line makes a canonical line that is told from others by its label.
func line(id, label string) []byte {
	l := baseline.Line{ID: id, Version: 1, Input: "sha256:aa", Projections: map[string]any{"label": label}, Samples: 5}
	return baseline.AppendLine(nil, &l)
}

// suite makes a baseline of the cases a to e, all with the label x, that of d
// with a key that docket does not know.
func suite(t fataler, fsys disk.FS, root string) {
	lines := map[string][]byte{}
	for _, id := range []string{"a", "b", "c", "e"} {
		lines[id] = line(id, "x")
	}
	lines["d"] = append(line("d", "x")[:len(line("d", "x"))-1], `,"owner": "team d"}`...)
	h := baseline.Header{Format: baseline.Format, Suite: "s", Mode: "live"}
	if _, err := baseline.Create(fsys, root, &h, lines); err != nil {
		t.Fatal(err)
	}
}

func open(t fataler, fsys disk.FS, root string) *baseline.File {
	f, err := baseline.Open(fsys, root, "s", "live")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// item decides over the change of a case from its line in f to the label y.
func item(f *baseline.File, id string, v Verdict) Item {
	proposed := line(id, "y")
	return Item{Proposed: proposed, Decision: Decision{
		At: decidedAt, By: "ada", Mode: "live", Case: id, Version: 1, Verdict: v, Status: "changed",
		Seen:    Seen(lineOf(f, id), proposed),
		Changes: []Change{{Kind: "projection", Of: "label", Old: "x", New: "y"}},
		Samples: Samples(5, 5), Reason: "because", Provenance: "incident INC-219",
	}}
}

func request(fsys disk.FS, root string, items ...Item) Request {
	return Request{
		FS: fsys, Root: root, Suite: "s", Mode: "live", Run: run, Items: items,
		Config: baseline.Header{Format: baseline.Format, Suite: "s", Mode: "live", System: "candidate"},
	}
}

// labels lists the baseline's lines as id=label.
func labels(t fataler, f *baseline.File) string {
	var all []string
	for i := range f.Lines {
		l, err := f.Line(i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s=%v", l.ID, l.Projections["label"]))
	}
	return strings.Join(all, " ")
}

func history(t fataler, fsys disk.FS, root string) *History {
	h, err := Read(fsys, root, "s")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// recordedAs lists the decisions on disk as case=verdict.
func recordedAs(t fataler, fsys disk.FS, root string) string {
	var all []string
	for _, p := range history(t, fsys, root).All {
		all = append(all, fmt.Sprintf("%s=%s", p.Case, p.Verdict))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestApply(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	added := item(f, "bb", Accept) // a new case
	outcome, err := Apply(request(m, "/r", item(f, "a", Accept), added, item(f, "c", Reject), item(f, "d", Accept)))
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Accepted != 3 || outcome.Rejected != 1 || len(outcome.Stale) != 0 || outcome.Receipt.Replaced != 2 || outcome.Receipt.Added != 1 || outcome.Receipt.Untouched != 3 {
		t.Errorf("the outcome is %+v", outcome)
	}
	now := open(t, m, "/r")
	if got, want := labels(t, now), "a=y b=x bb=y c=x d=y e=x"; got != want {
		t.Errorf("the baseline is %q, want %q", got, want)
	}
	if got := string(lineOf(now, "d")); !strings.HasSuffix(got, `,"owner":"team d"}`) {
		t.Errorf("the unknown key is lost: %s", got)
	}
	if of, n, ok := ParseFileName(filepath.Base(outcome.File)); filepath.Dir(outcome.File) != Folder("/r", "s") || of != run || n != 1 || !ok {
		t.Errorf("recorded in %s", outcome.File)
	}
	data, err := disk.Read(m, outcome.File, maxSize)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	if lines[0] != `{"_config":{"format":1,"suite":"s","mode":"live","system":"candidate"}}` || len(lines) != 6 || lines[5] != "" {
		t.Errorf("the decision file is\n%s", data)
	}

	// The same once more changes nothing.
	again, err := Apply(request(m, "/r", item(f, "a", Accept), added, item(f, "c", Reject), item(f, "d", Accept)))
	if err != nil || again.File != "" || again.Receipt.Written || again.Already != 3 || len(again.Stale) != 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}

	// A second review of the run gets a file of its own.
	second, err := Apply(request(m, "/r", item(now, "b", Reject)))
	if err != nil || !strings.HasPrefix(filepath.Base(second.File), run+"-2-") || second.Receipt.Written {
		t.Errorf("the second review: %+v, %v", second, err)
	}
	if got, want := recordedAs(t, m, "/r"), "a=accept b=reject bb=accept c=reject d=accept"; got != want {
		t.Errorf("recorded is %q, want %q", got, want)
	}
}

func TestStaleDecisionsAreListedAndTheRestIsWritten(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	items := []Item{item(f, "a", Accept), item(f, "b", Accept), item(f, "c", Reject), item(f, "new", Accept), item(f, "e", Accept), item(f, "d", Accept)}
	if _, err := f.Write(m, baseline.Edit{
		Replace: map[string][]byte{"a": line("a", "theirs"), "new": line("new", "theirs"), "c": line("c", "theirs")},
		Remove:  []string{"b"},
	}); err != nil {
		t.Fatal(err)
	}
	r := request(m, "/r", items...)
	r.Latest = func(id string) []byte {
		switch id {
		case "e":
			return line("e", "yet another")
		case "d": // the same structure, another prose
			return append(line("d", "y")[:len(line("d", "y"))-2], `3,"outputs":"sha256:other"}`...)
		}
		return nil
	}
	outcome, err := Apply(r)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range outcome.Stale {
		got = append(got, s.Item.Decision.Case+": "+s.Why)
	}
	want := []string{
		"a: the baseline's line of the case is another by now",
		"b: the case has no line in the baseline any more",
		"c: the baseline's line of the case is another by now",
		"new: the case was new when it was decided and has a line in the baseline by now",
		"e: a newer run proposes another line for the case",
	}
	if !slices.Equal(got, want) {
		t.Errorf("stale are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := labels(t, open(t, m, "/r")), "a=theirs c=theirs d=y e=x new=theirs"; got != want {
		t.Errorf("the baseline is %q, want %q", got, want)
	}
	if got := recordedAs(t, m, "/r"); got != "d=accept" {
		t.Errorf("recorded is %q", got)
	}
}

func TestWhatMustNotBeWrittenIsRefused(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	change := func(edit func(*Item)) Item {
		i := item(f, "a", Accept)
		edit(&i)
		return i
	}
	tests := []struct {
		name string
		r    Request
		want string
	}{
		{"no reason", request(m, "/r", change(func(i *Item) { i.Decision.Reason = " \t" })), `the decision on the case "a" has no reason; say why`},
		{"no case", request(m, "/r", change(func(i *Item) { i.Decision.Case = "" })), "a decision must name its case"},
		{"another mode", request(m, "/r", change(func(i *Item) { i.Decision.Mode = "mock" })), `is for the mode "mock", not "live"`},
		{"twice", request(m, "/r", item(f, "a", Accept), item(f, "a", Accept)), `the case "a" has two decisions to accept`},
		{"a verdict with its own command", request(m, "/r", item(f, "a", Retire)), `the verdict "retire" on the case "a"`},
		{"a run of no name", func() Request { r := request(m, "/r", item(f, "a", Accept)); r.Run = "../x"; return r }(), "must look like 20260811T102203Z-7f3a"},
		{"a line of another case", request(m, "/r", change(func(i *Item) { i.New = line("b", "y") })), `has the id "b"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Apply(test.r); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if got, want := labels(t, open(t, m, "/r")), "a=x b=x c=x d=x e=x"; got != want {
		t.Errorf("the baseline is %q", got)
	}
	none := disktest.NewMemory("/r")
	if _, err := Apply(request(none, "/r", item(f, "a", Accept))); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "calibrate makes the first one") {
		t.Errorf("without a baseline: %v", err)
	}
}

func TestASecondWriterIsRefusedAndTold(t *testing.T) {
	root := t.TempDir()
	suite(t, disk.OS{}, root)
	f := open(t, disk.OS{}, root)
	w, err := baseline.Lock(disk.OS{}, f.Path)
	if err != nil {
		t.Fatal(err)
	}
	var held *disk.HeldError
	_, err = Apply(request(disk.OS{}, root, item(f, "a", Accept)))
	if !errors.As(err, &held) || !strings.Contains(err.Error(), "this docket is at work here already") {
		t.Errorf("got %v", err)
	}
	if got := recordedAs(t, disk.OS{}, root); got != "" {
		t.Errorf("recorded is %q", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(request(disk.OS{}, root, item(f, "a", Accept))); err != nil {
		t.Error(err)
	}
}

func TestRejectsAreRemembered(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	reject := item(f, "a", Reject)
	if _, err := Apply(request(m, "/r", reject)); err != nil {
		t.Fatal(err)
	}
	again := []Change{{Kind: "projection", Of: "label", Old: "x", New: "y", Tags: []string{"knowledge"}}}
	past, ok := history(t, m, "/r").Rejected("live", "a", again)
	if !ok || past.Reason != "because" || past.Run != run || past.Line != 2 {
		t.Errorf("remembered is %+v, %v", past, ok)
	}
	other := []Change{{Kind: "projection", Of: "label", Old: "x", New: "z"}}
	for name, found := range map[string]bool{
		"another change": second(history(t, m, "/r").Rejected("live", "a", other)),
		"another case":   second(history(t, m, "/r").Rejected("live", "b", again)),
		"another mode":   second(history(t, m, "/r").Rejected("mock", "a", again)),
		"no change":      second(history(t, m, "/r").Rejected("live", "a", nil)),
	} {
		if found {
			t.Errorf("%s is taken for the rejected one", name)
		}
	}
	accept := item(f, "a", Accept)
	accept.Decision.At = reject.Decision.At.Add(time.Hour)
	if _, err := Apply(request(m, "/r", accept)); err != nil {
		t.Fatal(err)
	}
	h := history(t, m, "/r")
	if _, ok := h.Rejected("live", "a", again); ok {
		t.Error("what was accepted later is still held to be rejected")
	}
	if of := h.Of("a"); len(of) != 2 || of[0].Verdict != Reject || of[1].Verdict != Accept {
		t.Errorf("the history is %+v", of)
	}
}

// TestARejectIsRememberedInItsMode: what a mode says later of the same change
// neither makes nor takes back the reject of another.
func TestARejectIsRememberedInItsMode(t *testing.T) {
	changes := []Change{{Kind: "projection", Of: "label", Old: "x", New: "y"}}
	said := func(mode string, v Verdict) Past {
		return Past{Decision: Decision{Mode: mode, Case: "a", Verdict: v, Changes: changes}}
	}
	h := &History{All: []Past{said("live", Reject), said("mock", Accept)}, byCase: map[string][]int{"a": {0, 1}}}
	if _, ok := h.Rejected("live", "a", changes); !ok {
		t.Error("the accept of a mock took the reject of the model back")
	}
	if _, ok := h.Rejected("mock", "a", changes); ok {
		t.Error("the reject of the model is told of the mock")
	}
}

func second[T any](_ T, ok bool) bool { return ok }

func TestDamagedDecisionFilesAreRefused(t *testing.T) {
	const config = `{"_config":{"format":1}}` + "\n"
	const good = `{"at":"2026-08-11T10:22:03Z","case":"a","verdict":"accept"}` + "\n"
	for text, want := range map[string]string{
		"":                                       "-1.jsonl:1: the file is empty",
		good:                                     "-1.jsonl:1:",
		config + good[:20]:                       "-1.jsonl:2: the last line has no line end",
		config + "<<<<<<< HEAD\n":                "-1.jsonl:2: a conflict marker of git",
		config + good + "{}\n":                   `-1.jsonl:3: the decision has no "case"`,
		config + good + "{\"case\":1}\n":         `-1.jsonl:3:9: "case" must be a string, found a number`,
		strings.Replace(config, "1", "2", 1):     "-1.jsonl:1:22: the file has format 2",
		strings.ReplaceAll(config, "\n", "\r\n"): "-1.jsonl:1: the line ends as on Windows",
	} {
		m := disktest.NewMemory(Folder("/r", "s"))
		for name, text := range map[string]string{run + "-1.jsonl": text, "notes.txt": "x"} {
			if err := disk.Write(m, filepath.Join(Folder("/r", "s"), name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Read(m, "/r", "s"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	m := disktest.NewMemory(Folder("/r", "s"))
	if err := disk.Write(m, filepath.Join(Folder("/r", "s"), "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if h := history(t, m, "/r"); len(h.All) != 0 || !slices.Equal(h.Unknown, []string{"notes.txt"}) {
		t.Errorf("got %+v", h)
	}
	if h := history(t, disktest.NewMemory("/r"), "/r"); len(h.All) != 0 {
		t.Errorf("got %+v", h)
	}
}
