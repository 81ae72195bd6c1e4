package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryModuleHasItsLicence holds the list of licences to go.mod, module by
// module and version by version, and lets only licences pass under which a
// binary may be given to anybody.
func TestEveryModuleHasItsLicence(t *testing.T) {
	var required []string
	for line := range strings.Lines(read(t, filepath.Join(packageDir, "../../go.mod"))) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(words) >= 2 && strings.Contains(words[0], ".") && strings.HasPrefix(words[1], "v") {
			required = append(required, words[0]+" "+words[1])
		}
	}
	if len(required) < 20 {
		t.Fatalf("go.mod requires %d modules", len(required))
	}
	data, err := os.ReadFile(filepath.Join(packageDir, "../../.licenses"))
	if err != nil {
		t.Fatal(err)
	}
	may := []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "MPL-2.0", "ISC", "AND"}
	var listed []string
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if len(words) < 3 {
			t.Errorf("not a module, its version and its licence: %s", line)
			continue
		}
		listed = append(listed, words[0]+" "+words[1])
		for _, licence := range words[2:] {
			if !slices.Contains(may, licence) {
				t.Errorf("%s comes under %s: may docket be given away with it?", words[0], licence)
			}
		}
	}
	for _, module := range required {
		if !slices.Contains(listed, module) {
			t.Errorf("%s is in go.mod and not in .licenses: read its licence and list it", module)
		}
	}
	for _, module := range listed {
		if !slices.Contains(required, module) {
			t.Errorf("%s is in .licenses and not in go.mod: take it out", module)
		}
	}
}
