// Package draft turns what an old test claimed into what a case expects, in
// the keys that package check knows, and the rest of the test into the rest of
// a case: an id, an input with its fixtures, the reason that it exists.
//
// The package refuses to guess. A claim that no check says exactly is left,
// with the reason, for a person; a value that is computed at run time stays out
// of the input, and is named. It reads no file and writes none.
package draft

import (
	"docket/engine/legacy"
)

// A Check is what one claim becomes: one or more entries of an expectation.
type Check struct {
	// Expect is in the JSON model, under the keys of expect; nil where the claim
	// could not be translated.
	Expect map[string]any
	// Left says why not, in a few words that follow "not translated:"; "" where it
	// could be.
	Left string
}

// Options say what the translation may count on.
type Options struct {
	// Labels are those of the suite; a text that equals one of them becomes a
	// label, any other an exact pattern.
	Labels []string
}

// left is a claim that no check says.
func left(why string) Check { return Check{Left: why} }

// expect is one entry of an expectation.
func expect(key string, value any) Check { return Check{Expect: map[string]any{key: value}} }

// Translate says a claim in the keys of expect.
func Translate(c *legacy.Claim, o Options) Check {
	if c.Why != "" {
		return left("its value is " + c.Why)
	}
	switch c.Subject {
	case legacy.Answer:
		return answer(c, o)
	case legacy.Document:
		return document(c)
	case legacy.Tools:
		return tools(c)
	case legacy.Response:
		return left("it is about the vendor's response object")
	case legacy.Double:
		return left("it is about a stand-in of the test")
	case legacy.Prompt:
		return left("it is about what was sent to the model, and a case holds no prompt")
	case legacy.Raised:
		return left("it is about an exception, and a case sees outputs alone")
	case legacy.Type:
		return left("it is about a type of the program")
	}
	return left("it is not clear what it is about")
}
