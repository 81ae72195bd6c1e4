package projection

import (
	"encoding/json"
	"slices"

	"docket/engine/field"
)

// shape is the sorted set of path:type over a JSON document: the types are
// string, number, boolean and null, and an item of a list is list[], whichever
// it is. A list or an object shows by what is in it; an empty one, having
// nothing in it, is spelled path:array or path:object. The document itself is
// $. So {"amount":1,"items":[{"sku":"x"}],"tags":[]} is amount:number,
// items[].sku:string, tags:array.
//
// Text that is not JSON has the shape null.
type shape struct{}

const (
	// maxMembers bounds how many members of a projection go into a baseline
	// line. A document whose keys are data, ids for instance, has thousands.
	maxMembers = 1000
	// maxPath bounds a path in bytes. What lies deeper is spelled as the
	// object or the list that it is, so that a document nested for the sake of
	// nesting costs no more than its size.
	maxPath = 512
)

func (shape) Name() string { return "shape" }

func (shape) Project(s *Subject) (any, bool) {
	if !s.HasDocument {
		return nil, true
	}
	w := shapeWalk{seen: make(map[string]struct{}, 16)}
	w.walk(s.Document)
	return list(w.found), true
}

// shapeWalk collects the members below a document. The path is one buffer that
// grows and shrinks with the walk, so that only new members are allocated.
type shapeWalk struct {
	path  []byte
	seen  map[string]struct{}
	found []string
}

func (w *shapeWalk) walk(v any) {
	switch v := v.(type) {
	case map[string]any:
		w.object(v)
	case []any:
		if len(v) == 0 || len(w.path)+2 > maxPath {
			w.leaf("array")
			return
		}
		depth := len(w.path)
		w.path = append(w.path, "[]"...)
		for _, item := range v {
			w.walk(item)
		}
		w.path = w.path[:depth]
	case string:
		w.leaf("string")
	case json.Number:
		w.leaf("number")
	case bool:
		w.leaf("boolean")
	default:
		w.leaf("null")
	}
}

func (w *shapeWalk) object(v map[string]any) {
	if len(v) == 0 {
		w.leaf("object")
		return
	}
	depth := len(w.path)
	for key, value := range v {
		if depth+len(key) > maxPath {
			w.leaf("object")
			continue
		}
		w.path = field.AppendKey(w.path, key)
		w.walk(value)
		w.path = w.path[:depth]
	}
}

func (w *shapeWalk) leaf(kind string) {
	depth := len(w.path)
	if depth == 0 {
		w.path = append(w.path, '$')
	}
	w.path = append(append(w.path, ':'), kind...)
	if _, ok := w.seen[string(w.path)]; !ok {
		member := string(w.path)
		w.seen[member] = struct{}{}
		w.found = append(w.found, member)
	}
	w.path = w.path[:depth]
}

// list sorts members, cuts them to what a baseline line may hold, and returns
// them as a JSON list. Where members were cut the last one says so, and since
// what remains is the first of all in order, it is the same on every run.
func list(members []string) []any {
	slices.Sort(members)
	return sequence(members)
}

// sequence is list for members whose order means something.
func sequence(members []string) []any {
	cut := members[:min(len(members), maxMembers)]
	values := make([]any, len(cut), len(cut)+1)
	for i, m := range cut {
		values[i] = m
	}
	if len(cut) < len(members) {
		values = append(values, more)
	}
	return values
}

// more stands for members past maxMembers. No path, call or identifier is
// spelled like it.
const more = "… and more"
