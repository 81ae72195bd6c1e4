package review

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/engine"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/tui"
)

// further is how many samples one key press adds to a case.
const further = 2

// takeMore takes more samples of the marked cases, of the case under the
// cursor, or, on the header of a group, of all that are unsettled. The samples
// are taken outside the loop that draws; what they show is there when they are.
func (s *Screen) takeMore(at tui.At) tui.Effect {
	switch {
	case s.More == nil:
		return tui.Effect{Notice: "two files are reviewed, and nobody can be asked for more samples", Failed: true}
	case s.ReadOnly != "":
		return tui.Effect{Notice: s.ReadOnly, Failed: true}
	}
	ids := at.Marked
	if len(ids) == 0 && at.Row != nil {
		ids = []string{at.Row.ID}
	}
	if len(ids) == 0 {
		for i := range s.Diff.Cases {
			if c := &s.Diff.Cases[i]; c.Status == diff.Unsettled {
				ids = append(ids, c.ID)
			}
		}
	}
	if len(ids) == 0 {
		return tui.Effect{Notice: "no case is unsettled: put the cursor on the one to take more samples of"}
	}
	more := s.More
	return tui.Effect{
		Notice: fmt.Sprintf("taking %d more samples of %s", further, phrase.Count(len(ids), "case", "cases")),
		Work: func(ctx context.Context) tui.Effect {
			next, err := more(ctx, ids)
			if err != nil {
				return tui.Effect{Notice: err.Error(), Failed: true}
			}
			notice := fmt.Sprintf("%d more samples of %s are in the run", further, phrase.Count(len(ids), "case", "cases"))
			if next.Notice != "" {
				notice = next.Notice
			}
			return tui.Effect{Notice: notice, Then: func() { s.show(next) }, Regroup: true}
		},
	}
}

// more takes samples of cases into the reviewed run, and goes on with the
// review that results.
func (s *Session) more(ctx context.Context, ids []string, options func(*engine.Review) Options) (Options, error) {
	s.taking.Lock() // one after another: each goes on from the review before
	defer s.taking.Unlock()
	next, err := s.now().More(ctx, engine.MoreOptions{IDs: ids, Samples: further, Jobs: 4})
	switch {
	case errors.Is(err, context.Canceled):
		return Options{}, errors.New("interrupted, and no sample was added")
	case err != nil:
		return Options{}, err
	}
	s.review.Store(next)
	o := options(next)
	o.Notice = strings.Join(next.Added(), "; ")
	return o, nil
}
