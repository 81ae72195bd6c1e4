package python

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// regex follows a function of module re.
func (e *evaluator) regex(name string, pos []value, args []argument, x *syntax.Call) value {
	p, flags := "", ""
	isText := false
	switch first := first(pos).(type) {
	case text:
		p, isText = string(first), true
	case *pattern:
		p, flags, isText = first.text, first.flags, true
	}
	at := map[string]int{"search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "compile": 1, "split": 3, "sub": 4}[name]
	if v, ok := keyword(args, "flags"); ok {
		flags += regexFlags(v)
	} else if at > 0 && at < len(pos) {
		flags += regexFlags(pos[at])
	}
	if name == "escape" {
		if isText {
			return unknownf("a pattern made by re.escape")
		}
		return orUnknown(first(pos), e.source(x))
	}
	if name == "compile" {
		if !isText {
			return orUnknown(first(pos), e.source(x))
		}
		return &pattern{p, flags}
	}
	of := 1
	if name == "sub" || name == "subn" {
		of = 2
	}
	if of >= len(pos) {
		return unknownf("computed at run time by %s", brief(e.source(x)))
	}
	if !isText {
		s, ok := pos[of].(*symbol)
		if !ok {
			return unknownf("computed at run time by %s", brief(e.source(x)))
		}
		_, why := model(first(pos))
		return e.claim(s, legacy.Matches, x, unknown{orElse(why, "a pattern of run time")})
	}
	return e.search(name, p, flags, pos[of], x)
}

// regexFlags are the letters of flags such as re.I | re.M.
func regexFlags(v value) string {
	ext, ok := v.(*external)
	if !ok {
		return ""
	}
	var out string
	for _, name := range strings.Split(ext.name, "|") {
		switch strings.TrimPrefix(name[strings.LastIndexByte(name, '.')+1:], "re.") {
		case "I", "IGNORECASE":
			out += "i"
		case "M", "MULTILINE":
			out += "m"
		case "S", "DOTALL":
			out += "s"
		case "X", "VERBOSE":
			out += "x"
		}
	}
	return out
}

// search follows a function of a pattern on a text.
func (e *evaluator) search(name, p, flags string, v value, x *syntax.Call) value {
	s, ok := v.(*symbol)
	if !ok {
		return orUnknown(v, e.source(x))
	}
	switch name {
	case "search", "match", "fullmatch":
		switch name {
		case "match":
			if !strings.HasPrefix(p, "^") {
				p = "^(?:" + p + ")"
			}
		case "fullmatch":
			p = "^(?:" + p + ")$"
		}
		inline := strings.NewReplacer("i", "").Replace(flags)
		if inline != "" {
			p = "(?" + inline + ")" + p
		}
		c := e.claim(s, legacy.Matches, x, text(p))
		if strings.Contains(inline, "x") {
			c.claims[0].Values, c.claims[0].Why = nil, "a verbose pattern, whose spaces mean nothing"
		}
		c.claims[0].IgnoreCase = c.claims[0].IgnoreCase || strings.Contains(flags, "i")
		return c
	case "findall", "finditer", "split":
		c := s.renamed(e.source(x))
		if s.role == answerRole || s.role == resultRole {
			c.measure = matchMeasure(p)
		}
		return c
	}
	return s.renamed(e.source(x))
}

// matchMeasure is what a pattern finds in a text, where that is a common part.
func matchMeasure(p string) string {
	bare := strings.TrimPrefix(p, "(?m)")
	switch {
	case bare == `\w+` || bare == `\S+` || bare == `\b\w+\b` || bare == `\s+`:
		return "words"
	case strings.HasPrefix(bare, "^- ") || strings.HasPrefix(bare, `^\s*[-`) || strings.HasPrefix(bare, "^[-") || strings.HasPrefix(bare, `^\* `) || strings.HasPrefix(bare, `^\s*- `):
		return "bullets"
	case strings.HasPrefix(bare, "[.!?]") || strings.HasPrefix(bare, "[.?!]") || strings.HasPrefix(bare, "(?<=[.!?])"):
		return "sentences"
	}
	return "matches"
}
