package interchange

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"docket/engine/canonical"
	"docket/engine/phrase"
	"docket/engine/source"
)

// A record is one object of a file of outputs while it is being read.
type record struct {
	text
	start   int    // offset of the object in the text
	idKey   string // the key that identifies the case
	values  map[string]any
	members []member
	spans   map[string]span
	row     Row
	unread  []string // keys that are not known, in the order of the file
	absent  []string // what the object does not say of an output
	wrong   source.Problems
}

// decode reads one object, which begins at offset start of t. The id of its
// case stands under idKey, "" for the usual key.
func decode(t text, start int, values map[string]any, idKey string) *record {
	if idKey == "" {
		idKey = "id"
	}
	return decodeObject(t, start, values, idKey, true)
}

// decodeObject is decode, for objects that need not say whose output they are
// as well.
func decodeObject(t text, start int, values map[string]any, idKey string, needID bool) *record {
	r := &record{text: t, start: start, idKey: idKey, values: values, members: members(t.data, start)}
	r.spans = make(map[string]span, len(r.members))
	for _, m := range r.members {
		r.spans[m.key] = m.value
		if !r.known(m.key) {
			r.unread = append(r.unread, m.key)
		}
	}
	r.row.Line = r.at(start).Line
	if needID || r.has(idKey) {
		r.readID(idKey)
	}
	r.readSample()
	r.readAnswer()
	r.readInput()
	out := &r.row.Output
	out.Model = r.optionalString("model")
	out.StopReason = r.optionalString("stop_reason")
	out.LatencyMS = r.optionalNumber("latency_ms")
	out.CostUSD = r.optionalNumber("cost_usd")
	out.InputTokens = r.optionalCount("input_tokens")
	out.OutputTokens = r.optionalCount("output_tokens")
	r.readRaw()
	return r
}

// known is knownKey, where another key than the usual one may identify the
// case.
func (r *record) known(key string) bool {
	if r.idKey != "id" && (key == "id" || key == r.idKey) {
		return key == r.idKey
	}
	return knownKey(key)
}

// knownKey reports whether a key of an object is read; any other is kept with
// the raw output.
func knownKey(key string) bool {
	switch key {
	case "id", "sample", "text", "output", "tool_calls", "tool_calls_error", "input", "model",
		"latency_ms", "input_tokens", "output_tokens", "cost_usd", "stop_reason", "raw", "error":
		return true
	}
	return false
}

// wrongf notes a problem with the value of a key, or with the whole object
// where it has no such key.
func (r *record) wrongf(key, format string, args ...any) {
	offset := r.start
	if at, ok := r.spans[key]; ok {
		offset = at.start
	}
	r.wrong = append(r.wrong, r.problemf(offset, format, args...))
}

// has reports whether a key has a value; null is none.
func (r *record) has(key string) bool { return r.values[key] != nil }

// written returns the bytes of a key's value as they stand in the file.
func (r *record) written(key string) []byte {
	at := r.spans[key]
	return r.data[at.start:at.end]
}

func (r *record) readID(key string) {
	switch id := r.values[key].(type) {
	case string:
		if why := badID(id); why != "" {
			r.wrongf(key, "this id %s", why)
		}
		r.row.ID = id
	case nil:
		r.wrongf(key, "expected %s %q, the case that this is an output of; %s%s", article(key), key, r.describeKeys(), r.meantForID())
	case json.Number:
		if key != "id" { // chosen by a person who has seen it
			r.row.ID = string(id)
			return
		}
		r.wrongf(key, "\"id\" must be a string, got %s; put it in quotes", describe(id))
	default:
		r.wrongf(key, "%q must be a string, got %s; put it in quotes", key, describe(id))
	}
}

func article(key string) string {
	if strings.ContainsRune("aeiou", rune(key[0])) {
		return "an"
	}
	return "a"
}

// badID says what is wrong with the id of a case, "" for nothing.
func badID(id string) string {
	switch {
	case strings.TrimSpace(id) == "":
		return "is blank"
	case len(id) > MaxID:
		return fmt.Sprintf("has %d bytes, the most is %d", len(id), MaxID)
	case strings.ContainsFunc(id, unicode.IsControl):
		return fmt.Sprintf("holds a control character: %q", id)
	}
	return ""
}

// describeKeys names the keys that an object has.
func (r *record) describeKeys() string {
	if len(r.members) == 0 {
		return "this object is empty"
	}
	const most = 8
	var names []string
	for _, m := range r.members[:min(most, len(r.members))] {
		names = append(names, strconv.Quote(m.key))
	}
	if len(r.members) > most {
		names = append(names, "…")
	}
	return "this object has " + strings.Join(names, ", ")
}

// meantForID says how to name the field that may have been meant for the id; ""
// where none looks like one.
func (r *record) meantForID() string {
	for _, m := range r.members {
		if m.key == r.idKey || !looksLikeID(m.key) {
			continue
		}
		switch r.values[m.key].(type) {
		case string, json.Number:
			return fmt.Sprintf("; if %q is it, say --id %s, or id: %s under systems", m.key, m.key, m.key)
		}
	}
	return ""
}

// looksLikeID reports whether a key names what tools identify a case by. A key
// that a shell or a path would read in another way is none.
func looksLikeID(key string) bool {
	plain := strings.ToLower(key)
	switch plain {
	case "case", "name", "key", "uuid", "ticket", "test", "id":
		return true
	}
	bare := strings.Trim(plain, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
	return bare && (strings.HasSuffix(plain, "_id") || strings.HasSuffix(key, "Id") || strings.HasSuffix(key, "ID"))
}

func (r *record) readSample() {
	v, given := r.values["sample"]
	if !given || v == nil {
		return
	}
	n, ok := integer(v)
	if !ok || n < 1 || n > math.MaxInt32 {
		r.wrongf("sample", "\"sample\" must be a whole number from 1, got %s", describe(v))
		return
	}
	r.row.Sample = int(n)
}

// readAnswer reads what the system said: text, tool calls or an error.
func (r *record) readAnswer() {
	out := &r.row.Output
	said := false
	if r.has("text") && r.has("output") {
		r.wrongf("output", "an object has either \"text\" or \"output\", this one has both")
	}
	switch v := r.values["text"].(type) {
	case nil:
	case string:
		out.Text, said = v, true
	default:
		r.wrongf("text", "\"text\" must be a string, got %s; \"output\" may be any JSON", describe(v))
		said = true
	}
	switch v := r.values["output"].(type) {
	case nil:
	case string:
		out.Text, said = v, true
	default:
		out.Text, said = string(r.written("output")), true
	}
	if !said {
		r.absent = append(r.absent, "text")
	}
	if r.has("tool_calls") {
		r.readToolCalls()
		said = true
	} else {
		r.absent = append(r.absent, "tool_calls")
	}
	if e := r.optionalString("tool_calls_error"); e != "" {
		out.ToolCallsError, said = e, true
	}
	switch v := r.values["error"].(type) {
	case nil:
	case string:
		r.row.Error = v
	case map[string]any:
		r.row.Error = string(canonical.Marshal(v))
	default:
		r.wrongf("error", "\"error\" must be a string or null, got %s", describe(v))
		said = true
	}
	if !said && r.row.Error == "" {
		r.wrongf("", "expected one of \"text\", \"output\", \"tool_calls\" and \"error\"; %s", r.describeKeys())
	}
}

func (r *record) readInput() {
	switch v := r.values["input"].(type) {
	case nil:
		r.absent = append(r.absent, "input")
	case map[string]any:
		r.row.Input = v
	default:
		// Some pipelines have one string for an input. It is kept under the
		// name it came by.
		r.row.Input = map[string]any{"input": v}
	}
}

// readRaw keeps what the file says beyond the known keys. Without unknown keys
// that is the value of "raw" as it stands; with them it is an object of these
// keys, in the order of the file, where "raw" keeps its name.
func (r *record) readRaw() {
	if len(r.unread) == 0 {
		if r.has("raw") {
			r.row.Output.Raw = json.RawMessage(append([]byte(nil), r.written("raw")...))
		}
		return
	}
	raw := []byte{'{'}
	for _, m := range r.members {
		if r.known(m.key) && (m.key != "raw" || !r.has("raw")) {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = canonical.AppendString(raw, m.key)
		raw = append(raw, ':')
		raw = append(raw, r.data[m.value.start:m.value.end]...)
	}
	r.row.Output.Raw = append(raw, '}')
}

func (r *record) optionalString(key string) string {
	switch v := r.values[key].(type) {
	case nil:
		if key == "model" {
			r.absent = append(r.absent, key)
		}
		return ""
	case string:
		return v
	default:
		r.wrongf(key, "%q must be a string or null, got %s", key, describe(v))
		return ""
	}
}

// optionalNumber reads a number that is not negative; nil where there is none.
func (r *record) optionalNumber(key string) *float64 {
	v := r.values[key]
	if v == nil {
		r.absent = append(r.absent, key)
		return nil
	}
	if n, ok := v.(json.Number); ok {
		if f, err := n.Float64(); err == nil && f >= 0 {
			return &f
		}
	}
	r.wrongf(key, "%q must be a number that is not negative, or null where it is unknown, got %s", key, describe(v))
	return nil
}

// optionalCount reads a whole number that is not negative; nil where there is
// none.
func (r *record) optionalCount(key string) *int64 {
	v := r.values[key]
	if v == nil {
		r.absent = append(r.absent, key)
		return nil
	}
	if n, ok := integer(v); ok && n >= 0 {
		return &n
	}
	r.wrongf(key, "%q must be a whole number that is not negative, or null where it is unknown, got %s", key, describe(v))
	return nil
}

// integer returns a JSON number that is whole, however it is spelled: some
// languages write 3 as 3.0.
func integer(v any) (int64, bool) {
	number, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(canonical.AppendNumber(nil, number)), 10, 64)
	return n, err == nil
}

// describe names a JSON value in a message.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return "the number " + phrase.Abridge(string(v), 40)
	case string:
		return fmt.Sprintf("the string %q", phrase.Abridge(v, 40))
	case []any:
		return "a list"
	default:
		return "an object"
	}
}
