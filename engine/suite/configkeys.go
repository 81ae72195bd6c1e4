package suite

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"docket/engine/source"
)

// ConfigKeys returns the keys of the configuration, in the order of the design.
func ConfigKeys() []string {
	return []string{"version", "suites", "systems", "judges", "services", "links", "results"}
}

// SuiteKeys returns the keys of a suite within the configuration.
func SuiteKeys() []string {
	return []string{"cases", "fixtures", "system", "judge", "labels", "projections", "samples", "score_tolerance", "expires", "budget"}
}

// read fills the configuration from its document.
func (c *Config) read(root source.Value) source.Problems {
	var f fields
	version := root.Get("version")
	if n, ok := version.Number(); ok {
		if i, err := strconv.Atoi(n.String()); err == nil && i > FormatVersion {
			f.wrong(version, "this file is of version %d, and this docket reads version %d; install a newer docket", i, FormatVersion)
			return f.problems // its other keys may mean something else
		}
	}
	f.problems = append(f.problems, source.Known(root, "the configuration", ConfigKeys()...)...)
	if root.Kind() != source.Map {
		return f.problems
	}
	if version.IsZero() {
		f.wrong(root, "version is missing; write version: %d", FormatVersion)
	} else {
		c.Version = f.count(version, "version")
	}
	c.Systems = f.named(root.Get("systems"), "systems", "{prod: {kind: canned}}")
	c.Judges = f.named(root.Get("judges"), "judges", "{tone: {kind: openai, model: gpt-4o-2024-08-06, prompt: judges/tone.md}}")
	c.Services = f.named(root.Get("services"), "services", "{search: {url: 'https://search.example'}}")
	f.links(c, root.Get("links"))
	if v := root.Get("results"); !v.IsZero() {
		if s := f.text(v, "results"); s != "" {
			c.Results = f.place(c, v, "results", s)
		}
	}
	suites := root.Get("suites")
	if suites.IsZero() {
		f.wrong(root, "suites is missing; name at least one, such as suites: {support: {cases: cases/support}}")
	}
	for _, n := range f.named(suites, "suites", "{support: {cases: cases/support}}") {
		c.Suites = append(c.Suites, f.suite(c, n))
	}
	return f.problems
}

// named reads a mapping of names. Names become parts of paths, so they are held
// to what every file system takes.
func (f *fields) named(v source.Value, key, example string) []Named {
	if v.IsZero() || !f.mapping(v, key, example) {
		return nil
	}
	var list []Named
	folded := map[string]string{}
	for _, e := range v.Entries() {
		if problem := nameProblem(e.Key); problem != "" {
			f.problems = append(f.problems, e.KeyAt.Problemf("the name %.60q in %s %s", e.Key, key, problem))
			continue
		}
		if other, twice := folded[strings.ToLower(e.Key)]; twice {
			f.problems = append(f.problems, e.KeyAt.Problemf("the names %q and %q in %s differ only in case, and some file systems take them for the same", other, e.Key, key))
			continue
		}
		folded[strings.ToLower(e.Key)] = e.Key
		list = append(list, Named{e.Key, e.KeyAt, e.Value})
	}
	return list
}

// nameProblem says why a name cannot be part of a path, "" where it can.
func nameProblem(name string) string {
	const longest = 64
	if len(name) > longest {
		return fmt.Sprintf("is longer than %d bytes", longest)
	}
	for i, r := range name {
		letter := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		if !letter && (i == 0 || !strings.ContainsRune("-_.", r)) {
			return `must be made of letters and digits, and after the first of "-", "_" and ".", since it becomes part of a path`
		}
	}
	if name == "" || strings.HasSuffix(name, ".") {
		return "must not be empty or end in a point, since it becomes part of a path"
	}
	return ""
}

func (f *fields) suite(c *Config, n Named) SuiteConfig {
	s := SuiteConfig{
		Name: n.Name, At: n.At,
		Samples: DefaultSamples, ScoreTolerance: DefaultScoreTolerance, Expires: Expiry{DefaultExpiryDays},
	}
	problems := source.Known(n.Value, "a suite", SuiteKeys()...)
	f.problems = append(f.problems, problems...)
	if n.Value.Kind() != source.Map {
		return s
	}
	if n.Value.Get("cases").IsZero() {
		f.problems = append(f.problems, n.At.Problemf("the suite %q names no folder; write cases: cases/%s", n.Name, n.Name))
	}
	for _, e := range n.Value.Entries() {
		v := e.Value
		switch e.Key {
		case "cases":
			s.casesAt = v.At()
			s.Cases = f.place(c, v, "cases", f.text(v, "cases"))
		case "fixtures":
			s.fixturesAt = v.At()
			s.Fixtures = f.place(c, v, "fixtures", f.text(v, "fixtures"))
		case "system":
			s.System = f.reference(v, "system", c.Systems)
		case "judge":
			s.Judge = f.reference(v, "judge", c.Judges)
		case "labels":
			s.Labels = f.labels(v)
		case "projections":
			s.Projections = v
		case "samples":
			s.Samples = f.count(v, "samples")
		case "score_tolerance":
			s.ScoreTolerance = f.number(v, "score_tolerance", 0, false)
		case "expires":
			s.Expires = f.expiry(v)
		case "budget":
			s.Budget = f.budget(v)
		}
	}
	return s
}

// place reads a path that stays in the repository.
func (f *fields) place(c *Config, v source.Value, key, name string) string {
	if name == "" {
		return ""
	}
	clean, err := c.place(name)
	if err != nil {
		f.wrong(v, "%s: %v", key, err)
	}
	return clean
}

// reference reads the name of something that is declared.
func (f *fields) reference(v source.Value, key string, declared []Named) string {
	name := f.text(v, key)
	if name == "" {
		return ""
	}
	names := make([]string, len(declared))
	for i, d := range declared {
		if d.Name == name {
			return name
		}
		names[i] = d.Name
	}
	f.wrong(v, "no %s %q is declared under %ss; %s", key, name, key, source.Suggest(name, names))
	return ""
}

// labels reads the labels. They are found in texts by case-folded words, so two
// that differ only in case would never be told apart.
func (f *fields) labels(v source.Value) []string {
	labels := f.texts(v, "labels")
	folded := make(map[string]string, len(labels))
	for _, l := range labels {
		low := strings.ToLower(l)
		if other, twice := folded[low]; twice {
			f.wrong(v, "the labels %q and %q differ only in case, and cannot be told apart in a text", other, l)
		}
		folded[low] = l
	}
	return labels
}

func (f *fields) expiry(v source.Value) Expiry {
	s := v.Scalar()
	if s == "never" {
		return Expiry{}
	}
	const most = 36500 // a hundred years: more is a slip
	if number, ok := strings.CutSuffix(s, "d"); ok {
		if days, err := strconv.Atoi(number); err == nil && days >= 1 && days <= most {
			return Expiry{days}
		}
	}
	f.wrong(v, "expires must be a number of days such as 90d, or never, got %s", v.Describe())
	return Expiry{DefaultExpiryDays}
}

func (f *fields) budget(v source.Value) (b Budget) {
	f.problems = append(f.problems, source.Known(v, "a budget", "time", "cost")...)
	if t := v.Get("time"); !t.IsZero() {
		d, err := time.ParseDuration(t.Scalar())
		if err != nil || d <= 0 {
			f.wrong(t, "time must be a duration such as 90s, 10m or 1h30m, got %s", t.Describe())
		} else {
			b.Time = d
		}
	}
	if cost := v.Get("cost"); !cost.IsZero() {
		b.Cost = f.number(cost, "cost", 0, true)
	}
	return b
}

func (f *fields) links(c *Config, v source.Value) {
	if v.IsZero() || !f.mapping(v, "links", `{'INC-(\d+)': 'https://incidents.example/$1'}`) {
		return
	}
	for _, e := range v.Entries() {
		pattern, err := regexp.Compile(e.Key)
		if err != nil {
			f.problems = append(f.problems, e.KeyAt.Problemf("the pattern %.60q is not a regular expression: %s", e.Key, strings.TrimPrefix(err.Error(), "error parsing regexp: ")))
			continue
		}
		target := f.text(e.Value, "the address of a link")
		if target == "" {
			continue
		}
		if !strings.HasPrefix(target, "https://") && !strings.HasPrefix(target, "http://") {
			f.wrong(e.Value, "the address of a link must begin with https:// or http://, got %s", e.Value.Describe())
			continue
		}
		c.Links = append(c.Links, Link{pattern, target, e.KeyAt})
	}
}
