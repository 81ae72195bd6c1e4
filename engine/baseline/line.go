package baseline

import "encoding/json"

// A Line is what the baseline holds of one case: the measured structure of its
// output over k samples, never its prose.
type Line struct {
	ID      string
	Version int    // version of the case that was measured
	Input   string // "sha256:" and 64 hex digits
	Expect  string // likewise; "" for a case without expectations

	// Pass and Score cover all checks of the case; nil where it has none.
	// Score is the mean over the samples of the mean of their checks.
	Pass  *Tally
	Score *float64

	Checks map[string]Check
	// Params holds, for each check, 8 hex digits of the hash of what the case
	// asked of it, so that after an edit of the case the checks that were left
	// alone still compare.
	Params map[string]string

	// Projections holds what every sample agreed on, as JSON values in the
	// model of package canonical.
	Projections map[string]any
	// Unstable holds the projections, or members of them, that the samples
	// disagreed on, with the values seen and how often: for a projection that
	// is compared as a whole {"label":{"overdue":3,"paid":2}}, for one compared
	// member by member {"shape":{"note:string":2}}. A value that is no string
	// is written as its canonical JSON.
	Unstable map[string]map[string]int

	Samples int // samples that succeeded, at least 1
	// Unscored counts, for each check that a judge makes, the samples that it gave
	// no verdict on.
	Unscored map[string]int
	Captured string // date, where later than the header's; else ""
	Outputs  string // hash that finds the prose in the results store; "" unknown

	// Extra holds the keys that this version does not know, in the order in
	// which they stood.
	Extra []Member
}

// A Member is one key of a JSON object with its value as it was written.
type Member struct {
	Key   string
	Value json.RawMessage
}

// A Tally counts in how many samples something held.
type Tally struct{ Passed, Of int }

// A Check is a check's verdict over all samples of a case.
type Check struct {
	Tally
	Low, High float64 // the lowest and the highest score, 0..1
}

// All reports whether every sample passed.
func (t Tally) All() bool { return t.Passed == t.Of }

// None reports whether no sample passed.
func (t Tally) None() bool { return t.Passed == 0 }

// A Header is the configuration under which a baseline was captured. A nil or
// empty field is unknown, which is not the same as equal.
type Header struct {
	Format      int
	Suite       string
	Mode        string // mock, replay or live
	System      string
	Model       string   // asked for
	Answered    []string // answered, sorted
	Params      any      // sampling parameters, JSON
	SDK         string
	Environment string
	Captured    string // date
	Expires     string // date, or "never"
	Samples     int
	Ruler       string // hashes, "sha256:…"
	Prompt      string
	Tools       string
	Recordings  string
	Judges      map[string]string
	Extra       []Member
}
