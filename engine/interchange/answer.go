package interchange

import (
	"fmt"
	"strings"
)

// ReadAnswer reads one object of the form that a line of JSON Lines has, as a
// program prints it in answer to one request. The id may be absent, and so may
// the sample, which is then 0. The error says what is wrong with the object in
// one sentence without a position.
func ReadAnswer(data []byte) (Row, error) {
	t := text{line: 1, data: data}
	v, err := t.parse()
	if err != nil {
		if t.cutShort() {
			return Row{}, fmt.Errorf("the JSON object ends in the middle")
		}
		return Row{}, fmt.Errorf("expected one JSON object, got %s", glimpse(data))
	}
	values, ok := v.(map[string]any)
	if !ok {
		return Row{}, fmt.Errorf("expected one JSON object, got %s", describe(v))
	}
	r := decodeObject(t, leadingSpace(data), values, "id", false)
	if len(r.wrong) > 0 {
		var all []string
		for _, p := range r.wrong {
			all = append(all, p.Message)
		}
		return Row{}, fmt.Errorf("%s", strings.Join(all, "; "))
	}
	return r.row, nil
}
