package provenance

import (
	"cmp"
	"slices"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/results"
	"docket/engine/run"
)

// A Catch is something that a case brought to light: checks of it that failed
// under one system, in one run or in several after one another, or a change
// that a person rejected.
type Catch struct {
	First, Last time.Time // of the runs
	Runs        []string  // their ids, the oldest first
	System      string
	Model       string
	Mode        string
	Checks      []string // that failed, sorted
	// Decisions are what was decided on these runs.
	Decisions []decision.Past
	// Passed is when the same system next passed the case; zero where it has not
	// yet.
	Passed time.Time
}

// Caught finds what a case has caught in its results, the newest first, as the
// store has them, and in the decisions on it. Without results the decisions
// alone are told: the store is of one machine, the decisions are everybody's.
// Failures of the system itself are nothing that a case caught. The catches come
// back the newest first.
func Caught(entries []results.Entry, decisions []decision.Past) []Catch {
	var catches []*Catch
	byRun := map[string]*Catch{}
	open := map[string]*Catch{} // by who was asked, what goes on failing
	for _, e := range slices.Backward(entries) {
		if e.Outcome != run.Measured || e.Pass == nil {
			continue
		}
		lane := e.Mode + "\x00" + e.System
		last := open[lane]
		if *e.Pass {
			if last != nil {
				last.Passed = e.Started
			}
			delete(open, lane)
			continue
		}
		checks := failed(e.Line)
		if last == nil || !slices.Equal(last.Checks, checks) {
			last = &Catch{First: e.Started, System: e.System, Model: e.Config.Model, Mode: e.Mode, Checks: checks}
			open[lane] = last
			catches = append(catches, last)
		}
		last.Last = e.Started
		last.Runs = append(last.Runs, e.Run)
		byRun[e.Run] = last
	}
	for _, p := range decisions {
		c := byRun[p.Run]
		if c == nil {
			checks := worse(p.Changes)
			if p.Verdict != decision.Reject && (p.Verdict != decision.Accept && p.Verdict != decision.Allow || len(checks) == 0) {
				continue
			}
			c = &Catch{First: p.At, Last: p.At, Runs: []string{p.Run}, Mode: p.Mode, Checks: checks}
			if at := slices.IndexFunc(entries, func(e results.Entry) bool { return e.Run == p.Run }); at >= 0 {
				c.System, c.Model, c.First, c.Last = entries[at].System, entries[at].Config.Model, entries[at].Started, entries[at].Started
			}
			byRun[p.Run] = c
			catches = append(catches, c)
		}
		c.Decisions = append(c.Decisions, p)
	}
	all := make([]Catch, len(catches))
	for i, c := range catches {
		all[i] = *c
	}
	slices.SortStableFunc(all, func(a, b Catch) int { return cmp.Or(b.First.Compare(a.First), cmp.Compare(a.System, b.System)) })
	return all
}

// failed names the checks that failed in some sample of a result.
func failed(line []byte) []string {
	l, err := baseline.ParseLine(line)
	if err != nil {
		return nil // a result without a line that reads tells only that it failed
	}
	var names []string
	for name, c := range l.Checks {
		if !c.All() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// worse names the checks that a decision was about and that did not pass any
// more.
func worse(changes []decision.Change) []string {
	var names []string
	for _, c := range changes {
		if c.Kind == "check" && c.New != true && !slices.Contains(names, c.Of) {
			names = append(names, c.Of)
		}
	}
	slices.Sort(names)
	return names
}
