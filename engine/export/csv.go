package export

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/run"
)

// writeCSV writes a row for each sample, with a column for each check. A cell
// that a spreadsheet would take for a formula has an apostrophe before it, as
// OWASP advises against CSV injection.
func writeCSV(w io.Writer, r *Run) error {
	names := map[string]bool{}
	for i := range r.Cases {
		for _, s := range r.Cases[i].Samples {
			for _, v := range s.Checks {
				names[v.Check] = true
			}
		}
	}
	checks := slices.Sorted(maps.Keys(names))
	out := csv.NewWriter(w)
	head := []string{"id", "sample", "outcome", "pass", "score", "text", "tool_calls", "error", "model", "latency_ms", "input_tokens", "output_tokens", "cost_usd"}
	for _, name := range checks {
		head = append(head, "check "+name)
	}
	if err := out.Write(inert(head)); err != nil {
		return err
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, s := range c.samples() {
			row := []string{
				c.ID, strconv.Itoa(s.Number), string(c.Outcome), truth(s.Pass), number(s.Score), s.Output.Text, calls(&s), s.Error, s.Output.Model,
				number(s.Output.LatencyMS), count(s.Output.InputTokens), count(s.Output.OutputTokens), number(s.Output.CostUSD),
			}
			for _, name := range checks {
				row = append(row, verdict(&s, name))
			}
			if err := out.Write(inert(row)); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// inert disarms cells that a spreadsheet would compute; a number is none.
func inert(row []string) []string {
	for i, cell := range row {
		bare := strings.TrimLeft(cell, " \u00a0")
		if bare == "" {
			continue
		}
		if _, err := strconv.ParseFloat(bare, 64); err == nil {
			continue
		}
		if strings.ContainsRune("=+-@\t\r\n|＝＋－＠", []rune(bare)[0]) {
			row[i] = "'" + cell
		}
	}
	return row
}

func truth(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}

func number(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

func count(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

func calls(s *run.Sample) string {
	if s.Output.ToolCalls == nil {
		return ""
	}
	list := make([]any, len(s.Output.ToolCalls))
	for i, c := range s.Output.ToolCalls {
		list[i] = map[string]any{"name": c.Name, "arguments": arguments(c.Arguments)}
	}
	return string(canonical.Marshal(list))
}

// arguments are those of a call in the JSON model; an empty object for none.
func arguments(raw []byte) any {
	if v, err := canonical.Parse(raw); err == nil {
		return v
	}
	return map[string]any{}
}

func verdict(s *run.Sample, name string) string {
	for _, v := range s.Checks {
		switch {
		case v.Check != name:
		case v.Unscored != "":
			return "unscored"
		case v.Pass:
			return "pass"
		default:
			return "fail"
		}
	}
	return ""
}
