package pair

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const (
	// maxCells bounds the table of the longest common subsequence; beyond
	// it everything between what both texts start and end with is marked.
	maxCells = 1 << 20
	// minShared is the share of a text, in percent, that must be common
	// for word marks to say something; below it nearly every word would be
	// marked, which reads worse than none.
	minShared = 30
)

// region is a run of bytes that the other text lacks.
type region struct{ start, end int }

// tokens splits a text into words, and single characters between them.
func tokens(s string) []string {
	var out []string
	for len(s) > 0 {
		n := 0
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			// Scripts without spaces are compared letter by letter.
			inside := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || separates(s, n)
			if !inside || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				break
			}
			n += size
		}
		if n == 0 {
			n = token(s)
		}
		if n == 0 {
			cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
			n = len(cluster)
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// separates reports whether the byte at i stands between two digits as part of
// one number, date or time: 20.00 is one word, or its change to 200.00 would
// read as a change of whole units.
func separates(s string, i int) bool {
	digit := func(at int) bool { return at >= 0 && at < len(s) && s[at] >= '0' && s[at] <= '9' }
	return strings.IndexByte(".,:-/", s[i]) >= 0 && digit(i-1) && digit(i+1)
}

// token returns the length of the stand-in of a control character, such as
// <ESC>, at the start of s: it is one sign and is marked as one.
func token(s string) int {
	if s[0] != '<' {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), 10)], '>')
	if end < 3 || strings.ContainsFunc(s[1:end], func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '+' && r != 'x' }) {
		return 0
	}
	return end + 1
}

// differences returns the words of each text that the other lacks. Both are
// empty where the texts have too little in common.
func differences(before, after string) (lost, gained []region) {
	if before == after || before == "" || after == "" {
		return nil, nil
	}
	a, b := tokens(before), tokens(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	keepA, keepB := make([]bool, len(a)), make([]bool, len(b))
	for i := range head {
		keepA[i], keepB[i] = true, true
	}
	for i := range tail {
		keepA[len(a)-1-i], keepB[len(b)-1-i] = true, true
	}
	subsequence(a[head:len(a)-tail], b[head:len(b)-tail], keepA[head:], keepB[head:])
	if !enough(a, keepA) && !enough(b, keepB) {
		return nil, nil
	}
	return regions(a, keepA), regions(b, keepB)
}

// subsequence marks what belongs to the longest common subsequence of a and b,
// and nothing where the table for it would be too large.
func subsequence[T comparable](a, b []T, keepA, keepB []bool) {
	if len(a) == 0 || len(b) == 0 || (len(a)+1)*(len(b)+1) > maxCells {
		return
	}
	width := len(b) + 1
	table := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			keepA[i], keepB[j] = true, true
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// enough reports whether the kept tokens are minShared percent of a text,
// white space aside.
func enough(tokens []string, keep []bool) bool {
	kept, all := 0, 0
	for i, t := range tokens {
		if t == " " || t == "\n" {
			continue
		}
		all += len(t)
		if keep[i] {
			kept += len(t)
		}
	}
	return kept*100 >= all*minShared
}

// regions joins the tokens that are not kept. A space between two of them
// joins them, so that a phrase reads as one.
func regions(tokens []string, keep []bool) []region {
	var out []region
	at := 0
	for i, t := range tokens {
		end := at + len(t)
		lone := keep[i] && t == " " && i > 0 && i+1 < len(tokens) && !keep[i-1] && !keep[i+1]
		if !keep[i] || lone {
			if n := len(out); n > 0 && out[n-1].end == at {
				out[n-1].end = end
			} else {
				out = append(out, region{at, end})
			}
		}
		at = end
	}
	return out
}
