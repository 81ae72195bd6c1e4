// Package canonical holds the one JSON spelling that docket writes and hashes,
// and the strict reading of JSON that goes with it. Equal values have equal
// bytes, whoever wrote them and in whatever order, so that a baseline line can
// be compared, merged and hashed as text.
//
// Values are in the JSON model: nil, bool, [json.Number], string, []any and
// map[string]any.
//
// The package refuses what other readers pass over in silence: duplicate keys,
// text that is not UTF-8, half a surrogate pair, a second value after the
// first, nesting without end. It knows no file format, and it never guesses
// what was meant.
package canonical

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Append appends the canonical spelling of v to dst and returns the result.
//
// Keys are sorted by their bytes, there is no white space, characters stand as
// themselves (see [AppendString]), and a number has one spelling (see
// [AppendNumber]). Besides the JSON model, Go's int, int64 and float64, and the
// lists and maps of strings and numbers named below, are taken as they are;
// another type is written as encoding/json would write it and then put into
// this spelling. A float that is no number is written as null, for JSON has no
// word for it. Append panics on a type that has no JSON form at all, which is a
// mistake of the program and never of its input.
func Append(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case string:
		return AppendString(dst, v)
	case json.Number:
		return AppendNumber(dst, v)
	case float64:
		return appendFloat(dst, v)
	case int:
		return appendInt(dst, int64(v))
	case int64:
		return appendInt(dst, v)
	case []any:
		return appendList(dst, v, Append)
	case []string:
		return appendList(dst, v, AppendString)
	case map[string]any:
		return appendMap(dst, v, Append)
	case map[string]string:
		return appendMap(dst, v, AppendString)
	case map[string]int:
		return appendMap(dst, v, func(dst []byte, n int) []byte { return appendInt(dst, int64(n)) })
	}
	return appendForeign(dst, v)
}

func appendList[T any](dst []byte, items []T, each func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = each(dst, item)
	}
	return append(dst, ']')
}

func appendMap[T any](dst []byte, members map[string]T, each func([]byte, T) []byte) []byte {
	// Most objects are small: their keys are sorted on the stack.
	var few [16]string
	keys := few[:0]
	for k := range members {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, k)
		dst = append(dst, ':')
		dst = each(dst, members[k])
	}
	return append(dst, '}')
}

// appendForeign spells a value outside the JSON model by way of encoding/json.
func appendForeign(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("canonical: a %T has no JSON form: %v", v, err))
	}
	model, err := Parse(text)
	if err != nil {
		panic(fmt.Sprintf("canonical: the JSON form of a %T is not strict: %v", v, err))
	}
	return Append(dst, model)
}

// Marshal returns the canonical spelling of v. See [Append].
func Marshal(v any) []byte {
	return Append(make([]byte, 0, 512), v)
}

// Hash returns [HashBytes] of the canonical spelling of v: values that are
// equal as JSON have equal hashes.
func Hash(v any) string {
	return HashBytes(Marshal(v))
}

// HashBytes returns "sha256:" and the 64 hex digits of the SHA-256 of b.
func HashBytes(b []byte) string {
	const prefix = "sha256:"
	sum := sha256.Sum256(b)
	text := make([]byte, 0, len(prefix)+2*sha256.Size)
	text = append(text, prefix...)
	return string(hex.AppendEncode(text, sum[:]))
}
