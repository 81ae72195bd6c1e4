package python

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// A value is what an expression of a test stands for, as far as the source tells
// it: one of the types below. What is known only at run time is an unknown, or
// a *symbol where it is known what it is about.
type value interface{}

type (
	text   string
	number string // as json.Number
	truth  bool
	none   struct{}

	// A sequence is a list, tuple or set: open is '[', '(' or '{'.
	sequence struct {
		open  byte
		items []value
	}
	dict struct{ keys, values []value }

	// A function is one that the suite defines.
	function struct {
		def    *syntax.Def
		lambda *syntax.Lambda
		module *module
		scope  *scope // where it was defined within a function, or nil
		self   value  // what it is bound to, or nil
	}
	class struct {
		def    *syntax.Class
		module *module
	}
	// An object is an instance of a class of the suite, or a namespace.
	object struct {
		class *class
		attrs map[string]binding
	}
	// An external is something that the suite imports and docket does not read,
	// or a builtin, by its dotted name.
	external struct{ name string }
	// A cond is a condition on symbols, as claims that all must hold.
	cond struct{ claims []legacy.Claim }
	// A pattern is a compiled regular expression.
	pattern struct{ text, flags string }
	// An approx is a number with how far from it is allowed.
	approx struct{ value, within value }
	// An unknown has no value in the source.
	unknown struct{ why string }
)

// A binding is a value with the name of the constant, fixture or parameter that
// held it first.
type binding struct {
	value value
	from  string
}

// A scope holds the names of one function.
type scope struct {
	names  map[string]binding
	parent *scope
}

func (s *scope) find(name string) (binding, bool) {
	for ; s != nil; s = s.parent {
		if b, ok := s.names[name]; ok {
			return b, true
		}
	}
	return binding{}, false
}

// model turns a value into the JSON model, or says why there is none.
func model(v value) (any, string) {
	switch v := v.(type) {
	case text:
		return string(v), ""
	case number:
		return json.Number(v), ""
	case truth:
		return bool(v), ""
	case none:
		return nil, ""
	case *sequence:
		out := make([]any, 0, len(v.items))
		for _, item := range v.items {
			m, why := model(item)
			if why != "" {
				return nil, why
			}
			out = append(out, m)
		}
		return out, ""
	case *dict:
		out := make(map[string]any, len(v.keys))
		for i, key := range v.keys {
			k, ok := key.(text)
			if !ok {
				return nil, "a dict whose keys are not all strings"
			}
			m, why := model(v.values[i])
			if why != "" {
				return nil, why
			}
			out[string(k)] = m
		}
		return out, ""
	case unknown:
		return nil, v.why
	case *symbol:
		return nil, "computed at run time by " + brief(v.source)
	case *external:
		return nil, "the value of " + brief(v.name) + ", which the suite only imports"
	case *object, *class, *function:
		return nil, "an object of the program"
	}
	return nil, "computed at run time"
}

// known tells whether a value is all in the source.
func known(v value) bool {
	_, why := model(v)
	return why == ""
}

// brief is a piece of source on one line, cut where it is long.
func brief(s string) string {
	if len(s) > 500 {
		s = s[:500] // far more than is shown; the rest need not be taken apart
	}
	s = strings.ToValidUTF8(s, "")
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 60 {
		return string(runes[:57]) + "…"
	}
	return s
}

func unknownf(format string, args ...any) unknown {
	return unknown{fmt.Sprintf(format, args...)}
}

// integer gives a value's whole number.
func integer(v value) (int, bool) {
	switch v := v.(type) {
	case number:
		n, err := strconv.Atoi(string(v))
		return n, err == nil
	case truth:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// parseNumber turns a number of the source into one of JSON.
func parseNumber(s string) value {
	s = strings.ReplaceAll(s, "_", "")
	if n, ok := new(big.Int).SetString(s, 0); ok && !(len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9') {
		return number(n.String())
	}
	if strings.Trim(s, "0") == "" && s != "" {
		return number("0")
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || strings.ContainsAny(s, "jJlLxX") {
		return unknownf("the number %s, which JSON has not", brief(s))
	}
	return float(f)
}

// float writes a float as Python's repr does.
func float(f float64) value {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if abs := max(f, -f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		s = strconv.FormatFloat(f, 'e', -1, 64)
	} else if !strings.Contains(s, ".") {
		s += ".0"
	}
	if !json.Valid([]byte(s)) {
		return unknownf("a number that JSON has not")
	}
	return number(s)
}

// truthy tells what a known value is as a condition.
func truthy(v value) (is, ok bool) {
	switch v := v.(type) {
	case text:
		return v != "", true
	case truth:
		return bool(v), true
	case none:
		return false, true
	case number:
		f, err := json.Number(v).Float64()
		return f != 0, err == nil
	case *sequence:
		return len(v.items) > 0, true
	case *dict:
		return len(v.keys) > 0, true
	}
	return false, false
}

// equal compares known values as Python would, for what tests hold.
func equal(a, b value) (is, ok bool) {
	ma, whya := model(a)
	mb, whyb := model(b)
	if whya != "" || whyb != "" {
		return false, false
	}
	ja, erra := json.Marshal(ma)
	jb, errb := json.Marshal(mb)
	return string(ja) == string(jb), erra == nil && errb == nil
}

// display is a value as str() prints it.
func display(v value) (string, bool) {
	switch v := v.(type) {
	case text:
		return string(v), true
	case number:
		return string(v), true
	case truth:
		if v {
			return "True", true
		}
		return "False", true
	case none:
		return "None", true
	}
	return "", false
}
