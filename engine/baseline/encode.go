package baseline

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"docket/engine/canonical"
)

// AppendLine appends the line's one spelling to dst, without a line end: known
// keys in the order of the design, maps sorted, numbers in their shortest form,
// and then the keys that this version does not know, as they were. The same
// line gives the same bytes.
//
// A tally that every sample agrees on is written as true or false and read
// back as over all samples of the line.
func AppendLine(dst []byte, l *Line) []byte {
	dst = append(dst, `{"id":`...)
	dst = canonical.AppendString(dst, l.ID)
	dst = append(dst, `,"version":`...)
	dst = strconv.AppendInt(dst, int64(l.Version), 10)
	dst = append(dst, `,"input":`...)
	dst = canonical.AppendString(dst, l.Input)
	dst = appendText(dst, `,"expect":`, l.Expect)
	dst = append(dst, `,"pass":`...)
	if l.Pass == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendTally(dst, *l.Pass)
	}
	dst = append(dst, `,"score":`...)
	if l.Score == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendFloat(dst, *l.Score)
	}
	dst = append(dst, `,"checks":`...)
	dst = appendMap(dst, l.Checks, appendCheck)
	if len(l.Params) > 0 {
		dst = append(dst, `,"params":`...)
		dst = appendMap(dst, l.Params, canonical.AppendString)
	}
	dst = append(dst, `,"projections":`...)
	dst = appendMap(dst, l.Projections, canonical.Append)
	dst = append(dst, `,"unstable":`...)
	dst = appendMap(dst, l.Unstable, func(dst []byte, seen map[string]int) []byte {
		return appendMap(dst, seen, func(dst []byte, n int) []byte {
			return strconv.AppendInt(dst, int64(n), 10)
		})
	})
	dst = append(dst, samplesKey...)
	dst = strconv.AppendInt(dst, int64(l.Samples), 10)
	if len(l.Unscored) > 0 {
		dst = append(dst, `,"unscored":`...)
		dst = appendMap(dst, l.Unscored, func(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) })
	}
	dst = appendText(dst, `,"captured":`, l.Captured)
	dst = appendText(dst, `,"outputs":`, l.Outputs)
	dst = appendExtra(dst, l.Extra)
	return append(dst, '}')
}

// AppendHeader appends the first line of a baseline to dst, without a line
// end. What is unknown is left out.
func AppendHeader(dst []byte, h *Header) []byte {
	dst = append(dst, `{"_config":{"format":`...)
	dst = strconv.AppendInt(dst, int64(h.Format), 10)
	dst = appendText(dst, `,"suite":`, h.Suite)
	dst = appendText(dst, `,"mode":`, h.Mode)
	dst = appendText(dst, `,"system":`, h.System)
	dst = appendText(dst, `,"model":`, h.Model)
	if len(h.Answered) > 0 {
		dst = append(dst, `,"answered":`...)
		dst = canonical.Append(dst, slices.Sorted(slices.Values(h.Answered)))
	}
	if h.Params != nil {
		dst = append(dst, `,"params":`...)
		dst = canonical.Append(dst, h.Params)
	}
	dst = appendText(dst, `,"sdk":`, h.SDK)
	dst = appendText(dst, `,"environment":`, h.Environment)
	dst = appendText(dst, `,"captured":`, h.Captured)
	dst = appendText(dst, `,"expires":`, h.Expires)
	if h.Samples > 0 {
		dst = append(dst, `,"samples":`...)
		dst = strconv.AppendInt(dst, int64(h.Samples), 10)
	}
	dst = appendText(dst, `,"ruler":`, h.Ruler)
	dst = appendText(dst, `,"prompt":`, h.Prompt)
	dst = appendText(dst, `,"tools":`, h.Tools)
	dst = appendText(dst, `,"recordings":`, h.Recordings)
	if len(h.Judges) > 0 {
		dst = append(dst, `,"judges":`...)
		dst = appendMap(dst, h.Judges, canonical.AppendString)
	}
	dst = appendExtra(dst, h.Extra)
	return append(dst, "}}"...)
}

func appendCheck(dst []byte, c Check) []byte {
	dst = append(dst, `{"pass":`...)
	dst = appendTally(dst, c.Tally)
	dst = append(dst, `,"score":`...)
	if c.Low == c.High {
		dst = appendFloat(dst, c.Low)
	} else {
		dst = append(dst, '[')
		dst = appendFloat(dst, c.Low)
		dst = append(dst, ',')
		dst = appendFloat(dst, c.High)
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendTally(dst []byte, t Tally) []byte {
	switch {
	case t.All():
		return append(dst, "true"...)
	case t.None():
		return append(dst, "false"...)
	}
	dst = append(dst, '"')
	dst = strconv.AppendInt(dst, int64(t.Passed), 10)
	dst = append(dst, '/')
	dst = strconv.AppendInt(dst, int64(t.Of), 10)
	return append(dst, '"')
}

func appendFloat(dst []byte, f float64) []byte {
	switch f { // nearly every score is one of these
	case 0:
		return append(dst, '0')
	case 1:
		return append(dst, '1')
	}
	return canonical.Append(dst, f)
}

func appendText(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return canonical.AppendString(append(dst, key...), value)
}

func appendMap[V any](dst []byte, m map[string]V, value func([]byte, V) []byte) []byte {
	var few [16]string // enough for nearly every line, without an allocation
	keys := slices.AppendSeq(few[:0], maps.Keys(m))
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = canonical.AppendString(dst, key)
		dst = append(dst, ':')
		dst = value(dst, m[key])
	}
	return append(dst, '}')
}

func appendExtra(dst []byte, members []Member) []byte {
	for _, m := range members {
		dst = append(dst, ',')
		dst = canonical.AppendString(dst, m.Key)
		dst = append(dst, ':')
		dst = append(dst, oneLine(m.Value)...)
	}
	return dst
}

// oneLine returns the value as it was written unless it spans lines, which a
// line of a file cannot hold.
func oneLine(value json.RawMessage) json.RawMessage {
	if !bytes.ContainsAny(value, "\r\n") {
		return value
	}
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		return canonical.Marshal(string(value))
	}
	return b.Bytes()
}
