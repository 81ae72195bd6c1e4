package source

import (
	"encoding/json"
	"strings"
)

// plainKind tells what a scalar without quotes is: text unless it is spelled
// like a JSON value. YAML's other spellings of numbers and dates are text as
// they stand, so that an order number 0047 does not turn into 39 on its way to
// a system.
func plainKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	if isNumber(s) {
		return Number
	}
	return String
}

// isNumber reports whether s is a number of JSON, or one that lacks the zero
// before its point.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, s := digits(s)
	if len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if rest, ok := strings.CutPrefix(s, "."); ok {
		var fraction string
		if fraction, s = digits(rest); fraction == "" {
			return false
		}
	} else if whole == "" {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	exponent, s := digits(s)
	return exponent != "" && s == ""
}

// digits cuts the decimal digits at the start of s.
func digits(s string) (run, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// jsonNumber gives a number the zero before its point that JSON asks for.
func jsonNumber(s string) json.Number {
	if strings.HasPrefix(s, ".") {
		return json.Number("0" + s)
	}
	if rest, ok := strings.CutPrefix(s, "-."); ok {
		return json.Number("-0." + rest)
	}
	return json.Number(s)
}
