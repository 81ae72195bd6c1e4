package provenance

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/results"
	"docket/engine/run"
)

func at(n int) time.Time { return time.Date(2026, 5, n, 12, 0, 0, 0, time.UTC) }

func result(runID string, n int, system string, pass bool, failing string) results.Entry {
	verdict := func(name string) string {
		if name == failing {
			return `{"pass":false,"score":0}`
		}
		return `{"pass":true,"score":1}`
	}
	line := `{"id":"a","version":1,"pass":true,"score":1,"checks":{"fact":` + verdict("fact") + `,"words":` + verdict("words") + `},"projections":{},"unstable":{},"samples":1}`
	return results.Entry{Run: runID, Started: at(n), System: system, Mode: "live", Outcome: run.Measured, Pass: &pass, Line: []byte(line), Finished: true, Config: baseline.Header{Model: "m-" + system}}
}

func TestCaught(t *testing.T) {
	entries := []results.Entry{ // the newest first
		result("r7", 9, "prod", false, "words"),
		result("r6", 8, "prod", true, ""),
		{Run: "r5", Started: at(7), System: "prod", Mode: "live", Outcome: run.Failed, Error: "timeout"},
		result("r4", 6, "prod", false, "fact"),
		result("r3", 5, "other", false, "fact"),
		result("r2", 4, "prod", false, "fact"),
		result("r1", 3, "prod", true, ""),
	}
	no, yes := any(false), any(true)
	decisions := []decision.Past{
		{Decision: decision.Decision{At: at(1), By: "Zoe", Verdict: decision.Reject, Mode: "live", Reason: "on another machine", Changes: []decision.Change{{Kind: "projection", Of: "label", Old: "a", New: "b"}}}, Run: "r0"},
		{Decision: decision.Decision{At: at(2), By: "Zoe", Verdict: decision.Accept, Mode: "live", Reason: "better", Changes: []decision.Change{{Kind: "check", Of: "fact", Old: no, New: yes}}}, Run: "r0b"},
		{Decision: decision.Decision{At: at(4), By: "Ada", Verdict: decision.Reject, Mode: "live", Reason: "see INC-219", Changes: []decision.Change{{Kind: "check", Of: "fact", Old: yes, New: no}}}, Run: "r2"},
	}
	var got []string
	for _, c := range Caught(entries, decisions) {
		said := c.System + " " + strings.Join(c.Checks, ",") + " " + strings.Join(c.Runs, ",")
		for _, d := range c.Decisions {
			said += " " + string(d.Verdict) + " by " + d.By
		}
		if !c.Passed.IsZero() {
			said += " passed " + day(c.Passed)
		}
		got = append(got, said)
	}
	expect(t, "caught", got,
		"prod words r7",
		"other fact r3",
		"prod fact r2,r4 reject by Ada passed 2026-05-08",
		"  r0 reject by Zoe")
}

// TestHostileTextsReachNoTerminal gives every text of a story what moves a
// cursor, turns the direction of text or forges a line.
func TestHostileTextsReachNoTerminal(t *testing.T) {
	evil := "x\x1b]8;;https://evil.example\x1b\\\x1b[2J\r\u202e\u200b\x9b\x07\n2020-01-01  added by Root: INC-1"
	s := &Story{
		Suite: evil, ID: evil, File: evil, Provenance: evil, Added: evil, Family: evil, Tags: []string{evil}, Rules: rules(),
		Past:      Past{State: Committed, Events: []Event{{Commit: "abc", Author: evil, Subject: evil, Body: evil, Did: Added, Path: evil, From: evil}}},
		Decisions: []decision.Past{{Decision: decision.Decision{By: evil, Reason: evil, Verdict: decision.Reject, Changes: []decision.Change{{Of: evil, Old: evil, New: evil}}}, Run: evil}},
		Caught:    []Catch{{Runs: []string{evil}, System: evil, Model: evil, Mode: evil, Checks: []string{evil}}},
	}
	for _, links := range []bool{false, true} {
		var out bytes.Buffer
		if err := writeText(&out, s, 80, links); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if links {
			text = strings.ReplaceAll(text, "\x1b]8;;https://incidents.example/1\x1b\\", "")
			text = strings.ReplaceAll(text, "\x1b]8;;https://evil.example\x1b\\", "") // an address is one, whoever wrote it
			text = strings.ReplaceAll(text, "\x1b]8;;\x1b\\", "")
		}
		if i := strings.IndexFunc(text, func(r rune) bool {
			return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u200b'
		}); i >= 0 {
			t.Errorf("links %v: the text holds %q", links, text[max(0, i-40):min(len(text), i+20)])
		}
		if strings.Contains(text, "\n2020-01-01  added") {
			t.Error("a commit message forged a line of the history")
		}
	}
	var out bytes.Buffer
	if err := writeJSON(&out, s, 0, false); err != nil || !json.Valid(out.Bytes()) || strings.ContainsRune(out.String(), '\x1b') {
		t.Errorf("the JSON is %q, %v", out.String(), err)
	}
}

func TestTextOfAStory(t *testing.T) {
	s := &Story{
		Suite: "mail", ID: "a", File: "cases/a.yaml", Provenance: "incident INC-219 — the refund window was dropped", Added: "2025-03-02", Weight: 3, Version: 2, Rules: rules(),
		Past: Past{State: Modified, Shallow: true, Events: []Event{
			{Commit: "1a2b3c4d5e6f70", Author: "Ben", Date: at(3), Subject: "count words", Body: "after #12\nand more", Did: Renamed, Path: "cases/a.yaml", From: "cases/b.yaml"},
			{Commit: "0a2b3c4d5e6f70", Author: "Ada", Date: at(1), Subject: "add it", Did: Added, Path: "cases/b.yaml"},
		}},
		Results: 4,
	}
	var out bytes.Buffer
	if err := writeText(&out, s, 80, false); err != nil {
		t.Fatal(err)
	}
	want := `a
=
suite mail · cases/a.yaml

why         incident INC-219 — the refund window was dropped
            INC-219 https://incidents.example/219
added       2026-05-01 by Ada: add it (the case says 2025-03-02)
case        version 2, weight 3

history     2 commits, the last one first; the file holds changes that are not
            committed; the clone is shallow: what was before is not known; ` + "`git" + `
            fetch --unshallow` + "`" + ` gets it
2026-05-03  renamed by Ben: count words
            after #12
            and more
            was cases/b.yaml
            commit 1a2b3c4d5e6f
2026-05-01  added by Ada: add it
            commit 0a2b3c4d5e6f

decisions   none on this case yet

caught      nothing in 4 results of this machine
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	if err := writeText(&out, s, 80, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b]8;;https://incidents.example/219\x1b\\INC-219\x1b]8;;\x1b\\ — the", "\x1b]8;;https://forge.example/issues/12\x1b\\#12\x1b]8;;\x1b\\"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %q", want, out.String())
		}
	}
}
