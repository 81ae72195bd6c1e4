package review

import (
	"sync"

	"docket/engine"
	"docket/engine/diff"
)

// abouts is what the case files say, asked for in slices when somebody wants to
// know: the first frame needs it of one case, the filter of all. Several
// goroutines may ask.
type abouts struct {
	evidence Evidence
	cases    []diff.Case
	slices   []aboutSlice
}

type aboutSlice struct {
	once sync.Once
	of   []engine.About
}

// aboutsIn is how many cases are asked for at once.
const aboutsIn = 512

func newAbouts(e Evidence, cases []diff.Case) *abouts {
	return &abouts{e, cases, make([]aboutSlice, (len(cases)+aboutsIn-1)/aboutsIn)}
}

// at returns what is known of a case of the diff.
func (a *abouts) at(i int) *engine.About {
	s := &a.slices[i/aboutsIn]
	s.once.Do(func() {
		from := i / aboutsIn * aboutsIn
		s.of = make([]engine.About, min(aboutsIn, len(a.cases)-from))
		for n := range s.of {
			s.of[n], _ = a.evidence.About(a.cases[from+n].ID)
		}
	})
	return &s.of[i%aboutsIn]
}
