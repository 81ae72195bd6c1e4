package projection

import (
	"strconv"
	"strings"
)

// isoDate reads 2026-08-11 at text[start:], with a time behind it or not.
func isoDate(text string, start int) (form string, end int, ok bool) {
	end = start + len("2026-08-11")
	if end > len(text) || text[start+4] != '-' || text[start+7] != '-' {
		return "", 0, false
	}
	form, ok = dateForm(text[start:start+4], text[start+5:start+7], text[start+8:end])
	if !ok || end < len(text) && isDigit(text[end]) {
		return "", 0, false
	}
	if end+1 < len(text) && (text[end] == 'T' || text[end] == 't') && isDigit(text[end+1]) {
		for end++; end < len(text) && (isDigit(text[end]) || strings.IndexByte(":.+-Zz", text[end]) >= 0); end++ {
		}
		for text[end-1] == '.' || text[end-1] == ':' || text[end-1] == '-' {
			end--
		}
		return form, end, true
	}
	if end < len(text) && (isAlnum(text[end]) || text[end] == '_') {
		return "", 0, false
	}
	return form, end, true
}

// numericDate reads 2026/08/11, 11/08/2026 and 11.08.2026. Where day and month
// could be either the order stays as it is written, with slashes: nobody can
// say which day it is, but the same day written again is the same.
func numericDate(text string) (string, bool) {
	sep := strings.IndexAny(text, "-/.")
	if sep < 1 || strings.Count(text, text[sep:sep+1]) != 2 {
		return "", false
	}
	parts := strings.Split(text, text[sep:sep+1])
	a, b, c := parts[0], parts[1], parts[2]
	if len(a) == 4 {
		return dateForm(a, b, c)
	}
	if len(c) != 4 {
		return "", false
	}
	day, err1 := strconv.Atoi(a)
	month, err2 := strconv.Atoi(b)
	switch {
	case err1 != nil || err2 != nil:
		return "", false
	case day > 12 || day == month || text[sep] == '.': // a point always has the day first
		return dateForm(c, b, a)
	case month > 12:
		return dateForm(c, a, b)
	}
	if _, ok := dateForm(c, b, a); !ok {
		return "", false
	}
	return pad(a) + "/" + pad(b) + "/" + c, true
}

// cjkDate reads 2026年8月11日, whose year is text[start:end].
func cjkDate(text string, start, end int) (form string, after int, ok bool) {
	year := text[start:end]
	// No further than the longest date reaches.
	rest, ok := strings.CutPrefix(text[end:min(len(text), end+len("年12月31日"))], "年")
	if !ok || len(year) != 4 {
		return "", 0, false
	}
	month, rest, ok := strings.Cut(rest, "月")
	if !ok || len(month) > 2 {
		return "", 0, false
	}
	day, _, ok := strings.Cut(rest, "日")
	if !ok || len(day) > 2 {
		return "", 0, false
	}
	form, ok = dateForm(year, month, day)
	return form, end + len("年月日") + len(month) + len(day), ok
}

// month reads a date that has its month in English: 14 May 1969, May 14, 2021.
// The month is text[start:s.at].
func (s *scanner) month(month, start int) {
	rest := strings.TrimLeft(strings.TrimPrefix(s.text[s.at:], "."), " ,-\u00a0")
	first, rest := leadingDigits(rest)
	switch {
	case len(first) == 4 && s.last.end > 0 && s.last.end-s.last.start <= 2 && daySuffix(s.text[s.last.end:start]):
		if form, ok := dateForm(first, strconv.Itoa(month), s.text[s.last.start:s.last.end]); ok {
			begin := s.last.start
			s.at = len(s.text) - len(rest)
			s.date(form, begin)
		}
	case len(first) == 1 || len(first) == 2:
		year, rest := leadingDigits(strings.TrimLeft(trimOrdinal(rest), " ,-\u00a0"))
		if len(year) != 4 {
			return
		}
		if form, ok := dateForm(year, strconv.Itoa(month), first); ok {
			s.at = len(s.text) - len(rest)
			s.date(form, start)
		}
	}
}

// daySuffix reports whether a text may stand between a day and its month.
func daySuffix(s string) bool {
	s = strings.TrimSpace(trimOrdinal(s))
	return s == "" || s == "." || s == "of"
}

// trimOrdinal cuts the letters of 1st, 2nd, 3rd and 4th.
func trimOrdinal(s string) string {
	for _, ordinal := range [...]string{"st", "nd", "rd", "th"} {
		if rest, ok := strings.CutPrefix(s, ordinal); ok {
			return rest
		}
	}
	return s
}

// namedDate reads 14-May-2021.
func namedDate(text string) (string, bool) {
	day, rest, ok := strings.Cut(text, "-")
	if !ok || len(day) > 2 {
		return "", false
	}
	name, year, ok := strings.Cut(rest, "-")
	if !ok {
		return "", false
	}
	return dateForm(year, strconv.Itoa(monthOf(name)), day)
}

func leadingDigits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// dateForm writes a date as 2026-08-11; false where there is no such day.
func dateForm(year, month, day string) (string, bool) {
	m, err1 := strconv.Atoi(month)
	d, err2 := strconv.Atoi(day)
	if err1 != nil || err2 != nil || !allDigits(year) || len(year) != 4 || m < 1 || m > 12 || d < 1 || d > 31 {
		return "", false
	}
	return year + "-" + pad(month) + "-" + pad(day), true
}

func pad(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// monthOf returns the number of an English month, written out or in three
// letters; 0 for any other word.
func monthOf(s string) int {
	if len(s) < 3 || len(s) > 9 {
		return 0
	}
	for i, name := range [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"} {
		if (len(s) == 3 || s == "Sept" || len(s) == len(name)) && strings.EqualFold(s, name[:min(len(s), len(name))]) {
			return i + 1
		}
	}
	return 0
}
