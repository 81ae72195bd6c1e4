package redaction_test

import (
	"reflect"
	"strings"
	"testing"

	"docket/engine/check"
	"docket/engine/redaction"
)

func TestText(t *testing.T) {
	var r redaction.Redactor
	r.Persons("Ada Lovelace", "Ada", "田中", "x")
	for _, tt := range []struct{ text, want string }{
		{"write to ada@shop.example", "write to [email 1]"},
		{"or to bob@shop.example, not ADA@SHOP.example", "or to [email 2], not [email 1]"},
		{"call +44 20 7946 0958 now", "call [phone 1] now"},
		{"Ada Lovelace asked, ADA LOVELACE waits", "[person 1] asked, [person 1] waits"},
		{"Ada's order; Adam's is another", "[person 2]'s order; Adam's is another"},
		{"田中さん", "[person 3]さん"},
		{"order 4417 of 2026-08-01, 30 days", "order 4417 of 2026-08-01, 30 days"},
		{"", ""},
	} {
		if got := r.Text(tt.text); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := r.Counts()["email"]; got != 2 {
		t.Errorf("%d e-mail addresses, want 2", got)
	}
}

func TestValue(t *testing.T) {
	var r redaction.Redactor
	in := map[string]any{"from": "ada@shop.example", "cc": []any{"bob@shop.example", true}, "ada@shop.example": nil}
	want := map[string]any{"from": "[email 1]", "cc": []any{"[email 2]", true}, "[email 1]": nil}
	if got := r.Value(in); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if in["from"] != "ada@shop.example" {
		t.Error("the value that was given is another now")
	}
}

func FuzzText(f *testing.F) {
	f.Add("ada@shop.example and +44 20 7946 0958", "Ada")
	f.Add("\xff@\x00 4111 1111 1111 1111", "\xff\xfe")
	f.Add("İİİ ada ı", "ADA")
	f.Fuzz(func(t *testing.T, text, name string) {
		var r, again redaction.Redactor
		r.Persons(name)
		again.Persons(name)
		clean := r.Text(text)
		if other := again.Text(text); other != clean {
			t.Fatalf("%q became %q and %q", text, clean, other)
		}
		if kind, found := check.PersonalData(clean); kind != "" && strings.Contains(text, found) && !strings.Contains(found, "[") && name == "" {
			t.Fatalf("%q became %q, where %s %q is left", text, clean, kind, found)
		}
	})
}
