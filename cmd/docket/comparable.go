package main

import (
	"fmt"

	"docket/engine"
)

// refuseIncomparable keeps lines of sides that are not comparable out of the
// baseline, unless --across was given or the run proposes a recapture: before a
// decision on them is made, and again before it is written.
func refuseIncomparable(v *engine.Review, across bool, verb string) error {
	if v.Diff.Comparable() || v.Diff.Recapture != "" || across {
		return nil
	}
	return fmt.Errorf("the two sides are not comparable (%s), so no line goes into this baseline: propose a recapture with `%s --recapture --reason TEXT`, or %s all the same with --across", grounds(v.Diff), v.Suite.Command("calibrate"), verb)
}
