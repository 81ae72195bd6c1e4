// Package phrase words what stands in sentences for people: numbers with their
// nouns, lists of names, and values that are too long for a line.
//
// It refuses to make text safe for a terminal, which is package safetext's: what
// it is given comes back as it was, whole or in part.
package phrase

import (
	"strconv"
	"strings"
)

// Count writes a number with its noun: "1 case", "3 cases".
func Count(n int, one, many string) string { return strconv.Itoa(n) + " " + Form(n, one, many) }

// Form returns the form of a word that goes with a number: one for 1, else many.
func Form(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Times writes how often: "once", "twice", "3 times".
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// Series joins words as a sentence does, with a word such as "and" before the
// last: "a", "a and b", "a, b and c".
func Series(words []string, last string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
	}
	return strings.Join(words, "")
}

// Few joins at most so many words, and counts those that it leaves out: "a, b
// and 7 more". It never leaves out a single one.
func Few(words []string, most int) string {
	if len(words) > most+1 {
		return strings.Join(words[:most], ", ") + " and " + strconv.Itoa(len(words)-most) + " more"
	}
	return Series(words, "and")
}

// Quoted returns each word in quotes, its special characters escaped.
func Quoted(words []string) []string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return quoted
}

// Abridge cuts a text after so many characters, and marks that it did: "abc…".
func Abridge(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// Clip cuts a text after so many characters, and says how many it leaves out:
// "abc… (12 more characters)".
func Clip(s string, most int) string {
	n, at := 0, len(s)
	for i := range s {
		if n++; n == most+1 {
			at = i
		}
	}
	if n <= most {
		return s
	}
	return s[:at] + "… (" + Count(n-most, "more character", "more characters") + ")"
}
