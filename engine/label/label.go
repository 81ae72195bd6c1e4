// Package label finds the label that an output chose: by a path into its JSON,
// or by the labels that the suite lists. The projection `label` and the check
// `label` both ask here, so that they never disagree.
//
// The package refuses to guess. Two labels in one answer are "ambiguous", none
// is nil, and a listed word that only occurs inside another word does not
// count.
package label

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/field"
	"docket/engine/output"
	"docket/engine/prose"
)

// Ambiguous is the label of an output that names several.
const Ambiguous = "ambiguous"

// maxLabel is the longest text, in bytes, that is taken for a label at a path.
// Longer text there is prose, which nothing that is checked in may hold.
const maxLabel = 256

// A Finder finds labels. It is safe for concurrent use.
type Finder struct {
	path    field.Path
	hasPath bool
	words   *words            // nil without listed labels
	listed  map[string]string // folded label → label as listed
}

// New returns a Finder for a suite's labels and for the path at which its
// answers keep the label; either may be empty. A label is refused where it is
// blank, longer than 256 bytes, or differs from another only in case or white
// space; a path where it does not parse.
func New(labels []string, path string) (*Finder, error) {
	f := &Finder{}
	if path != "" {
		p, err := field.Parse(path)
		if err != nil {
			return nil, fmt.Errorf("label: %w", err)
		}
		f.path, f.hasPath = p, true
	}
	if len(labels) == 0 {
		return f, nil
	}
	f.listed = make(map[string]string, len(labels))
	for _, l := range labels {
		folded := fold(l)
		if folded == "" {
			return nil, fmt.Errorf("label %q is blank", l)
		}
		if len(l) > maxLabel {
			return nil, fmt.Errorf("label %q is %d bytes long, the limit is %d", l, len(l), maxLabel)
		}
		if other, ok := f.listed[folded]; ok {
			return nil, fmt.Errorf("labels %q and %q differ only in case or white space, and no answer could tell them apart", other, l)
		}
		f.listed[folded] = l
	}
	f.words = newWords(f.listed)
	return f, nil
}

// Measures reports whether the Finder has anything to go by: labels, a path,
// or both. Where it has neither, no output has a label.
func (f *Finder) Measures() bool { return f != nil && (f.hasPath || f.words != nil) }

// Find returns the label of an output, whose document (see output.Document) is
// passed along since the caller has it already. The first that holds:
//
//   - the value at the path: a string as it stands; true, false or a number as
//     JSON spells it; a list of these as a sorted list without repeats (always
//     a list where the path says "every item"); null, or text longer than 256
//     bytes, is no label: nil;
//   - the only listed label among the strings in the document, keys left out,
//     compared without regard to case, returned as it is listed;
//   - the only listed label in the text as a whole word, without regard to
//     case, where a label inside a longer one ("paid" in "partially paid")
//     does not count;
//   - where one of the last two finds several: "ambiguous"; where nothing
//     does: nil.
func (f *Finder) Find(o *output.Output, doc any, hasDoc bool) any {
	if !f.Measures() {
		return nil
	}
	if hasDoc && f.hasPath {
		if v, ok := f.atPath(doc); ok {
			return v
		}
	}
	if f.words == nil {
		return nil
	}
	if hasDoc {
		if v, ok := f.inDocument(doc); ok {
			return v
		}
	}
	return f.words.find(fold(o.Text))
}

// atPath reports false where the path leads nowhere or to a container that is
// no list of labels.
func (f *Finder) atPath(doc any) (any, bool) {
	found := f.path.Find(doc)
	if len(found) == 0 {
		return nil, false
	}
	if f.path.Multiple() {
		return set(found)
	}
	switch v := found[0].(type) {
	case nil:
		return nil, true
	case []any:
		return set(v)
	default:
		s, ok := scalar(v)
		if !ok {
			return nil, false
		}
		if len(s) > maxLabel {
			return nil, true
		}
		return s, true
	}
}

// set returns a list of labels sorted and without repeats. Nulls in it are
// dropped; it reports false where an item is a container.
func set(items []any) (any, bool) {
	labels := make([]string, 0, len(items))
	for _, item := range items {
		if item == nil {
			continue
		}
		s, ok := scalar(item)
		if !ok {
			return nil, false
		}
		if len(s) > maxLabel {
			return nil, true
		}
		labels = append(labels, s)
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	list := make([]any, len(labels))
	for i, l := range labels {
		list[i] = l
	}
	return list, true
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool, json.Number:
		return string(canonical.Marshal(v)), true
	}
	return "", false
}

// inDocument reports false where no string of the document is a listed label.
func (f *Finder) inDocument(doc any) (any, bool) {
	found, several := "", false
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if len(v) > 2*maxLabel {
				return
			}
			switch l, ok := f.listed[fold(v)]; {
			case !ok:
			case found == "":
				found = l
			case found != l:
				several = true
			}
		case []any:
			for _, w := range v {
				walk(w)
			}
		case map[string]any:
			for _, w := range v {
				walk(w)
			}
		}
	}
	walk(doc)
	switch {
	case several:
		return Ambiguous, true
	case found != "":
		return found, true
	}
	return nil, false
}

// fold brings text into the form in which labels are compared: NFC, runs of
// white space as one space, trimmed, lower case.
func fold(s string) string { return strings.ToLower(prose.Normalize(s)) }

// Labels returns the labels that the suite lists, in the order of their bytes.
func (f *Finder) Labels() []string { return slices.Sorted(maps.Values(f.listed)) }

// Chooses reports whether an answer can have this label at all. Without a list
// anything can be one; at a path a listed label may stand in other letters, and
// elsewhere it is found as it is listed.
func (f *Finder) Chooses(name string) bool {
	if len(f.listed) == 0 || name == Ambiguous {
		return true
	}
	listed, known := f.listed[fold(name)]
	return known && (f.hasPath || listed == name)
}

// Settings returns the labels, in the order of their bytes, and the path that
// the Finder goes by, in the JSON model of package canonical.
func (f *Finder) Settings() map[string]any {
	settings := map[string]any{}
	if f.hasPath {
		settings["path"] = f.path.String()
	}
	if len(f.listed) > 0 {
		labels := make([]any, 0, len(f.listed))
		for _, l := range slices.Sorted(maps.Values(f.listed)) {
			labels = append(labels, l)
		}
		settings["labels"] = labels
	}
	return settings
}
