package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/diff"
	"docket/engine/run"
	"docket/engine/stats"
)

// A noisy set is real outputs with several samples of each case, and the
// projection by which false alarms are counted.
type noisySet struct {
	folder, settings string
	projection       string
	whole            bool // the projection is compared as a whole, so that the theory of two values holds
	calibrate        int  // the first samples; a run takes the rest
}

func noisySets() []noisySet {
	return []noisySet{
		{"classify-intent-4systems-10runs", "projections: {label: {path: $}}", "label", true, 5},
		{"classify-intent-4systems-10runs", "projections: {label: {path: $}}", "label", true, 3},
		{"extract-ner-3systems-5runs", "", "shape", false, 2},
		{"tool-tau-airline-gpt4o-4trials", "", "toolset", false, 1},
	}
}

// TestFalseAlarmsOnRealOutputs calibrates on some samples of a system and runs
// the rest of the same system, with and without confirmation: nothing changed,
// so whatever is called changed is a false alarm. Then another system: what
// truly differs must still be found.
func TestFalseAlarmsOnRealOutputs(t *testing.T) {
	data := dataFolder(t)
	t.Log("set, system, samples calibrated: called changed with one sample, with two more, unsettled then, of cases (expected with one, with two more)")
	for _, set := range noisySets() {
		t.Run(fmt.Sprintf("%s, %d", set.folder, set.calibrate), func(t *testing.T) {
			t.Parallel()
			cases, outputs := dataSet{folder: set.folder}.load(t, data)
			before, after := 0, 0
			for _, system := range slices.Sorted(maps.Keys(outputs)) {
				one, two := set.sameSystem(t, cases, system, outputs[system])
				before, after = before+one, after+two
			}
			// On one sample nothing was calibrated, and the old value is often the
			// rare one: confirming helps, and cannot help much.
			if set.calibrate > 1 && after*3 > before || after >= before {
				t.Errorf("confirmation left %d of %d false alarms", after, before)
			}
		})
	}
}

// sameSystem runs what was left when a system was calibrated, each of its
// samples first in turn, and returns how often docket called a case changed.
func (set noisySet) sameSystem(t *testing.T, cases []testCase, system string, rows []byte) (one, two int) {
	t.Helper()
	files := map[string][]byte{"all": rows, "first": samplesOf(t, rows, 0, set.calibrate, 0)}
	most := 0
	for _, n := range perCase(t, rows) {
		most = max(most, n)
	}
	turns := min(most-set.calibrate, 4) // each a run of its own, with another sample first
	for turn := range turns {
		files[fmt.Sprintf("rest-%d", turn)] = samplesOf(t, rows, set.calibrate, most, turn)
	}
	w := newWorkspace(t, cases, set.settings, files)
	flips := set.flips(w.lines("all"))
	w.calibrate("first")
	unsettled, ran, compared := 0, 0, 0
	for turn := range turns {
		name := fmt.Sprintf("rest-%d", turn)
		single := w.compare(name, engine.RunOptions{Samples: 1})
		confirmed := w.compare(name, engine.RunOptions{Samples: 1, Confirm: 2})
		one += single.Summary.Projections[set.projection].Changed
		two += confirmed.Summary.Projections[set.projection].Changed
		unsettled += confirmed.Summary.Projections[set.projection].Unsettled
		compared += single.Summary.Projections[set.projection].Of
		for i := range single.run.Results {
			if single.run.Results[i].Outcome == run.Measured {
				ran++
			}
		}
	}
	expectOne, expectTwo := 0.0, 0.0
	for _, flip := range flips {
		expectOne += stats.FalseAlarm(flip, set.calibrate, 0) / float64(len(flips))
		expectTwo += stats.FalseAlarm(flip, set.calibrate, 2) / float64(len(flips))
	}
	share := func(n int) float64 { return float64(n) / float64(max(1, ran)) }
	said := fmt.Sprintf("%s, %d: %.4f, %.4f, %.4f of %d, %d compared", system, set.calibrate, share(one), share(two), share(unsettled), ran, compared)
	if !set.whole || ran == 0 {
		t.Log(said)
		return one, two
	}
	t.Logf("%s (%.4f, %.4f)", said, expectOne, expectTwo)
	// The turns of one case are no cases of their own: the interval is that of
	// the number of cases.
	for _, held := range []struct {
		what string
		got  int
		want float64
	}{{"with one sample", one, expectOne}, {"with two more", two, expectTwo}} {
		n := len(flips)
		if i := stats.Wilson(int(share(held.got)*float64(n)+0.5), n); held.want < i.Low || held.want > i.High {
			t.Errorf("%s, %s: %.4f called changed, expected %.4f, which lies outside %.4f to %.4f", system, held.what, share(held.got), held.want, i.Low, i.High)
		}
	}
	return one, two
}

// TestTrueChangesSurviveConfirmation: of the inputs on which two systems differ
// in all their samples, all are called changed with confirmation; of those on
// which the other system mostly has another value, the table says how many.
func TestTrueChangesSurviveConfirmation(t *testing.T) {
	data := dataFolder(t)
	set := noisySets()[0]
	cases, outputs := dataSet{folder: set.folder}.load(t, data)
	systems := slices.Sorted(maps.Keys(outputs))
	t.Log("from → to: labels that differ in every sample, called changed; that mostly differ, called changed, unsettled")
	for _, pair := range pairs(systems) {
		from, to := pair[0], pair[1]
		files := map[string][]byte{"first": samplesOf(t, outputs[from], 0, set.calibrate, 0), "old": outputs[from], "new": outputs[to]}
		w := newWorkspace(t, cases, set.settings, files)
		old, new := w.lines("old"), w.lines("new")
		w.calibrate("first")
		c := w.compare("new", engine.RunOptions{Samples: 1, Confirm: 2})
		effects := map[string]diff.Effect{}
		for i := range c.Cases {
			for _, change := range c.Cases[i].Changes {
				if change.Of == set.projection {
					effects[c.Cases[i].ID] = change.Effect
				}
			}
		}
		always, found, mostly, called, unsettled := 0, 0, 0, 0, 0
		for id, before := range old {
			was, stable := before.Projections[set.projection]
			after, measured := new[id]
			if !stable || !measured {
				continue
			}
			if now, held := after.Projections[set.projection]; held {
				if string(canonical.Marshal(was)) != string(canonical.Marshal(now)) {
					always++
					if effects[id] == diff.Differs {
						found++
					}
				}
				continue
			}
			if after.Unstable[set.projection][string(canonical.Marshal(was))]*2 < after.Samples {
				mostly++
				switch effects[id] {
				case diff.Differs:
					called++
				case diff.Unclear:
					unsettled++
				}
			}
		}
		t.Logf("%s → %s: %d, %d; %d, %d, %d", from, to, always, found, mostly, called, unsettled)
		if found != always {
			t.Errorf("%s → %s: %d of %d true changes were found", from, to, found, always)
		}
	}
}

// pairs returns each name with each other.
func pairs(names []string) (all [][2]string) {
	for _, a := range names {
		for _, b := range names {
			if a != b {
				all = append(all, [2]string{a, b})
			}
		}
	}
	return all
}

// lines measures all samples of a system.
func (w *workspace) lines(system string) map[string]baseline.Line {
	w.t.Helper()
	made, err := w.open(system).Run(w.t.Context(), engine.RunOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	all := map[string]baseline.Line{}
	for _, r := range made.Run.Results {
		if r.Outcome != run.Measured {
			continue
		}
		l, err := baseline.ParseLine(r.Line)
		if err != nil {
			w.t.Fatal(err)
		}
		all[r.ID] = l
	}
	return all
}

// flips estimates each case's flip rate from all its samples: the share that
// has another value than most.
func (set noisySet) flips(all map[string]baseline.Line) []float64 {
	var flips []float64
	for _, id := range slices.Sorted(maps.Keys(all)) {
		l := all[id]
		most, of := 0, 0
		for _, n := range l.Unstable[set.projection] {
			most, of = max(most, n), of+n
		}
		if of == 0 {
			flips = append(flips, 0)
			continue
		}
		flips = append(flips, 1-float64(most)/float64(of))
	}
	return flips
}

// perCase counts the rows of each case.
func perCase(t *testing.T, rows []byte) map[string]int {
	counts := map[string]int{}
	for _, row := range parseRows(t, rows) {
		counts[row["id"].(string)]++
	}
	return counts
}

// samplesOf returns the rows of the samples from..to of each case, with the one
// at turn first, numbered anew.
func samplesOf(t *testing.T, rows []byte, from, to, turn int) []byte {
	t.Helper()
	byCase := map[string][]map[string]any{}
	var order []string
	for _, row := range parseRows(t, rows) {
		id := row["id"].(string)
		if byCase[id] == nil {
			order = append(order, id)
		}
		byCase[id] = append(byCase[id], row)
	}
	var out bytes.Buffer
	for _, id := range order {
		kept := byCase[id][min(from, len(byCase[id])):min(to, len(byCase[id]))]
		for i := range kept {
			row := maps.Clone(kept[(i+turn)%len(kept)])
			row["sample"] = i + 1
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
	}
	return out.Bytes()
}

func parseRows(t *testing.T, rows []byte) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range bytes.Lines(rows) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}
