package decision

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/journal"
)

// wide makes a line with two projections.
func wide(id, label, tools string) []byte {
	l := baseline.Line{ID: id, Version: 1, Input: "sha256:aa", Projections: map[string]any{"label": label, "tools": tools}, Samples: 5}
	return baseline.AppendLine(nil, &l)
}

func TestFromTheJournalToTheBaseline(t *testing.T) {
	m := disktest.NewMemory("/r")
	h := baseline.Header{Format: baseline.Format, Suite: "s", Mode: "live"}
	lines := map[string][]byte{}
	for _, id := range []string{"a", "b", "c", "d"} {
		lines[id] = wide(id, "x", "x")
	}
	if _, err := baseline.Create(m, "/r", &h, lines); err != nil {
		t.Fatal(err)
	}
	f := open(t, m, "/r")
	propose := func(id string) Item {
		i := item(f, id, "")
		i.Proposed = baseline.Dated(wide(id, "y", "y"), "2026-08-11")
		i.Decision.Seen = Seen(lineOf(f, id), wide(id, "y", "y"))
		i.Decision.Changes = append(i.Decision.Changes, Change{Kind: "projection", Of: "tools", Old: "x", New: "y"})
		return i
	}
	at := decidedAt
	c := journal.Config{FS: m, Root: "/r", Name: journal.Name("s", "live"), Subject: f.Hash(), Now: func() time.Time { at = at.Add(time.Second); return at }}
	j, err := journal.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	decide := func(verdict Verdict, reason, part string, ids ...string) {
		g := journal.Group{Verdict: string(verdict), Reason: reason}
		for _, id := range ids {
			g.Entries = append(g.Entries, propose(id).Entry(part))
		}
		if _, err := j.Decide(g); err != nil {
			t.Fatal(err)
		}
	}
	decide(Accept, "policy 12", "", "a", "b")
	decide(Reject, "the tool is needed", "projection:tools", "b") // on top of the accepted case
	decide(Accept, "fine", "projection:label", "c")               // and nothing on its tools
	decide(Reject, "wrong", "", "d")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}

	// Another process writes.
	if j, err = journal.Open(c); err != nil {
		t.Fatal(err)
	}
	apply := func() Outcome {
		items, err := Items(j.Decisions(), open(t, m, "/r"))
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := Apply(request(m, "/r", items...))
		if err != nil || len(outcome.Stale) != 0 {
			t.Fatalf("%+v, %v", outcome, err)
		}
		return outcome
	}
	first := apply()
	if first.Accepted != 3 || first.Rejected != 2 || first.Receipt.Replaced != 3 {
		t.Errorf("the outcome is %+v", first)
	}
	now := open(t, m, "/r")
	for id, want := range map[string][]byte{"a": wide("a", "y", "y"), "b": wide("b", "y", "x"), "c": wide("c", "y", "x"), "d": wide("d", "x", "x")} {
		if id != "d" { // was captured by the run, in part at least
			want = baseline.Dated(want, "2026-08-11")
		}
		if got := lineOf(now, id); string(got) != string(want) {
			t.Errorf("the line of %s is\n%s\nwant\n%s", id, got, want)
		}
	}
	var got []string
	for _, p := range history(t, m, "/r").All {
		var of []string
		for _, c := range p.Changes {
			of = append(of, c.Of)
		}
		got = append(got, fmt.Sprintf("%s %s %s: %s", p.Case, p.Verdict, strings.Join(of, "+"), p.Reason))
	}
	slices.Sort(got)
	want := []string{"a accept label+tools: policy 12", "b accept label: policy 12", "b reject tools: the tool is needed", "c accept label: fine", "d reject label+tools: wrong"}
	if !slices.Equal(got, want) {
		t.Errorf("on record are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	// The process died before it marked the journal: nothing is done twice.
	if again := apply(); again.File != "" || again.Receipt.Written || again.Already != 3 {
		t.Errorf("a second time: %+v", again)
	}
	if err := j.Written(); err != nil {
		t.Fatal(err)
	}
}

func TestAJournalThatIsNotOursIsRefused(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	_, err := Items([]journal.Decision{{Entry: journal.Entry{Row: "a", Payload: []byte(`{"decision":[]}`)}, Verdict: "accept"}}, open(t, m, "/r"))
	if err == nil || !strings.Contains(err.Error(), `the journal's decision on the case "a": column 13: "decision" must be an object`) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkApply(b *testing.B) {
	root := b.TempDir()
	lines := map[string][]byte{}
	for i := range 10_000 {
		id := fmt.Sprintf("case-%05d", i)
		lines[id] = line(id, "x")
	}
	h := baseline.Header{Format: baseline.Format, Suite: "s", Mode: "live"}
	if _, err := baseline.Create(disk.OS{}, root, &h, lines); err != nil {
		b.Fatal(err)
	}
	f := open(b, disk.OS{}, root)
	var items []Item
	for i := 0; i < 10_000; i += 100 {
		items = append(items, item(f, fmt.Sprintf("case-%05d", i), Accept))
	}
	for b.Loop() {
		if _, err := Apply(request(disk.OS{}, root, items...)); err != nil {
			b.Fatal(err)
		}
	}
}
