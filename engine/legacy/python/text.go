package python

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textMethod follows a method of a known string. The last result is false for
// one that docket does not know, whose value is then not guessed.
func textMethod(s string, name string, args []value) (value, bool) {
	var first, second string
	var have int
	for i, a := range args {
		t, ok := a.(text)
		if !ok {
			break
		}
		have++
		switch i {
		case 0:
			first = string(t)
		case 1:
			second = string(t)
		}
	}
	switch {
	case len(args) == 0:
		switch name {
		case "strip":
			return text(strings.TrimFunc(s, pythonSpace)), true
		case "lstrip":
			return text(strings.TrimLeftFunc(s, pythonSpace)), true
		case "rstrip":
			return text(strings.TrimRightFunc(s, pythonSpace)), true
		case "lower":
			return text(strings.ToLower(s)), true
		case "casefold":
			if ascii(s) {
				return text(strings.ToLower(s)), true
			}
		case "upper":
			if ascii(s) {
				return text(strings.ToUpper(s)), true
			}
		case "split":
			return texts(strings.FieldsFunc(s, pythonSpace)), true
		case "splitlines":
			return texts(splitLines(s)), true
		case "encode", "__str__":
			return text(s), true
		}
	case have == 1 && len(args) == 1:
		switch name {
		case "strip":
			return text(strings.Trim(s, first)), true
		case "lstrip":
			return text(strings.TrimLeft(s, first)), true
		case "rstrip":
			return text(strings.TrimRight(s, first)), true
		case "removeprefix":
			return text(strings.TrimPrefix(s, first)), true
		case "removesuffix":
			return text(strings.TrimSuffix(s, first)), true
		case "startswith":
			return truth(strings.HasPrefix(s, first)), true
		case "endswith":
			return truth(strings.HasSuffix(s, first)), true
		case "count":
			if first != "" {
				return number(itoa(strings.Count(s, first))), true
			}
		case "split":
			if first != "" {
				return texts(strings.Split(s, first)), true
			}
		case "encode":
			return text(s), true
		}
	case have == 2 && len(args) == 2 && name == "replace":
		if len(s)+strings.Count(s, first)*len(second) <= maxText {
			return text(strings.ReplaceAll(s, first, second)), true
		}
	}
	if name == "join" && len(args) == 1 {
		items, ok := iterate(args[0])
		if !ok {
			return nil, false
		}
		var parts []string
		size := 0
		for _, item := range items {
			t, ok := item.(text)
			if size += len(t) + len(s); !ok || size > maxText {
				return nil, false
			}
			parts = append(parts, string(t))
		}
		return text(strings.Join(parts, s)), true
	}
	return nil, false
}

func texts(list []string) value {
	s := &sequence{open: '['}
	for _, t := range list {
		s.items = append(s.items, text(t))
	}
	return s
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// pythonSpace is what str.strip takes off.
func pythonSpace(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}

func splitLines(s string) []string {
	var out []string
	for s != "" {
		i := strings.IndexFunc(s, func(r rune) bool {
			return r == '\n' || r == '\r' || r == '\v' || r == '\f' || 0x1c <= r && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
		})
		if i < 0 {
			return append(out, s)
		}
		out = append(out, s[:i])
		if strings.HasPrefix(s[i:], "\r\n") {
			i++
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		s = s[i+size:]
	}
	return out
}

// dedent is textwrap.dedent: lines of nothing but white space become empty, and
// what white space all others begin with is taken off.
func dedent(s string) string {
	lines := strings.Split(s, "\n")
	margin, found := "", false
	for i, line := range lines {
		body := strings.TrimLeft(line, " \t")
		if body == "" {
			lines[i] = ""
			continue
		}
		indent := line[:len(line)-len(body)]
		if !found {
			margin, found = indent, true
			continue
		}
		n := 0
		for n < len(margin) && n < len(indent) && margin[n] == indent[n] {
			n++
		}
		margin = margin[:n]
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, margin)
	}
	return strings.Join(lines, "\n")
}

// cleandoc is inspect.cleandoc, which docstrings are shown with.
func cleandoc(s string) string {
	first, rest, more := strings.Cut(s, "\n")
	first = strings.TrimLeft(first, " \t")
	if more {
		margin := -1
		lines := strings.Split(strings.ReplaceAll(rest, "\t", "        "), "\n")
		for _, line := range lines {
			if body := strings.TrimLeft(line, " "); strings.TrimSpace(body) != "" && (margin < 0 || len(line)-len(body) < margin) {
				margin = len(line) - len(body)
			}
		}
		for i, line := range lines {
			lines[i] = line[min(max(margin, 0), len(line)):]
		}
		first += "\n" + strings.Join(lines, "\n")
	}
	return strings.Trim(first, "\n")
}

// formatted is a value as a replacement field writes it, or why it is not known.
func formatted(v value, conversion, spec string) (string, string) {
	s, ok := display(v)
	if !ok {
		_, why := model(v)
		if why == "" {
			why = "a list or dict"
		}
		return "", why
	}
	if conversion == "r" || conversion == "a" {
		if t, isText := v.(text); isText {
			if strings.ContainsAny(string(t), "'\\\n\r\t") || !ascii(string(t)) {
				return "", "the repr of a text"
			}
			s = "'" + s + "'"
		}
	}
	if spec == "" {
		return s, ""
	}
	_, isNumber := v.(number)
	return padded(s, spec, isNumber)
}

// padded applies the plain part of Python's format specifications: fill, align,
// width, "," and the digits after the point.
func padded(s, spec string, isNumber bool) (string, string) {
	unread := "the format " + strconv.Quote(brief(spec))
	fill, align := ' ', byte(0)
	runes := []rune(spec)
	switch {
	case len(runes) > 1 && strings.ContainsRune("<>^", runes[1]):
		fill, align, runes = runes[0], byte(runes[1]), runes[2:]
	case strings.ContainsRune("<>^", runes[0]):
		align, runes = byte(runes[0]), runes[1:]
	case isNumber && runes[0] == '0':
		fill, align = '0', '>'
		if strings.HasPrefix(s, "-") {
			return "", unread
		}
	}
	rest := string(runes)
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	width, _ := strconv.Atoi(rest[:digits])
	rest = rest[digits:]
	if width > 1000 {
		return "", unread
	}
	if isNumber {
		var ok bool
		if s, ok = numeral(s, rest); !ok {
			return "", unread
		}
		if align == 0 {
			align = '>'
		}
	} else if rest != "" && rest != "s" {
		return "", unread
	}
	missing := width - utf8.RuneCountInString(s)
	if missing <= 0 {
		return s, ""
	}
	pad := strings.Repeat(string(fill), missing)
	switch align {
	case '>':
		return pad + s, ""
	case '^':
		half := missing / 2
		return strings.Repeat(string(fill), half) + s + strings.Repeat(string(fill), missing-half), ""
	}
	return s + pad, ""
}

// numeral writes a number by what follows the width: "", "d", ",", ".2f", ",.2f".
func numeral(s, spec string) (string, bool) {
	grouped := strings.HasPrefix(spec, ",")
	spec = strings.TrimPrefix(spec, ",")
	switch {
	case spec == "" || spec == "d" && !strings.ContainsAny(s, ".e"):
	case strings.HasPrefix(spec, ".") && strings.HasSuffix(spec, "f"):
		n, err := strconv.Atoi(spec[1 : len(spec)-1])
		f, ferr := strconv.ParseFloat(s, 64)
		if err != nil || ferr != nil || n > 50 {
			return "", false
		}
		s = strconv.FormatFloat(f, 'f', n, 64)
	default:
		return "", false
	}
	if !grouped {
		return s, true
	}
	if strings.ContainsRune(s, 'e') {
		return "", false
	}
	whole, fraction, point := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	return sign + whole, true
}

// percent is format % values, with %s and %d alone.
func percent(format string, v value) value {
	args := []value{v}
	if s, ok := v.(*sequence); ok && s.open == '(' {
		args = s.items
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		if i >= len(format) {
			return unknownf("a %%-format that is cut short")
		}
		switch format[i] {
		case '%':
			b.WriteByte('%')
		case 's', 'd':
			if len(args) == 0 {
				return unknownf("a %%-format with too few values")
			}
			s, ok := display(args[0])
			if _, isNumber := args[0].(number); !ok || format[i] == 'd' && (!isNumber || strings.ContainsAny(s, ".e")) {
				_, why := model(args[0])
				return unknownf("a text with %s in it", orElse(why, "a list or dict"))
			}
			b.WriteString(s)
			args = args[1:]
		default:
			return unknownf("a %%-format that docket does not read")
		}
	}
	return text(b.String())
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// braces is str.format.
func braces(format string, args []value, named map[string]value) value {
	var b strings.Builder
	next := 0
	for i := 0; i < len(format); i++ {
		c := format[i]
		if (c == '{' || c == '}') && i+1 < len(format) && format[i+1] == c {
			b.WriteByte(c)
			i++
			continue
		}
		if c != '{' {
			b.WriteByte(c)
			continue
		}
		end := strings.IndexByte(format[i:], '}')
		if end < 0 || strings.IndexByte(format[i+1:i+end], '{') >= 0 {
			return unknownf("a format that docket does not read")
		}
		field, spec, _ := strings.Cut(format[i+1:i+end], ":")
		name, conversion, _ := strings.Cut(field, "!")
		i += end
		var v value
		if n, err := strconv.Atoi(name); err == nil || name == "" {
			if name == "" {
				n = next
				next++
			}
			if n < 0 || n >= len(args) {
				return unknownf("a format with too few values")
			}
			v = args[n]
		} else if got, ok := named[name]; ok {
			v = got
		} else {
			return unknownf("a format that takes {%s}", brief(name))
		}
		s, why := formatted(v, conversion, spec)
		if why != "" {
			return unknownf("a text with %s in it", why)
		}
		b.WriteString(s)
		if b.Len() > maxText {
			return unknownf("a text longer than docket keeps")
		}
	}
	return text(b.String())
}
