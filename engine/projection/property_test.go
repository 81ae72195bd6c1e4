package projection_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/projection"
)

// answers draws outputs of the kinds that models give: JSON with keys that
// come and go, prose with numbers, calls, calls that do not parse.
func answers() *rapid.Generator[output.Output] {
	return rapid.Custom(func(t *rapid.T) output.Output {
		var o output.Output
		word := rapid.SampledFrom([]string{"refund", "reject", "null", "12", "it's 4417", "€20", "Löschung", `"x"`, ""})
		if rapid.Bool().Draw(t, "json") {
			object := map[string]any{}
			for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"status", "a", "b", "note", "a.b", "any"}), 0, 4).Draw(t, "keys") {
				object[key] = rapid.OneOf(
					rapid.Map(word, func(s string) any { return s }),
					rapid.SampledFrom([]any{nil, true, 1.5, 2, []any{}, []any{"x", 1}, map[string]any{"c": nil}}),
				).Draw(t, "value")
			}
			text, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			o.Text = string(text)
		} else {
			o.Text = strings.Join(rapid.SliceOfN(word, 0, 60).Draw(t, "words"), " ")
		}
		switch rapid.IntRange(0, 3).Draw(t, "calls") {
		case 1:
			o.ToolCalls = []output.ToolCall{}
		case 2:
			name := rapid.SampledFrom([]string{"lookup", "null", "a b", ""})
			arguments := rapid.SampledFrom([]string{"", "{}", `{"order":4417}`, "[]"})
			for range rapid.IntRange(1, 3).Draw(t, "n") {
				o.ToolCalls = append(o.ToolCalls, call(name.Draw(t, "name"), arguments.Draw(t, "arguments")))
			}
		case 3:
			o.ToolCallsError = "cut off"
		}
		return o
	})
}

var input = map[string]any{"ticket": "Order 4417 for €20, see INC-219"}

func drawSamples(t *rapid.T, set *projection.Set, name string) []map[string]any {
	var samples []map[string]any
	for _, o := range rapid.SliceOfN(answers(), 1, 6).Draw(t, name) {
		doc, has := output.Document(o.Text)
		samples = append(samples, set.Project(&projection.Subject{Input: input, Output: &o, Document: doc, HasDocument: has}))
	}
	return samples
}

func folded(set *projection.Set, samples []map[string]any) string {
	stable, unstable := set.Fold(samples)
	b, err := json.Marshal(unstable)
	if err != nil {
		panic(err)
	}
	return string(canonical.Marshal(stable)) + string(b)
}

func TestFoldProperties(t *testing.T) {
	set := suite(t)
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, set, "samples")
		once := folded(set, samples)
		if again := folded(set, samples); again != once {
			t.Fatalf("two folds differ:\n%s\n%s", once, again)
		}
		shuffled := rapid.Permutation(samples).Draw(t, "shuffled")
		if other := folded(set, shuffled); other != once {
			t.Fatalf("another order of the samples folds otherwise:\n%s\n%s", once, other)
		}
		m := measured(set, samples)
		if got := differences(set, m, m); len(got) > 0 {
			t.Fatalf("a measurement differs from itself: %q", got)
		}
		for name, one := range m {
			if one.HasStable && len(samples) == 1 && len(one.Unstable) > 0 {
				t.Fatalf("%s is unstable over one sample", name)
			}
		}
	})
}

// TestCompareProperties: a sample that is already among the old ones is no
// change, whatever the others were; and the order of what Compare tells is
// fixed.
func TestCompareProperties(t *testing.T) {
	set := suite(t)
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, set, "old")
		old := measured(set, samples)
		one := measured(set, []map[string]any{rapid.SampledFrom(samples).Draw(t, "one")})
		for _, name := range set.Names() {
			for _, d := range set.Compare(name, old[name], one[name]) {
				if d.Kind != projection.Noise {
					t.Fatalf("one of the old samples differs: %s", spellDifference(name, d))
				}
			}
		}
		new := measured(set, drawSamples(t, set, "new"))
		got := differences(set, old, new)
		if again := differences(set, old, new); !slices.Equal(got, again) {
			t.Fatalf("two comparisons differ:\n%q\n%q", got, again)
		}
		for _, name := range set.Names() {
			list := set.Compare(name, old[name], new[name])
			if !slices.IsSortedFunc(list, func(a, b projection.Difference) int { return strings.Compare(a.Member, b.Member) }) {
				t.Fatalf("%s: differences are not in order: %v", name, list)
			}
			if carried := set.Carry(name, old[name], new[name]); old[name].HasStable != carried.HasStable && !new[name].HasStable && carried.HasStable {
				t.Fatalf("%s: carrying made stable what neither side was", name)
			}
		}
	})
}
