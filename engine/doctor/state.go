package doctor

import "context"

func lookAtState(_ context.Context, s *Surroundings) (found, mend string) {
	if s.NoState != nil {
		return "none", s.NoState.Error()
	}
	found = s.State + ", for decisions on two files"
	if s.CI {
		found += "; CI is set, so that nothing is decided or recorded without --in-ci"
	}
	return found, ""
}
