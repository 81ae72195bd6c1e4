package measure

import "docket/engine/run"

// given sorts the verdicts that came with an output. Those with a verdict count
// like a check's of our own. A score without one fails nothing and passes
// nothing: it is kept for its value alone, so that a score that moved is seen.
// What has neither was not judged, and is left out.
func given(sample *run.Sample) (verdicts, scores []run.Verdict) {
	for _, g := range sample.Given {
		v := run.Verdict{Check: g.Check, Message: g.Message}
		switch {
		case g.Pass != nil && g.Score != nil:
			v.Pass, v.Score = *g.Pass, *g.Score
			verdicts = append(verdicts, v)
		case g.Pass != nil:
			if v.Pass = *g.Pass; v.Pass {
				v.Score = 1
			}
			verdicts = append(verdicts, v)
		case g.Score != nil:
			// A tally has no place for "not judged": as one that never fails it
			// can neither be lost nor gained.
			v.Pass, v.Score = true, *g.Score
			scores = append(scores, v)
		}
	}
	return verdicts, scores
}
