package legacy

import (
	"fmt"
	"strings"
	"testing"

	"docket/engine/secret"
)

// TestUnkey looks at everything that a reader keeps of a test.
func TestUnkey(t *testing.T) {
	const key = "sk-0123456789abcdef0123"
	f := &File{Tests: []Test{
		{
			Name: "t " + key, Doc: key, Comments: []string{key}, Source: "ask(" + key + ")", Call: key,
			Inputs:     []Input{{Value: map[string]any{"headers": []any{"Bearer " + key}, "password": "hunter2"}, Why: key}},
			Claims:     []Claim{{Text: key, Path: key, Values: []any{key, []any{key}}, Why: key}},
			Unresolved: []Problem{{Message: key}},
		},
		{Name: "plain", Inputs: []Input{{Value: map[string]any{"mail": "late"}}}, Claims: []Claim{{Text: `"paid" in answer`, Values: []any{"paid", nil}}}},
	}}
	plain := fmt.Sprintf("%+v", f.Tests[1])
	f.Unkey(secret.New(nil))
	if said := fmt.Sprintf("%+v", f.Tests[0]); strings.Contains(said, key) || strings.Contains(said, "hunter2") || !strings.Contains(said, secret.Redacted) {
		t.Errorf("the test is %s", said)
	}
	if said := fmt.Sprintf("%+v", f.Tests[1]); said != plain {
		t.Errorf("a test without a key became %s", said)
	}
	if len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Message, "in 1 test,") {
		t.Errorf("the problems are %+v", f.Problems)
	}
}
