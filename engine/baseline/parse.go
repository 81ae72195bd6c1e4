package baseline

import (
	"fmt"
	"strconv"
	"strings"

	"docket/engine/jsonl"
)

// Format is the format of the files that this version writes, and the newest
// that it reads.
const Format = 1

// ParseLine reads one line of a case, without its line end, strictly: a
// duplicate key at any depth, a value of a wrong type, a missing id or a
// missing count of samples is a *jsonl.Error with the column. What the line
// holds is copied but for the values in Extra, which share its bytes.
func ParseLine(b []byte) (Line, error) {
	var l Line
	r := jsonl.NewReader(b).Knowing(knownKey)
	err := r.Object(func(key string) error { return l.member(r, key) })
	if err == nil {
		err = r.End()
	}
	switch {
	case err != nil:
		return Line{}, err
	case l.ID == "":
		return Line{}, &jsonl.Error{Message: `the line has no "id"`}
	case l.Samples == 0:
		return Line{}, &jsonl.Error{Message: `the line has no "samples"`}
	}
	// A verdict that all samples agree on is written without their number.
	if l.Pass != nil {
		*l.Pass = over(*l.Pass, l.Samples)
	}
	for name, c := range l.Checks {
		if c.Of == 0 || c.Of == agreed {
			c.Tally = over(c.Tally, l.Samples-l.Unscored[name])
			l.Checks[name] = c
		}
	}
	return l, nil
}

// knownKey returns the keys that nearly every line has, without memory of their
// own: those of a line and of a check, and the names of projections.
func knownKey(key []byte) string {
	switch string(key) {
	case "id":
		return "id"
	case "version":
		return "version"
	case "input":
		return "input"
	case "expect":
		return "expect"
	case "pass":
		return "pass"
	case "score":
		return "score"
	case "checks":
		return "checks"
	case "params":
		return "params"
	case "projections":
		return "projections"
	case "unstable":
		return "unstable"
	case "samples":
		return "samples"
	case "captured":
		return "captured"
	case "outputs":
		return "outputs"
	case "shape":
		return "shape"
	case "label":
		return "label"
	case "tools":
		return "tools"
	case "toolset":
		return "toolset"
	case "entities":
		return "entities"
	case "numbers":
		return "numbers"
	case "length":
		return "length"
	case "language":
		return "language"
	case "refusal":
		return "refusal"
	}
	return ""
}

func (l *Line) member(r *jsonl.Reader, key string) (err error) {
	switch key {
	case "id":
		l.ID, err = r.Text()
	case "version":
		l.Version, err = r.Int(0)
	case "input":
		l.Input, err = r.Text()
	case "expect":
		l.Expect, err = r.Text()
	case "pass":
		if !r.Null() {
			var t Tally
			t, err = readTally(r)
			l.Pass = &t
		}
	case "score":
		if !r.Null() {
			var f float64
			f, err = r.Float()
			l.Score = &f
		}
	case "checks":
		l.Checks, err = readMap(r, readCheck)
	case "params":
		l.Params, err = readMap(r, (*jsonl.Reader).Text)
	case "projections":
		l.Projections, err = readMap(r, (*jsonl.Reader).Value)
	case "unstable":
		l.Unstable, err = readMap(r, func(r *jsonl.Reader) (map[string]int, error) {
			return readMap(r, func(r *jsonl.Reader) (int, error) { return r.Int(0) })
		})
	case "samples":
		l.Samples, err = r.Int(1)
	case "unscored":
		l.Unscored, err = readMap(r, func(r *jsonl.Reader) (int, error) { return r.Int(1) })
	case "captured":
		l.Captured, err = r.Text()
	case "outputs":
		l.Outputs, err = r.Text()
	default:
		l.Extra, err = readExtra(r, key, l.Extra)
	}
	return err
}

// ParseHeader reads the first line of a baseline, without its line end, as
// strictly as ParseLine. A format newer than this version's is an error that
// says so.
func ParseHeader(b []byte) (Header, error) {
	var h Header
	found := false
	r := jsonl.NewReader(b)
	err := r.Object(func(key string) error {
		if key != "_config" {
			return r.Fail(r.Offset(), `the first line must hold the key "_config" and no other, found %q`, key)
		}
		found = true
		return r.Object(func(key string) error { return h.member(r, key) })
	})
	if err == nil {
		err = r.End()
	}
	switch {
	case err != nil:
		return Header{}, err
	case !found:
		return Header{}, &jsonl.Error{Message: `the first line must hold the key "_config"`}
	case h.Format == 0:
		return Header{}, &jsonl.Error{Message: `the header has no "format"`}
	}
	return h, nil
}

func (h *Header) member(r *jsonl.Reader, key string) (err error) {
	switch key {
	case "format":
		start := r.Offset()
		h.Format, err = r.Int(1)
		if err == nil && h.Format > Format {
			err = r.Fail(start, "the file has format %d and this docket knows up to %d; install a newer docket", h.Format, Format)
		}
	case "suite":
		h.Suite, err = r.Text()
	case "mode":
		h.Mode, err = r.Text()
	case "system":
		h.System, err = r.Text()
	case "model":
		h.Model, err = r.Text()
	case "answered":
		h.Answered, err = r.Texts()
	case "params":
		h.Params, err = r.Value()
	case "sdk":
		h.SDK, err = r.Text()
	case "environment":
		h.Environment, err = r.Text()
	case "captured":
		h.Captured, err = r.Text()
	case "expires":
		h.Expires, err = r.Text()
	case "samples":
		h.Samples, err = r.Int(1)
	case "ruler":
		h.Ruler, err = r.Text()
	case "prompt":
		h.Prompt, err = r.Text()
	case "tools":
		h.Tools, err = r.Text()
	case "recordings":
		h.Recordings, err = r.Text()
	case "judges":
		h.Judges, err = readMap(r, (*jsonl.Reader).Text)
	default:
		h.Extra, err = readExtra(r, key, h.Extra)
	}
	return err
}

// readMap reads an object whose values are all of one type. An empty object
// gives an empty map.
func readMap[V any](r *jsonl.Reader, value func(*jsonl.Reader) (V, error)) (map[string]V, error) {
	m := map[string]V{}
	err := r.Object(func(key string) error {
		v, err := value(r)
		m[key] = v
		return err
	})
	return m, err
}

func readExtra(r *jsonl.Reader, key string, extra []Member) ([]Member, error) {
	raw, err := r.Raw()
	return append(extra, Member{Key: key, Value: raw}), err
}

func readCheck(r *jsonl.Reader) (c Check, err error) {
	passed, scored := false, false
	start := r.Offset()
	err = r.Object(func(key string) (err error) {
		switch key {
		case "pass":
			passed = true
			c.Tally, err = readTally(r)
		case "score":
			scored = true
			c.Low, c.High, err = readScore(r)
		default:
			err = r.Wrong(r.Offset(), `is no key of a check; it has "pass" and "score"`)
		}
		return err
	})
	if err == nil && (!passed || !scored) {
		err = r.Wrong(start, `must have both "pass" and "score"`)
	}
	return c, err
}

func readScore(r *jsonl.Reader) (low, high float64, err error) {
	if !r.Is('[') {
		low, err = r.Float()
		return low, low, err
	}
	start := r.Offset()
	var both []float64
	err = r.List(func() error {
		f, err := r.Float()
		both = append(both, f)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	if len(both) != 2 || both[0] >= both[1] {
		return 0, 0, r.Wrong(start, "must be a number, or the lowest and the highest as in [0.6,1]")
	}
	return both[0], both[1], nil
}

// agreed stands for the number of samples until the whole line is read.
const agreed = -1

func over(t Tally, samples int) Tally {
	switch t.Of {
	case agreed:
		return Tally{samples, samples}
	case 0:
		return Tally{0, samples}
	}
	return t
}

// readTally reads true as {agreed, agreed}, false as {0, 0}, and "4/5" as it
// is.
func readTally(r *jsonl.Reader) (Tally, error) {
	if !r.Is('"') {
		pass, err := r.Bool()
		if err != nil || !pass {
			return Tally{}, err
		}
		return Tally{agreed, agreed}, nil
	}
	start := r.Offset()
	text, err := r.Text()
	if err != nil {
		return Tally{}, err
	}
	passed, of, _ := strings.Cut(text, "/")
	p, errP := strconv.ParseUint(passed, 10, 31)
	o, errO := strconv.ParseUint(of, 10, 31)
	if errP != nil || errO != nil || p == 0 || p >= o || text != fmt.Sprintf("%d/%d", p, o) {
		return Tally{}, r.Wrong(start, `must be true, false, or how many of how many passed as in "4/5", found %q`, text)
	}
	return Tally{int(p), int(o)}, nil
}
