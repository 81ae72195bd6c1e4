package suite

import (
	"os"
	"testing"

	"docket/engine/source"
)

// FuzzCase looks for cases on which reading breaks down, or that it takes
// although they lack what every case has.
func FuzzCase(f *testing.F) {
	for _, s := range []string{
		"id: a\nprovenance: p\ninput: {x: 1, y_file: z}\n", "id: [\n", "[]", "id: a\nprompt: x\n", "id: a\nid: b\n", "input: {a_file: ../x, b_file: 3}\n",
		"id: a\nprovenance: p\ninput: {}\nweight: 1e999\nversion: 99999999999\ntags: [[], x, x]\nadded: 2025-02-30\nscoring: judged\nexpect: {a: &a [1], b: *a}\n",
	} {
		f.Add([]byte(s))
	}
	root, err := os.OpenRoot(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { root.Close() })
	f.Fuzz(func(t *testing.T, data []byte) {
		v, problems := source.Parse("c.yaml", data)
		if len(problems) > 0 {
			return
		}
		c, problems := readCase(v, "c.yaml", &inputFiles{suite: &folder{root, "s"}, known: map[string]*inputFile{}})
		if len(problems) > 0 {
			for _, p := range problems {
				if p.Line < 1 || p.Message == "" {
					t.Fatalf("a problem without a place: %v", p)
				}
			}
			return
		}
		if CheckID(c.ID) != nil || c.Provenance == "" || c.Input == nil || !(c.Weight > 0) || c.Version < 1 || len(c.InputHash) != 71 {
			t.Fatalf("took %+v", c)
		}
	})
}

// FuzzConfig looks for configurations on which reading breaks down, or whose
// folders leave the repository.
func FuzzConfig(f *testing.F) {
	for _, s := range []string{
		"version: 1\nsuites: {s: {cases: c, fixtures: ../x}}\n", "version: 9\n", "suites: 3\n", "version: 1\nsuites:\n  s: {cases: a/../../../b}\nlinks: {'(': x}\n",
		"version: 1\nsuites: {s: {cases: c, system: p, labels: [a, A], expires: 90d, budget: {time: 1h, cost: 1e3}}}\nsystems: {p: }\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, problems := source.Parse(ConfigFile, data)
		if len(problems) > 0 {
			return
		}
		c := &Config{Dir: ".", File: ConfigFile, inside: "below", repository: "/repository"}
		if len(c.read(v)) > 0 {
			return
		}
		for _, s := range c.Suites {
			for _, folder := range []string{s.Cases, s.Fixtures} {
				if folder != "" && folder[0] == '/' || len(folder) > 5 && folder[:6] == "../../" {
					t.Fatalf("%q leaves the repository", folder)
				}
			}
			if nameProblem(s.Name) != "" || s.Samples < 1 || s.Cases == "" {
				t.Fatalf("took %+v", s)
			}
		}
	})
}
