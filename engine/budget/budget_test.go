package budget_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"docket/engine/budget"
	"docket/engine/provider"
	"docket/engine/run"
	"docket/engine/suite"
)

// account is what a test's system has cost.
type account struct{ provider.Spent }

func (a *account) total() provider.Spent { return a.Spent }

func (a *account) pay(b *budget.Budget, usd float64) {
	a.USD += usd
	a.Calls++
	b.Answered("a", false)
}

func TestCasesBeginUntilTheNextWouldCostTooMuch(t *testing.T) {
	var b budget.Budget
	var a account
	b.Allow(0.35, 1, a.total)
	begun := 0
	for b.Admit(t.Context(), run.Planned{}) {
		begun++
		a.pay(&b, 0.1)
	}
	if begun != 3 || !strings.Contains(b.Stopped(), "stopped before it would cost more than $0.3500: $0.3000 is spent") {
		t.Errorf("%d cases were begun, %q", begun, b.Stopped())
	}
	if b.Further(1) {
		t.Error("a sample more is taken than the run may cost")
	}
}

func TestSamplesUnderWayAreForeseen(t *testing.T) {
	var b budget.Budget
	var a account
	b.Allow(0.5, 2, a.total)
	b.Admit(t.Context(), run.Planned{})
	a.pay(&b, 0.1)
	// The second sample of the first case, and two of the second, are to come.
	if !b.Admit(t.Context(), run.Planned{}) || b.Admit(t.Context(), run.Planned{}) {
		t.Error("want two cases of two samples at $0.10 each, and no third")
	}
	if !b.Further(1) || b.Further(1) {
		t.Error("want one sample more, and no second")
	}
}

// TestNothingBeginsBeforeTheFirstAnswer: what a sample costs is not known
// before.
func TestNothingBeginsBeforeTheFirstAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b budget.Budget
		var a account
		b.Allow(1, 1, a.total)
		b.Admit(t.Context(), run.Planned{})
		second := make(chan bool, 1)
		go func() { second <- b.Admit(t.Context(), run.Planned{}) }()
		synctest.Wait()
		select {
		case <-second:
			t.Fatal("a second case began beside the first")
		default:
		}
		b.Answered("a", true) // a failure tells, too
		if !<-second {
			t.Error("the second case was refused")
		}
	})
	interrupted, cancel := context.WithCancel(t.Context())
	var b budget.Budget
	b.Allow(1, 1, func() provider.Spent { return provider.Spent{} })
	b.Admit(interrupted, run.Planned{})
	cancel()
	if b.Admit(interrupted, run.Planned{}) || b.Stopped() != "" {
		t.Error("an interrupted run begins another case, or blames its budget")
	}
}

func TestVerdictsArePaidBeforeAnAnswerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b budget.Budget
		var a account
		b.Allow(1, 1, a.total)
		failed := errors.New("no verdict")
		judge := b.Judging(func(context.Context, run.Planned, []run.Sample) ([]byte, []run.Sample, error) {
			a.USD += 0.8
			return nil, nil, failed
		})
		b.Admit(t.Context(), run.Planned{})
		a.pay(&b, 0.1)
		second := make(chan bool, 1)
		go func() { second <- b.Admit(t.Context(), run.Planned{}) }()
		synctest.Wait()
		if _, _, err := judge(t.Context(), run.Planned{Case: &suite.Case{ID: "a"}}, nil); !errors.Is(err, failed) {
			t.Error(err)
		}
		if <-second {
			t.Error("a second case begins, which the verdicts of the first leave no money for")
		}
	})
}

func TestAnUnknownPriceStops(t *testing.T) {
	var b budget.Budget
	b.Allow(1, 1, func() provider.Spent { return provider.Spent{Calls: 1, Unknown: 1} })
	if b.Admit(t.Context(), run.Planned{}) || !strings.Contains(b.Stopped(), "what 1 call cost is not known: give the system a price") {
		t.Errorf("%q", b.Stopped())
	}
}
