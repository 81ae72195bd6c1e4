package suite

import (
	"slices"
	"strings"
)

// InProduction returns the system of the configuration whose outputs a first
// baseline of the suite should hold: "" where only the suite's own is known. A
// suite's own system is usually the candidate, and a baseline of the candidate
// would show no change at all. Meant is a system that says by its name that it
// is in production, else the only other one of its kind: an agent and the bare model
// under it are no two versions of one thing. A system that another suite asks is
// that suite's. Where several are left, one counts that begins as the suite
// or as its own system does, support-production beside support-candidate, unless
// it begins as another suite does.
func (c *Config) InProduction(s SuiteConfig) string {
	var others, named []string
	for _, system := range c.Systems {
		asked := func(other SuiteConfig) bool { return other.System == system.Name }
		if slices.ContainsFunc(c.Suites, asked) {
			continue
		}
		if system.kind() == c.kindOf(s.System) {
			others = append(others, system.Name)
		}
		if slices.ContainsFunc(nameWords(system.Name), saysProduction) {
			named = append(named, system.Name)
		}
	}
	if slices.ContainsFunc(nameWords(s.System), saysProduction) {
		return ""
	}
	for _, names := range [][]string{named, others} {
		if own := ofSuite(names, c, s); len(own) == 1 {
			return own[0]
		}
		if len(names) == 1 && len(c.Suites) == 1 {
			return names[0]
		}
	}
	return ""
}

func (n Named) kind() string { return n.Value.Get("kind").Scalar() }

// kindOf is the kind of the system of that name; "" for none.
func (c *Config) kindOf(system string) string {
	for _, n := range c.Systems {
		if n.Name == system {
			return n.kind()
		}
	}
	return ""
}

// ofSuite keeps the names that begin with the word that the suite's name begins
// with, or else with that of its own system's where no other suite's does.
func ofSuite(names []string, c *Config, s SuiteConfig) []string {
	words := []string{nameWords(s.Name)[0]}
	if s.System != "" {
		word := nameWords(s.System)[0]
		taken := func(other SuiteConfig) bool { return nameWords(other.Name)[0] == word }
		if !slices.ContainsFunc(c.Suites, taken) {
			words = append(words, word)
		}
	}
	var own []string
	for _, name := range names {
		if slices.Contains(words, nameWords(name)[0]) {
			own = append(own, name)
		}
	}
	return own
}

// nameWords splits a name where names are commonly joined; there is always a
// first word.
func nameWords(name string) []string {
	return strings.Split(strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name)), "-")
}

// saysProduction reports whether a word of a system's name says that the
// system is the one in use.
func saysProduction(word string) bool {
	return word == "production" || word == "prod" || word == "baseline"
}
