package history

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"docket/engine/phrase"
	"docket/engine/results"
	"docket/engine/safetext"
)

// A Page is what is written: timelines with what they are about.
type Page struct {
	Suite string
	// One says that one case was asked for, so that each of its results is
	// written; else each case has a line.
	One   bool
	About string // what was asked for, such as "failing since 2026-09-01"; may be empty
	Cases []Timeline
}

// A Format writes a page.
type Format struct {
	Name  string
	Write func(w io.Writer, p *Page) error
}

// Formats returns the formats of a history, the default first.
func Formats() []Format { return []Format{{"text", writeText}, {"json", writeJSON}} }

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}

const clock = "2006-01-02 15:04"

func writeText(out io.Writer, p *Page) error {
	w := bufio.NewWriter(out)
	if p.One {
		for i := range p.Cases {
			writeCase(w, p.Suite, &p.Cases[i])
		}
		return w.Flush()
	}
	title := safetext.Line(p.Suite) + " · " + phrase.Count(len(p.Cases), "case", "cases")
	if p.About != "" {
		title += " · " + safetext.Line(p.About)
	}
	fmt.Fprintln(w, title)
	for i := range p.Cases {
		t := &p.Cases[i]
		last := &t.Entries[len(t.Entries)-1]
		fmt.Fprintf(w, "\n%s\n  %s  %s in %s\n  %s\n", safetext.Line(t.Case), Spark(t.Entries, 40), VerdictOf(last), phrase.Count(len(t.Entries), "result", "results"), Story(t))
	}
	return w.Flush()
}

// Story answers in one sentence whether a case ever passed, and since when it
// does what it does.
func Story(t *Timeline) string {
	switch {
	case t.FailingSince != nil && t.LastPassed == nil:
		return "failing since " + when(t.FailingSince) + ", its first result; it never passed"
	case t.FailingSince != nil:
		return "failing since " + when(t.FailingSince) + "; it last passed " + when(t.LastPassed)
	case t.LastPassed == nil:
		return "it never passed, and never failed"
	}
	var lost *results.Entry
	for i := range t.Entries {
		if e := &t.Entries[i]; VerdictOf(e) == Failed {
			lost = e
		}
	}
	if lost == nil {
		return "it passed whenever it was judged, first " + when(t.FirstPassed)
	}
	return "it passes, and last failed " + when(lost)
}

// when names a result by its day, its system and the model that answered.
func when(e *results.Entry) string {
	text := e.Started.Local().Format(time.DateOnly) + " under " + safetext.Line(e.System)
	if model := Model(e); model != "" {
		text += " (" + safetext.Line(model) + ")"
	}
	return text
}

// Model is what answered, or else what was asked for; "" where neither is
// known.
func Model(e *results.Entry) string {
	if len(e.Config.Answered) > 0 {
		return strings.Join(e.Config.Answered, ", ")
	}
	return e.Config.Model
}

func writeCase(w io.Writer, suite string, t *Timeline) {
	fmt.Fprintf(w, "%s · %s · %s\n%s\n", safetext.Line(suite), safetext.Line(t.Case), phrase.Count(len(t.Entries), "result", "results"), Story(t))
	fmt.Fprintf(w, "score %s\n\n", Spark(t.Entries, 60))
	head := []string{"when", "system", "model", "mode", "result", "score", "cost", "latency"}
	rows := [][]string{head}
	m := len(t.Marks) - 1
	for i := len(t.Entries) - 1; i >= 0; i-- {
		e := &t.Entries[i]
		// What happened after a result stands above it, since the newest is first.
		for ; m >= 0 && t.Marks[m].At.After(e.Started); m-- {
			rows = append(rows, []string{"  " + t.Marks[m].At.Local().Format(time.DateOnly) + " " + safetext.Line(t.Marks[m].Text)})
		}
		rows = append(rows, row(e))
		for ; m >= 0 && t.Marks[m].At.Equal(e.Started); m-- {
			rows = append(rows, []string{"  since then " + safetext.Line(t.Marks[m].Text)})
		}
	}
	for ; m >= 0; m-- {
		rows = append(rows, []string{"  " + t.Marks[m].At.Local().Format(time.DateOnly) + " " + safetext.Line(t.Marks[m].Text)})
	}
	widths := make([]int, len(head))
	for _, r := range rows {
		for i, v := range r {
			if len(r) == len(head) {
				widths[i] = max(widths[i], len([]rune(v)))
			}
		}
	}
	for _, r := range rows {
		if len(r) == 1 {
			fmt.Fprintln(w, r[0])
			continue
		}
		line := ""
		for i, v := range r {
			line += v + strings.Repeat(" ", widths[i]-len([]rune(v))+2)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// row spells one result.
func row(e *results.Entry) []string {
	result := string(VerdictOf(e))
	if e.Judged > 1 {
		result = fmt.Sprintf("%s %d/%d", result, e.Passes, e.Judged)
	}
	if !e.Finished {
		result += ", cut short"
	}
	score, cost, latency := "", "", ""
	if e.Score != nil {
		score = strconv.FormatFloat(*e.Score, 'f', 3, 64)
	}
	if e.Priced > 0 && e.Priced == e.Samples {
		cost = "$" + strconv.FormatFloat(e.CostUSD, 'g', 2, 64)
	}
	if e.LatencyMS != nil {
		latency = strconv.FormatFloat(*e.LatencyMS, 'f', 0, 64) + " ms"
	}
	return []string{e.Started.Local().Format(clock), safetext.Line(e.System), safetext.Line(phrase.Abridge(Model(e), 28)), e.Mode, result, score, cost, latency}
}

// The types below are the documented JSON, format 1. What is unknown is null.
type jsonPage struct {
	Format int        `json:"format"`
	Suite  string     `json:"suite"`
	Cases  []jsonCase `json:"cases"`
}

type jsonCase struct {
	ID           string       `json:"id"`
	FirstPassed  *string      `json:"first_passed"`
	LastPassed   *string      `json:"last_passed"`
	FailingSince *string      `json:"failing_since"`
	Results      []jsonResult `json:"results"`
	Marks        []jsonMark   `json:"marks"`
}

type jsonResult struct {
	Run       string   `json:"run"`
	At        string   `json:"at"`
	System    string   `json:"system"`
	Model     string   `json:"model"`
	Mode      string   `json:"mode"`
	Version   int      `json:"version"`
	Verdict   Verdict  `json:"verdict"`
	Passes    int      `json:"passes"`
	Judged    int      `json:"judged"`
	Samples   int      `json:"samples"`
	Score     *float64 `json:"score"`
	CostUSD   *float64 `json:"cost_usd"`
	LatencyMS *float64 `json:"latency_ms"`
	Error     string   `json:"error,omitempty"`
}

type jsonMark struct {
	At   string `json:"at"`
	Text string `json:"text"`
}

func writeJSON(w io.Writer, p *Page) error {
	out := jsonPage{Format: 1, Suite: p.Suite, Cases: []jsonCase{}}
	for i := range p.Cases {
		t := &p.Cases[i]
		c := jsonCase{ID: t.Case, FirstPassed: day(t.FirstPassed), LastPassed: day(t.LastPassed), FailingSince: day(t.FailingSince), Results: []jsonResult{}, Marks: []jsonMark{}}
		for j := range t.Entries {
			e := &t.Entries[j]
			r := jsonResult{
				Run: e.Run, At: e.Started.UTC().Format(time.RFC3339), System: e.System, Model: Model(e), Mode: e.Mode, Version: e.Version,
				Verdict: VerdictOf(e), Passes: e.Passes, Judged: e.Judged, Samples: e.Samples, Score: e.Score, LatencyMS: e.LatencyMS, Error: e.Error,
			}
			if e.Priced > 0 && e.Priced == e.Samples {
				r.CostUSD = &e.CostUSD
			}
			c.Results = append(c.Results, r)
		}
		for _, m := range t.Marks {
			c.Marks = append(c.Marks, jsonMark{m.At.UTC().Format(time.RFC3339), m.Text})
		}
		out.Cases = append(out.Cases, c)
	}
	return safetext.JSON(w, out)
}

func day(e *results.Entry) *string {
	if e == nil {
		return nil
	}
	text := e.Started.UTC().Format(time.RFC3339)
	return &text
}
