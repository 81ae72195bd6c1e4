package projection

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/field"
)

// Bounds of a guess.
const (
	guessDepth   = 4  // nested objects that are looked into
	guessNumbers = 24 // numbers that are compared
	guessValues  = 12 // different values that a label may have
	guessWords   = 4  // words in a label
	guessLength  = 40 // bytes in a label
)

// usualLabels are the names that fields which hold a label mostly have.
func usualLabels() []string {
	return []string{"label", "labels", "status", "category", "class", "intent", "action", "decision", "verdict", "outcome", "sentiment", "priority", "type"}
}

// A Guess is what outputs themselves tell of labels and numbers, where no suite
// says which fields hold them. It is a guess: whoever uses it must say so.
type Guess struct {
	Label   string   // path to the label; "" for none
	Labels  []string // the labels, where whole answers are labels, sorted
	Numbers []string // paths to numbers, sorted
}

// An Answer is one output as far as guessing needs.
type Answer struct {
	Text        string
	Document    any
	HasDocument bool
}

// GuessFrom reads off answers, best one for each case and side, where labels
// and numbers stand. The label is the field with few and short values that is
// there in at least half of the JSON answers, one with a usual name first;
// where answers are no JSON but few, short and often the same, they are the
// labels. A number is a field that never holds anything else. What lies in
// lists is passed over, but for a list of labels that is the whole answer.
func GuessFrom(answers []Answer) Guess {
	seen := map[string]*guessed{}
	documents := 0
	for _, a := range answers {
		if !a.HasDocument {
			continue
		}
		documents++
		gather(seen, a.Document, "", 0)
	}
	g := Guess{}
	if documents > 0 {
		g.Label = guessLabel(seen, documents)
		g.Numbers = guessNumberPaths(seen)
	}
	if documents == 0 {
		g.Labels = guessTexts(answers)
	}
	return g
}

// guessed is what was seen at one path.
type guessed struct {
	texts, numbers, others int
	values                 map[string]int // of texts and booleans; nil once there are too many
}

func gather(seen map[string]*guessed, v any, path string, depth int) {
	at := func() *guessed {
		g := seen[path]
		if g == nil {
			g = &guessed{values: map[string]int{}}
			seen[path] = g
		}
		return g
	}
	switch v := v.(type) {
	case map[string]any:
		if depth == guessDepth {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			gather(seen, v[key], string(field.AppendKey([]byte(path), key)), depth+1)
		}
	case []any:
		if depth == 0 {
			path = "[]"
			for _, item := range v {
				if s, ok := item.(string); ok {
					at().add(s)
				} else {
					at().others++
				}
			}
		}
	case string:
		if path != "" {
			at().add(v)
		}
	case bool:
		if path != "" {
			at().add(fmt.Sprint(v))
		}
	case nil:
	default:
		if path != "" {
			at().numbers++
		}
	}
}

func (g *guessed) add(value string) {
	g.texts++
	if g.values == nil {
		return
	}
	if !labelLike(value) || len(g.values) > 4*guessValues {
		g.values = nil
		return
	}
	g.values[value]++
}

func labelLike(s string) bool {
	return s != "" && len(s) <= guessLength && !strings.ContainsAny(s, "\n\r") && len(strings.Fields(s)) <= guessWords
}

func guessLabel(seen map[string]*guessed, documents int) string {
	type candidate struct {
		path  string
		usual int // its place among the usual names; past the end for another
		count int // different values
	}
	usual := usualLabels()
	var found []candidate
	for path, g := range seen {
		if g.values == nil || g.numbers+g.others > 0 || 2*g.texts < documents {
			continue
		}
		c := candidate{path, len(usual), len(g.values)}
		last := path[strings.LastIndexByte(path, '.')+1:]
		if i := slices.Index(usual, strings.ToLower(last)); i >= 0 {
			c.usual = i
		}
		few := c.count <= guessValues && 3*c.count <= documents
		if path == "[]" {
			few = c.count <= 4*guessValues
		}
		if c.usual < len(usual) && c.count <= guessValues || few {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MinFunc(found, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(a.usual, b.usual),
			cmp.Compare(one(a.count), one(b.count)), // what never varies tells least
			cmp.Compare(a.count, b.count),
			cmp.Compare(a.path, b.path),
		)
	}).path
}

func one(count int) int {
	if count == 1 {
		return 1
	}
	return 0
}

func guessNumberPaths(seen map[string]*guessed) []string {
	var paths []string
	for path, g := range seen {
		if g.numbers > 0 && g.texts+g.others == 0 {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths[:min(len(paths), guessNumbers)]
}

// guessTexts returns the labels where whole answers are labels.
func guessTexts(answers []Answer) []string {
	values := map[string]string{} // by folded text
	for _, a := range answers {
		text := strings.TrimSpace(a.Text)
		if !labelLike(text) {
			return nil
		}
		values[strings.ToLower(text)] = text
		if len(values) > guessValues {
			return nil
		}
	}
	if 3*len(values) > len(answers) {
		return nil
	}
	return slices.Sorted(maps.Values(values))
}

// Config returns the guess as a suite would write it under projections, in
// JSON, which is YAML.
func (g Guess) Config() []byte {
	config := map[string]any{}
	if g.Label != "" {
		config["label"] = map[string]any{"path": g.Label}
	}
	if len(g.Numbers) > 0 {
		numbers := map[string]any{}
		for _, path := range g.Numbers {
			numbers[path] = map[string]any{"path": path}
		}
		config["numbers"] = numbers
	}
	return canonical.Marshal(config)
}

// String says the guess in words; "" where there is none. The words hold names
// from the outputs and are untrusted text.
func (g Guess) String() string {
	var parts []string
	if g.Label != "" {
		parts = append(parts, "the label at "+g.Label)
	}
	if len(g.Labels) > 0 {
		parts = append(parts, "the labels "+strings.Join(g.Labels, ", "))
	}
	if len(g.Numbers) > 0 {
		parts = append(parts, "the numbers "+strings.Join(g.Numbers, ", "))
	}
	return strings.Join(parts, " and ")
}
