package decision

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/engine/canonical"
	"docket/engine/jsonl"
)

// AppendLine appends the decision's one spelling to dst, without a line end.
func AppendLine(dst []byte, d *Decision) []byte {
	dst = append(dst, `{"at":"`...)
	dst = d.At.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = appendText(append(dst, '"'), "by", d.By)
	dst = appendText(dst, "mode", d.Mode)
	dst = appendText(dst, "case", d.Case)
	dst = append(dst, `,"version":`...)
	dst = strconv.AppendInt(dst, int64(d.Version), 10)
	dst = appendText(dst, "verdict", string(d.Verdict))
	dst = appendText(dst, "status", d.Status)
	dst = appendText(dst, "seen", d.Seen)
	dst = append(dst, `,"changes":`...)
	dst = appendChanges(dst, d.Changes)
	dst = appendText(dst, "samples", d.Samples)
	dst = appendText(dst, "reason", d.Reason)
	dst = appendText(dst, "provenance", d.Provenance)
	dst = appendLines(dst, d.Lines)
	dst = appendKept(dst, d)
	if len(d.Header) > 0 {
		dst = append(append(dst, `,"header":`...), d.Header...)
	}
	return append(dst, '}')
}

func appendLines(dst []byte, lines map[string][]byte) []byte {
	if len(lines) == 0 {
		return dst
	}
	dst = append(dst, `,"lines":{`...)
	for i, mode := range slices.Sorted(maps.Keys(lines)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(canonical.AppendString(dst, mode), ':')
		dst = append(dst, lines[mode]...)
	}
	return append(dst, '}')
}

func appendText(dst []byte, key, value string) []byte {
	dst = append(append(append(dst, `,"`...), key...), `":`...)
	return canonical.AppendString(dst, value)
}

func appendChanges(dst []byte, changes []Change) []byte {
	dst = append(dst, '[')
	for i, c := range changes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendChange(dst, &c)
		dst = append(dst, `,"tags":`...)
		dst = canonical.Append(dst, c.Tags)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendChange appends a change without its tags and without its end.
func appendChange(dst []byte, c *Change) []byte {
	dst = append(dst, '{')
	if c.Kind != "" {
		dst = append(dst, `"kind":`...)
		dst = append(canonical.AppendString(dst, c.Kind), ',')
	}
	dst = append(dst, `"of":`...)
	dst = canonical.AppendString(dst, c.Of)
	if c.Member != "" {
		dst = appendText(dst, "member", c.Member)
	}
	dst = append(dst, `,"old":`...)
	dst = canonical.Append(dst, c.Old)
	dst = append(dst, `,"new":`...)
	return canonical.Append(dst, c.New)
}

// ParseLine reads one line of a decision file strictly. Errors are
// *jsonl.Error with the column. Keys that this version does not know are
// passed over; the file is never rewritten.
func ParseLine(text []byte) (Decision, error) {
	var d Decision
	r := jsonl.NewReader(text)
	err := r.Object(func(key string) error { return d.member(r, key) })
	if err == nil {
		err = r.End()
	}
	switch {
	case err != nil:
		return Decision{}, err
	case d.Case == "":
		return Decision{}, &jsonl.Error{Message: `the decision has no "case"`}
	case d.Verdict == "":
		return Decision{}, &jsonl.Error{Message: `the decision has no "verdict"`}
	case d.At.IsZero():
		return Decision{}, &jsonl.Error{Message: `the decision has no "at"`}
	}
	return d, nil
}

func (d *Decision) member(r *jsonl.Reader, key string) (err error) {
	start := r.Offset()
	var text string
	switch key {
	case "at":
		if text, err = r.Text(); err != nil {
			return err
		}
		if d.At, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return r.Wrong(start, "must be a time such as 2026-08-11T10:22:03Z, found %q", text)
		}
		d.At = d.At.UTC()
	case "by":
		d.By, err = r.Text()
	case "mode":
		d.Mode, err = r.Text()
	case "case":
		d.Case, err = r.Text()
	case "version":
		d.Version, err = r.Int(0)
	case "verdict":
		text, err = r.Text()
		if d.Verdict = Verdict(text); err == nil && !slices.Contains(Verdicts(), d.Verdict) {
			err = r.Wrong(start, "must be one of %s, found %q", verdictList(), text)
		}
	case "status":
		d.Status, err = r.Text()
	case "seen":
		d.Seen, err = r.Text()
	case "changes":
		d.Changes, err = readChanges(r)
	case "samples":
		d.Samples, err = r.Text()
	case "reason":
		d.Reason, err = r.Text()
	case "provenance":
		d.Provenance, err = r.Text()
	case "lines":
		err = r.Object(func(mode string) error {
			line, err := r.Raw()
			if d.Lines == nil {
				d.Lines = map[string][]byte{}
			}
			d.Lines[mode] = slices.Clone(line)
			return err
		})
	case "file":
		var k Kept
		k, err = readKept(r)
		d.CaseFile = &k
	case "fixtures":
		err = r.List(func() error {
			k, err := readKept(r)
			d.Fixtures = append(d.Fixtures, k)
			return err
		})
	case "into":
		d.Into, err = r.Text()
	case "header":
		var line []byte
		line, err = r.Raw()
		d.Header = slices.Clone(line)
	default:
		_, err = r.Raw()
	}
	return err
}

func verdictList() string {
	var names []string
	for _, v := range Verdicts() {
		names = append(names, string(v))
	}
	return strings.Join(names, ", ")
}

func readChanges(r *jsonl.Reader) ([]Change, error) {
	var changes []Change
	err := r.List(func() error {
		var c Change
		err := r.Object(func(key string) (err error) {
			switch key {
			case "kind":
				c.Kind, err = r.Text()
			case "of":
				c.Of, err = r.Text()
			case "member":
				c.Member, err = r.Text()
			case "old":
				c.Old, err = r.Value()
			case "new":
				c.New, err = r.Value()
			case "tags":
				c.Tags, err = r.Texts()
			default:
				_, err = r.Raw()
			}
			return err
		})
		changes = append(changes, c)
		return err
	})
	return changes, err
}

// SameChanges reports whether two lists say the same, whatever their order and
// their tags.
func SameChanges(a, b []Change) bool {
	return slices.Equal(fingerprint(a), fingerprint(b))
}

func fingerprint(changes []Change) []string {
	all := make([]string, 0, len(changes))
	for _, c := range changes {
		all = append(all, string(appendChange(nil, &c)))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// String says what changed, as "label overdue → paid" or "numbers.amount 20 →
// 90".
func (c Change) String() string {
	return fmt.Sprintf("%s %s → %s", c.Name(), spoken(c.Old), spoken(c.New))
}

// Name is what changed, with its member where the values do not say it already:
// an identifier that was lost is both.
func (c Change) Name() string {
	switch {
	case c.Member == "", c.Member == c.Old, c.Member == c.New:
		return c.Of
	case c.Of == "numbers":
		return c.Of + "." + c.Member
	default:
		return c.Of + " " + c.Member
	}
}

func spoken(v any) string {
	switch v := v.(type) {
	case nil:
		return "(none)"
	case string:
		return v
	}
	return string(canonical.Marshal(v))
}
