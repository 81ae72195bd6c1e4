package check

import (
	"regexp"
	"sync"

	"docket/engine/canonical"
)

// Shared keeps the schemas and patterns that were compiled, so that cases of a
// suite which ask for the same one compile it once and hold it in memory once.
// The zero value is ready; it is safe for concurrent use. A nil Shared keeps
// nothing.
type Shared struct {
	mu       sync.Mutex
	schemas  map[string]*schema
	patterns map[string]*regexp.Regexp
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
func once[V any](mu *sync.Mutex, kept *map[string]V, key string, compile func() (V, error)) (V, error) {
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
		*kept = map[string]V{}
	}
	(*kept)[key] = made
	return made, nil
}
