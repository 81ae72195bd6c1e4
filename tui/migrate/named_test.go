package migrate

import (
	"slices"
	"testing"

	"docket/engine/migration"
)

// TestNamed: what all tests of a class begin with leaves no room for what they
// are, and goes, unless two would be called alike.
func TestNamed(t *testing.T) {
	names := []string{"Labels.test_keys", "Labels.test_type[a.b]", "refunds > keeps the window", "test_alone", "A.test_x", "B.test_x", "a > b > c"}
	var tests []migration.Test
	for _, name := range names {
		var one migration.Test
		one.Name = name
		tests = append(tests, one)
	}
	want := []string{"test_keys", "test_type[a.b]", "keeps the window", "test_alone", "A.test_x", "B.test_x", "c"}
	if got := named(tests); !slices.Equal(got, want) {
		t.Errorf("the list calls them %q, want %q", got, want)
	}
}
