package pair

import (
	"fmt"
	"slices"
	"strings"

	"docket/engine/field"
	"docket/engine/output"
	"docket/engine/phrase"
)

// Of a field that is not compared, these say whether its values are ones that a
// reader would want to hear of: a choice among few, and no text.
const (
	mostValues  = 20 // different ones, over both files
	longestWord = 40 // bytes of one
	deepest     = 6  // objects within objects
)

// uncompared names the fields of answers in JSON that nothing here compares and
// that differ between the files: one field is taken for the label, and another
// choice beside it, approved or severity, would change unseen. Each is named with
// the number of cases that differ, the most first.
func (p *Pair) uncompared() []string {
	if p.Old.samples == nil || p.New.samples == nil {
		return nil
	}
	differs, values := map[string]int{}, map[string]map[string]bool{}
	for id := range p.Old.samples {
		old, new := choices(p.Old.answer(id)), choices(p.New.answer(id))
		for path, value := range old {
			now, both := new[path]
			if path == p.guess.Label || !both {
				continue // one that came or went is a change of the shape
			}
			if values[path] == nil {
				values[path] = map[string]bool{}
			}
			values[path][value], values[path][now] = true, true
			if value != now {
				differs[path]++
			}
		}
	}
	var paths []string
	for path := range differs {
		if len(values[path]) <= mostValues {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		if n := differs[b] - differs[a]; n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	for i, path := range paths {
		paths[i] = fmt.Sprintf("%s (%s)", path, phrase.Count(differs[path], "case", "cases"))
	}
	return paths
}

// answer is the first answer of a case; "" where there is none.
func (s *Side) answer(id string) string {
	for i := range s.samples[id] {
		if sample := &s.samples[id][i]; sample.Error == "" {
			return sample.Output.Text
		}
	}
	return ""
}

// choices are the values of an answer in JSON that may be a choice among few, by
// their path: booleans and single words.
func choices(text string) map[string]string {
	document, has := output.Document(text)
	if !has {
		return nil
	}
	found := map[string]string{}
	gather(found, document, nil, 0)
	return found
}

func gather(found map[string]string, v any, path []byte, depth int) {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if depth < deepest {
				gather(found, member, field.AppendKey(slices.Clone(path), key), depth+1)
			}
		}
	case bool:
		found[string(path)] = fmt.Sprint(v)
	case string:
		if len(path) > 0 && len(v) <= longestWord && !strings.Contains(v, " ") {
			found[string(path)] = v
		}
	}
}
