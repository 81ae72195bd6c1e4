package wire

import (
	"encoding/json"
	"errors"
	"strings"

	"docket/engine/canonical"
)

// readBody reads a request strictly, as canonical does: what a vendor's server
// would refuse, or read in one of two ways, is a mistake of the system.
func readBody(body []byte) (map[string]any, error) {
	v, err := canonical.Parse(body)
	if err != nil {
		return nil, errors.New("the body of the request is not JSON: " + err.Error())
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the body of the request is not a JSON object")
	}
	return object, nil
}

// content is the text of a message: a string, null, or a list of parts, of
// which those of text count.
type content string

// UnmarshalJSON implements json.Unmarshaler. It never fails on valid JSON.
func (c *content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = content(text)
		return nil
	}
	var parts []struct {
		Type string  `json:"type"`
		Text content `json:"text"`
	}
	if json.Unmarshal(b, &parts) == nil {
		var all strings.Builder
		for _, p := range parts {
			if p.Type == "" || strings.HasSuffix(p.Type, "text") {
				all.WriteString(string(p.Text))
			}
		}
		*c = content(all.String())
		return nil
	}
	*c = ""
	return nil
}

// loose is a string where one is given, and "" for whatever else stands there:
// a member that no judgement rests on must not spoil an answer.
type loose string

// UnmarshalJSON implements json.Unmarshaler. It never fails on valid JSON.
func (l *loose) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*l = loose(text)
	}
	return nil
}

// count is a number of tokens; not known where it is absent or no number.
type count struct{ n *int64 }

// UnmarshalJSON implements json.Unmarshaler. It never fails on valid JSON.
func (c *count) UnmarshalJSON(b []byte) error {
	var n json.Number
	if string(b) == "null" || json.Unmarshal(b, &n) != nil {
		return nil
	}
	if whole, err := json.Number(canonical.AppendNumber(nil, n)).Int64(); err == nil && whole >= 0 {
		c.n = &whole
	}
	return nil
}

// positive returns the count where it is not zero. No request has no tokens:
// a server that counts none did not count.
func (c count) positive() *int64 {
	if c.n == nil || *c.n == 0 {
		return nil
	}
	return c.n
}

// sum adds counts; nil where the first is not known.
func sum(first *int64, others ...*int64) *int64 {
	if first == nil {
		return nil
	}
	total := *first
	for _, n := range others {
		if n != nil {
			total += *n
		}
	}
	return &total
}
