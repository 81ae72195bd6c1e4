package javascript_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript"
)

// counted reads the piles that were told by hand: of each line with an
// assertion its pile.
func counted(t *testing.T) map[int]string {
	t.Helper()
	f, err := os.Open("testdata/triage/piles.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	piles := map[int]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		var line int
		var pile string
		if _, err := fmt.Sscan(s.Text(), &line, &pile); err != nil {
			t.Fatal(err)
		}
		piles[line] = pile
	}
	return piles
}

// TestTriageSuite holds what is read of a suite in TypeScript, and the piles
// that are proposed for it, to what was counted by hand before.
func TestTriageSuite(t *testing.T) {
	source, err := os.ReadFile("testdata/triage/triage.test.ts")
	if err != nil {
		t.Fatal(err)
	}
	f, err := javascript.Read("triage.test.ts", source, beside("testdata/triage"))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Problems) > 0 {
		t.Errorf("problems: %v", f.Problems)
	}
	if len(f.Tests) != 33 { // 30 in the source: one has a table of three rows, one of two
		t.Errorf("%d tests were read, not 33", len(f.Tests))
	}
	piles := counted(t)
	got := map[int]legacy.Pile{}
	for i := range f.Tests {
		p := legacy.Classify(&f.Tests[i])
		for k, c := range f.Tests[i].Claims {
			if _, ok := piles[c.Line]; !ok {
				t.Errorf("line %d has a claim that nobody counted: %s", c.Line, c.Text)
			}
			if old, ok := got[c.Line]; ok && old != p.Claims[k].Pile {
				t.Logf("line %d is %q and %q", c.Line, old, p.Claims[k].Pile)
			}
			got[c.Line] = p.Claims[k].Pile
		}
	}
	right, all := map[string]int{}, map[string]int{}
	for line, pile := range piles {
		if _, ok := got[line]; !ok {
			t.Errorf("the assertion on line %d was not read", line)
		}
		if pile == "open" {
			continue
		}
		all[pile]++
		if string(got[line]) == pile {
			right[pile]++
		} else {
			t.Logf("line %d: counted as %s, proposed as %q", line, pile, got[line])
		}
	}
	for pile, floor := range map[string]int{"situation": 24, "contract": 13, "sdk": 10} {
		t.Logf("%s: %d of %d", pile, right[pile], all[pile])
		if right[pile] < floor {
			t.Errorf("%s: %d of %d are right, fewer than the %d that were", pile, right[pile], all[pile], floor)
		}
	}
}
