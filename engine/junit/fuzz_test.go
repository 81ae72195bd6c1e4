package junit_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf8"

	"docket/engine/junit"
)

// FuzzWrite: whatever a test is called and fails with, the file is XML in UTF-8
// that says it again, but for the characters that XML cannot hold.
func FuzzWrite(f *testing.F) {
	f.Add("inv-1", "label overdue → paid", "a\r\n\t]]>")
	f.Add("\x1b[31m\x00\u202e\ufffe\xff", `"<&>'`, "\u0085\u2028")
	f.Fuzz(func(t *testing.T, name, message, text string) {
		var s junit.Suite
		s.Add(junit.Case{Class: "s", Name: name, Failure: &junit.Outcome{Message: message, Text: text}})
		var b bytes.Buffer
		if err := junit.Write(&b, name, s); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b.Bytes()) || strings.ContainsAny(b.String(), "\x00\x1b\x07") {
			t.Fatalf("wrote %q", b.String())
		}
		var back junit.Suites
		if err := xml.Unmarshal(b.Bytes(), &back); err != nil {
			t.Fatalf("%v in %q", err, b.String())
		}
		c := back.Suite.Cases[0]
		for _, pair := range [][2]string{{name, c.Name}, {message, c.Failure.Message}, {text, c.Failure.Text}} {
			if want := held(pair[0]); pair[1] != want {
				t.Fatalf("%q is read back as %q", want, pair[1])
			}
		}
		if back.Failures != 1 || back.Tests != 1 {
			t.Fatalf("%d of %d failed", back.Failures, back.Tests)
		}
	})
}

// held is a text as XML can hold it.
func held(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd, r >= 0x10000:
			return r
		}
		return utf8.RuneError
	}, s)
}
