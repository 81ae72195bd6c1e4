package interchange

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/field"
	"docket/engine/phrase"
)

// An entry is a row of another tool on its way into a collector.
type entry struct {
	text    text   // what it was read from; only its position counts
	place   string // "results.results[3]"; "" where the line says it
	row     Row
	unique  string  // what the tool itself calls this row: no two rows share it; "" for nothing
	order   int     // its place among the samples of its case
	variant variant // zero where the format knows none
	// sameInput is a digest of what the system was given, where the id is a
	// name that people give and may give twice: two rows with one id and two
	// digests are two cases that must not become samples of one. "" where the
	// id is the format's own, or was chosen.
	sameInput string
}

// entry takes in a row of another tool.
func (c *collector) entry(e entry) {
	if !c.variants.take(e.variant, c.options.Variant) {
		c.tally.skipped++
		return
	}
	if why := badID(e.row.ID); why != "" {
		c.problem(e.text, e.place, "this case's id %s; choose another field with --id", why)
		return
	}
	if e.unique != "" {
		if first, twice := c.known[e.unique]; twice {
			c.problem(e.text, e.place, "this result is there twice, first at %s; delete one", c.where(first))
			return
		}
		c.known[e.unique] = len(c.rows)
	}
	if e.sameInput != "" {
		key := e.variant.name + "\x00" + e.row.ID
		switch before, seen := c.inputs[key]; {
		case !seen:
			c.inputs[key] = e.sameInput
		case before != e.sameInput:
			c.problem(e.text, e.place, "%q names two cases, with different inputs, and they would count as samples of one; choose the field that tells cases apart with --id", phrase.Abridge(e.row.ID, 40))
			return
		}
	}
	e.row.Line = e.text.at(leadingSpace(e.text.data)).Line
	if e.row.Sample == 0 {
		c.tally.ordered++
	}
	c.rows = append(c.rows, e.row)
	c.places = append(c.places, e.place)
	c.orders = append(c.orders, e.order)
	c.tally.missing(&e.row)
}

// chosenID returns the value of the field that a person chose, looked for in
// each of the documents in turn.
func (c *collector) chosenID(documents ...any) (id string, why string) {
	path, err := field.Parse(c.options.ID)
	if err != nil {
		return "", fmt.Sprintf("--id %q is not a field: %v", c.options.ID, err)
	}
	for _, d := range documents {
		for _, v := range path.Find(d) {
			switch v := v.(type) {
			case string:
				return shortID(v), ""
			case json.Number:
				return string(canonical.AppendNumber(nil, v)), ""
			case bool:
				return strconv.FormatBool(v), ""
			case nil:
			default:
				return "", fmt.Sprintf("the field %q, which --id names, holds %s; an id is a string or a number", c.options.ID, describe(v))
			}
		}
	}
	return "", fmt.Sprintf("it has no field %q, which --id names", c.options.ID)
}

// digest is a short name for a JSON value, for ids where a format has none.
func digest(prefix string, v any) string {
	hash := strings.TrimPrefix(canonical.Hash(v), "sha256:")
	return prefix + "-" + hash[:12]
}
