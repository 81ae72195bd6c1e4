package projection

import (
	"encoding/json"
	"strconv"

	"docket/engine/label"
	"docket/engine/prose"
	"docket/engine/source"
)

// length is the band of an output's length in words, counted by Unicode
// segmentation: "short" up to so many words, "medium" up to so many more,
// "long" past that. Tool calls have no length.
type length struct{ short, medium int }

// The bands where the suite sets none, in words.
const (
	shortWords  = 50
	mediumWords = 200
)

func compileLength(setting source.Value, _ *label.Finder) (compiled, source.Problems) {
	l := length{short: shortWords, medium: mediumWords}
	var problems source.Problems
	if isMap(setting) {
		problems = source.Known(setting, "length", "short", "medium")
		for key, limit := range map[string]*int{"short": &l.short, "medium": &l.medium} {
			v := setting.Get(key)
			if v.IsZero() {
				continue
			}
			n, ok := v.Number()
			words, err := strconv.Atoi(n.String())
			if !ok || err != nil || words < 0 {
				problems = append(problems, v.Problemf("length: %s is a whole number of words, found %s", key, v.Describe()))
				continue
			}
			*limit = words
		}
		if len(problems) == 0 && l.medium <= l.short {
			problems = append(problems, setting.Problemf("length: short is up to %d words and medium up to %d, so no output would be medium", l.short, l.medium))
		}
	}
	settings := map[string]any{"short": json.Number(strconv.Itoa(l.short)), "medium": json.Number(strconv.Itoa(l.medium))}
	return compiled{projection: l, rule: whole{}, settings: settings}, problems
}

func (length) Name() string { return "length" }

func (l length) Project(s *Subject) (any, bool) {
	switch words := prose.Words(s.Output.Text); {
	case words <= l.short:
		return "short", true
	case words <= l.medium:
		return "medium", true
	}
	return "long", true
}
