package recording

import (
	"fmt"
	"strings"

	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/safetext"
	"docket/engine/system"
)

// A Reason says why there is no recording for a request.
type Reason string

// The reasons of a [Miss].
const (
	// NotRecorded: nothing like this was recorded, where other things may be.
	NotRecorded Reason = "not recorded"
	// NoSample: nothing was recorded of this sample of the case.
	NoSample Reason = "no sample"
	// UsedUp: it was recorded, and is asked more often than it was recorded.
	UsedUp Reason = "used up"
	// OtherRules: it was recorded under other rules, and is found once docket
	// rekey has renamed it.
	OtherRules Reason = "other rules"
)

// A Miss is the error of a request that has no recording. It wraps
// provider.ErrMissed and system.ErrMissed: an outcome of its own, neither a pass nor a failure.
type Miss struct {
	Key      Key
	Reason   Reason
	Request  string // method, path and query, redacted
	Recorded int    // UsedUp: how often it was recorded
	Samples  []int  // NoSample: those of the case that were recorded

	Nearest *Near // nil where nothing comes near

	asked *asked
	rules Rules
}

// A Near is the recording that comes nearest to a request.
type Near struct {
	File        string // as messages name it
	Line        int    // in a file of calls; 0 for a service's
	Differences []Difference
	More        int // differences that are not listed

	key  Key
	hash string // of its request
}

// Unwrap returns the errors by which the door, and a run, know a miss.
func (m *Miss) Unwrap() []error { return []error{provider.ErrMissed, system.ErrMissed} }

// Error returns one sentence with what was asked, the nearest recording and
// where it differs, and what to do.
func (m *Miss) Error() string {
	var b strings.Builder
	who := fmt.Sprintf("the service %s", m.Key.Service)
	if m.Key.Provider != "" {
		who = fmt.Sprintf("%s in sample %d of case %q", m.Key.Provider, m.Key.Sample, m.Key.CaseID)
	}
	fmt.Fprintf(&b, "no recording of %s to %s", safetext.Line(phrase.Abridge(m.Request, 80)), who)
	switch m.Reason {
	case UsedUp:
		fmt.Fprintf(&b, ": it was recorded %s and is asked once more", phrase.Times(m.Recorded))
	case NoSample:
		if len(m.Samples) > 0 {
			fmt.Fprintf(&b, ": of this case the recorded samples are %s", numbers(m.Samples))
		} else {
			b.WriteString(": nothing of this case is recorded")
		}
	case OtherRules:
		fmt.Fprintf(&b, ": %s holds it under other rules than %s; `docket rekey` renames it", m.Nearest.place(), m.rules.describe())
		return b.String()
	}
	if m.Nearest != nil && m.Reason != UsedUp {
		b.WriteString("; the nearest is " + m.Nearest.String())
	}
	fmt.Fprintf(&b, "; `%s` records it", m.command())
	return b.String()
}

// command is what records the request.
func (m *Miss) command() string {
	if m.Key.Service != "" {
		return "docket run --services record"
	}
	return "docket run --mode record"
}

func (n *Near) place() string {
	if n.Line > 0 {
		return fmt.Sprintf("%s:%d", n.File, n.Line)
	}
	return n.File
}

// String names the recording and where it differs.
func (n *Near) String() string {
	var b strings.Builder
	b.WriteString(n.place())
	if len(n.Differences) == 0 {
		b.WriteString(", which is equal")
		return b.String()
	}
	b.WriteString(", which differs in ")
	for i, d := range n.Differences {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(safetext.Line(d.String()))
	}
	if n.More > 0 {
		fmt.Fprintf(&b, " and in %d more", n.More)
	}
	return b.String()
}

func numbers(list []int) string {
	const most = 10
	var parts []string
	for i, n := range list {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprint(n))
	}
	return strings.Join(parts, ", ")
}
