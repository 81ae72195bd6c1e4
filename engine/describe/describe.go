// Package describe says in prose what a baseline says that a prompt does: the
// values of each projection and their shares over the suite, the tags whose
// cases differ from the rest, the cases that stand out, what the samples
// disagreed on, and the checks that fail. For a prompt that nobody documented
// it is the first description there is.
//
// The package refuses to guess at what was not measured: it reads no prompt
// and no output, judges nothing, and calls nothing stable without the number
// of samples behind it. The same baseline and the same tags give the same
// bytes.
//
// Describe gathers facts, a Description; Page makes sentences of them; the
// formats write either.
package describe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/projection"
)

// Options are what a description needs besides the baseline.
type Options struct {
	Tags map[string][]string // of each case, by id
	// Short and Medium are the most words of those lengths; 0 where they are
	// not known to be what the baseline was measured with.
	Short, Medium int
}

// A Description is what a baseline says. Lists are sorted: by how many cases
// they tell of, then by name. Names and values are untrusted text.
type Description struct {
	Header        baseline.Header
	Cases         int
	Samples       []Depth // how many samples the lines stand on, the most common first
	Short, Medium int     // as in Options

	Values  []Values  // projections that have one value for a case
	Sets    []Set     // projections that have members
	Numbers []Number  // each number that the suite measures
	Tags    []Tagged  // tags whose cases differ
	Looked  int       // tags that were looked at
	Odd     []Odd     // cases that stand out
	Wobbles []Wobble  // what samples disagree on
	Checks  []Check   // by name
	Passing Passing   //
	Carried Carried   // identifiers that outputs repeat
	Calls   []Pattern // tool calls in order

	Together []Pattern // tools that are called in one case, two or more
}

// A Depth is a number of samples and how many lines stand on it.
type Depth struct{ Samples, Cases int }

// A Values is the distribution of a projection that is compared as a whole.
type Values struct {
	Name      string
	Of        int // cases of which it was measured
	Counts    []Count
	Unsettled int // cases whose samples disagree
}

// A Count is a value and the cases that have it in every sample.
type Count struct {
	Value any // JSON; {"any": [...]} is a set that a person allowed
	Cases int
}

// A Set tells of a projection that is compared member by member.
type Set struct {
	Name    string
	Of      int // cases of which it was measured
	Without int // cases whose outputs never have the structure: text that is no JSON
	Empty   int // cases with no member at all
	Members []Member
}

// A Member is a member of such a projection.
type Member struct {
	Name      string
	Always    int // cases in which every sample has it
	Sometimes int // cases in which some samples have it
}

// A Number tells of one number that the suite measures.
type Number struct {
	Name              string
	Present           int // cases with one value, within tolerance, over all samples
	Absent            int
	Unsettled         int
	Low, Median, High float64
}

// A Carried tells how many identifiers of their input the outputs repeat.
type Carried struct {
	Of                int // cases of which it was measured
	Low, Median, High int
	None              int
}

// A Pattern is a sequence of tool calls, or a set of tools, and how many cases
// have it.
type Pattern struct {
	Calls []string
	Cases int
}

// Passing counts cases by their checks.
type Passing struct{ All, Some, Never, Without int }

// Describe reads every line of a baseline and gathers what it says. The error
// is that of the first line that cannot be read.
func Describe(base *baseline.File, o Options) (*Description, error) {
	d := &Description{Header: base.Header, Cases: len(base.Lines), Short: o.Short, Medium: o.Medium}
	g := gatherer{
		values:  map[string]*valueTally{},
		members: map[string]*memberTally{},
		numbers: map[string]*numberTally{},
		checks:  map[string]*Check{},
		depths:  map[int]int{},
		calls:   map[string]*Pattern{},
		sets:    map[string]*Pattern{},
		wobbles: map[wobbleKey]*Wobble{},
		traits:  newTraits(),
	}
	for at := range base.Lines {
		line, err := base.Line(at)
		if err != nil {
			return nil, err
		}
		g.traits.begin(line.ID)
		g.line(&line)
	}
	g.finish(d)
	d.Tags, d.Looked = g.traits.byTag(o.Tags)
	d.Odd = g.traits.odd()
	return d, nil
}

// memberwise names the projections that are compared member by member, besides
// entities, whose members are different in every case.
func memberwise(name string) bool { return name == "shape" || name == "toolset" }

// A gatherer counts while the lines are read.
type gatherer struct {
	values  map[string]*valueTally
	members map[string]*memberTally
	numbers map[string]*numberTally
	checks  map[string]*Check
	depths  map[int]int
	calls   map[string]*Pattern // by canonical spelling
	sets    map[string]*Pattern
	wobbles map[wobbleKey]*Wobble
	carried []int
	passing Passing
	traits  *traits
}

func (g *gatherer) line(l *baseline.Line) {
	g.depths[l.Samples]++
	names := map[string]struct{}{}
	for name := range l.Projections {
		names[name] = struct{}{}
	}
	for name := range l.Unstable {
		names[name] = struct{}{}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		g.traits.look(name)
		stable, has := l.Projections[name]
		unstable := l.Unstable[name]
		switch {
		case name == "numbers":
			g.addNumbers(stable, unstable)
		case name == "entities":
			g.addCarried(stable, has)
		case memberwise(name):
			g.addMembers(name, stable, has, unstable)
		default:
			g.addValue(name, stable, has)
		}
		g.addWobble(l, name, unstable)
	}
	g.addChecks(l)
}

// finish sorts what was gathered into the description.
func (g *gatherer) finish(d *Description) {
	for samples, cases := range g.depths {
		d.Samples = append(d.Samples, Depth{samples, cases})
	}
	slices.SortFunc(d.Samples, func(a, b Depth) int {
		if a.Cases != b.Cases {
			return b.Cases - a.Cases
		}
		return b.Samples - a.Samples
	})
	for _, name := range inOrder(g.values) {
		d.Values = append(d.Values, g.values[name].sorted(name))
	}
	for _, name := range inOrder(g.members) {
		d.Sets = append(d.Sets, g.members[name].sorted(name))
	}
	for _, name := range slices.Sorted(maps.Keys(g.numbers)) {
		d.Numbers = append(d.Numbers, g.numbers[name].sorted(name))
	}
	for _, name := range slices.Sorted(maps.Keys(g.checks)) {
		d.Checks = append(d.Checks, *g.checks[name])
	}
	d.Calls, d.Together = commonest(g.calls), commonest(g.sets)
	for _, w := range g.wobbles {
		d.Wobbles = append(d.Wobbles, *w)
	}
	slices.SortFunc(d.Wobbles, compareWobbles)
	d.Passing = g.passing
	if n := len(g.carried); n > 0 {
		slices.Sort(g.carried)
		d.Carried = Carried{Of: n, Low: g.carried[0], Median: g.carried[(n-1)/2], High: g.carried[n-1]}
		d.Carried.None = countOf(g.carried, 0)
	}
}

func commonest(patterns map[string]*Pattern) (all []Pattern) {
	for _, spelled := range slices.Sorted(maps.Keys(patterns)) {
		all = append(all, *patterns[spelled])
	}
	slices.SortStableFunc(all, func(a, b Pattern) int { return b.Cases - a.Cases })
	return all
}

func countOf(sorted []int, value int) int {
	from, _ := slices.BinarySearch(sorted, value)
	to, _ := slices.BinarySearch(sorted, value+1)
	return to - from
}

// inOrder returns the names of projections in the order of their table, those
// that this version does not know last.
func inOrder[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), compareNames)
}

func compareNames(a, b string) int {
	known := projection.Names()
	rank := func(name string) int {
		if at := slices.Index(known, name); at >= 0 {
			return at
		}
		return len(known)
	}
	if c := rank(a) - rank(b); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// value returns the projection of that name among those with one value.
func (d *Description) value(name string) (Values, bool) {
	at := slices.IndexFunc(d.Values, func(v Values) bool { return v.Name == name })
	if at < 0 {
		return Values{}, false
	}
	return d.Values[at], true
}

// set returns the projection of that name among those with members.
func (d *Description) set(name string) (Set, bool) {
	at := slices.IndexFunc(d.Sets, func(s Set) bool { return s.Name == name })
	if at < 0 {
		return Set{}, false
	}
	return d.Sets[at], true
}

// percent writes a share for people: whole percents, and never 0% or 100% for
// what is not nothing or all.
func percent(part, of int) string {
	switch {
	case of == 0:
		return "0%"
	case part > 0 && 200*part < of:
		return "under 1%"
	case part < of && 200*(of-part) < of:
		return "over 99%"
	}
	return fmt.Sprintf("%d%%", (200*part+of)/(2*of))
}
