package legacy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"docket/engine/legacy"
	"docket/engine/legacy/python"
)

// counted is what was counted by hand: the piles of the assertions on a line,
// and of each test function.
type counted struct {
	lines map[int][]legacy.Pile
	tests map[string]legacy.Pile
}

func readCounts(t *testing.T, name string) counted {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c := counted{map[int][]legacy.Pile{}, map[string]legacy.Pile{}}
	for _, row := range strings.Split(string(data), "\n") {
		cells := strings.Split(row, "\t")
		if len(cells) != 3 || strings.HasPrefix(row, "#") {
			continue
		}
		switch cells[0] {
		case "test":
			c.tests[cells[1]] = legacy.Pile(cells[2])
		case "line":
			n, err := strconv.Atoi(cells[1])
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range strings.Fields(cells[2]) {
				c.lines[n] = append(c.lines[n], legacy.Pile(p))
			}
		}
	}
	return c
}

func readSuite(t *testing.T, name string) *legacy.File {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := python.Read(filepath.Base(name), data, func(sibling string) ([]byte, error) {
		if strings.Contains(sibling, "..") {
			return nil, errors.New("outside the suite")
		}
		return os.ReadFile(filepath.Join(filepath.Dir(name), sibling))
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// share is how many of a pile were put there.
type share struct{ right, of int }

func (s share) String() string {
	return strconv.Itoa(s.right) + " of " + strconv.Itoa(s.of)
}

func (s share) percent() int { return 100 * s.right / max(s.of, 1) }

// TestPiles holds the classifier to the counts made by hand. The floors are under
// what was measured when it was written, and it was not tuned to single tests:
// they are there to be noticed when a change makes it worse.
func TestPiles(t *testing.T) {
	for _, suite := range []struct {
		name           string
		lines, tests   map[legacy.Pile]int // floors, in percent
		functions, sum int
	}{
		{"test_summariser", map[legacy.Pile]int{"situation": 90, "contract": 85, "sdk": 90}, map[legacy.Pile]int{"situation": 90, "contract": 85, "sdk": 85}, 60, 143},
		{"test_labels_unittest", map[legacy.Pile]int{"situation": 80, "contract": 80, "sdk": 80}, map[legacy.Pile]int{"situation": 80, "contract": 100, "sdk": 65}, 10, 18},
	} {
		t.Run(suite.name, func(t *testing.T) {
			want := readCounts(t, "testdata/summariser/"+suite.name+".counts.tsv")
			f := readSuite(t, "testdata/summariser/"+suite.name+".py")
			if len(f.Problems) > 0 {
				t.Errorf("problems: %v", f.Problems)
			}
			lines, tests := map[legacy.Pile]share{}, map[legacy.Pile]share{}
			seen, done, extra := map[string]bool{}, map[int]bool{}, 0
			for i := range f.Tests {
				test := &f.Tests[i]
				p := legacy.Classify(test)
				name, _, _ := strings.Cut(test.Name, "[")
				got := map[int][]legacy.Pile{}
				for k, c := range test.Claims {
					got[c.Line] = append(got[c.Line], p.Claims[k].Pile)
				}
				if !seen[name] {
					seen[name] = true
					s := tests[want.tests[name]]
					s.of++
					if p.Pile == want.tests[name] {
						s.right++
					} else {
						t.Logf("%s: %s, counted as %s", name, p.Pile, want.tests[name])
					}
					tests[want.tests[name]] = s
				}
				for line, piles := range got {
					if done[line] {
						continue
					}
					done[line] = true
					counted := want.lines[line]
					if len(counted) == 0 {
						t.Logf("%s: a claim on line %d, where none was counted", name, line)
						extra++
					}
					for k, p := range counted {
						s := lines[p]
						s.of++
						if k < len(piles) && piles[k] == p {
							s.right++
						} else {
							t.Logf("line %d: %v, counted as %v", line, piles, counted)
						}
						lines[p] = s
					}
				}
			}
			for line, piles := range want.lines {
				if done[line] {
					continue
				}
				t.Logf("line %d was not read", line)
				for _, p := range piles {
					s := lines[p]
					s.of++
					lines[p] = s
				}
			}
			total := 0
			for _, p := range []legacy.Pile{legacy.Situation, legacy.Contract, legacy.SDK} {
				t.Logf("%s: assertions %s (%d%%), tests %s (%d%%)", p, lines[p], lines[p].percent(), tests[p], tests[p].percent())
				total += lines[p].of
				if lines[p].percent() < suite.lines[p] {
					t.Errorf("%s: %s assertions right, under %d%%", p, lines[p], suite.lines[p])
				}
				if tests[p].percent() < suite.tests[p] {
					t.Errorf("%s: %s tests right, under %d%%", p, tests[p], suite.tests[p])
				}
			}
			if len(seen) != suite.functions || len(want.tests) != suite.functions {
				t.Errorf("%d test functions read, %d counted, want %d", len(seen), len(want.tests), suite.functions)
			}
			if extra > 1 {
				t.Errorf("%d claims where none was counted", extra)
			}
			if total < suite.sum {
				t.Errorf("%d assertions compared, want %d at least", total, suite.sum)
			}
		})
	}
}
