package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"docket/engine/baseline"
	"docket/engine/export"
	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/run"
)

// stored draws a run: cases with samples that answered, called tools, or failed.
func stored(t *rapid.T) *export.Run {
	text := rapid.StringMatching(`[ -~äß田<>&\n\t\x{1b}\x{7f}\x{9b}\x{200b}\x{202e}\x{fe0f}\x{feff}\x{e0041}]{0,20}`)
	r := &export.Run{Run: &run.Run{ID: "20260811T102203Z-7f3a", Started: time.Unix(1786443723, 0), Config: baseline.Header{Format: 1, Suite: "desk", Mode: "live", System: "prod"}}}
	ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9é/\[\]:]{1,12}`), 1, 5, func(s string) string { return s }).Draw(t, "ids")
	for _, id := range ids {
		c := export.Case{Result: run.Result{ID: id, Version: 1, Outcome: run.Measured}, Input: map[string]any{"q": text.Draw(t, "q") + id}}
		for n := 1; n <= rapid.IntRange(1, 3).Draw(t, "samples"); n++ {
			s := run.Sample{Number: n}
			if rapid.Bool().Draw(t, "failed") {
				s.Error = "HTTP 529 " + text.Draw(t, "error")
				c.Samples = append(c.Samples, s)
				continue
			}
			s.Output = output.Output{Text: text.Draw(t, "text"), Model: "m"}
			if rapid.Bool().Draw(t, "calls") {
				s.Output.ToolCalls = []output.ToolCall{{Name: "look_up", Arguments: json.RawMessage(`{"id":7}`)}}
			}
			if rapid.Bool().Draw(t, "priced") {
				cost, in := float64(rapid.IntRange(1, 99).Draw(t, "cost"))/1000, rapid.Int64Range(1, 999).Draw(t, "tokens")
				s.Output.CostUSD, s.Output.InputTokens, s.Output.OutputTokens, s.Output.LatencyMS = &cost, &in, &in, &cost
			}
			pass := rapid.Bool().Draw(t, "pass")
			score := 0.25
			if pass {
				score = 1
			}
			s.Pass, s.Score = &pass, &score
			s.Checks = []run.Verdict{{Check: "promptfoo:facts", Pass: pass, Score: score, Message: text.Draw(t, "why")}}
			c.Samples = append(c.Samples, s)
		}
		r.Cases = append(r.Cases, c)
	}
	return r
}

// TestNothingHidden: what reads the JSON forms gets the text of a model, and what
// shows them on a terminal gets nothing that drives it, hides or turns round.
// XML gets what it allows.
func TestNothingHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := stored(t)
		for _, name := range []string{"json", "jsonl", "promptfoo", "inspect", "junit"} {
			text := string(write(t, name, r))
			if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }) {
				t.Errorf("%s holds what a terminal would obey or not show: %q", name, text)
			}
		}
		var all struct {
			Cases []struct{ Samples []struct{ Text string } }
		}
		if err := json.Unmarshal(write(t, "json", r), &all); err != nil {
			t.Fatal(err)
		}
		for i, c := range r.Cases {
			for j, s := range c.Samples {
				if got := all.Cases[i].Samples[j].Text; got != s.Output.Text {
					t.Errorf("%q comes back as %q", s.Output.Text, got)
				}
			}
		}
	})
}

func write(t interface{ Fatal(...any) }, name string, r *export.Run) []byte {
	f, err := export.FormatNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestReadBack says that what is written as outputs, for promptfoo and for
// Inspect is read back with the same answers and, where the form has verdicts,
// the same verdicts.
func TestReadBack(t *testing.T) {
	for _, name := range []string{"jsonl", "promptfoo", "inspect"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r := stored(t)
				file, err := interchange.Read(context.Background(), name, bytes.NewReader(write(t, name, r)))
				if err != nil {
					t.Fatal(err)
				}
				i := 0
				for _, c := range r.Cases {
					for _, s := range c.Samples {
						row := file.Rows[i]
						i++
						if row.ID != c.ID || row.Sample != s.Number || (row.Error == "") != (s.Error == "") || row.Output.Text != s.Output.Text {
							t.Fatalf("%s, sample %d: wrote %+v, read %+v", c.ID, s.Number, s, row)
						}
						if name == "jsonl" && (row.Error != s.Error || !reflect.DeepEqual(row.Output, s.Output) || !reflect.DeepEqual(row.Input, c.Input)) {
							t.Fatalf("wrote %+v, read %+v", s, row)
						}
						if len(row.Output.ToolCalls) != len(s.Output.ToolCalls) {
							t.Fatalf("wrote %d calls, read %d", len(s.Output.ToolCalls), len(row.Output.ToolCalls))
						}
						if name == "jsonl" || s.Error != "" {
							continue
						}
						if len(row.Checks) != 1 || row.Checks[0].Pass == nil || *row.Checks[0].Pass != *s.Pass {
							t.Fatalf("wrote %+v, read %+v", s.Checks, row.Checks)
						}
						if name == "promptfoo" && (row.Checks[0].Name != "promptfoo:facts" || *row.Checks[0].Score != *s.Score) {
							t.Fatalf("wrote %+v, read %+v", s.Checks, row.Checks)
						}
					}
				}
				if i != len(file.Rows) {
					t.Fatalf("wrote %d samples, read %d", i, len(file.Rows))
				}
			})
		})
	}
}

// TestSpreadsheets says that no cell is a formula and every text is kept.
func TestSpreadsheets(t *testing.T) {
	hostile := []string{"=HYPERLINK(\"http://x\")", "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "＝1", " =1"}
	r := &export.Run{Run: &run.Run{}}
	for _, text := range append(hostile, "-3.5", "plain", "") {
		r.Cases = append(r.Cases, export.Case{Result: run.Result{ID: "c" + text, Outcome: run.Measured, Samples: []run.Sample{{Number: 1, Output: output.Output{Text: text}}}}})
	}
	rows, err := csv.NewReader(bytes.NewReader(write(t, "csv", r))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range hostile {
		if got := rows[i+1][5]; got != "'"+text {
			t.Errorf("%q stands as %q", text, got)
		}
	}
	if got := rows[len(hostile)+1][5]; got != "-3.5" {
		t.Errorf("a number stands as %q", got)
	}
}

func TestEveryOutcome(t *testing.T) {
	no := false
	r := &export.Run{Run: &run.Run{Config: baseline.Header{Suite: "desk\x1b[31m"}}, Cases: []export.Case{
		{Result: run.Result{ID: "a", Outcome: run.Measured, Samples: []run.Sample{{Number: 1, Pass: &no, Checks: []run.Verdict{{Check: "label", Message: "\x1b]0;x\a<b>"}}}}}},
		{Result: run.Result{ID: "b", Outcome: run.Failed, Error: "HTTP 529"}},
		{Result: run.Result{ID: "c", Outcome: run.NotRun}},
	}}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junit := write(t, "junit", r)
	if err := xml.Unmarshal(junit, &suite); err != nil {
		t.Fatal(err)
	}
	if suite.Tests != 3 || suite.Failures != 1 || suite.Errors != 1 || suite.Skipped != 1 {
		t.Errorf("got %+v", suite)
	}
	if strings.ContainsAny(string(junit), "\x1b\a") {
		t.Error("a control character is in the XML")
	}
	if lines := string(write(t, "jsonl", r)); strings.Count(lines, "\n") != 2 || !strings.Contains(lines, `"error":"HTTP 529"`) {
		t.Errorf("got %s", lines)
	}
}
