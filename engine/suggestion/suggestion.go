// Package suggestion finds cases that a suite may do without, each with the
// ground on which it is proposed: it has never failed, it is another case over
// again, it wavers beyond use, what it refers to is gone.
//
// A suggestion is a question to a person and no verdict. The package refuses to
// propose what somebody said matters (a case of weight above 1, one that stems
// from an incident) unless it is asked to, or what somebody decided to keep
// before.
package suggestion

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/phrase"
	"docket/engine/suite"
)

// A Ground is why a case is proposed.
type Ground string

// The grounds, in the order in which they are told.
const (
	Gone     Ground = "references gone"
	Twin     Ground = "like another"
	Unstable Ground = "unstable"
	Idle     Ground = "never failed"
)

// Grounds returns all of them, in their order.
func Grounds() []Ground { return []Ground{Gone, Twin, Unstable, Idle} }

// A Subject is a case with what is known of it.
type Subject struct {
	Case     *suite.Case // its expectations must not have been released
	Incident bool        // it stems from one
	Kept     bool        // somebody decided to keep it when it was proposed before
	Caught   bool        // a person rejected a change that it showed

	// Judged counts its results that a check judged, in runs that asked a model;
	// Failed those that failed. First and Last are the days of such runs.
	Judged, Failed int
	First, Last    time.Time

	// Held and Wavering name the checks and projections of its baseline line
	// that the samples agreed on, and did not; Samples counts these.
	Held, Wavering []string
	Samples        int
	Mode           string // of that baseline

	Gone []string // clauses on references that point to nothing
}

// Options say from when on a case is proposed.
type Options struct {
	Runs  int  // a case that never failed in so many runs, DefaultRuns unless told
	Days  int  // over so many days, DefaultDays unless told
	Heavy bool // cases of weight above 1 and of incidents as well
	Again bool // cases that were kept before as well
}

// Defaults of Options.
const (
	DefaultRuns = 20
	DefaultDays = 60
)

// A Finding is one ground on which a case is proposed.
type Finding struct {
	Ground Ground
	Why    string  // a sentence's end, such as "never failed in 24 runs over 90 days"
	Other  string  // the case that it is like
	Like   float64 // how much, from 0 to 1
}

// A Suggestion is a case that is proposed.
type Suggestion struct {
	ID       string
	Findings []Finding // at least one, in the order of Grounds
}

// Found is what Find found, and what it left out.
type Found struct {
	Suggestions []Suggestion // sorted by the order of Grounds, then by id
	Heavy       int          // with a ground, but of weight above 1
	Incidents   int          // with a ground, but of an incident
	Kept        int          // with a ground, but kept before
}

// Find looks for grounds against each case.
func Find(subjects []Subject, o Options) Found {
	o.Runs, o.Days = cmp.Or(o.Runs, DefaultRuns), cmp.Or(o.Days, DefaultDays)
	findings := make([][]Finding, len(subjects))
	for i := range subjects {
		findings[i] = subjects[i].alone(o)
	}
	twins(subjects, func(i int, f Finding) { findings[i] = append(findings[i], f) })
	var found Found
	for i := range subjects {
		s := &subjects[i]
		switch {
		case len(findings[i]) == 0:
			continue
		case s.Kept && !o.Again:
			found.Kept++
			continue
		case s.Case.Weight > 1 && !o.Heavy:
			found.Heavy++
			continue
		case s.Incident && !o.Heavy:
			found.Incidents++
			continue
		}
		slices.SortStableFunc(findings[i], func(a, b Finding) int { return rank(a.Ground) - rank(b.Ground) })
		found.Suggestions = append(found.Suggestions, Suggestion{s.Case.ID, findings[i]})
	}
	slices.SortFunc(found.Suggestions, func(a, b Suggestion) int {
		return cmp.Or(rank(a.Findings[0].Ground)-rank(b.Findings[0].Ground), strings.Compare(a.ID, b.ID))
	})
	return found
}

func rank(g Ground) int { return slices.Index(Grounds(), g) }

// alone returns the grounds that no other case has a part in.
func (s *Subject) alone(o Options) []Finding {
	var all []Finding
	if len(s.Gone) > 0 {
		all = append(all, Finding{Ground: Gone, Why: phrase.Series(s.Gone, "and")})
	}
	if len(s.Wavering) > len(s.Held) {
		all = append(all, Finding{Ground: Unstable, Why: fmt.Sprintf(
			"%d of %d things that are measured waver over %s of the %s baseline: %s",
			len(s.Wavering), len(s.Wavering)+len(s.Held), phrase.Count(s.Samples, "sample", "samples"), s.Mode, phrase.Few(s.Wavering, 4))})
	}
	days := int(s.Last.Sub(s.First).Hours() / 24)
	if s.Failed == 0 && !s.Caught && s.Judged >= o.Runs && days >= o.Days {
		all = append(all, Finding{Ground: Idle, Why: fmt.Sprintf("never failed in %s over %s", phrase.Count(s.Judged, "run", "runs"), phrase.Count(days, "day", "days"))})
	}
	return all
}

// twins reports each case that asks nearly the same as a stronger one, with the
// strongest of those.
func twins(subjects []Subject, report func(i int, f Finding)) {
	order := make([]int, len(subjects))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return stronger(&subjects[b], &subjects[a]) })
	texts := make([]Text, len(subjects))
	for at, i := range order {
		c := subjects[i].Case
		texts[at] = Text{Words(string(canonical.Marshal(c.Input))), Words(string(canonical.Marshal(c.Expect.JSON())))}
	}
	for _, p := range Alike(texts) {
		c, other := subjects[order[p.B]].Case, subjects[order[p.A]].Case
		why := fmt.Sprintf("asks %d%% the same as %s", int(p.Like*100), other.ID)
		if c.InputHash == other.InputHash && c.ExpectHash == other.ExpectHash {
			why, p.Like = "has the same input and expectation as "+other.ID, 1
		}
		report(order[p.B], Finding{Ground: Twin, Why: why, Other: other.ID, Like: p.Like})
	}
}

// stronger is above 0 where the first of two like cases is the one to stay: the
// weightier, that of an incident, one that failed, the older.
func stronger(a, b *Subject) int {
	of := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(a.Case.Weight, b.Case.Weight), of(a.Incident)-of(b.Incident), of(a.Caught)-of(b.Caught),
		cmp.Compare(a.Failed, b.Failed), -strings.Compare(cmp.Or(a.Case.Added, "9"), cmp.Or(b.Case.Added, "9")), -strings.Compare(a.Case.ID, b.Case.ID),
	)
}

// Steadiness names what the samples behind a baseline line agreed on, and what
// they did not: its checks, and its projections by name. How long an answer is,
// and in which language, says little of what a case is for and is not counted.
func Steadiness(line *baseline.Line) (held, wavering []string) {
	note := func(name string, steady bool) {
		if steady {
			held = append(held, name)
		} else {
			wavering = append(wavering, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(line.Checks)) {
		c := line.Checks[name]
		note(name, c.All() || c.None())
	}
	for _, name := range slices.Sorted(maps.Keys(line.Projections)) {
		if _, part := line.Unstable[name]; !part && !slight(name) {
			note(name, true)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(line.Unstable)) {
		if !slight(name) {
			note(name, false)
		}
	}
	return held, wavering
}

func slight(projection string) bool { return projection == "length" || projection == "language" }
