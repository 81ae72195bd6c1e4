package legacy

// A Pile is what becomes of a claim, or of a whole test.
type Pile string

// The piles. A claim that no rule speaks for is Unsorted: a person decides.
const (
	Situation Pile = "situation" // a fact of the case: it becomes an expectation
	Contract  Pile = "contract"  // the format that the production path asks for
	SDK       Pile = "sdk"       // the machinery of its day: response objects, doubles, types
	Unsorted  Pile = ""
)

// A Proposal is what Classify makes of a test.
type Proposal struct {
	// Pile is where the test as a whole belongs: Situation where at least one of
	// its claims is one, since a test is kept for what it knew, and otherwise the
	// pile of most claims. Unsorted where it has no claim that can be sorted.
	Pile   Pile
	Why    string    // a few words
	Sure   float64   // from 0, a guess, to 1
	Claims []Verdict // one for each of the test's claims, in their order
}

// A Verdict is what Classify makes of one claim.
type Verdict struct {
	Pile Pile
	Why  string  // a few words, such as "a string forbidden in the answer"
	Sure float64 // from 0, a guess, to 1
}
