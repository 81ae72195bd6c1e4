package diff

import (
	"bytes"

	"docket/engine/baseline"
	"docket/engine/run"
)

// One compares the lines of one case, as Compare does for each. Its status is
// Same where nothing differs.
func One(old, new []byte, o Options) (Case, error) {
	p := pending{line: baseline.Raw{Bytes: old}, result: &run.Result{Line: new}}
	p.judge(&o, &compared{map[string]int{}, map[string]int{}})
	if p.err != nil {
		return Case{}, p.err
	}
	c := p.entry()
	c.Weight = 1
	return c, nil
}

// Unconfirmed reports whether a case differs in something that further samples
// could still show to be noise. What a check found whose one failure counts is
// not of that kind, nor that a check is not made any more.
func Unconfirmed(old, new []byte, o Options) (bool, error) {
	if bytes.Equal(baseline.Key(old), baseline.Key(new)) {
		return false, nil
	}
	c, err := One(old, new, o)
	if err != nil {
		return false, err
	}
	for _, change := range c.Changes {
		settled := change.Kind == OfCheck && (change.New == nil || change.Effect == Lost && o.strict(change.Of))
		if !settled {
			return true, nil
		}
	}
	return false, nil
}
