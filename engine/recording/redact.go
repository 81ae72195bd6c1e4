package recording

import (
	"encoding/base64"
	"net/http"
	"strings"
	"unicode"

	"docket/engine/provider"
	"docket/engine/secret"
)

// redactionVersion counts the changes of what is redacted. Every recording
// says under which it was made.
const redactionVersion = 1

// A redactor takes secrets out of requests and responses.
type redactor struct{ *secret.Redactor }

func newRedactor(values []string) *redactor { return &redactor{secret.New(values)} }

func (r *redactor) parameters(list parameters) {
	for i := range list {
		p := &list[i]
		if p.value != "" && secret.Parameter(p.name) {
			p.value = secret.Redacted
			continue
		}
		p.name, p.value = r.Text(p.name), r.Text(p.value)
	}
}

// request takes secrets out of a request in canonical form.
func (r *redactor) request(a *asked) {
	a.path = r.Text(a.path)
	r.parameters(a.query)
	for k, v := range a.headers {
		a.headers[k] = r.Text(v)
	}
	switch a.body.form {
	case jsonBody:
		a.body.json = r.Value(a.body.json)
	case formBody:
		r.parameters(a.body.params)
	case textBody:
		a.body.text = r.Text(a.body.text)
	case binaryBody:
		if data, err := base64.StdEncoding.DecodeString(a.body.text); err == nil {
			a.body.text = base64.StdEncoding.EncodeToString([]byte(r.Text(string(data))))
		}
	}
}

// responseHeaders are the headers of a response that are kept: what a client
// needs to read the body, to page, and to decide on a retry.
func responseHeaders() []string {
	return []string{
		"content-disposition", "content-language", "content-type", "etag", "last-modified", "link", "location", "openai-model",
		"openai-version", "retry-after", "retry-after-ms", "x-next-page", "x-page", "x-per-page", "x-prev-page", "x-should-retry",
		"x-total", "x-total-count", "x-total-pages",
	}
}

// response returns a response without secrets, and without the encodings that
// can be undone.
func (r *redactor) response(in *provider.Response) (*provider.Response, error) {
	body, plain, err := inflate(in.Header, in.Body)
	if err != nil {
		return nil, err
	}
	if len(body) > MaxBody {
		return nil, errTooLarge
	}
	out := &provider.Response{Status: in.Status, Header: http.Header{}}
	kept := responseHeaders()
	if !plain {
		// The bytes mean nothing without it, and nothing can be seen in them.
		kept = append(kept, "content-encoding")
	}
	for _, name := range kept {
		if v := joined(in.Header, name); v != "" {
			out.Header.Set(name, r.Text(printable(v)))
		}
	}
	if clean := r.Text(string(body)); len(clean) > 0 {
		out.Body = []byte(clean)
	}
	return out, nil
}

// printable drops what no header may hold, and a file must not put into one.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}
