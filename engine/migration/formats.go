package migration

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/phrase"
)

// formats gather what is asked of the format of answers: apart for each function
// that the tests called, since one answers in prose and another in JSON, and for
// each value of an argument by which a function chose its format.
type formats struct {
	asks []string
	of   map[string][]asked
	left []leftOf
}

// An asked is one claim about the format.
type asked struct {
	test   *Test
	claim  *Claim
	record int // of the log
}

// A leftOf is a claim that got into no contract, and the record to say so in.
type leftOf struct {
	record int
	Left
}

func newFormats(asks []string) *formats {
	return &formats{asks: asks, of: map[string][]asked{}}
}

// add gathers the claims of a test that go to the contract.
func (f *formats) add(test *Test, piles []legacy.Pile, record int) {
	name := test.Asked
	for i := range test.Claims {
		if piles[i] == legacy.Contract {
			f.of[name] = append(f.of[name], asked{test, &test.Claims[i], record})
		}
	}
}

// contracts makes the contracts of all that was gathered. Each can be satisfied,
// as far as draft.Contradiction sees; what contradicts another claim that no
// argument tells it from is left out, and named.
func (f *formats) contracts(suite string) []Contracted {
	f.settle()
	names := make([]string, 0, len(f.of))
	for name := range f.of {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(index(f.asks, a), index(f.asks, b)), cmp.Compare(a, b))
	})
	var all []Contracted
	used := map[string]bool{}
	for _, name := range names {
		about, of := suite, ""
		if len(f.asks) > 1 {
			switch {
			case name == "":
				about, of = about+", where a test does not show which function gives it,", "other"
			case name != f.asks[0]:
				of = name
				fallthrough
			default:
				about += ", as " + name + " gives it,"
			}
		}
		for _, g := range divide(f.of[name], nil) {
			c, left := g.contract(about)
			f.left = append(f.left, left...)
			if c.Expect == nil {
				continue
			}
			c.Of = free(strings.Trim(of+"-"+g.name(), "-"), used)
			all = append(all, c)
		}
	}
	return all
}

// settle counts tests that do not show which function they ask among those of
// most tests, unless what they ask for contradicts these.
func (f *formats) settle() {
	stray := f.of[""]
	if len(stray) == 0 || len(f.asks) == 0 {
		return
	}
	main := f.of[f.asks[0]]
	own := demandsOf(stray)
	for _, d := range demandsOf(main) {
		for _, s := range own {
			if draft.Contradiction(d.expect, s.expect) != "" {
				if len(f.asks) == 1 {
					f.asks = append(f.asks, "")
				}
				return
			}
		}
	}
	f.of[f.asks[0]] = append(main[:len(main):len(main)], stray...)
	slices.SortStableFunc(f.of[f.asks[0]], func(a, b asked) int { return a.record - b.record })
	delete(f.of, "")
}

// index is the place of a name, after all others where it has none.
func index(names []string, name string) int {
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return len(names)
}

// free makes a name one whose file no other contract has.
func free(name string, used map[string]bool) string {
	stem := func(name string) string { return draft.FileStem(strings.ToLower(name)) }
	first := name
	for n := 2; used[stem(name)]; n++ {
		name = fmt.Sprintf("%s-%d", first, n)
	}
	used[stem(name)] = true
	return name
}

// A group is claims that one contract is made of: those of the tests that give
// the same for each argument by which the format is chosen.
type group struct {
	claims []asked
	given  []argument
}

// name is made of the arguments that choose the format; "" where none does, or
// where the tests leave them out.
func (g *group) name() string {
	var values []string
	for _, a := range g.given {
		if a.given {
			values = append(values, a.value)
		}
	}
	return strings.Join(values, "-")
}

// contract joins the claims of a group: all that one test asks, and of what
// several tests limit the widest, since a contract holds for every answer.
func (g *group) contract(about string) (Contracted, []leftOf) {
	out, left := g.odd()
	var notes []string
	whole := draft.Expectation{Loose: true}
	leave := func(a asked, why string) {
		left = append(left, leftOf{a.record, Left{a.claim.Line, a.claim.Text, why}})
	}
	for at := 0; at < len(g.claims); {
		test := g.claims[at].test
		one := draft.Expectation{}
		var of []asked
		for ; at < len(g.claims) && g.claims[at].test == test; at++ {
			a := g.claims[at]
			switch {
			case a.claim.Left != "":
				leave(a, a.claim.Left)
			case out[a.claim]:
			default:
				if why := one.Add(a.claim.Expect); why != "" {
					leave(a, why)
					continue
				}
				of = append(of, a)
			}
		}
		if one.Values == nil {
			continue
		}
		why := whole.Add(one.Values)
		for _, a := range of {
			if why != "" {
				leave(a, why)
				continue
			}
			// Whoever wonders about a check finds what asked for it.
			notes = append(notes, fmt.Sprintf("%s, line %d: %s", test.Name, a.claim.Line, a.claim.Text))
		}
	}
	for _, a := range g.given {
		about += a.words()
	}
	head := []string{"What the format of every answer of " + about + " is held to, whatever the case: for the production path, and `docket contract`."}
	notes = append(append(head, g.limits()...), notes...)
	for _, l := range left {
		test := g.testOf(l)
		notes = append(notes, fmt.Sprintf("not translated, %s, line %d: %s: %s", test, l.Line, l.Text, l.Why))
	}
	return Contracted{Contract: draft.Contract{Expect: whole.Values, Notes: notes}}, left
}

// testOf is the name of the test that a claim which was left is of.
func (g *group) testOf(l leftOf) string {
	for _, a := range g.claims {
		if a.record == l.record {
			return a.test.Name
		}
	}
	return ""
}

// limits says where tests set other limits to the same: the contract has the
// widest.
func (g *group) limits() []string {
	type bound struct{ value, test string }
	bounds := map[string][]bound{}
	for _, a := range g.claims {
		for of, value := range limitsOf(a.claim.Expect) {
			known := slices.ContainsFunc(bounds[of], func(b bound) bool { return b.value == value })
			if !known {
				bounds[of] = append(bounds[of], bound{value, a.test.Name})
			}
		}
	}
	var all []string
	for of, list := range bounds {
		if len(list) < 2 {
			continue
		}
		words := make([]string, len(list))
		for i, b := range list {
			words[i] = b.value + " in " + b.test
		}
		all = append(all, "the tests differ in "+of+", and the widest stands: "+phrase.Series(words, "and"))
	}
	slices.Sort(all)
	return all
}

// limitsOf are the limits that an expectation sets, each with its value.
func limitsOf(expect map[string]any) map[string]string {
	all := map[string]string{}
	for key, v := range expect {
		switch {
		case strings.HasPrefix(key, "max_"), strings.HasPrefix(key, "min_"):
			all[key] = string(canonical.Marshal(v))
		case key == "structure":
			parts, _ := v.(map[string]any)
			for part, n := range parts {
				ends, isRange := n.(map[string]any)
				if !isRange {
					all["the number of "+part] = string(canonical.Marshal(n))
				}
				for end, n := range ends {
					all["the "+end+" of "+part] = string(canonical.Marshal(n))
				}
			}
		}
	}
	return all
}
