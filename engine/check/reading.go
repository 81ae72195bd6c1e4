package check

import (
	"context"
	"slices"
	"strings"

	"docket/engine/phrase"
	"docket/engine/prose"
	"docket/engine/source"
)

// A languageCheck passes when the text is in a language. A text too short to be
// sure of passes when the language is the likeliest.
type languageCheck struct{ code string }

func (l *languageCheck) Name() string { return "language" }

func (l *languageCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	got := prose.Language(s.Output.Text)
	if got == prose.Unknown {
		likeliest, _ := prose.Guess(s.Output.Text)
		if likeliest == l.code {
			return passed(), nil
		}
		if likeliest != prose.Unknown {
			return failed("the language cannot be told for certain; %s is likelier than %s", likeliest, l.code), nil
		}
	}
	if got != l.code {
		return failed("the language is %s, not %s", got, l.code), nil
	}
	return passed(), nil
}

func compileLanguage(c *compiler, v source.Value) []item {
	code, ok := c.str(v, "a language such as en")
	if !ok {
		return nil
	}
	primary, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(code, "_", "-")), "-")
	if primary == "nb" || primary == "nn" {
		primary = "no"
	}
	if known := prose.Languages(); !slices.Contains(known, primary) {
		c.problem(v, "language: %s is no language that can be told; expected one of %s", quote(code), strings.Join(known, ", "))
		return nil
	}
	return []item{{&languageCheck{primary}, primary}}
}

// A refusalCheck passes when the text declines, or does not, as asked.
type refusalCheck struct{ want bool }

func (r *refusalCheck) Name() string { return "refusal" }

func (r *refusalCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	switch got := prose.Refusal(s.Output.Text); {
	case got == r.want:
		return passed(), nil
	case got:
		return failed("it declines: %s", quote(prose.Normalize(phrase.Abridge(s.Output.Text, 100)))), nil
	}
	return failed("it does not decline"), nil
}

func compileRefusal(c *compiler, v source.Value) []item {
	want, ok := v.Bool()
	if !ok {
		c.problem(v, "refusal: expected true or false, got %s", v.Describe())
		return nil
	}
	return []item{{&refusalCheck{want}, want}}
}
