package system

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"docket/engine/output"
	"docket/engine/provider"
	"docket/engine/source"
)

// errNoDoor says that the root opened a system without what it reaches its
// models by.
var errNoDoor = errors.New("it has models or services to reach and was given no door to them")

// A variable is one of a program's environment. Its value may hold addresses,
// which only a line of the door has.
type variable struct{ name, value string }

// address finds the templates that stand for an address; almost finds what was
// meant for one.
var (
	address = regexp.MustCompile(`\{\{-?\s*(provider|service)\s+(?:"([^"]*)"|` + "`([^`]*)`" + `)\s*-?\}\}`)
	almost  = regexp.MustCompile(`\{\{-?\s*(provider|service)\b`)
)

// reaches reports whether the value holds an address.
func (v variable) reaches() bool { return address.MatchString(v.value) }

// on returns the value with the addresses of a line.
func (v variable) on(l *provider.Line) (string, error) {
	var wrong error
	value := address.ReplaceAllStringFunc(v.value, func(template string) string {
		kind, name := readAddress(template)
		var at string
		var err error
		if kind == "provider" {
			at, err = l.Provider(name)
		} else {
			at, err = l.Service(name)
		}
		wrong = errors.Join(wrong, err)
		return at
	})
	return value, wrong
}

func readAddress(template string) (kind, name string) {
	m := address.FindStringSubmatch(template)
	return m[1], m[2] + m[3]
}

// compileVariables reads the environment of a program, and notes what it
// reaches.
func compileVariables(d *Declared, env source.Value, e Env) ([]variable, source.Problems) {
	var problems source.Problems
	if !env.IsZero() && env.Kind() != source.Map {
		return nil, source.Problems{env.Problemf("env must be a mapping of names and values, got %s", env.Describe())}
	}
	var all []variable
	for _, entry := range env.Entries() {
		value := entry.Value.Scalar()
		switch {
		case entry.Key == "" || strings.ContainsAny(entry.Key, "=\x00"):
			problems = append(problems, entry.KeyAt.Problemf("%q cannot be the name of a variable", entry.Key))
		case value == "" && entry.Value.Kind() != source.String && entry.Value.Kind() != source.Null:
			problems = append(problems, entry.Value.Problemf("the value of a variable must be text, got %s", entry.Value.Describe()))
		case almost.MatchString(address.ReplaceAllString(value, "")):
			problems = append(problems, entry.Value.Problemf("an address is written {{provider \"openai\"}} or {{service \"search\"}}, got %s", entry.Value.Describe()))
		}
		for _, template := range address.FindAllString(value, -1) {
			kind, name := readAddress(template)
			if problem := d.need(entry.Value, kind, name, e); problem != nil {
				problems = append(problems, *problem)
			}
		}
		all = append(all, variable{entry.Key, value})
	}
	slices.SortFunc(all, func(a, b variable) int { return strings.Compare(a.name, b.name) })
	return all, problems
}

// need notes a provider or a service.
func (d *Declared) need(at source.Value, kind, name string, e Env) *source.Problem {
	known, into := provider.Providers(), &d.Needs.Providers
	if kind == "service" {
		known, into = e.Services, &d.Needs.Services
	}
	if !slices.Contains(known, name) {
		p := at.Problemf("there is no %s %q; %s", kind, name, source.Suggest(name, known))
		if len(known) == 0 {
			p = at.Problemf("there is no service %q; declare it: services: {%s: {url: 'https://…'}}", name, name)
		}
		return &p
	}
	if !slices.Contains(*into, name) {
		*into = append(*into, name)
		slices.Sort(*into)
	}
	return nil
}

// settle ends a sample on a line, nil for none, and completes its output with
// what passed. A sample that the door knows to have failed has failed, whatever
// the system made of it; what the system says of a failure of its own comes
// before what it merely owes.
func settle(ctx context.Context, line *provider.Line, out output.Output, err error, begun time.Time) (output.Output, error) {
	if line != nil {
		traffic, failure := line.End()
		owed := errors.Is(failure, provider.ErrSilent) || errors.Is(failure, provider.ErrUnused)
		switch {
		case ctx.Err() != nil:
			return output.Output{}, ctx.Err()
		case failure != nil && (err == nil || !owed):
			return output.Output{}, failure
		}
		if err == nil {
			traffic.Complete(&out)
		}
	}
	if err != nil {
		return output.Output{}, err
	}
	if out.LatencyMS == nil {
		took := float64(time.Since(begun).Microseconds()) / 1000
		out.LatencyMS = &took
	}
	return out, nil
}

// compileTimeout reads how long something may take; 0 where it is not said.
func compileTimeout(v source.Value) (time.Duration, source.Problems) {
	if v.IsZero() {
		return 0, nil
	}
	d, err := time.ParseDuration(v.Scalar())
	if err != nil || d <= 0 {
		return 0, source.Problems{v.Problemf("timeout must be a time such as 60s or 2m, got %s", v.Describe())}
	}
	return d, nil
}

// compileURL reads the address of something that is reached over HTTP.
func compileURL(v source.Value, what string) (string, source.Problems) {
	text, ok := v.Text()
	if !ok || !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
		return "", source.Problems{v.Problemf("%s must be an address such as %s, got %s", what, "https://host/path", v.Describe())}
	}
	return text, nil
}

// compilePrices reads a table of prices: {input, output} in US dollars per
// million tokens, for every model or, under models, by the model's name; date
// says of when they are.
func compilePrices(v source.Value) (provider.Prices, source.Problems) {
	var prices provider.Prices
	if v.IsZero() {
		return prices, nil
	}
	if v.Kind() != source.Map {
		return prices, source.Problems{v.Problemf("price must be a mapping such as {input: 3.00, output: 15.00}, in US dollars per million tokens, got %s", v.Describe())}
	}
	problems := source.Known(v, "a price", "input", "output", "cache_read", "cache_write", "date", "models")
	prices.Date = v.Get("date").Scalar()
	if models := v.Get("models"); !models.IsZero() {
		if models.Kind() != source.Map {
			problems = append(problems, models.Problemf("models must be a mapping of a model's name and its price, got %s", models.Describe()))
		}
		prices.Models = map[string]provider.Price{}
		for _, e := range models.Entries() {
			problems = append(problems, source.Known(e.Value, "a price", "input", "output", "cache_read", "cache_write")...)
			price, more := compilePrice(e.Value)
			problems = append(problems, more...)
			prices.Models[e.Key] = price
		}
	}
	if v.Get("input").IsZero() && v.Get("output").IsZero() && prices.Models != nil {
		return prices, problems
	}
	price, more := compilePrice(v)
	prices.All = &price
	return prices, append(problems, more...)
}

func compilePrice(v source.Value) (provider.Price, source.Problems) {
	var price provider.Price
	var problems source.Problems
	read := func(key string, needed bool) *float64 {
		value := v.Get(key)
		if value.IsZero() && !needed {
			return nil
		}
		if n, ok := value.Number(); ok {
			if f, err := n.Float64(); err == nil && f >= 0 {
				return &f
			}
		}
		at := value
		if value.IsZero() {
			at = v
		}
		problems = append(problems, at.Problemf("a price has %s, in US dollars per million tokens, as a number that is not negative", key))
		return new(float64)
	}
	price.Input, price.Output = *read("input", true), *read("output", true)
	price.CacheRead, price.CacheWrite = read("cache_read", false), read("cache_write", false)
	return price, problems
}
