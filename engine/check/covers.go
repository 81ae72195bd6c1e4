package check

import (
	"context"
	"fmt"
	"strings"

	"docket/engine/canonical"
	"docket/engine/field"
	"docket/engine/source"
)

// A coversCheck passes when every expected kind is found: in the text, or, with
// a path, among the values that the path leads to in the JSON of the text. The
// score is the share that is found.
type coversCheck struct {
	path       field.Path
	hasPath    bool
	written    []string
	folded     []string
	ignoreCase bool
}

func (cv *coversCheck) Name() string { return "covers" }

func (cv *coversCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	has := func(kind string) bool { return strings.Contains(s.text(cv.ignoreCase), kind) }
	if cv.hasPath {
		if !s.HasDocument {
			return failed("the text holds no JSON"), nil
		}
		found := map[string]bool{}
		for _, v := range cv.path.Find(s.Document) {
			cv.gather(v, found)
		}
		has = func(kind string) bool { return found[kind] }
	}
	n := 0
	var missing []string
	for i, kind := range cv.folded {
		if has(kind) {
			n++
		} else {
			missing = append(missing, quote(cv.written[i]))
		}
	}
	return share(float64(n), float64(len(cv.folded)), func() string {
		return fmt.Sprintf("%d of %d are missing: %s", len(missing), len(cv.folded), strings.Join(missing, ", "))
	}), nil
}

// gather adds a value, or the items of a list, as text.
func (cv *coversCheck) gather(v any, into map[string]bool) {
	switch v := v.(type) {
	case string:
		into[fold(v, cv.ignoreCase)] = true
	case []any:
		for _, item := range v {
			cv.gather(item, into)
		}
	case map[string]any:
		// An object has no kind of its own; a path can lead into it.
	default:
		into[string(canonical.Marshal(v))] = true
	}
}

func compileCovers(c *compiler, v source.Value) []item {
	cv := &coversCheck{ignoreCase: c.ignoreCase}
	asked := map[string]any{ignoreCase: c.ignoreCase}
	expected := v
	switch v.Kind() {
	case source.List:
	case source.Map:
		c.known(v, "covers", "path", "expected")
		if expected = v.Get("expected"); expected.IsZero() {
			c.problem(v, "covers needs expected, a list of what must be found")
			return nil
		}
		if p := v.Get("path"); !p.IsZero() {
			written, ok := c.str(p, "a path such as items[].kind")
			if !ok {
				return nil
			}
			path, err := field.Parse(written)
			if err != nil {
				c.problem(p, "covers: %v", err)
				return nil
			}
			cv.path, cv.hasPath = path, true
			asked["path"] = path.String()
		}
	default:
		c.problem(v, "covers: expected a list of strings, or {path: items[].kind, expected: [..]}, got %s", v.Describe())
		return nil
	}
	cv.written = c.strings(expected, "expected", "[refund, exchange]")
	if len(cv.written) == 0 {
		return nil
	}
	for _, s := range cv.written {
		cv.folded = append(cv.folded, fold(s, cv.ignoreCase))
	}
	asked["expected"] = texts(cv.folded)
	return []item{{cv, asked}}
}
