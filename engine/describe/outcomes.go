package describe

import (
	"fmt"
	"strings"

	"docket/engine/phrase"
)

// outcomes says, projection by projection, what the answers are.
func (d *Description) outcomes() []string {
	var said []string
	add := func(paragraph string) { said = append(said, paragraph) }
	if v, ok := d.value("label"); ok {
		add(d.labels(v))
	}
	if s, ok := d.set("shape"); ok {
		add(d.shape(s))
	}
	add(d.numbers())
	add(d.carried())
	add(d.tools())
	var manner []string
	for _, of := range []string{"length", "language", "refusal"} {
		if v, ok := d.value(of); ok {
			manner = append(manner, d.manner(v))
		}
	}
	add(strings.Join(manner, " "))
	for _, v := range d.Values {
		switch v.Name {
		case "label", "tools", "length", "language", "refusal":
		default: // a projection that this version does not know
			add(fmt.Sprintf("The %s is %s.", name(v.Name), d.distribution(v)))
		}
	}
	return said
}

// noun is what a projection is called in a sentence.
func noun(of string) string {
	switch of {
	case "label", "length", "language":
		return of
	case "refusal":
		return "refusal"
	case "tools":
		return "sequence of tool calls"
	case "toolset":
		return "set of tools called"
	case "shape":
		return "shape of the JSON"
	case "numbers":
		return "value of a number"
	}
	return name(of)
}

// seenValue spells a value that some samples had.
func (d *Description) seenValue(of, v string) string {
	switch {
	case of == "label" && v == "null":
		return "no label"
	case of == "label" && v == "ambiguous":
		return "several labels at once"
	case of == "refusal" && v == "true":
		return "a refusal"
	case of == "refusal":
		return "an answer"
	case of == "shape":
		return "no JSON"
	case of == "toolset":
		return "calls that cannot be read"
	case of == "numbers":
		// name:value
		if colon := strings.LastIndexByte(v, ':'); colon > 0 {
			return name(v[:colon]) + " " + name(v[colon+1:])
		}
	case of == "tools" && v == "[]":
		return "no call"
	case of == "tools":
		if list, ok := spelled(v).([]any); ok {
			names := make([]string, len(list))
			for i, call := range list {
				names[i] = text(call)
			}
			return calls(names)
		}
	}
	return name(v)
}

const mostValues = 8

func (d *Description) labels(v Values) string {
	var parts []string
	others, left := 0, 0
	for i, c := range v.Counts {
		switch {
		case i >= mostValues:
			others += c.Cases
			left++
			continue
		case c.Value == nil:
			parts = append(parts, share(c.Cases, v.Of)+" carry no label")
		case c.Value == any("ambiguous"):
			parts = append(parts, share(c.Cases, v.Of)+" name several labels at once")
		case len(parts) == 0:
			parts = append(parts, share(c.Cases, v.Of)+" are labelled "+value(c.Value))
		default:
			parts = append(parts, share(c.Cases, v.Of)+" "+value(c.Value))
		}
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("%s carry one of %s", share(others, v.Of), phrase.Count(left, "other label", "other labels")))
	}
	if v.Unsettled > 0 {
		parts = append(parts, fmt.Sprintf("%s %s labelled one way in some samples and another way in others", share(v.Unsettled, v.Of), phrase.Form(v.Unsettled, "is", "are")))
	}
	return "Of " + d.of(v.Of) + ", " + phrase.Series(agree(parts), "and") + "."
}

// agree makes the verbs of "4% (1) are" agree with the number.
func agree(parts []string) []string {
	for i, p := range parts {
		for _, verb := range [][2]string{{"carry", "carries"}, {"name", "names"}, {"are", "is"}} {
			p = strings.Replace(p, "(1) "+verb[0]+" ", "(1) "+verb[1]+" ", 1)
		}
		parts[i] = p
	}
	return parts
}

// of names the cases that something was measured of.
func (d *Description) of(n int) string {
	if n == d.Cases {
		return cases(n)
	}
	return fmt.Sprintf("the %s of which this is known", cases(n))
}

// distribution writes shares of values: "a in 60% (6), b in 40% (4)".
func (d *Description) distribution(v Values) string {
	var parts []string
	for i, c := range v.Counts {
		if i == mostValues {
			parts = append(parts, fmt.Sprintf("one of %s in the others", phrase.Count(len(v.Counts)-i, "more value", "more values")))
			break
		}
		parts = append(parts, value(c.Value)+" in "+share(c.Cases, v.Of))
	}
	if v.Unsettled > 0 {
		parts = append(parts, "unsettled in "+share(v.Unsettled, v.Of))
	}
	return phrase.Series(parts, "and") + " of " + d.of(v.Of)
}
