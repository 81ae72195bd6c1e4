package recording

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/canonical"
	"docket/engine/provider"
)

func asJSON(body string) provider.Request {
	return provider.Request{Method: "POST", Path: "/v1/x", Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
}

// failer is what a test of either kind can do.
type failer interface {
	Helper()
	Fatal(args ...any)
}

func keyOf(t failer, r provider.Request, rules Rules) string {
	t.Helper()
	a, err := ask("openai", &r, newRedactor(nil))
	if err != nil {
		t.Fatal(err)
	}
	return a.key(&rules)
}

// TestCanonicalOracles holds bodies to texts and hashes that were computed
// elsewhere.
func TestCanonicalOracles(t *testing.T) {
	for _, c := range []struct{ in, want, hash string }{
		{`{"b":1,"a":2}`, `{"a":2,"b":1}`, "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"},
		{
			`{"temperature":0.0,"model":"m-1","messages":[{"role":"user","content":"caf\u00e9 <b>"}]}`,
			`{"messages":[{"content":"café <b>","role":"user"}],"model":"m-1","temperature":0}`,
			"698fb0a2565090d8d29b6ff709cba3956745163cf9081dd534f3021fd142921b",
		},
		{
			`{"n":1.0,"m":1e2,"z":-0,"y":-0.0,"q":0.10,"e":1e21,"f":1E-7,"big":9007199254740993}`,
			`{"big":9007199254740993,"e":1e+21,"f":1e-7,"m":100,"n":1,"q":0.1,"y":0,"z":0}`,
			"03fd823b1593bc63493e7f09a8b71a42f63e332d2de7b5a9c2a083f45b203bd2",
		},
	} {
		r := asJSON(c.in)
		a, err := ask("openai", &r, newRedactor(nil))
		if err != nil {
			t.Fatal(err)
		}
		if a.body.form != jsonBody {
			t.Fatalf("%s: read as %q, not as JSON", c.in, a.body.form)
		}
		if got := string(a.body.bytes()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, got, c.want)
		}
		if got := canonical.HashBytes(a.body.bytes()); got != "sha256:"+c.hash {
			t.Errorf("%s: hash %s, want %s", c.in, got, c.hash)
		}
	}
}

func TestWhatCountsInAKey(t *testing.T) {
	base := asJSON(`{"model":"m","n":1,"messages":[{"role":"user","content":"hi"}]}`)
	with := func(change func(*provider.Request)) provider.Request {
		r := base
		r.Header = base.Header.Clone()
		change(&r)
		return r
	}
	body := func(s string) provider.Request { return with(func(r *provider.Request) { r.Body = []byte(s) }) }
	header := func(k, v string) provider.Request {
		return with(func(r *provider.Request) { r.Header.Set(k, v) })
	}
	query := func(q string) provider.Request { return with(func(r *provider.Request) { r.Query = q }) }

	same := [][2]provider.Request{
		{base, body("{\"n\": 1.0,\n \"messages\":[ {\"content\":\"hi\",\"role\":\"user\"}],\t\"model\":\"m\"} ")},
		{base, header("Authorization", "Bearer one")},
		{base, header("X-Api-Key", "two")},
		{base, header("User-Agent", "three")},
		{base, header("Content-Type", "application/json; charset=utf-8")},
		{base, with(func(r *provider.Request) { r.Method = "post" })},
		{query("a=1&b=2"), query("b=2&a=1")},
		{query("q=a+b"), query("q=a%20b")},
	}
	for i, pair := range same {
		if a, b := keyOf(t, pair[0], Rules{}), keyOf(t, pair[1], Rules{}); a != b {
			t.Errorf("pair %d should be one request: %+v, %+v", i, pair[0], pair[1])
		}
	}
	different := [][2]provider.Request{
		{base, body(`{"model":"m","n":2,"messages":[{"role":"user","content":"hi"}]}`)},
		{base, header("Anthropic-Version", "2023-06-01")},
		{base, header("Anthropic-Beta", "x")},
		{base, header("OpenAI-Beta", "x")},
		{base, with(func(r *provider.Request) { r.Path = "/v1/y" })},
		{base, with(func(r *provider.Request) { r.Method = "PUT" })},
		{base, query("a=1")},
		{query("a=1&a=2"), query("a=2&a=1")}, // values of one name may be an order
		// A float would make these equal.
		{body(`{"n":9007199254740993}`), body(`{"n":9007199254740992}`)},
		// What other readers pass over in silence.
		{body(`{"a":1,"a":2}`), body(`{"a":2}`)},
		{body(`{"a":"\ud800"}`), body("{\"a\":\"\ufffd\"}")},
		{body(`{"a":1} trailing`), body(`{"a":1}`)},
		{body("{\"a\":\"\xff\"}"), body("{\"a\":\"\ufffd\"}")},
		{body(""), body("null")},
	}
	for i, pair := range different {
		if a, b := keyOf(t, pair[0], Rules{}), keyOf(t, pair[1], Rules{}); a == b {
			t.Errorf("pair %d should be two requests: %+v, %+v", i, pair[0], pair[1])
		}
	}
}

func TestFormsAndMultipart(t *testing.T) {
	form := func(body string) provider.Request {
		return provider.Request{Method: "POST", Path: "/token", Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte(body)}
	}
	if keyOf(t, form("b=2&a=1"), Rules{}) != keyOf(t, form("a=1&b=2"), Rules{}) {
		t.Error("the order of a form's fields counts")
	}
	part := func(boundary string) provider.Request {
		return provider.Request{
			Method: "POST", Path: "/files", Header: http.Header{"Content-Type": {"multipart/form-data; boundary=" + boundary}},
			Body: []byte("--" + boundary + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--" + boundary + "--\r\n"),
		}
	}
	if keyOf(t, part("x8f3"), Rules{}) != keyOf(t, part("q771"), Rules{}) {
		t.Error("the boundary of a multipart body counts, and it is random")
	}
}

func TestRules(t *testing.T) {
	rules, err := NewRules([]string{"request_id", "meta.trace", "items[].id"}, []string{"when"})
	if err != nil {
		t.Fatal(err)
	}
	a := asJSON(`{"request_id":"r-1","when":"monday","meta":{"trace":"t-1","user":"u"},"items":[{"id":1,"n":"x"}]}`)
	b := asJSON(`{"when":"tuesday","meta":{"trace":"t-2","user":"u"},"items":[{"id":2,"n":"x"}]}`)
	a.Query, b.Query = "request_id=1&q=x", "q=x"
	if keyOf(t, a, rules) != keyOf(t, b, rules) {
		t.Error("ignored and volatile values count")
	}
	if keyOf(t, a, Rules{}) == keyOf(t, b, Rules{}) {
		t.Error("without rules everything counts")
	}
	c := asJSON(`{"meta":{"user":"u"},"items":[{"n":"x"}]}`)
	c.Query = "q=x"
	if keyOf(t, b, rules) == keyOf(t, c, rules) {
		t.Error("whether a volatile value is there counts")
	}
	if _, err := NewRules([]string{"a["}, nil); err == nil {
		t.Error("a path that cannot be read is taken")
	}
}

// TestKeyIsInvariant: order of keys and white space never matter.
func TestKeyIsInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawJSON(t, 3)
		compact := canonical.Marshal(v)
		var shuffled bytes.Buffer
		spell(t, &shuffled, v)
		a, b := asJSON(string(compact)), asJSON(shuffled.String())
		if x, y := keyOf(t, a, Rules{}), keyOf(t, b, Rules{}); x != y {
			t.Fatalf("two hashes for\n%s\n%s", compact, shuffled.String())
		}
	})
}

func drawJSON(t *rapid.T, depth int) any {
	kinds := 5
	if depth == 0 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.String().Draw(t, "text")
	case 1:
		return json.Number(rapid.SampledFrom([]string{"0", "1", "-1", "1.5", "1e21", "9007199254740993", "0.1"}).Draw(t, "number"))
	case 2:
		return rapid.SampledFrom([]any{nil, true, false}).Draw(t, "word")
	case 3:
		list := []any{}
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			list = append(list, drawJSON(t, depth-1))
		}
		return list
	}
	m := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		m[rapid.String().Draw(t, "key")] = drawJSON(t, depth-1)
	}
	return m
}

// spell writes a value with its keys in any order and white space anywhere.
func spell(t *rapid.T, b *bytes.Buffer, v any) {
	space := func() { b.WriteString(rapid.SampledFrom([]string{"", " ", "\n\t", "\r\n"}).Draw(t, "space")) }
	space()
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, k := range rapid.Permutation(slices.Sorted(maps.Keys(v))).Draw(t, "order") {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			b.Write(canonical.AppendString(nil, k))
			space()
			b.WriteByte(':')
			spell(t, b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, w := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			spell(t, b, w)
		}
		b.WriteByte(']')
	default:
		b.Write(canonical.Marshal(v))
	}
	space()
}

func TestFileNames(t *testing.T) {
	long := provider.Request{Method: "GET", Path: "/" + strings.Repeat("very-long/", 50), Query: "q=../../etc/passwd"}
	a, err := ask("search", &long, newRedactor(nil))
	if err != nil {
		t.Fatal(err)
	}
	name := serviceFile(a, &Rules{}, a.key(&Rules{}))
	if len(name) > 80 || strings.Count(name, "/") != 1 || strings.Contains(name, "..") {
		t.Errorf("not a tame name: %s", name)
	}
	for _, bad := range []string{"", ".", "..", "a/b", "a\\b", "a\x00b", ".hidden", "a.", "a b", strings.Repeat("x", 65)} {
		if checkName(bad) == nil {
			t.Errorf("%q is taken as the name of a folder", bad)
		}
	}
}
