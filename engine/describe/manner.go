package describe

import (
	"fmt"
	"slices"
	"strings"

	"docket/engine/phrase"
)

// manner says how answers are given: how long, in which language, and whether
// they are refusals.
func (d *Description) manner(v Values) string {
	if len(v.Counts) == 1 && v.Unsettled == 0 && v.Of == d.Cases {
		switch only := v.Counts[0].Value; v.Name {
		case "length":
			return fmt.Sprintf("Every answer is %s.", d.band(only))
		case "language":
			if only == any("unknown") {
				return "No answer is long enough to tell its language."
			}
			return fmt.Sprintf("Every answer is in %s.", value(only))
		case "refusal":
			if only == any(true) {
				return "Every answer is a refusal."
			}
			return "None is a refusal."
		}
	}
	var parts []string
	for _, c := range v.Counts {
		said := share(c.Cases, v.Of)
		switch v.Name {
		case "length":
			said += " are " + d.band(c.Value)
		case "language":
			if c.Value == any("unknown") {
				said += " are too short to tell the language"
			} else {
				said += " are in " + value(c.Value)
			}
		case "refusal":
			if c.Value == any(true) {
				said += " are refusals"
			} else {
				said += " are answers"
			}
		}
		parts = append(parts, said)
	}
	if v.Name == "refusal" { // the answers go without saying
		parts = slices.DeleteFunc(parts, func(p string) bool { return strings.HasSuffix(p, " are answers") })
	}
	if v.Unsettled > 0 {
		parts = append(parts, share(v.Unsettled, v.Of)+" are not the same from sample to sample")
	}
	if len(parts) == 0 {
		parts = append(parts, "none is a refusal")
	}
	parts = agree(parts)
	if v.Of < d.Cases {
		parts[len(parts)-1] += " of the " + cases(v.Of) + " of which this is known"
	}
	switch v.Name {
	case "refusal":
		for i := range parts {
			parts[i] = strings.Replace(parts[i], "(1) is refusals", "(1) is a refusal", 1)
		}
		return sentence(phrase.Series(parts, "and")) + "."
	case "length":
		return "Of the answers " + phrase.Series(parts, "and") + "."
	}
	return sentence(phrase.Series(parts, "and")) + "."
}

// band names a length with its limits, where they are known.
func (d *Description) band(v any) string {
	said := value(v)
	if d.Medium == 0 {
		return said
	}
	switch v {
	case any("short"):
		return fmt.Sprintf("%s (up to %d words)", said, d.Short)
	case any("medium"):
		return fmt.Sprintf("%s (%d to %d words)", said, d.Short+1, d.Medium)
	case any("long"):
		return fmt.Sprintf("%s (over %d words)", said, d.Medium)
	}
	return said
}
