package review_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/tui"
	"docket/tui/review"
	"docket/tui/tuitest"
)

func driveReview(t *testing.T, v *engine.Review) *tuitest.Driver {
	t.Helper()
	return tuitest.Drive(t, ready(v), tui.Options{Width: 120, Height: 36})
}

func decideKeys(d *tuitest.Driver, key, reason string) {
	d.Press(key)
	d.Type(reason)
	d.Press("enter")
}

func TestDecideUndoRedoResume(t *testing.T) {
	dir := project(t)
	v := open(t, dir)
	d := driveReview(t, v)
	d.Sees("5 of 6 changed", "0 decided", "✗ hours", "q-4")
	decideKeys(d, "r", "the hours must stay")
	d.Sees("✗ q-4", "1 decided")
	d.Press("u")
	d.Sees("· q-4", "0 decided")
	d.Press("U")
	d.Sees("✗ q-4", "1 decided")
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}

	d = driveReview(t, open(t, dir))
	d.Sees("resumed: 1 decision from before", "✗ q-4", "1 decided")
	d.Press("u")
	d.Sees("0 decided")
}

func TestOneRowAloneMakesAMixedLine(t *testing.T) {
	dir := project(t)
	v := open(t, dir)
	d := driveReview(t, v)
	filter(d, "q-4")
	d.Press("tab", "x", "r")
	d.Type("keep the check")
	d.Press("enter")
	d.Sees("◐ q-4")
	d.Press("j", "x", "a")
	d.Type("fine")
	d.Press("enter")
	d.Sees("1 decided") // both of its changes are
	d.Press("ctrl+s")
	d.Sees("would write baselines/desk/live.jsonl", "hours  1 rejected", "label  1 accepted")
	d.Press("y")
	if !d.Quit {
		t.Fatalf("not written:\n%s", d.View())
	}
	text := baselineOf(t, dir)
	if !strings.Contains(text, `"id":"q-4"`) || !strings.Contains(lineOf(text, "q-4"), `"hours":{"pass":true`) || !strings.Contains(lineOf(text, "q-4"), `"label":null`) {
		t.Errorf("the line is not mixed: %s", lineOf(text, "q-4"))
	}
}

func lineOf(text, id string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, `{"id":"`+id+`"`) {
			return line
		}
	}
	return ""
}

func TestTheWholeStory(t *testing.T) {
	dir := project(t)
	v := open(t, dir)
	screen, session := review.Open(v, "docket review desk", false)
	d := tuitest.Drive(t, tuitest.Ready(screen), tui.Options{Width: 120, Height: 36})
	decideKeys(d, "r", "the hours must stay")
	filter(d, "closed")
	d.Press("A")
	d.Type("closed is what they are")
	d.Press("enter", "y")
	d.Sees("3 cases accepted")
	d.Press("esc")
	filter(d, "status:gone")
	decideKeys(d, "a", "nobody asks that any more")
	d.Press("esc", "ctrl+s")
	d.Sees("3 accepted, 1 removed", "label  3 accepted, 1 rejected")
	d.Press("y")
	if !d.Quit || session.Outcome == nil {
		t.Fatalf("not written:\n%s", d.View())
	}
	if left := session.Remaining(); left != 1 {
		t.Errorf("%d cases differ still, want the rejected one", left)
	}
	text := baselineOf(t, dir)
	if lineOf(text, "q-0") != "" || !strings.Contains(lineOf(text, "q-1"), `"label":"closed"`) || !strings.Contains(lineOf(text, "q-4"), `"label":"open"`) {
		t.Errorf("the baseline is\n%s", text)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}

	// What was rejected comes again and is remembered; the rest is done.
	d = driveReview(t, open(t, dir))
	d.Sees("1 of 5 changed", "✗ before", "the same change was rejected: the hours must stay")
}

// TestWhatIsLeftIsWhatTheNextDiffFinds: cases that were accepted or allowed are
// settled, those that were rejected, decided in part or left alone are not, and
// a decision on a case that does not differ counts on neither side.
func TestWhatIsLeftIsWhatTheNextDiffFinds(t *testing.T) {
	dir := project(t)
	f, err := baseline.Open(disk.OS{}, dir, "desk", "live")
	if err != nil {
		t.Fatal(err)
	}
	at, _ := f.Find("q-5") // the same, and its samples disagree in the baseline
	line, err := f.Line(at)
	if err != nil {
		t.Fatal(err)
	}
	delete(line.Projections, "label")
	line.Unstable = map[string]map[string]int{"label": {"open": 1, "closed": 1}}
	line.Samples = 2
	if _, err := f.Write(disk.OS{}, baseline.Edit{Replace: map[string][]byte{"q-5": baseline.AppendLine(nil, &line)}}); err != nil {
		t.Fatal(err)
	}

	for _, test := range []struct {
		what            string
		decisions       []tui.Decision
		undecided, left int
	}{
		{"an allow on what does not differ", []tui.Decision{{Rows: []string{"q-5"}, Verdict: "allow"}}, 5, 5},
		{"one accepted and one allowed", []tui.Decision{{Rows: []string{"q-1"}, Verdict: "accept"}, {Rows: []string{"q-2"}, Verdict: "allow"}}, 3, 3},
		{"a part, a reject, and one that is gone", []tui.Decision{
			{Rows: []string{"q-4"}, Part: "projection:label", Verdict: "accept"},
			{Rows: []string{"q-3"}, Verdict: "reject"},
			{Rows: []string{"q-0"}, Verdict: "accept"},
		}, 0, 2},
		{"the rest", []tui.Decision{{Rows: []string{"q-4"}, Verdict: "accept"}, {Rows: []string{"q-3"}, Part: "projection:label", Verdict: "allow"}}, 0, 0},
	} {
		v := open(t, dir)
		_, session := review.Open(v, "docket review desk", false)
		for _, d := range test.decisions {
			d.Text = "so it is"
			if _, err := session.Decide(t.Context(), d); err != nil {
				t.Fatalf("%s: %v", test.what, err)
			}
		}
		plan, err := session.Plan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		says := strings.Join(plan.Lines, "\n")
		if test.undecided > 0 && !strings.Contains(says, fmt.Sprintf("%d cases are undecided", test.undecided)) || test.undecided == 0 && strings.Contains(says, "undecided") {
			t.Errorf("%s: %d are undecided, and the plan says\n%s", test.what, test.undecided, says)
		}
		closing, err := session.Write(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if says := strings.Join(closing.Lines, "\n"); test.left > 0 && !strings.Contains(says, fmt.Sprintf("%d cases differ from the baseline still", test.left)) || test.left == 0 && strings.Contains(says, "still") {
			t.Errorf("%s: %d are left, and it says\n%s", test.what, test.left, says)
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		next := open(t, dir)
		if n := next.Diff.Summary.Undecided(); n != session.Remaining() || n != test.left {
			t.Errorf("%s: the next diff finds %d, the review says %d, want %d", test.what, n, session.Remaining(), test.left)
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheSecondReviewerReads(t *testing.T) {
	dir := project(t)
	first := open(t, dir)
	d1 := driveReview(t, first)
	decideKeys(d1, "r", "the hours must stay")
	second := open(t, dir)
	d2 := driveReview(t, second)
	d2.Sees("for reading only", "✗ q-4")
	d2.Press("n", "a")
	d2.Sees("for reading only")
	d2.Press("ctrl+s")
	d2.Sees("for reading only")
	if n := len(second.Decisions()); n != 1 {
		t.Errorf("the reader has %d decisions, want the one of the first", n)
	}
}

func TestAChangedBaselineMakesADecisionStale(t *testing.T) {
	dir := project(t)
	d := driveReview(t, open(t, dir))
	filter(d, "closed")
	d.Press("A")
	d.Type("so be it")
	d.Press("enter", "y")

	// Somebody else writes another line for one of the cases meanwhile.
	f, err := baseline.Open(disk.OS{}, dir, "desk", "live")
	if err != nil {
		t.Fatal(err)
	}
	at, _ := f.Find("q-2")
	line, err := f.Line(at)
	if err != nil {
		t.Fatal(err)
	}
	line.Projections["label"] = "another"
	if _, err := f.Write(disk.OS{}, baseline.Edit{Replace: map[string][]byte{"q-2": baseline.AppendLine(nil, &line)}}); err != nil {
		t.Fatal(err)
	}
	d.Press("ctrl+s")
	d.Sees("2 accepted", "stale, not written: accept of q-2, since the baseline's line of the")
	d.Press("y")
	text := baselineOf(t, dir)
	if !strings.Contains(lineOf(text, "q-2"), `"label":"another"`) || !strings.Contains(lineOf(text, "q-1"), `"label":"closed"`) {
		t.Errorf("the baseline is\n%s", text)
	}
}

func TestANewerRunMakesADecisionStale(t *testing.T) {
	dir := project(t)
	v := open(t, dir)
	d := driveReview(t, v)
	filter(d, "closed")
	d.Press("A")
	d.Type("so be it")
	d.Press("enter", "y")
	path := filepath.Join(dir, "outputs", "candidate.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "Bath is closed today.", "Bath is open until 17:30.", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := suiteOf(t, dir, "").Run(context.Background(), engine.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	d.Press("ctrl+s")
	d.Sees("2 accepted", "stale, not written: accept of q-2, since a newer run proposes another")
}

func TestNothingIsWrittenOfWhatIsNotComparable(t *testing.T) {
	dir := project(t)
	path := filepath.Join(dir, ".docket.yaml")
	if err := os.WriteFile(path, []byte(strings.Replace(configuration, "candidate.jsonl, model: m}", "candidate.jsonl, model: n}", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	d := driveReview(t, open(t, dir))
	d.Sees("! not comparable: model m → n")
	decideKeys(d, "a", "fine")
	d.Press("y") // it stems from an incident
	d.Press("ctrl+s")
	d.Sees("not comparable, so no line")
	d.Press("y")
	if d.Quit {
		t.Error("it was written all the same")
	}
}

// A fresh clone has no results store, but the file of outputs that the baseline
// was captured from: the old prose is shown from there, as long as it is the
// same.
func TestOldProseOfAFreshClone(t *testing.T) {
	dir := project(t)
	if err := os.RemoveAll(filepath.Join(dir, ".docket")); err != nil {
		t.Fatal(err)
	}
	d := driveReview(t, open(t, dir))
	d.Press("2")
	d.Sees("baseline, sample 1 of 1", "It is", "Deal is")
	d.Press("/")
	d.Type("status:gone")
	d.Press("enter")
	d.Sees("It is open over there.", "The case has no file any more")

	path := filepath.Join(dir, "outputs", "prod.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(data), "17:30", "18:00")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".docket", "results.db")); err != nil {
		t.Fatal(err)
	}
	s := suiteOf(t, dir, "")
	base, err := s.Baseline()
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := s.Latest(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	diff, err := s.Compare(t.Context(), r, base)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Peek(t.Context(), diff, r, base)
	if err != nil {
		t.Fatal(err)
	}
	o, err := v.Outputs(context.Background(), "q-1")
	if err != nil || len(o.Old) != 0 || !strings.Contains(o.NoOld, "`docket run desk --system prod`") || len(o.New) != 1 {
		t.Errorf("%v, old %d (%s), new %d", err, len(o.Old), o.NoOld, len(o.New))
	}
}
