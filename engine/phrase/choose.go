package phrase

import (
	"fmt"
	"strings"
)

// Choose returns the item of that name, or an error that lists every name:
// unknown format "xml": write one of text, json.
func Choose[T any](what, name string, from []T, nameOf func(T) string) (T, error) {
	names := make([]string, len(from))
	for i, item := range from {
		if names[i] = nameOf(item); names[i] == name {
			return item, nil
		}
	}
	var none T
	return none, fmt.Errorf("unknown %s %q: write one of %s", what, name, strings.Join(names, ", "))
}
