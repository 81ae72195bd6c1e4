package python

import (
	"path"
	"strings"

	"docket/engine/legacy/python/syntax"
)

// A located is a path, or a file that was opened there: its text is in the
// repository, and so no value of run time.
type located struct {
	path string // relative to the folder of the file that is read, with slashes
	// here says that the source spells the path from its own file, and not from
	// wherever the tests are run.
	here bool
}

// pathTo follows a call of open or Path with a constant.
func pathTo(v value) (located, bool) {
	switch v := v.(type) {
	case located:
		return v, true
	case text:
		return located{path: path.Clean(string(v))}, v != ""
	}
	return located{}, false
}

// locatedAttribute follows an attribute of a path.
func locatedAttribute(l located, name string) (value, bool) {
	switch name {
	case "parent": // of a file in the folder of the tests that is "."
		return located{path.Dir(l.path), l.here}, true
	case "name":
		return text(path.Base(l.path)), true
	case "stem":
		return text(strings.TrimSuffix(path.Base(l.path), path.Ext(l.path))), true
	}
	return nil, false
}

// locatedMethod follows a method of a path, or of the file there.
func (e *evaluator) locatedMethod(l located, name string, args []value, x *syntax.Call) binding {
	switch name {
	case "resolve", "absolute", "open", "expanduser", "__enter__":
		return binding{value: l}
	case "joinpath":
		for _, a := range args {
			t, ok := a.(text)
			if !ok {
				return binding{value: unknownf("computed at run time by %s", brief(e.source(x)))}
			}
			l = l.join(string(t))
		}
		return binding{value: l}
	case "read_text", "read":
		if t, ok := e.reader.textAt(l); ok {
			return binding{value: text(t), from: strings.TrimSuffix(path.Base(l.path), path.Ext(l.path))}
		}
	}
	return binding{value: unknownf("read at run time by %s", brief(e.source(x)))}
}

func (l located) join(name string) located {
	if path.IsAbs(name) {
		return located{path: path.Clean(name)}
	}
	return located{path.Join(l.path, name), l.here}
}

// textAt gives the text of a file in the folder of the tests, or below. A path
// that is seen from wherever the tests run may begin with the folder that they
// lie in.
func (r *reader) textAt(l located) (string, bool) {
	names := []string{l.path}
	if !l.here {
		folder := path.Dir(r.file.Name)
		for at := folder; at != "." && at != "/" && at != ""; {
			if rest, ok := strings.CutPrefix(l.path, at+"/"); ok {
				names = append(names, rest)
			}
			_, after, found := strings.Cut(at, "/")
			if !found {
				break
			}
			at = after
		}
	}
	for _, name := range names {
		if path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") {
			continue
		}
		data, err := r.sibling(name)
		if err != nil || len(data) > maxText {
			continue
		}
		if s, err := decode(data); err == nil {
			return s, true
		}
	}
	return "", false
}
