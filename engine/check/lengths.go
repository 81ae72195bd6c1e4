package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"docket/engine/prose"
	"docket/engine/source"
)

// A measure is a limit's name, what it counts, and the side it bounds.
type measure struct {
	key, unit string
	count     func(string) int
	least     bool // a lower limit
}

var (
	minWords     = measure{"min_words", "words", prose.Words, true}
	maxWords     = measure{"max_words", "words", prose.Words, false}
	maxChars     = measure{"max_chars", "characters", prose.Characters, false}
	maxSentences = measure{"max_sentences", "sentences", prose.Sentences, false}
)

// A lengthCheck passes when the count keeps the limit. Past it the score is
// the ratio of the smaller of count and limit to the larger: 120 words where 60
// are allowed score 0.5, as do 30 where 60 are asked for.
type lengthCheck struct {
	measure
	limit int
}

func (l *lengthCheck) Name() string { return l.key }

func (l *lengthCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	n := l.count(s.Output.Text)
	switch {
	case l.least && n < l.limit:
		return Verdict{Score: float64(n) / float64(l.limit), Message: fmt.Sprintf("%d %s, at least %d asked for", n, l.unit, l.limit)}, nil
	case !l.least && n > l.limit:
		return Verdict{Score: float64(l.limit) / float64(n), Message: fmt.Sprintf("%d %s, at most %d allowed", n, l.unit, l.limit)}, nil
	}
	return passed(), nil
}

func compileLength(m measure) func(*compiler, source.Value) []item {
	return func(c *compiler, v source.Value) []item {
		limit, ok := wholeNumber(v)
		if !ok {
			c.problem(v, "%s: expected a whole number of %s, got %s", m.key, m.unit, v.Describe())
			return nil
		}
		return []item{{&lengthCheck{m, limit}, json.Number(strconv.Itoa(limit))}}
	}
}
