// Package census counts what a suite holds: its cases by tag, incident, age and
// weight, and which of them have ever run or failed.
//
// It refuses to rate a case: that one has never failed may mean that it is
// idle, or that it guards what nobody dared to break. Ids, tags and references
// come back as people wrote them; the formats make them inert.
package census

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"docket/engine/provenance"
	"docket/engine/results"
	"docket/engine/suite"
)

// A Share is a part of the cases and of their weight.
type Share struct {
	Name   string
	Cases  int
	Weight float64
}

func (s *Share) add(c *suite.Case) {
	s.Cases++
	s.Weight += c.Weight
}

// A Census is what a suite holds.
type Census struct {
	Suite string
	All   Share
	// Tags and Incidents come in the order of their cases, the most first. A case
	// with two tags counts under both.
	Tags         []Share
	Untagged     Share
	Incidents    []Share
	FromIncident Share // cases that stem from an incident, whether it is named or not
	// Ages come from the youngest to the oldest, undated cases last, and Weights
	// from the heaviest.
	Ages    []Share
	Weights []Share
	// Unasked are cases without expectations, which can neither pass nor fail.
	Unasked Share

	// Stored says that there is a results store. NeverRan are cases without any
	// result in it; NeverFailed are those that runs other than mock have judged
	// and that passed each time, Judged counts the cases that were judged at all.
	Stored      bool
	NeverRan    []string
	NeverFailed []string
	Judged      int
}

// The bands of age, in days.
const (
	month   = 30
	quarter = 91
	year    = 365
)

// bands names the bands from the youngest to the oldest.
func bands() []string {
	return []string{"under a month", "under three months", "under a year", "a year or more", "no date"}
}

// Take counts the cases of a suite on a day. ran holds the cases that the store
// has results of, and tallies what runs said of them; stored is false where
// there is no store.
func Take(s *suite.Suite, rules []suite.Link, now time.Time, stored bool, ran map[string]int, tallies map[string]results.Tally) *Census {
	c := &Census{Suite: s.Name, All: Share{Name: "all"}, Stored: stored}
	tags, incidents, weights := map[string]*Share{}, map[string]*Share{}, map[float64]*Share{}
	ages := make([]Share, len(bands()))
	for i, name := range bands() {
		ages[i].Name = name
	}
	for _, one := range s.Cases {
		c.All.add(one)
		for _, tag := range unique(one.Tags) {
			in(tags, tag, tag).add(one)
		}
		if len(one.Tags) == 0 {
			c.Untagged.add(one)
		}
		for _, name := range provenance.Incidents(one.Provenance, rules) {
			in(incidents, name, name).add(one)
		}
		if provenance.StemsFromIncident(one) {
			c.FromIncident.add(one)
		}
		in(weights, one.Weight, strconv.FormatFloat(one.Weight, 'g', -1, 64)).add(one)
		ages[band(one.Added, now)].add(one)
		if one.ExpectHash == "" {
			c.Unasked.add(one)
		}
		if stored && ran[one.ID] == 0 {
			c.NeverRan = append(c.NeverRan, one.ID)
		}
		if t := tallies[one.ID]; t.Judged > 0 {
			c.Judged++
			if t.Failed == 0 {
				c.NeverFailed = append(c.NeverFailed, one.ID)
			}
		}
	}
	c.Tags, c.Incidents = most(tags), most(incidents)
	for _, w := range slices.Backward(slices.Sorted(maps.Keys(weights))) {
		c.Weights = append(c.Weights, *weights[w])
	}
	c.Ages = slices.DeleteFunc(ages, func(s Share) bool { return s.Cases == 0 })
	return c
}

// band finds the band of the day on which a case was added. One that lies ahead
// counts as young.
func band(added string, now time.Time) int {
	day, err := time.Parse(time.DateOnly, added)
	if err != nil {
		return len(bands()) - 1
	}
	switch days := int(now.Sub(day).Hours() / 24); {
	case days < month:
		return 0
	case days < quarter:
		return 1
	case days < year:
		return 2
	default:
		return 3
	}
}

func unique(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

func in[K comparable](shares map[K]*Share, key K, name string) *Share {
	if shares[key] == nil {
		shares[key] = &Share{Name: name}
	}
	return shares[key]
}

// most sorts shares by their cases, then their weight, the most first.
func most(shares map[string]*Share) []Share {
	all := make([]Share, 0, len(shares))
	for _, s := range shares {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Cases, a.Cases), cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Name, b.Name))
	})
	return all
}
