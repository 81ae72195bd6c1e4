package report

import "testing"

func TestRejudged(t *testing.T) {
	for _, c := range []struct {
		again, captured int
		want            string
	}{
		{0, 6, "what judges changed: the old side of 6 lines that differ stands as it was captured, since its outputs are not on this machine"},
		{1, 0, "what judges changed: the old side of 1 line that differs was measured again from its outputs"},
		{4, 2, "what judges changed: the old side of 4 lines that differ was measured again from its outputs, of 2 it stands as it was captured, since its outputs are not on this machine"},
	} {
		if got := rejudged(c.again, c.captured); got != c.want {
			t.Errorf("%d and %d:\ngot  %s\nwant %s", c.again, c.captured, got, c.want)
		}
	}
}
