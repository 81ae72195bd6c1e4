package projection_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/engine/output"
	"docket/engine/projection"
)

// data returns the folder of real outputs that lies beside the repository on
// some machines.
func data(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the package")
		}
		dir = filepath.Dir(dir)
	}
	folder := filepath.Join(dir, "..", "shared", "data")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the real outputs of ../shared/data are not here")
	}
	return folder
}

// row is a line of a file of outputs.
type row struct {
	ID    string            `json:"id"`
	Text  string            `json:"text"`
	Calls []output.ToolCall `json:"tool_calls"`
	Input map[string]any    `json:"input"`
}

func rows(t *testing.T, file string) []row {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// shares measures a file of repeated outputs and returns, for each projection,
// the share of inputs, in per cent, on which all samples agree wholly, among
// the inputs to which it applies.
func shares(t *testing.T, set *projection.Set, folder, system string) map[string]float64 {
	inputs := map[string]map[string]any{}
	for _, r := range rows(t, filepath.Join(folder, "cases.jsonl")) {
		inputs[r.ID] = r.Input
	}
	samples := map[string][]map[string]any{}
	for _, r := range rows(t, filepath.Join(folder, system+".jsonl")) {
		s := subject(r.Text, inputs[r.ID])
		s.Output.ToolCalls = r.Calls
		samples[r.ID] = append(samples[r.ID], set.Project(s))
	}
	stable, of := map[string]int{}, map[string]int{}
	for id, k := range samples {
		m := measured(set, k)
		if again := measured(set, k); len(differences(set, m, again)) > 0 {
			t.Errorf("%s: the same outputs differ: %q", id, differences(set, m, again))
		}
		for name, one := range m {
			if one.HasStable || len(one.Unstable) > 0 {
				of[name]++
			}
			if one.HasStable && len(one.Unstable) == 0 {
				stable[name]++
			}
		}
	}
	share := map[string]float64{}
	for name := range of {
		share[name] = 100 * float64(stable[name]) / float64(of[name])
	}
	for _, name := range slices.Sorted(maps.Keys(share)) {
		t.Logf("%-60s %-9s stable on %5.1f%% of %d inputs", system, name, share[name], of[name])
	}
	return share
}

// near compares a share with one that was published in whole per cent.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.5 {
		t.Errorf("%s: %.1f%%, measured elsewhere on the same outputs: %.0f%%", what, got, want)
	}
}

// TestStabilityOnRealOutputs compares the share of inputs on which projections
// are stable with what was measured by other means on the same files.
func TestStabilityOnRealOutputs(t *testing.T) {
	folder := data(t)

	// Keys with their types, over 5 runs.
	ner := filepath.Join(folder, "extract-ner-3systems-5runs")
	plain := projection.Default()
	for _, measured := range []struct {
		system string
		share  float64
	}{
		{"gpt-4o-mini-2024-07-18-via-OpenAI-structured-output", 70},
		{"gpt-4o-mini-2024-07-18-via-Instructor", 20},
		{"llama-3-8b-instruct-4bit-via-LMFormatEnforcer", 44},
	} {
		near(t, measured.system+": shape", shares(t, plain, ner, measured.system)["shape"], measured.share)
	}

	// The set of labels, over up to 10 runs: the whole answer is the list.
	intents := filepath.Join(folder, "classify-intent-4systems-10runs")
	labels := compile(t, "label: {path: $}")
	for _, measured := range []struct {
		system string
		share  float64
	}{
		{"gpt-4o-mini-2024-07-18-via-OpenAI-structured-output", 36},
		{"gpt-4o-mini-2024-07-18-via-Instructor", 38},
		{"gpt-4o-mini-2024-07-18-via-Marvin", 94},
		{"llama-3-8b-instruct-4bit-via-LMFormatEnforcer", 8},
	} {
		near(t, measured.system+": label", shares(t, labels, intents, measured.system)["label"], measured.share)
	}

	// Names with argument keys in order, and the set of names.
	airline := shares(t, plain, filepath.Join(folder, "tool-tau-airline-gpt4o-4trials"), "gpt-4o-tool-calling")
	near(t, "airline: tools", airline["tools"], 0)
	near(t, "airline: toolset", airline["toolset"], 4)
	telecom := shares(t, plain, filepath.Join(folder, "tool-tau2-telecom-solo-4trials"), "gpt-4.1-2025-04-14")
	near(t, "telecom: tools", telecom["tools"], 80)
	near(t, "telecom: toolset", telecom["toolset"], 100)
}
