package canonical

import (
	"encoding/json"
	"math"
	"strconv"
)

// AppendNumber appends the canonical spelling of n.
//
// A number that is written as an integer keeps all its digits, however many,
// since a float would make two different order numbers equal; -0 is 0. Any
// other number is written as the shortest decimal that gives the same 64-bit
// float, in the notation of ECMAScript, so that 1.0 is 1, 1e2 is 100, 0.10 is
// 0.1 and 1E21 is 1e+21. One too large for such a float is left as it stands.
// Text that is no JSON number is written as a string.
func AppendNumber(dst []byte, n json.Number) []byte {
	s := string(n)
	end, integer := scanNumber(s)
	switch {
	case end == 0 || end != len(s):
		return AppendString(dst, s)
	case s == "-0":
		return append(dst, '0')
	case integer:
		return append(dst, s...)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return append(dst, s...)
	}
	return appendFloat(dst, f)
}

func appendInt(dst []byte, n int64) []byte {
	return strconv.AppendInt(dst, n, 10)
}

// appendFloat follows ECMAScript's Number::toString, as encoding/json does.
func appendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(dst, "null"...)
	case f == 0: // also -0
		return append(dst, '0')
	}
	if size := math.Abs(f); size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go writes at least two digits of exponent: e-07 is e-7.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// scanNumber returns the length of the JSON number at the start of s, 0 where
// there is none, and whether it is written as an integer.
func scanNumber[T string | []byte](s T) (end int, integer bool) {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case i == len(s) || !digit(s[i]):
		return 0, false
	case s[i] == '0':
		i++
	default:
		for i < len(s) && digit(s[i]) {
			i++
		}
	}
	integer = true
	if i+1 < len(s) && s[i] == '.' && digit(s[i+1]) {
		integer = false
		for i++; i < len(s) && digit(s[i]); i++ {
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && digit(s[j]) {
			integer = false
			for ; j < len(s) && digit(s[j]); j++ {
			}
			i = j
		}
	}
	return i, integer
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
