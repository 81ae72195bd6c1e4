package describe

import (
	"io"

	"docket/engine/canonical"
	"docket/engine/stats"
)

// writeJSON writes the facts of a description as one object, format 1. Keys
// may be added, none is renamed or removed within a format.
func writeJSON(out io.Writer, d *Description) error {
	projections := map[string]any{}
	for _, v := range d.Values {
		projections[v.Name] = map[string]any{"of": v.Of, "unsettled": v.Unsettled, "values": list(v.Counts, func(c Count) any {
			return map[string]any{"value": c.Value, "cases": c.Cases}
		})}
	}
	for _, s := range d.Sets {
		projections[s.Name] = map[string]any{"of": s.Of, "without": s.Without, "empty": s.Empty, "members": list(s.Members, func(m Member) any {
			return map[string]any{"member": m.Name, "always": m.Always, "sometimes": m.Sometimes}
		})}
	}
	if len(d.Numbers) > 0 {
		numbers := map[string]any{}
		for _, n := range d.Numbers {
			one := map[string]any{"present": n.Present, "absent": n.Absent, "unsettled": n.Unsettled}
			if n.Present > 0 {
				one["low"], one["median"], one["high"] = n.Low, n.Median, n.High
			}
			numbers[n.Name] = one
		}
		projections["numbers"] = numbers
	}
	if c := d.Carried; c.Of > 0 {
		projections["entities"] = map[string]any{"of": c.Of, "none": c.None, "low": c.Low, "median": c.Median, "high": c.High}
	}
	p := d.Passing
	doc := map[string]any{
		"format": 1, "suite": d.Header.Suite, "mode": d.Header.Mode, "baseline": d.configuration(),
		"cases": d.Cases, "projections": projections,
		"calls": list(d.Calls, patternJSON), "together": list(d.Together, patternJSON),
		"tags":       list(d.Tags, taggedJSON),
		"exceptions": list(d.Odd, oddJSON),
		"unstable":   list(d.Wobbles, wobbleJSON),
		"checks": list(d.Checks, func(c Check) any {
			return map[string]any{"check": c.Name, "of": c.Of, "passes": c.Passes, "split": texts(c.Split), "fails": texts(c.Fails)}
		}),
		"passing": map[string]any{"all": p.All, "some": p.Some, "never": p.Never, "without": p.Without},
	}
	_, err := out.Write(append(canonical.Append(nil, doc), '\n'))
	return err
}

func (d *Description) configuration() map[string]any {
	h := d.Header
	said := map[string]any{"samples": list(d.Samples, func(s Depth) any {
		return map[string]any{"samples": s.Samples, "cases": s.Cases, "evidence": stats.Evidence(s.Samples, s.Samples)}
	})}
	for key, text := range map[string]string{
		"system": h.System, "model": h.Model, "environment": h.Environment, "captured": h.Captured, "expires": h.Expires,
	} {
		if text != "" {
			said[key] = text
		}
	}
	if len(h.Answered) > 0 {
		said["answered"] = texts(h.Answered)
	}
	if h.Params != nil {
		said["params"] = h.Params
	}
	return said
}

func patternJSON(p Pattern) any {
	return map[string]any{"calls": texts(p.Calls), "cases": p.Cases}
}

func taggedJSON(t Tagged) any {
	return map[string]any{"tags": texts(t.Tags), "cases": t.Cases, "rest": t.Rest, "findings": list(t.Findings, func(f Finding) any {
		return map[string]any{"traits": list(f.Traits, traitJSON), "in": f.In, "of": f.Of, "outside": f.Outside, "outside_of": f.OutsideOf}
	})}
}

func oddJSON(o Odd) any {
	return map[string]any{"ids": texts(o.IDs), "has": list(o.Has, traitJSON), "lacks": list(o.Lacks, traitJSON)}
}

// traitJSON writes a trait with the key that says what it is: a member, a
// number that is absent, or else a value.
func traitJSON(t Trait) any {
	said := map[string]any{"of": t.Of}
	switch {
	case t.Absent:
		said["absent"] = t.Value
	case t.Member:
		said["member"] = t.Value
	default:
		said["value"] = spelled(t.Value)
	}
	return said
}

func wobbleJSON(w Wobble) any {
	said := map[string]any{"of": w.Of, "cases": list(w.Cases, func(c Seen) any {
		seen := map[string]any{}
		for _, v := range c.Values {
			seen[v.Value] = v.Times
		}
		return map[string]any{"id": c.ID, "samples": c.Samples, "seen": seen}
	})}
	said["kind"] = "projection"
	if w.Check {
		said["kind"] = "check"
	}
	if w.Member != "" {
		said["member"] = w.Member
	}
	return said
}

// list writes the items of a list, [] for none.
func list[T any](items []T, write func(T) any) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = write(item)
	}
	return all
}

func texts(items []string) []any { return list(items, func(s string) any { return s }) }
