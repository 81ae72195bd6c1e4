package interchange

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// inspectChecks returns the scores of a sample as checks, one for each scorer;
// a scorer that gives several values under keys, or one for each judge, gives a
// check for each.
//
// The letters and words that Inspect counts as right and wrong are verdicts. A
// number is a score without a verdict: what would pass is not in the log. P,
// partly right, is the score one half without a verdict.
func inspectChecks(sample map[string]any) []Check {
	all := newChecks("inspect")
	if scores := objectAt(sample, "scores"); scores != nil {
		for _, name := range slices.Sorted(maps.Keys(scores)) {
			inspectScore(all, name, scores[name])
		}
	} else if score := sample["score"]; score != nil {
		inspectScore(all, "score", score)
	}
	return all.all
}

func inspectScore(all *checks, name string, score any) {
	object, ok := score.(map[string]any)
	if !ok {
		object = map[string]any{"value": score}
	}
	message := textAt(object, "explanation")
	if message == "" {
		message = textAt(object, "answer")
	}
	if edits := listAt(object, "history"); len(edits) > 1 {
		last := edits[len(edits)-1]
		message = strings.TrimSpace("edited by " + textAt(last, "provenance", "author") + ": " + textAt(last, "provenance", "reason") + "; " + message)
	}
	switch value := object["value"].(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			inspectValue(all, name+"."+key, value[key], message)
		}
	case []any:
		for i, v := range value {
			inspectValue(all, name+"["+strconv.Itoa(i)+"]", v, message)
		}
	default:
		inspectValue(all, name, value, message)
	}
}

func inspectValue(all *checks, name string, value any, message string) {
	verdict := func(pass bool) { all.add(name, &pass, oneOrZero(&pass), message) }
	switch value := value.(type) {
	case bool:
		verdict(value)
	case json.Number:
		all.add(name, nil, numberAt(value), message)
	case string:
		switch strings.ToLower(value) {
		case "c", "yes", "true":
			verdict(true)
		case "i", "n", "no", "false":
			verdict(false)
		case "p":
			half := 0.5
			all.add(name, nil, &half, message)
		default:
			if n, err := strconv.ParseFloat(value, 64); err == nil && n-n == 0 {
				all.add(name, nil, &n, message)
				return
			}
			all.add(name, nil, nil, strings.TrimSpace(value+" "+message))
		}
	default: // null, or NaN: it was not scored
		all.add(name, nil, nil, message)
	}
}
