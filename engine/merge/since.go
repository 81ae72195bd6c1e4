package merge

import (
	"bytes"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
)

// decidedSince returns the cases whose lines in the file differ from the merged
// ones as decisions say that were written since: what is there is the merge and
// a review of it, and nobody's hand. It returns none where anything else
// differs, and where a line mixes changes that were decided one by one, since a
// decision names the whole line that was proposed.
func (m *Baseline) decidedSince(dir string) map[string]bool {
	now, err := baseline.Parse(m.File, m.was)
	if err != nil {
		return nil
	}
	merged, err := baseline.Parse(m.File, m.Merged.Data)
	if err != nil || !bytes.Equal(now.HeaderBytes, merged.HeaderBytes) {
		return nil
	}
	written, err := decision.Read(disk.OS{}, dir, m.Suite)
	if err != nil {
		return nil
	}
	decided := map[string]bool{}
	for _, id := range ids(now, merged) {
		old, new := lineOf(merged, id), lineOf(now, id)
		if bytes.Equal(old, new) {
			continue
		}
		seen := decision.Seen(old, new)
		for _, d := range written.Of(id) {
			if d.Mode == m.Mode && d.Seen == seen {
				decided[id] = true
			}
		}
		if !decided[id] {
			return nil
		}
	}
	return decided
}

// ids are the cases of two files; one that both have stands there twice.
func ids(files ...*baseline.File) []string {
	var all []string
	for _, f := range files {
		for _, line := range f.Lines {
			all = append(all, line.ID)
		}
	}
	return all
}

// lineOf is the line of a case, nil where the file has none.
func lineOf(f *baseline.File, id string) []byte {
	if at, ok := f.Find(id); ok {
		return f.Lines[at].Bytes
	}
	return nil
}
