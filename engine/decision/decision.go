// Package decision holds a person's verdicts on the changes of cases: their
// files, what remembers them, and the one step that lets them take effect on a
// baseline.
//
// The package refuses to write a line that nobody saw: a decision is bound to
// the line it was made against and to the line that was proposed, and is left
// out, and listed, where either is another by now. It refuses a decision
// without a reason, and never appends to or replaces a decision file. It finds
// no changes itself and draws nothing.
//
// # What is written in which order
//
// Apply holds the baseline's lock throughout, and writes first the decision
// file, then the baseline; the caller then marks its journal as written. A
// crash between any two steps leaves, at worst, a decision without its effect,
// and never an effect without its decision. The journal still holds everything
// then, so the next Apply repairs: decisions that a file of the same run
// already holds are not recorded again, lines that the baseline already has
// are not written again, and the rest is completed.
//
// Retiring a whole case, and bringing it back, touches several files. An intent
// is written first, to docket's local state: from then on the step happens,
// and Resume, which every command calls first, completes what a crash cut
// short. The order is the intent, the decision file, the lines, the fixtures,
// the case's own file; then the intent goes.
package decision

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"docket/engine/baseline"
)

// A Verdict is what a person says of a case's changes.
type Verdict string

// The verdicts.
const (
	Accept    Verdict = "accept"    // the new line becomes the baseline's
	Reject    Verdict = "reject"    // the old line stays; remembered
	Allow     Verdict = "allow"     // the new value is right as well as the old
	Retire    Verdict = "retire"    // the case is deleted, its lines with it
	Recapture Verdict = "recapture" // the header is new; the case is "*"
	Restore   Verdict = "restore"   // a retirement is taken back
	Keep      Verdict = "keep"      // the case was proposed for deletion, and stays
)

// Verdicts returns all of them, in their order.
func Verdicts() []Verdict { return []Verdict{Accept, Reject, Allow, Retire, Recapture, Restore, Keep} }

// A Change is one structural difference of one case, as it is recorded.
type Change struct {
	Kind string // "projection" or "check", which may bear one name; "" unknown
	Of   string // the name of the projection or check
	// Member is the member of a projection that is compared member by member,
	// such as the name of a number; else "".
	Member string
	// Old and New are JSON values in the model of package canonical; nil where
	// there was nothing.
	Old, New any
	Tags     []string
}

// A Decision is one verdict on one case, as a decision file holds it.
type Decision struct {
	At         time.Time // UTC
	By         string
	Mode       string
	Case       string
	Version    int // of the case
	Verdict    Verdict
	Status     string // of the case, as the diff named it
	Seen       string // see Seen
	Changes    []Change
	Samples    string // see Samples
	Reason     string
	Provenance string // why the case exists, as it stood then
	// Lines holds, for a case that is retired, its lines in the baselines by
	// mode, byte for byte, so that it can be restored.
	Lines map[string][]byte
	// CaseFile is the file of a case that is retired, and Fixtures are the input files
	// that went with it, since no other case reads them.
	CaseFile *Kept
	Fixtures []Kept
	// Into is the case that a retired one was merged into, "" for none.
	Into string
	// Header is, for a recapture, the header line that the baseline got.
	Header []byte
}

// Everything is the case of a decision on the whole baseline, and the mode of
// one that holds in every mode.
const Everything = "*"

// Seen binds a decision to what was on the screen: 16 hex digits of the sha256
// of the baseline's line, a NUL, and the proposed line up to its samples. A
// new case has no old line.
func Seen(old, proposed []byte) string {
	h := sha256.New()
	h.Write(old)
	h.Write([]byte{0})
	h.Write(baseline.Key(proposed))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Samples says how many samples stood on each side, as "5→3"; 0 for a side
// that had none.
func Samples(old, proposed int) string { return fmt.Sprintf("%d→%d", old, proposed) }

// check fails where a decision must not be recorded.
func (d *Decision) check() error {
	switch {
	case d.Case == "":
		return fmt.Errorf("a decision must name its case")
	case strings.TrimSpace(d.Reason) == "":
		return fmt.Errorf("the decision on the case %q has no reason; say why", d.Case)
	}
	return nil
}
