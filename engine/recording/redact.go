package recording

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"docket/engine/canonical"
	"docket/engine/provider"
)

// redacted stands where a secret stood, and says nothing of which.
const redacted = "[redacted]"

// redactionVersion counts the changes of what is redacted. Every recording
// says under which it was made.
const redactionVersion = 1

// A redactor takes secrets out. It holds for one machine's environment.
type redactor struct {
	known *strings.Replacer // nil where no value is known
}

func newRedactor(values []string) *redactor {
	var forms []string
	for _, v := range values {
		if len(v) >= minSecret {
			forms = append(forms, spellings(v)...)
		}
	}
	if len(forms) == 0 {
		return &redactor{}
	}
	slices.SortFunc(forms, func(a, b string) int { // longer ones first, as one may hold another
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	forms = slices.Compact(forms)
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, redacted)
	}
	return &redactor{known: strings.NewReplacer(pairs...)}
}

// spellings are the ways in which a secret may stand in a text.
func spellings(secret string) []string {
	quoted := canonical.AppendString(nil, secret)
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), string(quoted[1 : len(quoted)-1])}
	// In base64 a secret looks in three ways, by where among three bytes it
	// begins; the characters at its edges depend on its neighbours.
	for offset := range 3 {
		padded := append(make([]byte, offset), secret...)
		for _, enc := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := enc.EncodeToString(padded)
			whole := len(padded) / 3 * 4
			forms = append(forms, text[(offset*8+5)/6:whole])
		}
	}
	return slices.DeleteFunc(forms, func(f string) bool { return len(f) < minSecret })
}

// text takes every secret out of a text.
func (r *redactor) text(s string) string {
	if r.known != nil {
		s = r.known.Replace(s)
	}
	// Shapes and members are made of ASCII alone: they are found between bytes
	// that are no UTF-8, too, which stay as they are.
	s = redactMembers(s)
	return redactShapes(s)
}

// value takes secrets out of a JSON value. Keys of objects may hold them, too.
func (r *redactor) value(v any) any {
	switch v := v.(type) {
	case string:
		return r.text(v)
	case []any:
		for i, w := range v {
			v[i] = r.value(w)
		}
	case map[string]any:
		renamed := map[string]string{}
		for k, w := range v {
			v[k] = r.member(k, w)
			if clean := r.text(k); clean != k {
				renamed[k] = clean
			}
		}
		for k, clean := range renamed {
			v[clean] = v[k]
			delete(v, k)
		}
	}
	return v
}

func (r *redactor) member(name string, v any) any {
	switch w := v.(type) {
	case string:
		if w != "" && secretMember(name, w) {
			return redacted
		}
	case []any: // as HTTP headers are written in JSON
		for i, item := range w {
			w[i] = r.member(name, item)
		}
		return w
	}
	return r.value(v)
}

func (r *redactor) parameters(list parameters) {
	for i := range list {
		p := &list[i]
		if p.value != "" && secretParameter(p.name) {
			p.value = redacted
			continue
		}
		p.name, p.value = r.text(p.name), r.text(p.value)
	}
}

// request takes secrets out of a request in canonical form.
func (r *redactor) request(a *asked) {
	a.path = r.text(a.path)
	r.parameters(a.query)
	for k, v := range a.headers {
		a.headers[k] = r.text(v)
	}
	switch a.body.form {
	case jsonBody:
		a.body.json = r.value(a.body.json)
	case formBody:
		r.parameters(a.body.params)
	case textBody:
		a.body.text = r.text(a.body.text)
	case binaryBody:
		if data, err := base64.StdEncoding.DecodeString(a.body.text); err == nil {
			a.body.text = base64.StdEncoding.EncodeToString([]byte(r.text(string(data))))
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
			out.Header.Set(name, r.text(printable(v)))
		}
	}
	if clean := r.text(string(body)); len(clean) > 0 {
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
