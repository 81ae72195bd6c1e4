package journal

import (
	"fmt"
	"strings"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

func TestMain(m *testing.M) {
	disktest.Main(m, map[string]disktest.Child{"decide": killedSession})
}

// killedSession decides rows, and prints which are acknowledged.
func killedSession(fsys disk.FS, root string) error {
	j, err := Open(config(fsys, root))
	if err != nil {
		return err
	}
	for i := range 3 {
		row := fmt.Sprint("row", i)
		if _, err := j.Decide(group("accept", row, row+"b")); err != nil {
			return err
		}
		fmt.Println(row)
	}
	return j.Close()
}

func TestAKillLosesNoAcknowledgedDecision(t *testing.T) {
	for n := 1; ; n++ {
		root := t.TempDir()
		out, killed := disktest.Killed(t, "decide", root, n)
		acknowledged := strings.Fields(out)
		j := open(t, config(disk.OS{}, root))
		for _, row := range acknowledged {
			if j.Of(row).Whole == nil || j.Of(row+"b").Whole == nil {
				t.Errorf("killed at call %d, %s was acknowledged and is lost", n, row)
			}
		}
		if found := j.Count(); found%2 != 0 || found > 2*len(acknowledged)+2 {
			t.Errorf("killed at call %d: %d groups acknowledged, %d rows found", n, len(acknowledged), found)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if !killed {
			if n < 15 {
				t.Errorf("only %d calls were tried", n)
			}
			return
		}
	}
}
