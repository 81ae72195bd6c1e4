package legacy

import (
	"reflect"

	"docket/engine/phrase"
	"docket/engine/secret"
)

// Unkey takes keys and tokens out of all that was read, since it goes on into
// plans, cases and decisions that are committed. A problem of the file says in
// how many tests there was one.
func (f *File) Unkey(r *secret.Redactor) {
	found := 0
	for i := range f.Tests {
		if f.Tests[i].unkey(r) {
			found++
		}
	}
	if found > 0 {
		f.Problems = append(f.Problems, Problem{Line: 1, Message: "what looks like a key or a token reads " + secret.Redacted + " in " + phrase.Count(found, "test", "tests") + ", and should be revoked"})
	}
}

// unkey reports whether there was a secret in a test.
func (t *Test) unkey(r *secret.Redactor) bool {
	changed := false
	text := func(s *string) {
		clean := r.Text(*s)
		changed = changed || clean != *s
		*s = clean
	}
	value := func(v any) any {
		clean := r.Value(v)
		changed = changed || !reflect.DeepEqual(v, clean)
		return clean
	}
	for _, s := range []*string{&t.Name, &t.Doc, &t.Source, &t.Call} {
		text(s)
	}
	for i := range t.Comments {
		text(&t.Comments[i])
	}
	for i := range t.Inputs {
		t.Inputs[i].Value = value(t.Inputs[i].Value)
		text(&t.Inputs[i].Why)
	}
	for i := range t.Claims {
		c := &t.Claims[i]
		text(&c.Text)
		text(&c.Path)
		text(&c.Why)
		for j := range c.Values {
			c.Values[j] = value(c.Values[j])
		}
	}
	for i := range t.Unresolved {
		text(&t.Unresolved[i].Message)
	}
	return changed
}
