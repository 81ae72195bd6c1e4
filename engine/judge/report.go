package judge

import (
	"bufio"
	"fmt"
	"io"

	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/stats"
)

// A Report says how a judge's verdicts meet people's labels.
type Report struct {
	Counts  stats.Confusion
	Without int   // outputs without a verdict, which enter no number
	Tally   Tally // what the verdicts that were asked for took

	labels []Label
}

// NewReport counts labels.
func NewReport(labels []Label, tally Tally) *Report {
	r := &Report{Tally: tally, labels: labels}
	r.Counts, r.Without = Agree(labels)
	return r
}

// A Format writes a report.
type Format struct {
	Name  string
	Write func(w io.Writer, r *Report) error
}

// Formats returns the formats that a report can be written in, the default
// first.
func Formats() []Format {
	return []Format{{"text", writeText}, {"json", writeJSON}}
}

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}

// writeText writes the numbers, and each label on which judge and people are
// not of one mind.
func writeText(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, r.Counts)
	if r.Without > 0 {
		fmt.Fprintf(w, "%s no verdict, and none of the numbers\n", phrase.Count(r.Without, "output has", "outputs have"))
	}
	for i := range r.labels {
		if l := &r.labels[i]; l.Judge == nil || *l.Judge != l.Human {
			fmt.Fprintf(w, "  %s: %s\n", safetext.Line(l.ID), disagreement(l))
		}
	}
	if r.Tally.Spent.USD > 0 {
		fmt.Fprintf(w, "the judge cost $%.4f for %s\n", r.Tally.Spent.USD, phrase.Count(r.Tally.Asked, "verdict", "verdicts"))
	}
	return w.Flush()
}

func disagreement(l *Label) string {
	switch {
	case l.Judge == nil:
		return safetext.Line(phrase.Clip(l.Unscored, 160))
	case *l.Judge:
		return "the judge passes what people fail"
	default:
		return "the judge fails what people pass"
	}
}

// The types below are the documented JSON, format 1. What is unknown is null.
type jsonReport struct {
	Format    int      `json:"format"`
	Of        int      `json:"of"`
	BothPass  int      `json:"both_pass"`
	JudgePass int      `json:"only_judge_passes"`
	HumanPass int      `json:"only_people_pass"`
	BothFail  int      `json:"both_fail"`
	Unscored  int      `json:"unscored"`
	Agreement jsonRate `json:"agreement"`
	TruePass  jsonRate `json:"passes_what_people_pass"`
	TrueFail  jsonRate `json:"fails_what_people_fail"`
	Kappa     *float64 `json:"kappa"`
	AC1       *float64 `json:"ac1"`
}

type jsonRate struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func writeJSON(w io.Writer, r *Report) error {
	c := r.Counts
	kappa, _, _ := c.Kappa()
	return safetext.JSON(w, jsonReport{
		Format: 1, Of: c.Of(), BothPass: c.BothPass, JudgePass: c.JudgePass, HumanPass: c.HumanPass, BothFail: c.BothFail, Unscored: r.Without,
		Agreement: rateOf(c.Agreement()), TruePass: rateOf(c.TruePass()), TrueFail: rateOf(c.TrueFail()),
		Kappa: stats.Known(kappa), AC1: stats.Known(c.AC1()),
	})
}

func rateOf(value float64, i stats.Interval) jsonRate {
	return jsonRate{stats.Known(value), stats.Known(i.Low), stats.Known(i.High)}
}
