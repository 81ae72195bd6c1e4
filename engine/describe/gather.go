package describe

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/projection"
)

type valueTally struct {
	of, unsettled int
	counts        map[string]*Count // by the value's canonical spelling
}

// addValue counts a projection that is compared as a whole.
func (g *gatherer) addValue(name string, stable any, has bool) {
	t := g.values[name]
	if t == nil {
		t = &valueTally{counts: map[string]*Count{}}
		g.values[name] = t
	}
	t.of++
	if !has {
		t.unsettled++
		return
	}
	spelled := string(canonical.Marshal(stable))
	if t.counts[spelled] == nil {
		t.counts[spelled] = &Count{Value: stable}
	}
	t.counts[spelled].Cases++
	if name == "tools" {
		if list, ok := stable.([]any); ok && len(list) > 0 {
			addPattern(g.calls, list)
		}
		return // which tools are called is told by toolset
	}
	g.traits.add(trait{of: name, value: spelled})
}

func addPattern(patterns map[string]*Pattern, list []any) {
	spelled := string(canonical.Marshal(list))
	if patterns[spelled] == nil {
		p := &Pattern{}
		for _, item := range list {
			p.Calls = append(p.Calls, text(item))
		}
		patterns[spelled] = p
	}
	patterns[spelled].Cases++
}

func (t *valueTally) sorted(name string) Values {
	v := Values{Name: name, Of: t.of, Unsettled: t.unsettled}
	for _, spelled := range slices.Sorted(maps.Keys(t.counts)) {
		v.Counts = append(v.Counts, *t.counts[spelled])
	}
	slices.SortStableFunc(v.Counts, func(a, b Count) int { return b.Cases - a.Cases })
	return v
}

type memberTally struct {
	of, without, empty int
	members            map[string]*Member
}

// addMembers counts a projection that is compared member by member.
func (g *gatherer) addMembers(name string, stable any, has bool, unstable map[string]int) {
	t := g.members[name]
	if t == nil {
		t = &memberTally{members: map[string]*Member{}}
		g.members[name] = t
	}
	t.of++
	at := func(member string) *Member {
		if t.members[member] == nil {
			t.members[member] = &Member{Name: member}
		}
		return t.members[member]
	}
	always, sometimes := membersOf(stable)
	for _, member := range always {
		at(member).Always++
		g.traits.add(trait{of: name, value: member, member: true})
	}
	for member := range unstable {
		if member == "null" {
			continue // some samples without the structure; told among what wobbles
		}
		sometimes = append(sometimes, readMember(member))
	}
	for _, member := range sometimes {
		at(member).Sometimes++
		g.traits.maybe(trait{of: name, value: member, member: true})
	}
	switch {
	case has && stable == nil:
		t.without++
		g.traits.add(trait{of: name, value: "null"})
	case name == "toolset" && len(always) > 1:
		list, _ := stable.([]any)
		addPattern(g.sets, list)
	case has && len(always)+len(sometimes) == 0:
		t.empty++
		if name == "toolset" {
			g.traits.add(trait{of: name, value: "[]"})
		}
	}
	if has && stable != nil {
		g.traits.among(name)
	}
}

// membersOf returns the members that a value has, and those that a set allowed
// by a person has in some of its alternatives only.
func membersOf(stable any) (always, sometimes []string) {
	switch v := stable.(type) {
	case []any:
		for _, member := range v {
			always = append(always, text(member))
		}
	case map[string]any:
		counts := map[string]int{}
		alternatives, _ := v["any"].([]any)
		for _, alternative := range alternatives {
			list, _ := alternative.([]any)
			for _, member := range list {
				counts[text(member)]++
			}
		}
		for _, member := range slices.Sorted(maps.Keys(counts)) {
			if counts[member] == len(alternatives) {
				always = append(always, member)
			} else {
				sometimes = append(sometimes, member)
			}
		}
	}
	return always, sometimes
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(canonical.Marshal(v))
}

// readMember undoes the quotes that a member has among what is unstable where
// it would read as something else.
func readMember(key string) string {
	if strings.HasPrefix(key, `"`) {
		return text(projection.Read(key))
	}
	return key
}

func (t *memberTally) sorted(name string) Set {
	s := Set{Name: name, Of: t.of, Without: t.without, Empty: t.empty}
	for _, member := range slices.Sorted(maps.Keys(t.members)) {
		s.Members = append(s.Members, *t.members[member])
	}
	slices.SortStableFunc(s.Members, func(a, b Member) int {
		if a.Always != b.Always {
			return b.Always - a.Always
		}
		return b.Sometimes - a.Sometimes
	})
	return s
}

type numberTally struct {
	Number
	seen []float64
}

// addNumbers counts each number by its name.
func (g *gatherer) addNumbers(stable any, unstable map[string]int) {
	at := func(name string) *numberTally {
		if g.numbers[name] == nil {
			g.numbers[name] = &numberTally{}
		}
		return g.numbers[name]
	}
	alternatives := []any{stable}
	if object, ok := stable.(map[string]any); ok && len(object) == 1 {
		if set, ok := object["any"].([]any); ok {
			alternatives = set
		}
	}
	values := map[string][]float64{}
	for _, alternative := range alternatives {
		object, _ := alternative.(map[string]any)
		for name, v := range object {
			values[name] = append(values[name], floats(v)...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		t := at(name)
		if len(values[name]) == 0 {
			t.Absent++
			g.traits.add(trait{of: "numbers", value: name, absent: true})
			continue
		}
		t.Present++
		t.seen = append(t.seen, values[name]...)
	}
	unsettled := map[string]struct{}{}
	for key := range unstable {
		name := key
		if colon := strings.LastIndexByte(key, ':'); colon >= 0 {
			name = key[:colon]
		}
		if _, settled := values[name]; !settled {
			unsettled[name] = struct{}{}
		}
	}
	for name := range unsettled {
		at(name).Unsettled++
	}
}

func floats(v any) []float64 {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil {
		return nil
	}
	return []float64{f}
}

func (t *numberTally) sorted(name string) Number {
	n := t.Number
	n.Name = name
	if count := len(t.seen); count > 0 {
		slices.Sort(t.seen)
		n.Low, n.Median, n.High = t.seen[0], t.seen[(count-1)/2], t.seen[count-1]
	}
	return n
}

// addCarried counts the identifiers that every sample of a case repeats.
func (g *gatherer) addCarried(stable any, has bool) {
	if !has {
		return
	}
	always, _ := membersOf(stable)
	g.carried = append(g.carried, len(always))
	if len(always) == 0 {
		g.traits.add(trait{of: "entities", value: "[]"})
	}
}

// A Check is how a check does over the cases that have it.
type Check struct {
	Name   string
	Of     int      // cases that have it
	Passes int      // in every sample
	Split  []string // ids of cases whose samples disagree
	Fails  []string // ids of cases that fail it in every sample
}

func (g *gatherer) addChecks(l *baseline.Line) {
	switch {
	case l.Pass == nil:
		g.passing.Without++
	case l.Pass.All():
		g.passing.All++
	case l.Pass.None():
		g.passing.Never++
	default:
		g.passing.Some++
	}
	for name, tally := range l.Checks {
		c := g.checks[name]
		if c == nil {
			c = &Check{Name: name}
			g.checks[name] = c
		}
		c.Of++
		switch {
		case tally.All():
			c.Passes++
		case tally.None():
			c.Fails = append(c.Fails, l.ID)
		default:
			c.Split = append(c.Split, l.ID)
			w := g.wobble(wobbleKey{of: name, check: true})
			w.Cases = append(w.Cases, Seen{ID: l.ID, Samples: l.Samples, Values: []Times{{"pass", tally.Passed}, {"fail", tally.Of - tally.Passed}}})
		}
	}
}
