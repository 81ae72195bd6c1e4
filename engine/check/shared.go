package check

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"docket/engine/canonical"
	"docket/engine/source"
)

// Shared keeps what was compiled: schemas, patterns, checks and lists of them,
// so that cases of a suite which ask the same hold it in memory once. It is for
// cases that share labels and a folder: a check knows nothing else of its case.
// The zero value is ready; it is safe for concurrent use. A nil Shared keeps
// nothing.
type Shared struct {
	mu       sync.Mutex
	schemas  map[string]*schema
	patterns map[string]*regexp.Regexp
	checks   map[checkKey]Compiled
	lists    map[string][]Compiled
}

// A checkKey is all that one check may differ in from another.
type checkKey struct {
	name       string
	asked      string // the hash of what is asked, its key and what stands in a file included
	written    string // the hash of how the case writes it, which messages repeat
	ignoreCase bool
}

// written is the hash of what a case writes under a key; "" where nothing is
// kept.
func (s *Shared) written(v source.Value) string {
	if s == nil {
		return ""
	}
	return canonical.Hash(v.JSON())
}

// check returns the check that was compiled first for a key.
func (s *Shared) check(key checkKey, made Compiled) Compiled {
	if s == nil {
		return made
	}
	have, _ := once(&s.mu, &s.checks, key, func() (Compiled, error) { return made, nil })
	return have
}

// list returns the first list of the same checks. They are shared, so that they
// are the same where their places in memory are.
func (s *Shared) list(made []Compiled) []Compiled {
	if s == nil || len(made) == 0 {
		return made
	}
	var key []byte
	for _, c := range made {
		key = fmt.Appendf(key, "%p ", c.Check)
	}
	have, _ := once(&s.mu, &s.lists, string(key), func() ([]Compiled, error) { return slices.Clip(made), nil })
	return have
}

// schema compiles a schema unless it did before.
func (s *Shared) schema(doc any) (*schema, error) {
	if s == nil {
		return compileSchema(doc)
	}
	return once(&s.mu, &s.schemas, canonical.Hash(doc), func() (*schema, error) { return compileSchema(doc) })
}

// pattern compiles a pattern unless it did before.
func (s *Shared) pattern(written string) (*regexp.Regexp, error) {
	if s == nil {
		return regexp.Compile(written)
	}
	return once(&s.mu, &s.patterns, written, func() (*regexp.Regexp, error) { return regexp.Compile(written) })
}

// once returns what stands under a key, and puts there what was made where
// nothing does.
func once[K comparable, V any](mu *sync.Mutex, kept *map[K]V, key K, compile func() (V, error)) (V, error) {
	mu.Lock()
	defer mu.Unlock()
	if have, ok := (*kept)[key]; ok {
		return have, nil
	}
	made, err := compile()
	if err != nil {
		return made, err
	}
	if *kept == nil {
		*kept = map[K]V{}
	}
	(*kept)[key] = made
	return made, nil
}
