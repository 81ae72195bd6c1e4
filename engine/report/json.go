package report

import (
	"io"

	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/safetext"
)

// The types below are the documented JSON, format 1. A key is never renamed or
// removed within a format; new keys may be added.
type jsonReport struct {
	Format      int                  `json:"format"`
	Suite       string               `json:"suite"`
	Mode        string               `json:"mode"`
	Run         string               `json:"run,omitempty"`
	Across      bool                 `json:"across,omitempty"`
	Baseline    *jsonBaseline        `json:"baseline"` // null where there is none
	Cases       int                  `json:"cases"`
	Statuses    map[string]int       `json:"statuses"`
	Passing     jsonSides            `json:"passing"`
	Projections map[string]jsonMoved `json:"projections"`
	Checks      map[string]jsonFlips `json:"checks"`
	Score       *jsonScore           `json:"score"`
	Unscored    int                  `json:"unscored,omitempty"` // cases in which a judge gave no verdict on some sample
	Changes     []jsonCase           `json:"changes"`
}

type jsonBaseline struct {
	Captured   string   `json:"captured"`
	Comparable bool     `json:"comparable"`
	Grounds    []string `json:"grounds"`
	Unknown    []string `json:"unknown,omitempty"` // fields that neither side knows
	Oldest     string   `json:"oldest,omitempty"`  // the day of the oldest line, where it is not the header's
	// Recapture is the reason for which the run proposes to take the place of
	// the whole baseline.
	Recapture string `json:"recapture,omitempty"`
	// Again counts what was listed when this configuration was measured twice.
	Again *jsonAlarms `json:"again,omitempty"`
}

type jsonAlarms struct {
	Listed int `json:"listed"`
	Of     int `json:"of"`
}

type jsonSides struct {
	Old int `json:"old"`
	New int `json:"new"`
}

type jsonMoved struct {
	Changed   int `json:"changed"`
	Unsettled int `json:"unsettled,omitempty"`
	Of        int `json:"of"`
}

type jsonFlips struct {
	Lost      int `json:"lost"`
	Gained    int `json:"gained"`
	Unsettled int `json:"unsettled,omitempty"`
	Of        int `json:"of"`
}

type jsonScore struct {
	Old float64 `json:"old"`
	New float64 `json:"new"`
}

type jsonCase struct {
	ID        string       `json:"id"`
	Status    string       `json:"status"`
	Edited    bool         `json:"edited,omitempty"`
	Seen      string       `json:"seen,omitempty"`
	Signature string       `json:"signature,omitempty"`
	Error     string       `json:"error,omitempty"`
	Decided   string       `json:"decided,omitempty"`
	Samples   jsonSides    `json:"samples"`
	Changes   []jsonChange `json:"changes"`
	Apart     []jsonChange `json:"apart,omitempty"`
}

type jsonChange struct {
	Kind   string `json:"kind"`
	Of     string `json:"of"`
	Member string `json:"member,omitempty"`
	Effect string `json:"effect"`
	Old    any    `json:"old"`
	New    any    `json:"new"`
	// Counts says how often each value was seen where samples are unsettled.
	Counts map[string]int `json:"counts,omitempty"`
	// Message is what a check that is lost or unsettled said of the first new
	// sample that failed it.
	Message string   `json:"message,omitempty"`
	Tags    []string `json:"tags"`
}

func writeJSON(w io.Writer, r *Report) error {
	d := r.Diff
	out := jsonReport{
		Format: 1, Suite: d.Suite, Mode: d.Mode, Run: r.RunID, Across: r.Across,
		Baseline:    &jsonBaseline{Captured: d.Old.Captured, Comparable: d.Comparable(), Grounds: []string{}, Unknown: d.Untold(), Recapture: d.Recapture, Again: (*jsonAlarms)(d.Again)},
		Cases:       d.Summary.Cases,
		Statuses:    map[string]int{},
		Passing:     jsonSides{d.Summary.Passing.Old, d.Summary.Passing.New},
		Projections: map[string]jsonMoved{},
		Checks:      map[string]jsonFlips{},
		Unscored:    d.Summary.Unscored,
		Changes:     []jsonCase{},
	}
	if d.Oldest != d.Old.Captured && out.Baseline != nil {
		out.Baseline.Oldest = d.Oldest
	}
	for _, g := range d.Grounds {
		out.Baseline.Grounds = append(out.Baseline.Grounds, g.String())
	}
	if r.NoBaseline {
		out.Baseline = nil
	}
	for status, n := range d.Summary.Statuses {
		out.Statuses[string(status)] = n
	}
	for name, m := range d.Summary.Projections {
		out.Projections[name] = jsonMoved(m)
	}
	for name, f := range d.Summary.Checks {
		out.Checks[name] = jsonFlips(f)
	}
	if s := d.Summary.Score; s.Known {
		out.Score = &jsonScore{s.Old, s.New}
	}
	for i := range d.Cases {
		c := &d.Cases[i]
		out.Changes = append(out.Changes, jsonCase{
			ID: c.ID, Status: string(c.Status), Edited: c.Edited, Seen: seen(r, c), Signature: c.Signature(), Error: c.Error,
			Decided: r.Decided[c.ID].Verdict,
			Samples: jsonSides{c.OldSamples, c.NewSamples},
			Changes: jsonChanges(c.Changes, r.messages(c)), Apart: jsonChanges(c.Apart, nil),
		})
	}
	return safetext.JSON(w, out)
}

func jsonChanges(changes []diff.Change, messages map[string]string) []jsonChange {
	all := make([]jsonChange, 0, len(changes))
	for _, c := range changes {
		tags := c.Tags
		if tags == nil {
			tags = []string{}
		}
		all = append(all, jsonChange{string(c.Kind), c.Of, c.Member, string(c.Effect), c.Old, c.New, c.Counts, why(c, messages), tags})
	}
	return all
}

// seen is the hash that binds a decision to what was looked at.
func seen(r *Report, c *diff.Case) string {
	if r.NoBaseline || !c.Status.Decidable() {
		return ""
	}
	return decision.Seen(c.OldLine, c.NewLine)
}
