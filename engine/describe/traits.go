package describe

import (
	"maps"
	"slices"
	"strings"

	"docket/engine/stats"
)

// A trait is something that a case has or has not: a value of a projection, a
// member, the absence of a number.
type trait struct {
	of, value string // value in its canonical spelling; a member or a number's name as it is
	member    bool
	absent    bool // for a number: it is not there
}

// traits remembers which cases have which trait.
type traits struct {
	ids      []string
	have     map[trait][]int  // indexes into ids, ascending
	might    map[trait][]int  // some samples have it
	known    map[string][]int // cases of which a projection was measured
	measured map[string][]int // cases of which one with members has a stable set
}

func newTraits() *traits {
	return &traits{have: map[trait][]int{}, might: map[trait][]int{}, known: map[string][]int{}, measured: map[string][]int{}}
}

func (t *traits) begin(id string) { t.ids = append(t.ids, id) }
func (t *traits) now() int        { return len(t.ids) - 1 }
func (t *traits) add(x trait)     { t.have[x] = append(t.have[x], t.now()) }
func (t *traits) maybe(x trait)   { t.might[x] = append(t.might[x], t.now()) }
func (t *traits) look(of string)  { t.known[of] = append(t.known[of], t.now()) }
func (t *traits) among(name string) {
	t.measured[name] = append(t.measured[name], t.now())
}

// sorted returns the traits in one order.
func (t *traits) sorted() []trait {
	return slices.SortedFunc(maps.Keys(t.have), compareTraits)
}

func compareTraits(a, b trait) int {
	if c := compareNames(a.of, b.of); c != 0 {
		return c
	}
	return strings.Compare(a.value, b.value)
}

// A Tagged is a tag whose cases have something far more often, or far less,
// than the others.
type Tagged struct {
	Tags     []string // more than one where the same cases have them
	Cases    int      // that have the tag
	Rest     int      // that have not
	Findings []Finding
}

// A Finding is what the cases of a tag have, or lack.
type Finding struct {
	Traits             []Trait // that the same cases have, told as one
	In, Of             int     // cases of the tag that have it, of those that were measured
	Outside, OutsideOf int     // cases without the tag that have it, likewise
}

// A Trait is a value of a projection, a member of one, or the absence of a
// number.
type Trait struct {
	Of, Value      string // Value as JSON, of a member or a number the name
	Member, Absent bool
}

// What a tag must show before a sentence is made of it.
const (
	fewest = 3   // cases on either side; of fewer nothing can be told
	level  = .01 // of Fisher's exact test, two-sided
	gap    = 0.3 // difference of the shares
)

// byTag compares the cases of each tag with the others. The test is a guard
// against sentences about nothing and no more: of a hundred comparisons of
// things that have nothing to do with each other it lets one through at most,
// and what it lets through is true of the suite in any case.
func (t *traits) byTag(tags map[string][]string) (found []Tagged, looked int) {
	var sets [][]int // the cases of each that was found
	cases := map[string][]int{}
	for at, id := range t.ids {
		for _, tag := range tags[id] {
			if n := len(cases[tag]); n == 0 || cases[tag][n-1] != at {
				cases[tag] = append(cases[tag], at)
			}
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(cases)) {
		of, rest := len(cases[tag]), len(t.ids)-len(cases[tag])
		if of < fewest || rest < fewest {
			continue
		}
		looked++
		if same := slices.IndexFunc(sets, func(set []int) bool { return slices.Equal(set, cases[tag]) }); same >= 0 {
			found[same].Tags = append(found[same].Tags, tag)
			continue
		}
		one := Tagged{Tags: []string{tag}, Cases: of, Rest: rest}
		one.Findings = t.findings(cases[tag])
		if len(one.Findings) > 0 {
			found = append(found, one)
			sets = append(sets, cases[tag])
		}
	}
	return found, looked
}

func (t *traits) findings(tagged []int) []Finding {
	var found []Finding
	var cases [][]int
	for _, x := range t.sorted() {
		if x.of == "toolset" && !x.member {
			continue // that no tool is called is told by those that are
		}
		have, known := t.have[x], t.known[x.of]
		in, of := common(tagged, have), common(tagged, known)
		outside, rest := len(have)-in, len(known)-of
		if of < fewest || rest < fewest {
			continue // what was not measured is not absent
		}
		share, other := float64(in)/float64(of), float64(outside)/float64(rest)
		if max(share-other, other-share) < gap || stats.Fisher(in, of, outside, rest) > level {
			continue
		}
		told := Trait{x.of, x.value, x.member, x.absent}
		same := slices.IndexFunc(found, func(f Finding) bool { return f.Traits[0].Of == x.of && f.Traits[0].Member == x.member })
		if same >= 0 && slices.Equal(cases[same], have) {
			found[same].Traits = append(found[same].Traits, told)
			continue
		}
		found = append(found, Finding{Traits: []Trait{told}, In: in, Of: of, Outside: outside, OutsideOf: rest})
		cases = append(cases, have)
	}
	return found
}

// common counts what two ascending lists share.
func common(a, b []int) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

// An Odd is one or more cases that stand out alike.
type Odd struct {
	IDs   []string
	Has   []Trait // that hardly any other case has
	Lacks []Trait // members that nearly all others have
}

// rare is the most cases that may share a trait that makes them stand out.
func (t *traits) rare() int { return max(2, len(t.ids)/50) }

// odd lists the cases with traits that hardly any other has, those with the
// most first. A suite in which everything is rare has no exceptions.
func (t *traits) odd() []Odd {
	if len(t.ids) < 4*t.rare() {
		return nil
	}
	byCase := map[int]*Odd{}
	at := func(i int) *Odd {
		if byCase[i] == nil {
			byCase[i] = &Odd{IDs: []string{t.ids[i]}}
		}
		return byCase[i]
	}
	scattered := t.scattered()
	for _, x := range t.sorted() {
		told := Trait{x.of, x.value, x.member, x.absent}
		if have := t.have[x]; len(have) <= t.rare() && (x.member || x.absent || !scattered[x.of]) {
			for _, i := range have {
				at(i).Has = append(at(i).Has, told)
			}
		}
		if !x.member || x.of == "toolset" {
			continue
		}
		lack := missing(t.measured[x.of], t.have[x], t.might[x])
		if len(lack) > 0 && len(lack) <= t.rare() && len(t.measured[x.of]) >= 4*t.rare() {
			for _, i := range lack {
				at(i).Lacks = append(at(i).Lacks, told)
			}
		}
	}
	return alikeTogether(byCase)
}

// scattered names the projections with so many rare values that none of them
// is an exception: a label that is free text.
func (t *traits) scattered() map[string]bool {
	in := map[string]int{}
	for x, have := range t.have {
		if !x.member && !x.absent && len(have) <= t.rare() {
			in[x.of] += len(have)
		}
	}
	all := map[string]bool{}
	for of, cases := range in {
		all[of] = cases > 4*t.rare()
	}
	return all
}

// missing returns what is in all and in neither of the two others.
func missing(all, a, b []int) (left []int) {
	for _, i := range all {
		_, inA := slices.BinarySearch(a, i)
		_, inB := slices.BinarySearch(b, i)
		if !inA && !inB {
			left = append(left, i)
		}
	}
	return left
}

// alikeTogether joins cases that stand out by the same.
func alikeTogether(byCase map[int]*Odd) []Odd {
	var all []Odd
	for _, i := range slices.Sorted(maps.Keys(byCase)) {
		one := byCase[i]
		same := slices.IndexFunc(all, func(o Odd) bool {
			return slices.Equal(o.Has, one.Has) && slices.Equal(o.Lacks, one.Lacks)
		})
		if same >= 0 {
			all[same].IDs = append(all[same].IDs, one.IDs...)
			continue
		}
		all = append(all, *one)
	}
	slices.SortStableFunc(all, func(a, b Odd) int {
		return len(b.Has) + len(b.Lacks) - len(a.Has) - len(a.Lacks)
	})
	return all
}
