package interchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/engine/phrase"
	"docket/engine/source"
)

// A variant is one of several columns of a file of results: a provider, a
// model, a prompt.
type variant struct {
	name  string   // tells it from the others
	names []string // further names that a person may use for it
}

func (v variant) called(name string) bool {
	return v.name == name || slices.Contains(v.names, name)
}

// variants are those of a file, in the order in which they were met.
type variants struct {
	all   []variant
	index map[string]int // by name
	rows  []int
}

// maxVariants bounds how many are told apart.
const maxVariants = 1000

// take books a row of a variant and reports whether it is wanted.
func (vs *variants) take(v variant, wanted string) bool {
	i, known := vs.index[v.name]
	if !known && len(vs.all) < maxVariants {
		if vs.index == nil {
			vs.index = map[string]int{}
		}
		i = len(vs.all)
		vs.index[v.name] = i
		vs.all = append(vs.all, v)
		vs.rows = append(vs.rows, 0)
	}
	vs.rows[i]++
	return wanted == "" || v.called(wanted)
}

// choose says what is wrong with the choice of a variant.
func (vs *variants) choose(file, wanted string) source.Problems {
	var taken []variant
	for _, v := range vs.all {
		if wanted == "" || v.called(wanted) {
			taken = append(taken, v)
		}
	}
	problem := func(format string, args ...any) source.Problems {
		return source.Problems{{Position: source.Position{File: file}, Message: fmt.Sprintf(format, args...)}}
	}
	none := len(vs.all) == 0 || len(vs.all) == 1 && vs.all[0].name == ""
	switch {
	case wanted == "" && len(taken) > 1:
		return problem("it holds %d variants of its cases: %s; choose one with --variant NAME", len(vs.all), nameVariants(vs.all))
	case wanted == "":
		return nil
	case none:
		return problem("it holds no variants: leave out --variant %q", phrase.Abridge(wanted, 40))
	case len(taken) == 0:
		return problem("it holds no variant %q; it holds %s", phrase.Abridge(wanted, 40), nameVariants(vs.all))
	case len(taken) > 1:
		return problem("%q stands for %d of its variants, %s; choose one of these with --variant NAME", phrase.Abridge(wanted, 40), len(taken), nameVariants(taken))
	}
	return nil
}

func nameVariants(all []variant) string {
	const most = 12
	var names []string
	for _, v := range all[:min(most, len(all))] {
		names = append(names, strconv.Quote(v.name))
	}
	if len(all) > most {
		names = append(names, fmt.Sprintf("and %d more", len(all)-most))
	}
	return strings.Join(names, ", ")
}
