package recording

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/provider"
)

// fileFormat is the version of the files.
const fileFormat = 1

// A record is one recording: what one file of a service holds, or one line of
// a file of a model's.
type record struct {
	key      Key // the case and the sample of models only
	recorded time.Time
	latency  time.Duration
	rules    Rules
	asked    *asked
	response *provider.Response
	hash     string // of the canonical request: the full one, under rules
	answer   string // hash of the response alone
	verbatim bool   // this session had this very body from the service, with nothing redacted
}

// newRecord makes the record of an exchange that has been redacted.
func newRecord(key Key, rules Rules, a *asked, response *provider.Response, recorded time.Time, latency time.Duration) *record {
	if key.Service != "" {
		key = Key{Service: key.Service}
	}
	r := &record{
		key: key, rules: rules, asked: a, response: response, hash: a.key(&rules),
		recorded: recorded.UTC().Truncate(time.Second), latency: latency.Truncate(time.Millisecond),
	}
	r.answer = canonical.Hash(r.responseModel())
	return r
}

func (r *record) rulesModel() map[string]any {
	m := map[string]any{"redaction": redactionVersion, "canonical": canonicalVersion}
	if len(r.rules.Ignore) > 0 {
		m["ignore"] = r.rules.Ignore
	}
	if len(r.rules.Volatile) > 0 {
		m["volatile"] = r.rules.Volatile
	}
	return m
}

func (r *record) requestModel() map[string]any {
	a := r.asked
	m := map[string]any{"method": a.method, "path": a.path, "headers": a.headers}
	if q := a.query.encode(); q != "" {
		m["query"] = q
	}
	if a.body.form != noBody {
		m[string(a.body.form)] = a.body.value()
	}
	return m
}

// responseModel is what the hash of a response covers.
func (r *record) responseModel() map[string]any {
	return map[string]any{
		"status": r.response.Status, "headers": flat(r.response.Header), "body": canonical.HashBytes(r.response.Body),
	}
}

// seal is the hash over all that the record says, so that no part of it can be
// edited or damaged unseen.
func (r *record) seal() string {
	m := map[string]any{
		"format": fileFormat, "recorded": stamp(r.recorded), "latency_ms": r.latency.Milliseconds(),
		"rules": r.rulesModel(), "key": r.hash, "request": r.requestModel(), "response": r.responseModel(),
	}
	if r.key.Service != "" {
		m["service"] = r.key.Service
	} else {
		m["provider"], m["case"], m["sample"] = r.key.Provider, r.key.CaseID, r.key.Sample
	}
	return canonical.Hash(m)
}

func stamp(t time.Time) string { return t.Format(time.RFC3339) }

// appendLine appends the record as one line, without a newline.
func (r *record) appendLine(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.value("format", fileFormat)
	if r.key.Service != "" {
		o.value("service", r.key.Service)
	} else {
		o.value("provider", r.key.Provider)
		o.value("case", r.key.CaseID)
		o.value("sample", r.key.Sample)
	}
	o.value("recorded", stamp(r.recorded))
	o.value("latency_ms", r.latency.Milliseconds())
	o.value("rules", r.rulesModel())
	o.value("key", r.hash)

	r.asked.appendTo(&o)

	response := o.object("response")
	response.value("status", r.response.Status)
	response.value("headers", flat(r.response.Header))
	r.appendBody(&response)
	o.close(response)

	o.value("seal", r.seal())
	return append(o.dst, '}')
}

// appendTo writes the request as a member of a recording.
func (a *asked) appendTo(o *object) {
	request := o.object("request")
	request.value("method", a.method)
	request.value("path", a.path)
	if q := a.query.encode(); q != "" {
		request.value("query", q)
	}
	request.value("headers", a.headers)
	if a.body.form != noBody {
		request.value(string(a.body.form), a.body.value())
	}
	o.close(request)
}

// appendBody writes the response's body in the most legible form from which it
// comes back byte for byte.
func (r *record) appendBody(o *object) {
	data := r.response.Body
	switch {
	case len(data) == 0:
	case !utf8.Valid(data):
		o.value("base64", base64.StdEncoding.EncodeToString(data))
	case isStream(r.response):
		var list []string
		for _, e := range events(r.response) {
			list = append(list, string(e))
		}
		o.value("stream", list)
	default:
		if v, err := canonical.Parse(data); err == nil && depth(v) <= maxBodyDepth {
			if layout, compact, ok := layoutOf(data); ok {
				o.value("layout", layout)
				o.raw("body", compact)
				return
			}
		}
		o.value("text", string(data))
	}
}

// appendFile appends the record as a service's file.
func (r *record) appendFile(dst []byte) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, r.appendLine(nil), "", "  ") // of what this package wrote
	b.WriteByte('\n')
	return append(dst, b.Bytes()...)
}

// flat gives the headers of a response with lower-case names.
func flat(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name, values := range h {
		m[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return m
}

// An object is a JSON object that is being written, in the order of the calls.
type object struct {
	dst   []byte
	begun bool
}

func (o *object) name(name string) {
	if o.begun {
		o.dst = append(o.dst, ',')
	}
	o.begun = true
	o.dst = append(strconv.AppendQuote(o.dst, name), ':') // names are plain ASCII
}

func (o *object) value(name string, v any) {
	o.name(name)
	o.dst = canonical.Append(o.dst, v)
}

func (o *object) raw(name string, text []byte) {
	o.name(name)
	o.dst = append(o.dst, text...)
}

// object begins an object as a member; close ends it.
func (o *object) object(name string) object {
	o.name(name)
	return object{dst: append(o.dst, '{')}
}

func (o *object) close(inner object) { o.dst = append(inner.dst, '}') }

// appendCalls spells a file of a model's calls.
func appendCalls(dst []byte, calls []*record) []byte {
	for _, r := range calls {
		dst = append(r.appendLine(slices.Grow(dst, 2<<10)), '\n')
	}
	return dst
}
