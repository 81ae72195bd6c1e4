package check

import (
	"context"
	"fmt"
	"strings"

	"docket/engine/field"
	"docket/engine/prose"
	"docket/engine/source"
)

// A citationsCheck passes when every citation marker in the text names a
// document that was given. The score is the share of citations that do. A text
// that cites nothing passes, unless at_least says how many it must cite.
//
// The documents are a list of strings, cited by position from 1 or by the
// string itself; a list of objects, cited by id (or else name, or title), or by
// position where they have none; or an object, cited by key.
type citationsCheck struct {
	path    field.Path
	written string
	atLeast int
}

func (ci *citationsCheck) Name() string { return "citations" }

func (ci *citationsCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	found := ci.path.Find(map[string]any{"input": s.Input})
	if len(found) == 0 {
		return Verdict{}, fmt.Errorf("citations: the case has nothing at %s", quote(ci.written))
	}
	documents := found[0]
	if ci.path.Multiple() {
		documents = found
	}
	known, err := documentNames(documents)
	if err != nil {
		return Verdict{}, fmt.Errorf("citations: %s: %w", quote(ci.written), err)
	}
	cited := citations(s.Output.Text, known)
	resolved := 0
	var dangling []string
	for _, c := range cited {
		if known[c] {
			resolved++
		} else if len(dangling) < 5 {
			dangling = append(dangling, quote(c))
		}
	}
	switch {
	case len(cited) < ci.atLeast:
		v := failed("cites %d times, at least %d asked for", len(cited), ci.atLeast)
		v.Score = float64(resolved) / float64(ci.atLeast)
		return v, nil
	case len(cited) == 0:
		return passed(), nil
	}
	return share(float64(resolved), float64(len(cited)), func() string {
		return fmt.Sprintf("%d of %d citations name no document that was given: %s", len(cited)-resolved, len(cited), strings.Join(dangling, ", "))
	}), nil
}

// documentNames returns how documents may be cited, folded.
func documentNames(documents any) (map[string]bool, error) {
	known := map[string]bool{}
	add := func(name string) {
		if name = citationName(name); name != "" {
			known[name] = true
		}
	}
	switch documents := documents.(type) {
	case map[string]any:
		for key := range documents {
			add(key)
		}
		return known, nil
	case []any:
		for i, document := range documents {
			position := fmt.Sprint(i + 1)
			switch document := document.(type) {
			case string:
				add(position)
				add(document)
			case map[string]any:
				if name := documentID(document); name != "" {
					add(name)
				} else {
					add(position)
				}
			default:
				add(position)
			}
		}
		return known, nil
	}
	return nil, fmt.Errorf("expected the documents as a list or an object")
}

func documentID(document map[string]any) string {
	for _, key := range [...]string{"id", "name", "title"} {
		switch v := document[key].(type) {
		case string:
			return v
		case fmt.Stringer: // a number
			return v.String()
		}
	}
	return ""
}

// citationName brings the name of a document into the form of comparison.
func citationName(s string) string { return strings.ToLower(prose.Normalize(s)) }

func compileCitations(c *compiler, v source.Value) []item {
	if !c.known(v, "citations", "resolve_in", "at_least") {
		return nil
	}
	ci := &citationsCheck{}
	in := v.Get("resolve_in")
	if in.IsZero() {
		c.problem(v, "citations needs resolve_in, the place of the documents: {resolve_in: input.documents}")
		return nil
	}
	written, ok := c.str(in, "a path such as input.documents")
	if !ok {
		return nil
	}
	path, err := field.Parse(written)
	if err != nil {
		c.problem(in, "citations: %v", err)
		return nil
	}
	ci.path, ci.written = path, written
	spelled := path.String()
	if spelled != "input" && !strings.HasPrefix(spelled, "input.") && !strings.HasPrefix(spelled, "input[") {
		c.problem(in, "citations: %s does not start with input; the documents are those that the case gives, such as input.documents", quote(written))
		return nil
	}
	if c.env.Case.Input != nil && len(path.Find(map[string]any{"input": c.env.Case.Input})) == 0 {
		c.problem(in, "citations: the case has nothing at %s", quote(written))
		return nil
	}
	if n := v.Get("at_least"); !n.IsZero() {
		if ci.atLeast, ok = wholeNumber(n); !ok {
			c.problem(n, "at_least: expected a whole number, got %s", n.Describe())
			return nil
		}
	}
	return []item{{ci, map[string]any{"resolve_in": spelled, "at_least": fmt.Sprint(ci.atLeast)}}}
}
