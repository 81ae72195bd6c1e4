package diff_test

import (
	"fmt"
	"testing"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/run"
)

// TestAge: the age of a baseline is that of its oldest line. Accepting one case
// refreshes nothing, and having captured every line anew does.
func TestAge(t *testing.T) {
	on := func(day string) func(*baseline.Line) {
		return func(l *baseline.Line) { l.Captured = day }
	}
	for _, test := range []struct {
		what              string
		captured, expires string // of the header
		lines             [2]string
		oldest, ground    string
	}{
		{"lines as old as the header", "2026-05-01", "2026-07-30", [2]string{"", ""}, "2026-05-01", "age captured 2026-05-01, expired 2026-07-30 → 2026-08-11"},
		{"one line is younger", "2026-05-01", "2026-07-30", [2]string{"2026-08-01", ""}, "2026-05-01", "age captured 2026-05-01, expired 2026-07-30 → 2026-08-11"},
		{"all lines are younger", "2026-05-01", "2026-07-30", [2]string{"2026-08-01", "2026-06-01"}, "2026-06-01", ""},
		{"and have expired too", "2026-01-01", "2026-04-01", [2]string{"2026-02-01", "2026-02-02"}, "2026-02-01", "age captured 2026-02-01, expired 2026-05-02 → 2026-08-11"},
		{"a line that a recapture left behind", "2026-08-01", "2026-10-30", [2]string{"2026-01-01", ""}, "2026-01-01", ""},
		{"never", "2020-01-01", "never", [2]string{"", ""}, "2020-01-01", ""},
		{"a header that says nothing", "", "", [2]string{"2026-02-01", ""}, "", ""},
		{"a day that is none", "2026-05-01", "soon", [2]string{"x", "2026-06-01"}, "2026-06-01", ""},
	} {
		t.Run(test.what, func(t *testing.T) {
			a, b := line("a", on(test.lines[0])), line("b", on(test.lines[1]))
			f := file(t, a, b)
			f.Header.Captured, f.Header.Expires = test.captured, test.expires
			d := compare(t, f, ran(result(line("a", nil)), result(line("b", nil))))
			ground := ""
			for _, g := range d.Grounds {
				ground += g.String()
			}
			if d.Oldest != test.oldest || ground != test.ground {
				t.Errorf("oldest %q, grounds %q; want %q, %q", d.Oldest, ground, test.oldest, test.ground)
			}
			if len(d.Cases) != 0 {
				t.Errorf("the day on which a line was captured was compared: %+v", d.Cases)
			}
		})
	}
}

// TestRecordingsThatChangedWithThePrompt are a ground: nobody could tell what a
// change comes from. Alone they are named.
func TestRecordingsThatChangedWithThePrompt(t *testing.T) {
	old := baseline.Header{Format: 1, Suite: "s", Mode: "replay", Prompt: "sha256:p", Recordings: "sha256:r"}
	for _, test := range []struct {
		what          string
		edit          func(*baseline.Header)
		ground, named string
	}{
		{"alone", func(h *baseline.Header) { h.Recordings = "sha256:s" }, "", "recordings"},
		{"with the prompt", func(h *baseline.Header) { h.Recordings, h.Prompt = "sha256:s", "sha256:q" }, "recordings", "prompt"},
		{"with the tools", func(h *baseline.Header) { h.Recordings, h.Tools = "sha256:s", "sha256:t" }, "recordings", "tools"},
		{"the prompt alone", func(h *baseline.Header) { h.Prompt = "sha256:q" }, "", "prompt"},
	} {
		t.Run(test.what, func(t *testing.T) {
			new := old
			test.edit(&new)
			r := ran(result(line("a", nil)))
			r.Config = new
			f := file(t, line("a", nil))
			f.Header = old
			d := compare(t, f, r)
			if fields(d.Grounds) != test.ground || fields(d.Named) != test.named {
				t.Errorf("grounds %q, named %q", fields(d.Grounds), fields(d.Named))
			}
		})
	}
}

// TestTheOldSideMeasuredAgain: what is shown is compared with the new measure of
// the old outputs, and decisions stay bound to the line that is written.
func TestTheOldSideMeasuredAgain(t *testing.T) {
	o := options(t)
	asked := 0
	o.Measured = func(id string, _ []byte) []byte {
		if asked++; id != "a" {
			return nil
		}
		return bytesOf(line("a", labelled("paid")))
	}
	o.Today = today
	f := file(t, line("a", nil), line("b", nil), line("c", nil))
	d, err := diff.Compare(f, ran(result(line("a", labelled("paid"))), result(line("b", labelled("paid"))), result(line("c", nil))), o)
	if err != nil {
		t.Fatal(err)
	}
	if asked != 2 || d.Remeasured != 1 || d.AsCaptured != 1 || len(d.Cases) != 1 || d.Cases[0].ID != "b" {
		t.Errorf("asked %d times; %d measured again, %d as captured; listed %+v", asked, d.Remeasured, d.AsCaptured, d.Cases)
	}
	if string(d.Cases[0].OldLine) != string(f.Lines[1].Bytes) {
		t.Error("the case is bound to another line than the baseline's")
	}
}

// TestKnowledge: where the recordings changed alone, every change is tagged so;
// a run that left out cases used other recordings and says nothing of them.
func TestKnowledge(t *testing.T) {
	header := baseline.Header{Format: 1, Suite: "s", Mode: "replay", Prompt: "sha256:p", Recordings: "sha256:r"}
	for _, test := range []struct {
		name  string
		edit  func(*run.Run)
		tags  string
		named string
	}{
		{"the same recordings", func(*run.Run) {}, "[]", ""},
		{"other recordings", func(r *run.Run) { r.Config.Recordings = "sha256:s" }, "[knowledge]", "recordings"},
		{"other recordings and another prompt", func(r *run.Run) { r.Config.Recordings, r.Config.Prompt = "sha256:s", "sha256:q" }, "[]", "prompt"},
		{"a filtered run", func(r *run.Run) { r.Config.Recordings, r.Whole = "sha256:s", false }, "[]", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := file(t, line("a", nil))
			f.Header = header
			r := ran(result(line("a", func(l *baseline.Line) { l.Projections["label"] = "paid" })))
			r.Config = header
			test.edit(r)
			d := compare(t, f, r)
			if got := fmt.Sprint(d.Cases[0].Changes[0].Tags); got != test.tags {
				t.Errorf("tags %s, want %s", got, test.tags)
			}
			if got := fields(d.Named); got != test.named {
				t.Errorf("named %q, want %q", got, test.named)
			}
		})
	}
}
