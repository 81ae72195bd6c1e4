package suite

import (
	"math"
	"strconv"
	"strings"
	"time"

	"docket/engine/source"
)

// fields reads single values and collects what is wrong with them. A value that
// is wrong reads as the zero value.
type fields struct{ problems source.Problems }

func (f *fields) wrong(v source.Value, format string, args ...any) {
	f.problems = append(f.problems, v.Problemf(format, args...))
}

// text reads text that must not be blank. Numbers and booleans are taken as
// they were written.
func (f *fields) text(v source.Value, key string) string {
	switch v.Kind() {
	case source.String, source.Number, source.Bool:
		if s := v.Scalar(); strings.TrimSpace(s) != "" {
			return s
		}
		f.wrong(v, "%s must not be blank", key)
	case source.Null:
		f.wrong(v, "%s must not be empty", key)
	default:
		f.wrong(v, "%s must be text, got %s", key, v.Describe())
	}
	return ""
}

// texts reads a list of texts, none of them blank, none twice.
func (f *fields) texts(v source.Value, key string) []string {
	if v.Kind() != source.List {
		f.wrong(v, "%s must be a list such as [a, b], got %s", key, v.Describe())
		return nil
	}
	list := make([]string, 0, len(v.Items()))
	seen := make(map[string]bool, len(v.Items()))
	for _, item := range v.Items() {
		s := f.text(item, "an item of "+key)
		if s == "" {
			continue
		}
		if seen[s] {
			f.wrong(item, "%q stands twice in %s; leave one of them", s, key)
			continue
		}
		seen[s] = true
		list = append(list, s)
	}
	return list
}

// count reads a whole number of at least 1.
func (f *fields) count(v source.Value, key string) int {
	if n, ok := v.Number(); ok {
		if i, err := strconv.ParseInt(n.String(), 10, 32); err == nil && i >= 1 {
			return int(i)
		}
	}
	f.wrong(v, "%s must be a whole number of at least 1, got %s", key, v.Describe())
	return 0
}

// number reads a number of at least least, or above it.
func (f *fields) number(v source.Value, key string, least float64, above bool) float64 {
	if n, ok := v.Number(); ok {
		x, err := n.Float64()
		if err == nil && !math.IsInf(x, 0) && (x > least || x == least && !above) {
			return x
		}
	}
	bound := "of at least "
	if above {
		bound = "above "
	}
	f.wrong(v, "%s must be a number %s%s, got %s", key, bound, strconv.FormatFloat(least, 'g', -1, 64), v.Describe())
	return 0
}

// date reads a day.
func (f *fields) date(v source.Value, key string) string {
	s := v.Scalar()
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		f.wrong(v, "%s must be a date such as 2025-04-02, got %s", key, v.Describe())
		return ""
	}
	return s
}

// choice reads one of several words.
func (f *fields) choice(v source.Value, key string, words ...string) string {
	s := v.Scalar()
	for _, w := range words {
		if s == w {
			return s
		}
	}
	if s == "" {
		f.wrong(v, "%s must be one of %s, got %s", key, strings.Join(words, ", "), v.Describe())
	} else {
		f.wrong(v, "%s cannot be %s; %s", key, v.Describe(), source.Suggest(s, words))
	}
	return ""
}

// mapping reports whether v is a mapping, and says what is wrong where it is
// something else.
func (f *fields) mapping(v source.Value, key, example string) bool {
	if v.Kind() == source.Map {
		return true
	}
	f.wrong(v, "%s must be a mapping such as %s, got %s", key, example, v.Describe())
	return false
}
