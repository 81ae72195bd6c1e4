package review_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/tui"
	"docket/tui/list"
	"docket/tui/review"
)

// action finds what a key of the screen's own does.
func action(t *testing.T, s *review.Screen, key string) tui.Action {
	t.Helper()
	actions := s.Spec().Actions
	at := slices.IndexFunc(actions, func(a tui.Action) bool { return a.Key == key })
	if at < 0 {
		t.Fatalf("no action has the key %s", key)
	}
	return actions[at]
}

// TestTakeMore asks for samples of the marked cases, of the one under the
// cursor, or of all that are unsettled, and shows the screen that results.
func TestTakeMore(t *testing.T) {
	o := options(t)
	var asked []string
	var failure error
	o.More = func(_ context.Context, ids []string) (review.Options, error) {
		asked = ids
		next := o
		less := *o.Diff
		less.Cases = less.Cases[:1]
		next.Diff = &less
		return next, failure
	}
	s := review.New(o)
	take := action(t, s, "s")
	row := &list.Row{ID: o.Diff.Cases[0].ID}

	for _, test := range []struct {
		what string
		at   tui.At
		want []string
	}{
		{"the case under the cursor", tui.At{Row: row}, []string{row.ID}},
		{"the marked", tui.At{Row: row, Marked: []string{"x", "y"}}, []string{"x", "y"}},
		{"all that are unsettled", tui.At{}, unsettled(o)},
	} {
		asked = nil
		e := take.Do(test.at)
		if len(test.want) == 0 {
			if e.Work != nil {
				t.Errorf("%s: there are none, and somebody is asked", test.what)
			}
			continue
		}
		if e.Work == nil || !strings.Contains(e.Notice, "taking 2 more samples of") {
			t.Fatalf("%s: %+v", test.what, e)
		}
		if done := e.Work(t.Context()); !slices.Equal(asked, test.want) || !done.Regroup || done.Then == nil || done.Failed {
			t.Errorf("%s: asked of %q, want %q; then %+v", test.what, asked, test.want, done)
		}
	}

	failure = errors.New("the system is down")
	if e := take.Do(tui.At{Row: row}).Work(t.Context()); !e.Failed || e.Then != nil || e.Notice != "the system is down" {
		t.Errorf("a failure: %+v", e)
	}
	failure = nil
	before := rows(s)
	take.Do(tui.At{Row: row}).Work(t.Context()).Then()
	if after := rows(s); after != 1 || before <= 1 {
		t.Errorf("%d rows before, %d after", before, after)
	}
}

func rows(s *review.Screen) int {
	n := 0
	for _, g := range s.Groups(0) {
		n += len(g.Rows)
	}
	return n
}

func unsettled(o review.Options) []string {
	var ids []string
	for i := range o.Diff.Cases {
		if o.Diff.Cases[i].Status == "unsettled" {
			ids = append(ids, o.Diff.Cases[i].ID)
		}
	}
	return ids
}

// TestNobodyToAsk: with two files, and where another process decides, the key
// says why it does nothing.
func TestNobodyToAsk(t *testing.T) {
	o := options(t)
	take := action(t, review.New(o), "s")
	if e := take.Do(tui.At{}); !e.Failed || !strings.Contains(e.Notice, "nobody can be asked") || e.Work != nil {
		t.Errorf("two files: %+v", e)
	}
	o.More = func(context.Context, []string) (review.Options, error) { return o, nil }
	o.ReadOnly = "for reading only: pid 1"
	if e := action(t, review.New(o), "s").Do(tui.At{}); !e.Failed || e.Notice != o.ReadOnly {
		t.Errorf("for reading only: %+v", e)
	}
}

// options are those of a screen over the library.
func options(t *testing.T) review.Options {
	t.Helper()
	l := newLibrary()
	return review.Options{Diff: l.diff(t), Evidence: l, Session: &memory{}, Command: "docket review desk"}
}
