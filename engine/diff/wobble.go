package diff

import (
	"bytes"
	"time"
)

// Unstable reports whether the samples of either side disagreed on something:
// on a projection, which is then not compared, or on a check, which is. It
// reads the canonical lines without parsing them, so that a hundred thousand
// cases can be asked while a filter is typed.
func (c *Case) Unstable() bool { return wobbles(c.OldLine) || wobbles(c.NewLine) }

func wobbles(line []byte) bool {
	// A quote inside a string is escaped, so that neither can stand in one.
	return line != nil && (!bytes.Contains(line, []byte(`,"unstable":{}`)) || bytes.Contains(line, []byte(`"pass":"`)))
}

// ExpiredLine reports whether the baseline's line of a case is past the day on
// which it expires: the header's day, and as much later as the line was
// captured after the header. A case without a line has none that could.
func (d *Diff) ExpiredLine(c *Case, today time.Time) bool {
	if c.OldLine == nil {
		return false
	}
	day := captured(c.OldLine)
	if day == "" {
		day = d.Old.Captured
	}
	return expired(postponed(d.Old, day), today)
}
