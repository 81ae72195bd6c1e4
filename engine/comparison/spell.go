package comparison

import (
	"fmt"
	"math"
	"strconv"

	"docket/engine/phrase"
	"docket/engine/safetext"
)

// A fact is one row of the table of systems: the same measure of each.
type fact struct {
	name   string
	values []string
}

// facts spells the systems for people, a measure a row.
func facts(c *Comparison) []fact {
	rows := []struct {
		name string
		of   func(s *System) string
	}{
		{"run", func(s *System) string { return s.Run }},
		{"model", func(s *System) string { return orUnknown(s.Model) }},
		{"mode", func(s *System) string { return s.Mode }},
		{"measured", func(s *System) string {
			text := fmt.Sprintf("%d of %s", s.Measured, phrase.Count(s.Cases, "case", "cases"))
			if s.Failed > 0 {
				text += fmt.Sprintf(", %d of %d samples failed", s.Failed, s.Samples)
			}
			return text
		}},
		{"passing", func(s *System) string { return percent(s.Passing) }},
		{"score", func(s *System) string { return fraction(s.Score) }},
		{"cost of the run", func(s *System) string {
			text := dollars(s.CostUSD, s)
			if !math.IsNaN(s.CostUSD) {
				text += " for " + phrase.Count(s.Samples, "sample", "samples")
			}
			return text
		}},
		{"cost of 1,000 cases", func(s *System) string { return dollars(s.Per1000, s) }},
		{"latency p50", func(s *System) string { return milliseconds(s.Latency.P50) }},
		{"latency p95", func(s *System) string { return milliseconds(s.Latency.P95) }},
		{"latency p99", func(s *System) string { return milliseconds(s.Latency.P99) }},
		{"tokens in", func(s *System) string { return tokens(s.InputTokens) }},
		{"tokens out", func(s *System) string { return tokens(s.OutputTokens) }},
	}
	var list []fact
	for _, row := range rows {
		f := fact{name: row.name}
		for i := range c.Systems {
			f.values = append(f.values, safetext.Line(row.of(&c.Systems[i])))
		}
		list = append(list, f)
	}
	return list
}

const unknown = "unknown"

func orUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}

func percent(r Rate) string {
	if math.IsNaN(r.Value) {
		return "no checks"
	}
	text := fmt.Sprintf("%.1f%%", 100*r.Value)
	if r.Interval.Known() {
		text += fmt.Sprintf(" (%.1f to %.1f)", 100*r.Interval.Low, 100*r.Interval.High)
	}
	return text
}

func fraction(r Rate) string {
	if math.IsNaN(r.Value) {
		return "no score"
	}
	text := fmt.Sprintf("%.3f", r.Value)
	if r.Interval.Known() {
		text += fmt.Sprintf(" (%.3f to %.3f)", r.Interval.Low, r.Interval.High)
	}
	return text
}

func dollars(f float64, s *System) string {
	if math.IsNaN(f) {
		if s.Priced > 0 {
			return fmt.Sprintf("unknown, %d of %d samples priced", s.Priced, s.Samples)
		}
		return unknown
	}
	return "$" + money(f)
}

// money writes cents, and of less than a dollar as many more decimals as two
// significant digits take.
func money(f float64) string {
	decimals := 2
	for small := f; small > 0 && small < 0.1 && decimals < 8; small *= 10 {
		decimals++
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}

func milliseconds(f float64) string {
	if math.IsNaN(f) {
		return unknown
	}
	return strconv.FormatFloat(f, 'f', 0, 64) + " ms"
}

func tokens(f float64) string {
	if math.IsNaN(f) {
		return unknown
	}
	return strconv.FormatFloat(f, 'f', 0, 64) + " a sample"
}

// lists are the cases in which a pair differs, each under what it says of
// them; empty ones are left out.
func lists(p *Pair) []struct {
	Name string
	IDs  []string
} {
	all := []struct {
		Name string
		IDs  []string
	}{
		{"only " + p.First + " passes", p.OnlyFirst},
		{"only " + p.Second + " passes", p.OnlySecond},
		{"only " + p.First + " measured", p.AloneFirst},
		{"only " + p.Second + " measured", p.AloneSecond},
	}
	kept := all[:0]
	for _, l := range all {
		if len(l.IDs) > 0 {
			kept = append(kept, l)
		}
	}
	return kept
}
