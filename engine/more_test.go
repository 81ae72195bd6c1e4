package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/run"
)

const (
	overdue  = "Ticket 12345 is overdue."
	paid     = "Ticket 12345 is paid."
	disputed = "Ticket 12345 is disputed."
)

// review runs the system, and opens the decisions on what differs.
func (w scripted) review(o engine.RunOptions) *engine.Review {
	w.t.Helper()
	c := w.compare("", o)
	v, err := c.suite.Review(w.t.Context(), c.Diff, c.run, c.base)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { v.Close() })
	return v
}

// statuses lists the cases of a diff with their status and samples.
func statuses(d *diff.Diff) string {
	var all []string
	for i := range d.Cases {
		c := &d.Cases[i]
		all = append(all, c.ID+" "+string(c.Status)+" "+decision.Samples(c.OldSamples, c.NewSamples))
	}
	return strings.Join(all, ", ")
}

// TestMore takes samples from inside a review: they are added to the run, the
// case is measured over all, decisions on other cases stand, and one on a line
// that is another by now is stale.
func TestMore(t *testing.T) {
	w := newScripted(t, map[string]string{"calm": overdue, "flip": overdue, "moved": overdue}, "")
	w.calibrate("")
	w.says("flip.1", paid)
	w.says("moved", paid)
	v := w.review(engine.RunOptions{Confirm: 2, Samples: 1})
	if got := statuses(v.Diff); got != "flip unsettled 5→3, moved changed 5→3" {
		t.Fatalf("the run shows %s", got)
	}
	if got := v.Unsettled(); len(got) != 1 || got[0] != "flip" {
		t.Errorf("unsettled: %q", got)
	}
	for _, id := range []string{"flip", "moved"} {
		if err := v.Decide([]string{id}, "", decision.Accept, "so be it"); err != nil {
			t.Fatal(err)
		}
	}
	w.says("flip.5", "!")
	w.says("moved.4", "!")
	w.says("moved.5", "!")
	more, err := v.More(t.Context(), engine.MoreOptions{IDs: v.Unsettled(), Samples: 2, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := statuses(more.Diff); got != "flip unsettled 5→4, moved changed 5→3" {
		t.Errorf("after two more samples: %s", got)
	}
	if got := statuses(v.Diff); got != "flip unsettled 5→3, moved changed 5→3" {
		t.Errorf("the review before shows %s", got)
	}
	c, _ := more.Case("flip")
	if _, new := c.Changes[0].Sides(c.OldSamples, c.NewSamples); new != "overdue 3, paid 1 of 4" {
		t.Errorf("flip is %s", new)
	}
	if stands, stale := more.Decisions(), more.Stale(); len(stands) != 1 || stands[0].Row != "moved" || len(stale) != 1 || stale[0].Row != "flip" {
		t.Errorf("%+v stand, %+v are stale", stands, stale)
	}
	if err := more.Decide([]string{"flip"}, "", decision.Reject, "it flips"); err != nil {
		t.Fatal(err)
	}

	// One of which none succeeds does not cost the others theirs.
	again, err := more.More(t.Context(), engine.MoreOptions{IDs: []string{"moved", "flip"}, Samples: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := statuses(again.Diff); got != "flip unsettled 5→5, moved changed 5→3" {
		t.Errorf("after one more sample: %s", got)
	}
	if notes := again.Notes(); len(notes) == 0 || notes[0] != `no further sample of case "moved" succeeded, and none was added: down: ` {
		t.Errorf("notes: %q", notes)
	}
	if _, err := again.More(t.Context(), engine.MoreOptions{IDs: []string{"moved"}, Samples: 2}); err == nil || !strings.Contains(err.Error(), "none was added: down") {
		t.Errorf("all failed: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := again.More(stopped, engine.MoreOptions{IDs: []string{"flip"}, Samples: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}

	// The store has the run as the review shows it.
	stored, err := w.open("").StoredRun(t.Context(), again.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := statuses(w.against(w.open(""), stored).Diff); got != "flip unsettled 5→5, moved changed 5→3" {
		t.Errorf("the store says %s", got)
	}
	outputs, err := again.Outputs(t.Context(), "flip")
	if err != nil || len(outputs.New) != 6 || outputs.New[4].Error == "" || outputs.New[5].Number != 6 {
		t.Errorf("the answers are %+v, %v", outputs.New, err)
	}

	// What is written is what the last review shows.
	if err := again.Decide([]string{"flip"}, "", decision.Accept, "it flips"); err != nil {
		t.Fatal(err)
	}
	outcome, err := again.Write(t.Context())
	if err != nil || outcome.Accepted != 2 || len(outcome.Stale) != 0 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	// The label that flipped is no longer stable, by decision.
	line := lines(t, w.baseline("live"))["flip"]
	if !strings.Contains(line, `"unstable":{"label":{"overdue":4,"paid":1}}`) || strings.Contains(line, `"label":"overdue"`) {
		t.Errorf("the line is %s", line)
	}
	for range 2 { // and neither value is a change any more
		if c := w.compare("", engine.RunOptions{Samples: 1}); strings.Contains(statuses(c.Diff), "flip") {
			t.Errorf("a demoted label is %s", statuses(c.Diff))
		}
		w.says("flip.1", overdue)
	}
}

// TestMoreIsRefused where the samples would not belong to the run.
func TestMoreIsRefused(t *testing.T) {
	for _, test := range []struct {
		what   string
		change func(w scripted, v *engine.Review)
		want   string
	}{
		{"another prompt, parameter or model", func(w scripted, v *engine.Review) {
			w.configure(", model: acorn-2, params: {temperature: 1}")
			reopen(t, w, v)
		}, "model, params changed since run"},
		{"an edited case", func(w scripted, v *engine.Review) {
			w.write("cases/00000.yaml", caseYAML(t, testCase{ID: "a", Input: map[string]any{"mail": "Is ticket 777 paid?"}}))
			reopen(t, w, v)
		}, `case "a" was edited since run`},
		{"outputs that are not here any more", func(w scripted, v *engine.Review) {
			v.Run.ID = "20200101T000000Z-0000"
		}, "the answers of run 20200101T000000Z-0000 are not on this machine"},
		{"a case that is not there", func(w scripted, v *engine.Review) {
			v.Run.Results = []run.Result{}
		}, `case "a" was not measured in run`},
	} {
		t.Run(test.what, func(t *testing.T) {
			w := newScripted(t, map[string]string{"a": overdue}, "")
			w.calibrate("")
			w.says("a", paid)
			v := w.review(engine.RunOptions{})
			test.change(w, v)
			if _, err := v.More(t.Context(), engine.MoreOptions{IDs: []string{"a"}, Samples: 1}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

// TestMoreAsksTheServicesOfTheRun takes further samples with the services
// answered as they were in the run, whatever the review was opened with.
func TestMoreAsksTheServicesOfTheRun(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue}, "")
	says, asked := overdue, 0
	search := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		asked++
		io.WriteString(rw, says)
	}))
	defer search.Close()
	bare := w.read(".docket.yaml")
	given := bytes.Replace(bare, []byte("env: {"), []byte(`env: {SEARCH_URL: '{{service "search"}}', `), 1)
	given = fmt.Appendf(given, "services:\n  search: {url: %q}\n", search.URL)
	w.write(".docket.yaml", given)
	with := func(services string) *engine.Suite {
		s := w.open("")
		must(t, s.AnswerServices(services))
		return s
	}
	recorded, err := with("record").Run(t.Context(), engine.RunOptions{Samples: 1})
	must(t, err)
	_, err = with("replay").Calibrate(t.Context(), engine.RunOptions{Samples: 1})
	must(t, err)
	says = paid
	live, err := with("live").Run(t.Context(), engine.RunOptions{Samples: 1})
	must(t, err)
	before := asked

	review := func(r *run.Run) *engine.Review {
		c := w.against(w.open(""), r)
		v, err := c.suite.Review(t.Context(), c.Diff, c.run, c.base)
		must(t, err)
		t.Cleanup(func() { v.Close() })
		return v
	}
	v := review(live.Run)
	more, err := v.More(t.Context(), engine.MoreOptions{IDs: []string{"a"}, Samples: 2})
	must(t, err)
	if got := statuses(more.Diff); got != "a changed 1→3" || asked != before+2 {
		t.Errorf("%s after the service was asked %d times more", got, asked-before)
	}
	w.write(".docket.yaml", bare)
	reopen(t, w, more)
	_, err = more.More(t.Context(), engine.MoreOptions{IDs: []string{"a"}, Samples: 1})
	fails(t, err, "which services system app is given changed since run "+live.Run.ID)
	w.write(".docket.yaml", given)
	must(t, more.Close())
	_, err = review(recorded.Run).More(t.Context(), engine.MoreOptions{IDs: []string{"a"}, Samples: 1})
	fails(t, err, "run "+recorded.Run.ID+" recorded", "--mode replay")
}

func reopen(t *testing.T, w scripted, v *engine.Review) {
	t.Helper()
	v.Suite = w.open("")
}

// TestOutputsGiveNoMore: a file says so in a sentence.
func TestOutputsGiveNoMore(t *testing.T) {
	w := newWorkspace(t, []testCase{{ID: "a"}}, "labels: [paid, overdue]", map[string][]byte{
		"old": []byte(`{"id":"a","text":"It is paid."}` + "\n"),
		"new": []byte(`{"id":"a","text":"It is overdue."}` + "\n"),
	})
	w.calibrate("old")
	v := scripted{w}.reviewOf("new")
	_, err := v.More(t.Context(), engine.MoreOptions{IDs: []string{"a"}, Samples: 2})
	if !errors.Is(err, engine.ErrNoMore) || !strings.Contains(err.Error(), "the answers of system new stand in a file") {
		t.Error(err)
	}
}

func (w scripted) reviewOf(system string) *engine.Review {
	w.t.Helper()
	c := w.compare(system, engine.RunOptions{})
	v, err := c.suite.Review(w.t.Context(), c.Diff, c.run, c.base)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { v.Close() })
	return v
}
