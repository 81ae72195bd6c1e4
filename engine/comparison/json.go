package comparison

import (
	"io"

	"docket/engine/safetext"
	"docket/engine/stats"
)

// The types below are the documented JSON, format 1. What is unknown is null.
type jsonComparison struct {
	Format  int          `json:"format"`
	Suite   string       `json:"suite"`
	Mixed   []string     `json:"mixed"`
	Systems []jsonSystem `json:"systems"`
	Pairs   []jsonPair   `json:"pairs"`
}

type jsonSystem struct {
	System       string   `json:"system"`
	Run          string   `json:"run"`
	Started      string   `json:"started"`
	Mode         string   `json:"mode"`
	Model        string   `json:"model"`
	Cases        int      `json:"cases"`
	Measured     int      `json:"measured"`
	Samples      int      `json:"samples"`
	Failed       int      `json:"failed"`
	Passing      jsonRate `json:"passing"`
	Score        jsonRate `json:"score"`
	CostUSD      *float64 `json:"cost_usd"`
	Per1000      *float64 `json:"cost_usd_per_1000"`
	P50          *float64 `json:"latency_ms_p50"`
	P95          *float64 `json:"latency_ms_p95"`
	P99          *float64 `json:"latency_ms_p99"`
	InputTokens  *float64 `json:"input_tokens"`
	OutputTokens *float64 `json:"output_tokens"`
}

type jsonRate struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Of    int      `json:"of"`
}

type jsonPair struct {
	First       string      `json:"first"`
	Second      string      `json:"second"`
	Passing     jsonVerdict `json:"passing"`
	Score       jsonVerdict `json:"score"`
	OnlyFirst   []string    `json:"only_first_passes"`
	OnlySecond  []string    `json:"only_second_passes"`
	AloneFirst  []string    `json:"only_first_measured"`
	AloneSecond []string    `json:"only_second_measured"`
}

type jsonVerdict struct {
	Cases      int      `json:"cases"`
	Worse      int      `json:"worse"`
	Better     int      `json:"better"`
	Difference *float64 `json:"difference"`
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	P          *float64 `json:"p"`
	Call       string   `json:"call"`
	Detectable *float64 `json:"detectable"`
}

func writeJSON(w io.Writer, c *Comparison) error {
	out := jsonComparison{Format: 1, Suite: c.Suite, Mixed: listed(c.Mixed), Systems: []jsonSystem{}, Pairs: []jsonPair{}}
	for i := range c.Systems {
		s := &c.Systems[i]
		out.Systems = append(out.Systems, jsonSystem{
			System: s.Name, Run: s.Run, Started: s.Started.UTC().Format("2006-01-02T15:04:05Z"), Mode: s.Mode, Model: s.Model,
			Cases: s.Cases, Measured: s.Measured, Samples: s.Samples, Failed: s.Failed,
			Passing: rateOf(s.Passing), Score: rateOf(s.Score), CostUSD: stats.Known(s.CostUSD), Per1000: stats.Known(s.Per1000),
			P50: stats.Known(s.Latency.P50), P95: stats.Known(s.Latency.P95), P99: stats.Known(s.Latency.P99),
			InputTokens: stats.Known(s.InputTokens), OutputTokens: stats.Known(s.OutputTokens),
		})
	}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		out.Pairs = append(out.Pairs, jsonPair{
			First: p.First, Second: p.Second, Passing: verdictOf(p.Passing), Score: verdictOf(p.Score),
			OnlyFirst: listed(p.OnlyFirst), OnlySecond: listed(p.OnlySecond), AloneFirst: listed(p.AloneFirst), AloneSecond: listed(p.AloneSecond),
		})
	}
	return safetext.JSON(w, out)
}

func listed(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func rateOf(r Rate) jsonRate {
	return jsonRate{Value: stats.Known(r.Value), Low: stats.Known(r.Interval.Low), High: stats.Known(r.Interval.High), Of: r.Of}
}

func verdictOf(v stats.Verdict) jsonVerdict {
	return jsonVerdict{
		Cases: v.Cases, Worse: v.Worse, Better: v.Better, Difference: stats.Known(v.Difference),
		Low: stats.Known(v.Interval.Low), High: stats.Known(v.Interval.High), P: stats.Known(v.P), Call: string(v.Call), Detectable: stats.Known(v.Detectable),
	}
}
