package comparison

import (
	"maps"
	"math"
	"slices"
	"strings"

	"docket/engine/results"
	"docket/engine/stats"
)

func systemOf(side *Side, judged map[string]judgement, o Options) System {
	header := side.Run.Config
	s := System{
		Name: side.Name, Run: side.Run.ID, Started: side.Run.Started, Mode: header.Mode, Model: header.Model,
		Cases: len(side.Run.Results), Samples: len(side.Took),
	}
	if len(header.Answered) > 0 {
		s.Model = strings.Join(header.Answered, ", ")
	}
	var passes, scores []stats.Observation
	for _, id := range slices.Sorted(maps.Keys(judged)) {
		j := judged[id]
		if j.measured {
			s.Measured++
		}
		if j.samples > 0 {
			value := 0.0
			if j.passed() {
				value = 1
			}
			passes = append(passes, stats.Observation{Value: value, Weight: o.weight(id), Family: o.Families[id]})
		}
		if j.scored > 0 {
			scores = append(scores, stats.Observation{Value: j.mean(), Weight: o.weight(id), Family: o.Families[id]})
		}
	}
	s.Passing, s.Score = share(passes), rate(scores)
	s.spend(side.Took)
	return s
}

// share is the rate of a yes and no. Where each case stands on its own and
// counts once it has Wilson's interval, which holds near 0 and 1, too.
func share(list []stats.Observation) Rate {
	r := rate(list)
	yes := 0
	for _, o := range list {
		if o.Weight != 1 || o.Family != "" {
			return r
		}
		yes += int(o.Value)
	}
	if len(list) > 0 {
		r.Interval = stats.Wilson(yes, len(list))
	}
	return r
}

func rate(list []stats.Observation) Rate {
	e := stats.Mean(list)
	i := e.Interval
	if i.Known() {
		i.Low, i.High = max(0, i.Low), min(1, i.High)
	}
	return Rate{Value: e.Mean, Interval: i, Of: e.Cases}
}

// spend adds up what the samples took.
func (s *System) spend(took []results.Took) {
	var latencies []float64
	cost, in, out := 0.0, 0.0, 0.0
	ins, outs := 0, 0
	for i := range took {
		t := &took[i]
		if t.Failed {
			s.Failed++
		}
		if t.CostUSD != nil {
			s.Priced++
			cost += *t.CostUSD
		}
		if t.LatencyMS != nil {
			latencies = append(latencies, *t.LatencyMS)
		}
		if t.InputTokens != nil {
			ins++
			in += float64(*t.InputTokens)
		}
		if t.OutputTokens != nil {
			outs++
			out += float64(*t.OutputTokens)
		}
	}
	s.CostUSD = math.NaN()
	if s.Samples > 0 && s.Priced == s.Samples {
		s.CostUSD = cost
	}
	s.Per1000 = mean(1000*cost, s.Priced)
	s.InputTokens, s.OutputTokens = mean(in, ins), mean(out, outs)
	slices.Sort(latencies)
	s.Latency = Latency{P50: rank(latencies, 0.50), P95: rank(latencies, 0.95), P99: rank(latencies, 0.99), Of: len(latencies)}
}

func mean(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// rank is the nearest-rank quantile of sorted values: the smallest that at
// least the share q of them do not exceed.
func rank(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	i := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(i, 0), len(sorted)-1)]
}
