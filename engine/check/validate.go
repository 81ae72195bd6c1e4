package check

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"docket/engine/phrase"
	"docket/engine/safetext"
)

// A schema is a compiled JSON Schema. It is safe for concurrent use.
type schema struct{ compiled *jsonschema.Schema }

// noLoader refuses every reference to another document. The library's own
// loader would read any file: URL.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("nothing is loaded from files or the network")
}

// schemaURL is where a schema pretends to be, so that a relative reference has
// something to be relative to.
const (
	schemaBase = "docket:///"
	schemaURL  = schemaBase + "schema"
)

// compileSchema compiles a schema in the JSON model. Draft 2020-12 is meant
// where it does not say; format is asserted; a reference stays inside the
// schema. The error says what is wrong and where, as a JSON pointer.
func compileSchema(doc any) (*schema, error) {
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, errors.New("a JSON Schema is an object")
	}
	if at, ok := unholdable(doc, ""); ok {
		return nil, fmt.Errorf("the number at %s of the schema is too large", quote(at))
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	compiler.AssertFormat()
	if err := compiler.AddResource(schemaURL, doc); err != nil {
		return nil, explainSchema(err)
	}
	compiled, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil, explainSchema(err)
	}
	return &schema{compiled}, nil
}

// explainSchema says in plain words why a schema does not compile.
func explainSchema(err error) error {
	var refused *jsonschema.LoadURLError
	var invalid *jsonschema.SchemaValidationError
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("the schema refers to %s: a schema may only refer to its own parts (#/$defs/…), since nothing is loaded from files or the network", quote(strings.TrimPrefix(refused.URL, schemaBase)))
	case errors.As(err, &invalid):
		var why *jsonschema.ValidationError
		if errors.As(invalid.Err, &why) {
			return errors.New("the schema is not valid: " + deepest(why).String())
		}
	}
	return fmt.Errorf("the schema does not compile: %s", safetext.Line(strings.ReplaceAll(err.Error(), schemaURL, "")))
}

// A schemaError is one thing that a document violates.
type schemaError struct{ pointer, message string }

func (e schemaError) String() string {
	return fmt.Sprintf("at %s: %s", quote(e.pointer), e.message)
}

// validate returns what a document in the JSON model violates, ordered by
// place; nil for a valid one. A failed anyOf or oneOf is one error.
func (s *schema) validate(doc any) []schemaError {
	if at, ok := unholdable(doc, ""); ok {
		return []schemaError{{at, "the number is out of the range of numbers"}}
	}
	err := s.compiled.Validate(doc)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &invalid):
		return []schemaError{{"", safetext.Line(err.Error())}}
	}
	found := leaves(invalid, nil)
	slices.SortFunc(found, func(a, b schemaError) int {
		return cmp.Or(strings.Compare(a.pointer, b.pointer), strings.Compare(a.message, b.message))
	})
	return slices.Compact(found)
}

// leaves gathers the errors that have no cause but themselves.
func leaves(e *jsonschema.ValidationError, into []schemaError) []schemaError {
	path := e.ErrorKind.KeywordPath()
	choice := len(path) > 0 && (path[0] == "anyOf" || path[0] == "oneOf")
	if len(e.Causes) == 0 || choice {
		return append(into, plainError(e))
	}
	for _, cause := range e.Causes {
		into = leaves(cause, into)
	}
	return into
}

// deepest follows the first cause down: the place that a person must look at.
func deepest(e *jsonschema.ValidationError) schemaError {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return plainError(e)
}

func plainError(e *jsonschema.ValidationError) schemaError {
	text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 && len(e.Causes) > 0 {
		closest := slices.MaxFunc(e.Causes, func(a, b *jsonschema.ValidationError) int {
			return cmp.Compare(len(a.InstanceLocation), len(b.InstanceLocation))
		})
		text = path[0] + " has no branch that fits; one says " + deepest(closest).String()
	}
	return schemaError{pointer(e.InstanceLocation), safetext.Line(phrase.Abridge(strings.ReplaceAll(text, schemaURL, ""), 200))}
}

// pointer spells a JSON pointer (RFC 6901).
func pointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(t))
	}
	return b.String()
}

// unholdable finds a number that no 64-bit float can hold, or one with hundreds
// of digits, and returns its JSON pointer. The validator works with exact
// fractions: a model that writes 1e999999999 would make it compute, or crash.
func unholdable(doc any, at string) (string, bool) {
	if holdable(doc) {
		return "", false
	}
	switch doc := doc.(type) {
	case []any:
		for i, item := range doc {
			if where, ok := unholdable(item, at+"/"+strconv.Itoa(i)); ok {
				return where, true
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(doc)) {
			if where, ok := unholdable(doc[key], at+pointer([]string{key})); ok {
				return where, true
			}
		}
	}
	return at, true
}

func holdable(doc any) bool {
	switch doc := doc.(type) {
	case json.Number:
		f, err := doc.Float64()
		lost := f == 0 && strings.ContainsAny(mantissa(doc.String()), "123456789")
		return err == nil && !math.IsInf(f, 0) && !lost && len(doc) <= 400
	case []any:
		for _, item := range doc {
			if !holdable(item) {
				return false
			}
		}
	case map[string]any:
		for _, member := range doc {
			if !holdable(member) {
				return false
			}
		}
	}
	return true
}

func mantissa(n string) string {
	if i := strings.IndexAny(n, "eE"); i >= 0 {
		return n[:i]
	}
	return n
}

// schemaVerdict makes a verdict of violations: each takes a tenth.
func schemaVerdict(violations []schemaError) Verdict {
	if len(violations) == 0 {
		return passed()
	}
	const shown = 3
	var texts []string
	for _, v := range violations[:min(shown, len(violations))] {
		texts = append(texts, v.String())
	}
	if more := len(violations) - shown; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return Verdict{Score: max(0, 1-float64(len(violations))/10), Message: strings.Join(texts, "; ")}
}
