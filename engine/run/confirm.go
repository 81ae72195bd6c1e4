package run

import (
	"context"
	"fmt"
	"slices"
)

// further returns the numbers of n more samples of a case, beyond those that
// were taken. A system that has its samples already gives what is left of
// them, all of it for an n of 0.
func (e *execution) further(id string, taken []Sample, n int) []int {
	if s, ok := e.plan.System.(sampler); ok {
		left := slices.DeleteFunc(slices.Clone(s.Samples(id)), func(number int) bool {
			return slices.ContainsFunc(taken, func(s Sample) bool { return s.Number == number })
		})
		if n > 0 && len(left) > n {
			left = left[:n]
		}
		return left
	}
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = last(taken) + 1 + i
	}
	return numbers
}

// last returns the highest number of the samples, 0 for none.
func last(samples []Sample) int {
	highest := 0
	for i := range samples {
		highest = max(highest, samples[i].Number)
	}
	return highest
}

// settle makes the result of a case whose samples are all there, and takes the
// further ones that the plan wants before the result counts. The worker that
// took the last sample takes them, so that no more samples are under way than
// there are jobs. It reports false where an interrupt came first: the case then
// lacks samples, and is not run.
func (e *execution) settle(ctx context.Context, p *pending) (Result, bool) {
	result, ok := e.measure(ctx, p)
	if !ok || result.Outcome != Measured || e.plan.Confirm == nil {
		return result, ok
	}
	if len(e.further(p.planned.Case.ID, result.Samples, 1)) == 0 {
		return result, true // the system has no more
	}
	n := e.plan.Confirm(p.planned, result.Line)
	if n <= 0 {
		return result, true
	}
	numbers := e.further(p.planned.Case.ID, result.Samples, n)
	// What a judge said of the samples there are is not asked again.
	p.samples = slices.Clone(result.Samples[len(p.planned.Before):])
	failed, why := 0, ""
	for _, number := range numbers {
		if ctx.Err() != nil {
			return Result{}, false
		}
		sample, _, abandoned := e.take(ctx, call{of: p, number: number})
		if abandoned {
			return Result{}, false
		}
		if sample.Error != "" {
			failed++
			why = sample.Error
		}
		p.samples = append(p.samples, sample)
	}
	confirmed, ok := e.measure(ctx, p)
	if ok && failed == len(numbers) && confirmed.Outcome == Measured {
		confirmed.Outcome, confirmed.Line = Failed, nil
		confirmed.Error = fmt.Sprintf("it differs, and of %d further samples to confirm that none succeeded: %s", failed, why)
	}
	return confirmed, ok
}
