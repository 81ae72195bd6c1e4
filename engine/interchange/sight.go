package interchange

import (
	"strings"
)

// A sight is what the beginning of a file shows of its kind.
type sight struct {
	first byte // the first byte that is no white space
	head  []byte
	// keys holds the keys of the first JSON value as paths ("results.version"),
	// three deep, as far as the beginning of the file goes; items of a list
	// count for the list.
	keys map[string]bool
	// words holds the short strings at these paths, by path.
	words map[string]string
}

// has reports whether all of the keys were seen.
func (s *sight) has(keys ...string) bool {
	for _, k := range keys {
		if !s.keys[k] {
			return false
		}
	}
	return true
}

// any reports whether one of the keys was seen.
func (s *sight) any(keys ...string) bool {
	for _, k := range keys {
		if s.keys[k] {
			return true
		}
	}
	return false
}

func startsWith(c byte) func(*sight) bool {
	return func(s *sight) bool { return s.first == c }
}

// look takes in the beginning of a file. It expects nothing of it: what is no
// JSON has no keys.
func look(head []byte) *sight {
	s := &sight{head: head, keys: map[string]bool{}, words: map[string]string{}}
	rest := head[leadingSpace(head):]
	if len(rest) == 0 {
		return s
	}
	s.first = rest[0]
	if s.first != '{' && s.first != '[' {
		return s
	}
	const deepest = 3
	type level struct {
		list bool
		path string // of the value that this is
		key  string // the member at hand
	}
	var open []level
	wantKey := false
	// path is where the value at hand lies.
	path := func() string {
		if len(open) == 0 {
			return ""
		}
		last := open[len(open)-1]
		if last.list {
			return last.path
		}
		return strings.TrimPrefix(last.path+"."+last.key, ".")
	}
	for i := 0; i < len(rest); {
		switch c := rest[i]; c {
		case '{', '[':
			open = append(open, level{list: c == '[', path: path()})
			wantKey = c == '{'
			i++
		case '}', ']':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
			if len(open) == 0 {
				return s
			}
			i++
		case ',':
			wantKey = len(open) > 0 && !open[len(open)-1].list
			i++
		case '"':
			from := i + 1
			for i++; i < len(rest) && rest[i] != '"'; i++ {
				if rest[i] == '\\' {
					i++
				}
			}
			if i >= len(rest) {
				return s
			}
			word := string(rest[from:min(i, from+80)])
			i++
			switch at := path(); {
			case wantKey:
				open[len(open)-1].key = word
				if at = path(); strings.Count(at, ".") < deepest {
					s.keys[at] = true
				}
				wantKey = false
			case s.words[at] == "" && s.keys[at]:
				s.words[at] = word
			}
		default:
			i++
		}
	}
	return s
}
