package recording

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/provider"
	"docket/engine/suite"
)

// canonicalVersion is that of the canonical request. Another version hashes
// otherwise, and its files are renamed by docket rekey.
const canonicalVersion = 1

// An asked is a request in canonical form: redacted, and with everything that
// rules may later leave out of the comparison.
type asked struct {
	upstream, method, path string
	query                  parameters
	headers                map[string]string // those of requestHeaders, by lower-case name
	body                   body
}

// requestHeaders are the headers of a request that are kept and compared: what
// chooses the form of the answer. All others are credentials, or change from
// one client to the next.
func requestHeaders() []string {
	return []string{"anthropic-beta", "anthropic-version", "content-type", "openai-beta"}
}

// ask brings a request into canonical form. It fails only where a compressed
// body is too large.
func ask(upstream string, r *provider.Request, secrets *redactor) (*asked, error) {
	a := &asked{
		upstream: upstream,
		method:   strings.ToUpper(r.Method),
		path:     strings.ToValidUTF8(r.Path, "\ufffd"),
		query:    readParameters(r.Query),
		headers:  map[string]string{},
	}
	name, params := mediaType(r.Header)
	for _, h := range requestHeaders() {
		if v := joined(r.Header, h); v != "" {
			a.headers[h] = v
		}
	}
	if name != "" {
		a.headers["content-type"] = name
	}
	data, _, err := inflate(r.Header, r.Body)
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBody {
		return nil, errTooLarge
	}
	a.body = readBody(data, name, params)
	secrets.request(a)
	return a, nil
}

// joined returns all values of a header as one, which RFC 9110 allows for
// every header that may come twice but Set-Cookie.
func joined(header http.Header, name string) string {
	return strings.ToValidUTF8(strings.Join(header.Values(name), ", "), "\ufffd")
}

// document is what is hashed: the request under the rules of its upstream.
func (a *asked) document(rules *Rules) map[string]any {
	d := map[string]any{"v": canonicalVersion, "upstream": a.upstream, "method": a.method, "path": a.path}
	if query := rules.parameters(a.query).encode(); query != "" {
		d["query"] = query
	}
	if len(a.headers) > 0 {
		d["headers"] = a.headers
	}
	switch a.body.form {
	case noBody:
	case jsonBody:
		d[string(jsonBody)] = rules.value(a.body.json)
	case formBody:
		d[string(formBody)] = rules.parameters(a.body.params).encode()
	default:
		d[string(a.body.form)] = a.body.text
	}
	return d
}

// key is the hash by which the request is found: "sha256:" and 64 hex digits.
func (a *asked) key(rules *Rules) string {
	return canonical.Hash(a.document(rules))
}

// compared is the request under the rules, laid out for a comparison member by
// member.
func (a *asked) compared(rules *Rules) map[string]any {
	d := a.document(rules)
	delete(d, "v")
	delete(d, "upstream")
	d["query"] = rules.parameters(a.query).model()
	headers := make(map[string]any, len(a.headers))
	for k, v := range a.headers {
		headers[k] = v
	}
	d["headers"] = headers
	if a.body.form == formBody {
		d[string(formBody)] = rules.parameters(a.body.params).model()
	}
	return d
}

// line is what counts of the request under the rules, in one line, for messages.
func (a *asked) line(rules *Rules) string {
	s := a.method + " " + a.path
	if q := rules.parameters(a.query).encode(); q != "" {
		s += "?" + q
	}
	return s
}

// request gives the request back as one that reads like the recorded one.
func (a *asked) request() provider.Request {
	header := http.Header{}
	for k, v := range a.headers {
		header.Set(k, v)
	}
	return provider.Request{Method: a.method, Path: a.path, Query: a.query.encode(), Header: header, Body: a.body.bytes()}
}

const hashDigits = 16 // of a key, in a file's name; the whole key stands inside

// serviceFile is the name of a service's recording, with its folder.
func serviceFile(a *asked, rules *Rules, key string) string {
	legible := a.method + " " + a.path
	for _, p := range rules.parameters(a.query) {
		legible += " " + p.name + " " + p.value
	}
	return a.upstream + "/" + slug(legible) + "-" + digits(key) + ".json"
}

// slug is the legible part of a file name made by package suite.
func slug(s string) string {
	name := suite.FileName(s)
	return strings.TrimRight(name[:len(name)-hashDigits], "-")
}

// digits are the hex digits of a key that stand in a file name.
func digits(key string) string {
	key = strings.TrimPrefix(key, "sha256:")
	return key[:min(len(key), hashDigits)]
}

// checkName refuses the name of a service or provider that cannot be a folder.
// The configuration refuses most of them earlier, with a position.
func checkName(name string) error {
	const longest = 64
	bad := name == "" || len(name) > longest || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || !utf8.ValidString(name)
	for _, r := range name {
		bad = bad || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}
	if bad {
		return fmt.Errorf("%q cannot name a folder of recordings: use letters and digits, and behind the first also points, - and _", name)
	}
	return nil
}
