package check

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"docket/engine/source"
)

// A patternCheck passes when a pattern matches somewhere in the text, or when
// it matches nowhere.
type patternCheck struct {
	name      string
	pattern   *regexp.Regexp
	written   string
	forbidden bool
}

func (p *patternCheck) Name() string { return p.name }

func (p *patternCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	if !p.forbidden {
		if !p.pattern.MatchString(s.lines()) {
			return failed("%s matches nowhere", quote(p.written)), nil
		}
		return passed(), nil
	}
	text := s.lines()
	if at := p.pattern.FindStringIndex(text); at != nil {
		return failed("%s matches %s", quote(p.written), quote(text[at[0]:at[1]])), nil
	}
	return passed(), nil
}

func compileMatches(c *compiler, v source.Value) []item {
	return compilePatterns(c, v, "must_match", false)
}

func compileForbiddenMatches(c *compiler, v source.Value) []item {
	return compilePatterns(c, v, "must_not_match", true)
}

func compilePatterns(c *compiler, v source.Value, key string, forbidden bool) []item {
	var items []item
	for _, it := range c.list(v, key, `['\b\d+ days\b']`) {
		written, ok := c.str(it, "a pattern")
		if !ok {
			continue
		}
		pattern, err := compilePattern(c.env.Shared, written, c.ignoreCase)
		if err != nil {
			c.problem(it, "%s: %v", key, err)
			continue
		}
		p := &patternCheck{name: key + ":" + written, pattern: pattern, written: written, forbidden: forbidden}
		if c.claim(p.name, it) {
			items = append(items, item{p, map[string]any{"pattern": written, ignoreCase: c.ignoreCase}})
		}
	}
	return items
}

// compilePattern compiles an RE2 pattern. The error says why it is none, and
// what to do where another dialect was meant.
func compilePattern(shared *Shared, pattern string, ignoreCase bool) (*regexp.Regexp, error) {
	flags := ""
	if ignoreCase {
		flags = "(?i)"
	}
	compiled, err := shared.pattern(flags + pattern)
	if err == nil {
		return compiled, nil
	}
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		return nil, fmt.Errorf("the pattern %s is not valid", quote(pattern))
	}
	switch wrong.Code {
	case syntax.ErrInvalidPerlOp:
		return nil, fmt.Errorf("the pattern %s has %s, which RE2 patterns do not have: write it without look-around, and use must_not_match for what must be absent", quote(pattern), quote(wrong.Expr))
	case syntax.ErrInvalidEscape:
		return nil, fmt.Errorf("the pattern %s has the escape %s, which RE2 patterns do not have: write it without back-references", quote(pattern), quote(wrong.Expr))
	}
	return nil, fmt.Errorf("the pattern %s is not valid: %s: %s", quote(pattern), wrong.Code, quote(wrong.Expr))
}
