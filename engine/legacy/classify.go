package legacy

// Classify proposes a pile for each claim of a test and for the test itself,
// from the neutral form alone. It is a pure function, reads nothing but t and
// does not change it.
func Classify(t *Test) Proposal {
	return Proposal{Claims: make([]Verdict, len(t.Claims))}
}
