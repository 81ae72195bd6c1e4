package stats

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestConfusion(t *testing.T) {
	for _, tt := range []struct {
		c                                             Confusion
		agree, chance, kappa, se, low, high, ac1, tpr float64
		tnr                                           float64
	}{
		{Confusion{70, 10, 5, 15}, .850, .650, .5714, .1020, .371, .771, .7697, .9333, .6000},
		{Confusion{90, 5, 4, 1}, .910, .896, .1346, .2752, -.405, .674, .8996, .9574, .1667},
		{Confusion{40, 5, 5, 50}, .900, .505, .7980, .0606, .679, .917, .8020, .8889, .9091},
	} {
		agree, _ := tt.c.Agreement()
		kappa, se, interval := tt.c.Kappa()
		tpr, tprInterval := tt.c.TruePass()
		tnr, tnrInterval := tt.c.TrueFail()
		within(t, "agreement", agree, tt.agree, 3)
		within(t, "by chance", tt.c.ByChance(), tt.chance, 3)
		within(t, "kappa", kappa, tt.kappa, 4)
		within(t, "error of kappa", se, tt.se, 4)
		within(t, "low end of kappa", interval.Low, tt.low, 3)
		within(t, "high end of kappa", interval.High, tt.high, 3)
		within(t, "AC1", tt.c.AC1(), tt.ac1, 4)
		within(t, "true pass", tpr, tt.tpr, 4)
		within(t, "true fail", tnr, tt.tnr, 4)
		if tprInterval != Wilson(tt.c.BothPass, tt.c.BothPass+tt.c.HumanPass) || tnrInterval != Wilson(tt.c.BothFail, tt.c.BothFail+tt.c.JudgePass) {
			t.Errorf("%+v: intervals %v and %v", tt.c, tprInterval, tnrInterval)
		}
	}
	within(t, "what the judge lets through", 1-.6, .40, 9)
	within(t, "corrected pass rate", Confusion{70, 10, 5, 15}.Correct(.80), .75, 9)
}

// Half the width of kappa's interval at 90% agreement and balance, by the
// number of labels.
func TestKappaNeedsLabels(t *testing.T) {
	_, _, hundred := Confusion{45, 5, 5, 45}.Kappa()
	for labels, want := range map[float64]float64{30: .215, 50: .166, 90: .124, 100: .118} {
		within(t, fmt.Sprintf("half the width for %v labels", labels), hundred.Margin()*math.Sqrt(100/labels), want, 3)
	}
}

func TestConfusionOfTooLittle(t *testing.T) {
	for _, c := range []Confusion{{}, {-1, 2, 3, 4}} {
		agree, _ := c.Agreement()
		kappa, se, interval := c.Kappa()
		tpr, _ := c.TruePass()
		for what, got := range map[string]float64{"agreement": agree, "kappa": kappa, "error": se, "AC1": c.AC1(), "true pass": tpr, "by chance": c.ByChance(), "corrected": c.Correct(.5)} {
			unknownNumber(t, what, got)
		}
		if interval.Known() || !strings.Contains(c.String(), "unknown") {
			t.Errorf("%+v: %v, %q", c, interval, c.String())
		}
	}
	all := Confusion{BothPass: 20}
	kappa, _, _ := all.Kappa()
	unknownNumber(t, "kappa where all pass", kappa)
	within(t, "AC1 where all pass", all.AC1(), 1, 9)
	unknownNumber(t, "corrected without a failure", all.Correct(.5))
	if tnr, interval := all.TrueFail(); !math.IsNaN(tnr) || interval != (Interval{0, 1}) {
		t.Errorf("without a failure the true fail rate is %v in %v", tnr, interval)
	}
	unknownNumber(t, "corrected by a judge that guesses", Confusion{5, 5, 5, 5}.Correct(.5))
	unknownNumber(t, "corrected from nothing", Confusion{70, 10, 5, 15}.Correct(math.NaN()))
	if got := (Confusion{70, 10, 5, 15}).Correct(.1); got != 0 {
		t.Errorf("a rate below what the judge's errors explain is 0, got %v", got)
	}
}

func TestConfusionString(t *testing.T) {
	const want = "agree on 91% of 100 (95% 84% to 95%); passes 96% of what people pass, fails 17% of what people fail; kappa 0.13; both pass 90, judge alone 5, people alone 4, both fail 1"
	if got := (Confusion{90, 5, 4, 1}).String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestConfusionHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 200)
		c := Confusion{count.Draw(t, "a") + 1, count.Draw(t, "b"), count.Draw(t, "c"), count.Draw(t, "d") + 1}
		swapped := Confusion{c.BothPass, c.HumanPass, c.JudgePass, c.BothFail}
		kappa, _, interval := c.Kappa()
		other, _, _ := swapped.Kappa()
		agree, rate := c.Agreement()
		if !near(kappa, other) || !near(c.AC1(), swapped.AC1()) || kappa > agree+1e-12 || c.AC1() > 1 {
			t.Fatalf("%+v: kappa %v, with the roles swapped %v", c, kappa, other)
		}
		if !interval.Contains(kappa) || !rate.Contains(agree) {
			t.Fatalf("%+v: intervals %v and %v leave out their estimates", c, interval, rate)
		}
	})
}
