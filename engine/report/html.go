package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"docket/engine/diff"
	"docket/engine/plot"
	"docket/engine/safetext"
	"docket/engine/webpage"
)

// proseRoom is how many bytes of answers a page holds, and answerRoom how many
// of one answer: a page has to open in a browser at once.
const (
	proseRoom  = 16 << 20
	answerRoom = 24 << 10
)

// Beside is what a page shows of a case besides its changes. All of it is
// untrusted text but the addresses of Links, which the configuration gives.
type Beside struct {
	Why   string // the provenance
	Links []string
	Path  string // of the case's file
	// Old and New are the texts that were answered, a sample each; NoOld and
	// NoNew say why a side has none.
	Old, New     []string
	NoOld, NoNew string
	Past         []string // decisions that were written, the newest first, a sentence each
}

// A PastRun is one point of the history that a page draws.
type PastRun struct {
	Label   string  // such as the day
	Score   float64 // NaN where not known
	Cost    float64 // of the whole run, in US dollars; NaN where not known
	Changed map[string]int
}

//go:embed diff.html
var diffBody string

type htmlPage struct {
	Verdict, Title string
	Lines          []string
	Counts         []htmlCount
	Cases          []htmlCase
	Plots          []htmlPlot
	Next           []string
}

type htmlCount struct {
	Status, Name string
	N            int
}

type htmlCase struct {
	ID, Status, StatusName, What, Decided, Error string
	Why, Path                                    string
	Links                                        []string
	Rows                                         []htmlChange
	Apart                                        []htmlChange
	Old, New                                     htmlSide
	Past                                         []string
	Prose                                        bool
}

type htmlChange struct{ Mark, Effect, Name, Old, New, Message string }

type htmlSide struct {
	Text, None string
	More       string // how many more samples there are, as a phrase
}

type htmlPlot struct {
	Name  string
	Chart template.HTML
}

// writeHTML writes a diff as one page: verdict, counts, the cases with old
// beside new, and the history of the suite where it is known.
func writeHTML(w io.Writer, r *Report) error {
	body, err := webpage.Parse(diffBody)
	if err != nil {
		return err
	}
	page := htmlPage{Verdict: verdictLine(r), Title: Title(r)}
	headlines := Headlines(r)
	page.Lines = append(page.Lines, headlines[:len(headlines)-1]...) // the last counts the statuses, as Counts do
	for _, note := range r.Notes {
		page.Lines = append(page.Lines, safetext.Line(note))
	}
	for _, next := range r.Next {
		page.Next = append(page.Next, safetext.Line(next))
	}
	room := proseRoom
	for _, status := range diff.InReadingOrder() {
		n := r.Diff.Summary.Statuses[status]
		if n > 0 {
			page.Counts = append(page.Counts, htmlCount{string(status), statusName(status), n})
		}
		if !status.Listed() || n == 0 {
			continue
		}
		for i := range r.Diff.Cases {
			if c := &r.Diff.Cases[i]; c.Status == status {
				page.Cases = append(page.Cases, htmlOf(r, c, &room))
			}
		}
	}
	page.Plots = plots(r.Trend)
	return body.Write(w, "docket: "+safetext.Line(r.Diff.Suite)+", "+page.Verdict, page)
}

func statusName(s diff.Status) string { return strings.ReplaceAll(string(s), "_", " ") }

func htmlOf(r *Report, c *diff.Case, room *int) htmlCase {
	h := htmlCase{
		ID: safetext.Line(c.ID), Status: string(c.Status), StatusName: statusName(c.Status),
		What: safetext.Line(c.Signature()), Error: safetext.Line(c.Error),
	}
	if c.Edited && c.Status != diff.Redefined {
		h.StatusName += ", case edited too"
	}
	if v, ok := r.Decided[c.ID]; ok {
		h.Decided = past(v.Verdict) + ": " + safetext.Line(v.Reason)
	}
	messages := r.messages(c)
	h.Rows = htmlChanges(c, c.Changes, messages)
	h.Apart = htmlChanges(c, c.Apart, nil)
	if r.Beside == nil {
		return h
	}
	b := r.Beside(c)
	h.Why, h.Path = safetext.Line(b.Why), safetext.Line(b.Path)
	for _, link := range b.Links {
		h.Links = append(h.Links, safetext.Line(link))
	}
	for _, p := range b.Past {
		h.Past = append(h.Past, safetext.Line(p))
	}
	h.Old, h.New = side(b.Old, b.NoOld, room), side(b.New, b.NoNew, room)
	h.Prose = h.Old != htmlSide{} || h.New != htmlSide{}
	return h
}

func htmlChanges(c *diff.Case, changes []diff.Change, messages map[string]string) []htmlChange {
	var rows []htmlChange
	for _, change := range changes {
		old, new := change.Sides(c.OldSamples, c.NewSamples)
		rows = append(rows, htmlChange{
			Mark: Mark(change), Effect: string(change.Effect), Name: safetext.Line(change.Name() + tags(change)),
			Old: safetext.Line(old), New: safetext.Line(new), Message: safetext.Line(why(change, messages)),
		})
	}
	return rows
}

// side is the first answer of a side, as far as there is room.
func side(texts []string, none string, room *int) htmlSide {
	if len(texts) == 0 {
		return htmlSide{None: safetext.Line(none)}
	}
	text := safetext.Block(texts[0])
	if len(text) > *room {
		return htmlSide{None: "left out, since the page would grow too large: docket review shows it"}
	}
	if len(text) > answerRoom {
		text = strings.ToValidUTF8(text[:answerRoom], "") + "\n… cut here: docket review shows all of it"
	}
	*room -= len(text)
	s := htmlSide{Text: text}
	if text == "" {
		s.None = "an empty text"
	}
	if more := len(texts) - 1; more > 0 {
		s.More = "the first of " + strconv.Itoa(len(texts)) + " samples"
	}
	return s
}

// plots draws the history of the suite: score and cost, and how often each
// projection changed against today's baseline.
func plots(runs []PastRun) []htmlPlot {
	if len(runs) < 2 {
		return nil
	}
	values := func(of func(PastRun) float64) []plot.Value {
		list := make([]plot.Value, len(runs))
		for i, run := range runs {
			list[i] = plot.Value{Label: run.Label, Y: of(run)}
		}
		return list
	}
	known := func(list []plot.Value) bool {
		n := 0
		for _, v := range list {
			if !math.IsNaN(v.Y) {
				n++
			}
		}
		return n > 1
	}
	var all []htmlPlot
	if list := values(func(run PastRun) float64 { return run.Score }); known(list) {
		all = append(all, htmlPlot{"score of each run", plot.Trace("score of each run", list, func(f float64) string { return fmt.Sprintf("%.3f", f) })})
	}
	if list := values(func(run PastRun) float64 { return run.Cost }); known(list) {
		all = append(all, htmlPlot{"cost of each run, US dollars", plot.Trace("cost of each run in US dollars", list, func(f float64) string { return fmt.Sprintf("%.4g", f) })})
	}
	for _, name := range changedNames(runs) {
		title := safetext.Line(name) + ": cases that changed against the baseline of today"
		all = append(all, htmlPlot{title, plot.Bars(title, values(func(run PastRun) float64 { return float64(run.Changed[name]) }), func(f float64) string { return strconv.Itoa(int(f)) })})
	}
	return all
}

// changedNames are the projections that changed in some run, those that changed
// most first.
func changedNames(runs []PastRun) []string {
	const most = 6
	s := diff.Summary{Projections: map[string]diff.Moved{}}
	for _, run := range runs {
		for name, n := range run.Changed {
			if n > 0 {
				s.Projections[name] = diff.Moved{Changed: s.Projections[name].Changed + n}
			}
		}
	}
	names := s.ProjectionNames()
	return names[:min(most, len(names))]
}
