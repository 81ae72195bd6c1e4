package secret

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEnvironment(t *testing.T) {
	got := Environment([]string{
		"OPENAI_API_KEY=sk-canary-0001", "HF_TOKEN=hf_canary0002", "DB_PASSWORD=postgres", "APP_SECRET_2=longer than that",
		"AWS_ACCESS_KEY_ID=AKIACANARY0003", "PWD=/home/someone/work", "HOME=/home/someone", "SHORT_KEY=abc123", "COMPAT=whatever-1", "MONKEYS=a-b-c-d-e-f",
	})
	want := "AKIACANARY0003|a-b-c-d-e-f|hf_canary0002|longer than that|sk-canary-0001"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q\nwant %s", got, want)
	}
}

func TestKnownValuesInEverySpelling(t *testing.T) {
	const secret = `p@ss/w"rd+1234=`
	r := New([]string{secret})
	for _, text := range []string{
		secret, "x" + url.QueryEscape(secret) + "y", url.PathEscape(secret), `{"a":"p@ss/w\"rd+1234="}`,
	} {
		if got := r.Text(text); strings.Contains(got, "1234") {
			t.Errorf("%q became %q", text, got)
		}
	}
	for _, before := range []string{"", "u", "us", "usr", "user:"} {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			text := enc.EncodeToString([]byte(before + secret + "tail"))
			got := r.Text(text)
			if !strings.Contains(got, Redacted) || len(got) > len(text) {
				t.Errorf("base64 of %q…: %q became %q", before, text, got)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	r := New(nil)
	for _, c := range []struct{ in, want string }{
		{"Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted]"},
		{"the bearer securities of the fund", "the bearer securities of the fund"},
		{"bearer certificates.", "bearer certificates."},
		{"Basic dXNlcjpwYXNzd29yZA== end", "Basic [redacted] end"},
		{"basic information about it", "basic information about it"},
		{"Incorrect API key provided: sk-proj-abcDEF0123456789xyz.", "Incorrect API key provided: [redacted]."},
		{"sk-learn-pipelines-are-fun", "sk-learn-pipelines-are-fun"},
		{"CONSTRAINT pk_customer_orders_line", "CONSTRAINT pk_customer_orders_line"},
		{"ghp_abcdefghijklmnop1234", "[redacted]"},
		{"AKIAIOSFODNN7EXAMPLE", "[redacted]"},
		{"t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl!", "t=[redacted]!"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest", "[redacted]\nrest"},
		{"x-api-key: my-own-key-1", "x-api-key: [redacted]"},
		{"the api key: required in all calls", "the api key: required in all calls"},
		{"https://user:hunter2@host/path", "https://[redacted]@host/path"},
		{"see https://h/x?page=2&X-Amz-Signature=ab12&y=1 there", "see https://h/x?page=2&X-Amz-Signature=[redacted]&y=1 there"},
		{`"https://h/x?page=2\u0026key=ab12\u0026token=cd34"`, `"https://h/x?page=2\u0026key=[redacted]\u0026token=[redacted]"`},
		{"https://h/x?page_token=abcdef", "https://h/x?page_token=abcdef"},
		{`{"access_token": "abc", "token":"Hello", "key": "refund_window"}`, `{"access_token": "[redacted]", "token":"Hello", "key": "refund_window"}`},
		{`{"headers":{"Authorization":["Zed 1"],"Cookie":"a=b"}}`, `{"headers":{"Authorization":["[redacted]"],"Cookie":"[redacted]"}}`},
		{`{"cookie":"chocolate chip"}`, `{"cookie":"chocolate chip"}`},
		{`{"properties":{"password":{"type":"string"}}}`, `{"properties":{"password":{"type":"string"}}}`},
		{`{"arguments":"{\"password\":\"hun\\\"ter\",\"user\":\"u\"}"}`, `{"arguments":"{\"password\":\"[redacted]\",\"user\":\"u\"}"}`},
		{"data: {\"p\":\"{\\\"password\\\":\\\"hun\"}\n\ndata: {\"p\":\"x\"}\n\n", "data: {\"p\":\"{\\\"password\\\":\\\"[redacted]\"}\n\ndata: {\"p\":\"x\"}\n\n"},
		{`{"password":"a\\","b":"c"}`, `{"password":"[redacted]","b":"c"}`},
		{`{"password":"cut o`, `{"password":"[redacted]`},
		{"nothing here", "nothing here"},
		{"caf\xe9: Bearer abc.def-123\xe9", "caf\xe9: Bearer [redacted]\xe9"},
		{"\xff\xfe{\"password\":\"hun\xe9ter\",\"user\":\"u\"}", "\xff\xfe{\"password\":\"[redacted]\",\"user\":\"u\"}"},
		{"\xffsk-abcdefghijklmnop0\xff", "\xff[redacted]\xff"},
		{"\xff\x00\x9f no secret", "\xff\x00\x9f no secret"},
	} {
		if got := r.Text(c.in); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestRedactionIsIdempotent: what was redacted is not redacted further, so a
// recorded request is the request that is asked again.
func TestRedactionIsIdempotent(t *testing.T) {
	r := New([]string{"canary-value-1"})
	pieces := []string{"canary-value-1", "Bearer abc-123-def", `"password":"x1"`, `\"api_key\":\"q`, "?token=1&sig=", "sk-abcdefghijklmnop0", "://u:p@", " ", `"`, `\`, "\n", "word", "=", "&", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		once := r.Text(text)
		if twice := r.Text(once); twice != once {
			t.Fatalf("%q\nonce  %q\ntwice %q", text, once, twice)
		}
		if strings.Contains(once, "canary-value-1") {
			t.Fatalf("%q kept the secret: %q", text, once)
		}
	})
}

// TestStems says that no name of a secret is passed over for want of a stem.
func TestStems(t *testing.T) {
	r := New(nil)
	for _, name := range []string{
		"api_key", "X-Api-Key", "accessToken", "id_token", "client_secret", "Password", "PASSWD", "passphrase", "Authorization", "credentials", "private-key",
	} {
		if got := r.Text(`{"` + name + `":"abc"}`); got != `{"`+name+`":"[redacted]"}` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// BenchmarkText is a raw answer of two kilobytes without a secret.
func BenchmarkText(b *testing.B) {
	text := strings.Repeat(`{"id":"chatcmpl-1","object":"chat.completion","usage":{"prompt_tokens":12},"text":"the mail is late"},`, 20)
	r := New([]string{"canary-value-1"})
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Text(text)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add(`{"password":"x\\\"y","a":[1]}`)
	f.Add("data: \\\\\"secret\\\\\": \\\"\n")
	f.Add("Bearer ?key=1&token=")
	f.Fuzz(func(t *testing.T, s string) {
		New([]string{"canary-value-1"}).Text(s)
	})
}

// TestAbridged says that a text which was cut in the middle of a secret shows no
// part of it.
func TestAbridged(t *testing.T) {
	r := New([]string{"canary-0123456789"})
	for text, want := range map[string]string{
		"by canary-0123… and canary-01234…": "by [redacted]… and [redacted]…",
		"by canary-0123456789…":             "by [redacted]…",
		"a canary… in a mine…":              "a canary… in a mine…",
	} {
		if got := r.Known(text); got != want {
			t.Errorf("%q reads %q", text, got)
		}
	}
}

// TestKnown takes a secret out in each spelling, and leaves
// what is merely named like one.
func TestKnown(t *testing.T) {
	secret := `sk-"canary"/0123+x`
	s := New(Environment([]string{"OPENAI_API_KEY=" + secret, "HOME=/home/ada-with-a-long-name"}))
	for _, text := range []string{secret, url.QueryEscape(secret), `sk-\"canary\"/0123+x`, base64.StdEncoding.EncodeToString([]byte("user:" + secret + "!!"))} {
		if got := s.Known("so: " + text + "."); strings.Contains(got, text) || !strings.HasPrefix(got, "so: ") || !strings.Contains(got, "[redacted]") {
			t.Errorf("%q reads %q", text, got)
		}
	}
	for _, text := range []string{"", `{"api_key":"of somebody else"}`, "Bearer of-good-news-1234567890", "/home/ada-with-a-long-name"} {
		if got := s.Known(text); got != text {
			t.Errorf("%q reads %q", text, got)
		}
	}
}
