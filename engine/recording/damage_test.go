package recording_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/system"
)

// TestDamage: what is not whole is an error with its place, is never taken for
// missing, and stays as it is, whether it is read or recorded again.
func TestDamage(t *testing.T) {
	service := recording.Key{Service: "search", CaseID: "c"}
	get := provider.Request{Method: "GET", Path: "/find", Query: "q=a"}
	for _, c := range []struct {
		name  string
		model bool
		edit  func(string) string
		want  string
	}{
		{"a conflict", true, func(s string) string { return "<<<<<<< HEAD\n" + s + "=======\n" + s + ">>>>>>> x\n" }, "1.jsonl:1: a conflict marker"},
		{"a conflict in a service", false, func(s string) string {
			return strings.Replace(s, "  \"latency_ms\": 812,\n", "<<<<<<< HEAD\n  \"latency_ms\": 812,\n=======\n  \"latency_ms\": 9,\n>>>>>>> x\n", 1)
		}, ".json:5:1: a conflict marker"},
		{"a flipped byte in the answer", true, func(s string) string { return strings.Replace(s, "days", "dayz", 1) }, "1.jsonl:1:1: the seal does not fit"},
		{"an edited answer of a service", false, func(s string) string { return strings.Replace(s, "days", "dayz", 1) }, ".json:1:1: the seal does not fit"},
		{"an edited date", false, func(s string) string { return strings.Replace(s, "2026-08", "2027-08", 1) }, "the seal does not fit"},
		{"an edited request", false, func(s string) string { return strings.Replace(s, `"q=a"`, `"q=b"`, 1) }, "does not have the key"},
		{"a key twice", false, func(s string) string {
			return strings.Replace(s, "  \"format\": 1,\n", "  \"format\": 1,\n  \"format\": 1,\n", 1)
		}, `.json:3:3: the key "format" comes twice`},
		{"a key twice, in the answer", true, func(s string) string { return strings.Replace(s, `"body":{"text"`, `"body":{"text":1,"text"`, 1) }, `the key "text" stands twice`},
		{"cut off", true, func(s string) string { return s[:len(s)-20] }, "1.jsonl:2: the last line has no end"},
		{"cut off in a service", false, func(s string) string { return s[:len(s)-40] }, ".json:"},
		{"without its last newline", true, func(s string) string { return strings.TrimSuffix(s, "\n") }, "the last line has no end"},
		{"empty", true, func(string) string { return "" }, "1.jsonl:1: the file is empty"},
		{"empty service", false, func(string) string { return "" }, ".json:1:1: the line is blank"},
		{"a newer format", false, func(s string) string { return strings.Replace(s, `"format": 1`, `"format": 2`, 1) }, "install a newer docket"},
		{"an unknown key", false, func(s string) string { return strings.Replace(s, `"format": 1,`, `"format": 1, "x": 1,`, 1) }, `unknown key "x"`},
		{"a cookie", false, func(s string) string {
			return strings.Replace(s, `"content-type": "application/json"`, `"set-cookie": "a=b"`, 2)
		}, `the header "set-cookie" is not kept`},
		{"binary", true, func(string) string { return "\x00\x01\n" }, "1.jsonl:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			key, request, ext := service, get, ".json"
			if c.model {
				key, request, ext = model("c", 1), chat(`{"n":1}`), ".jsonl"
				save(t, s, key, request, answer(`{"text":"30 days"}`))
				save(t, s, key, chat(`{"n":2}`), answer(`{"text":"40 days"}`))
			} else {
				save(t, s, key, request, answer(`{"text":"30 days"}`))
			}
			s.Close()
			name, content := one(t, dir, ext)
			damaged := c.edit(content)
			if damaged == content {
				t.Fatal("the edit did nothing")
			}
			if err := os.WriteFile(name, []byte(damaged), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := open(t, dir).Find(context.Background(), key, request)
			if err == nil || errors.Is(err, system.ErrMissed) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "cases/support/recordings/") {
				t.Errorf("find: %v, want %s", err, c.want)
			}
			again := open(t, dir)
			if err := again.Save(context.Background(), key, provider.Exchange{Request: request, Response: answer(`{}`)}); err == nil {
				t.Error("recorded over a damaged file")
			}
			if left, _ := os.ReadFile(name); string(left) != damaged {
				t.Error("the damaged file was changed")
			}
		})
	}
}

func TestRenamedByHand(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	key := recording.Key{Service: "search", CaseID: "c"}
	a, b := provider.Request{Method: "GET", Path: "/a"}, provider.Request{Method: "GET", Path: "/b"}
	save(t, s, key, a, answer(`1`))
	nameA, contentA := one(t, dir, ".json")
	os.Remove(nameA)
	save(t, s, key, b, answer(`2`))
	nameB, _ := one(t, dir, ".json")
	s.Close()
	os.WriteFile(nameB, []byte(contentA), 0o666)
	_, err := open(t, dir).Find(context.Background(), key, b)
	if err == nil || errors.Is(err, system.ErrMissed) || !strings.Contains(err.Error(), "renamed or copied by hand") {
		t.Errorf("got %v", err)
	}
	// Likewise a sample's file under another sample's name.
	save(t, s, model("c", 1), chat(`{}`), answer(`1`))
	s.Close()
	name, content := one(t, dir, ".jsonl")
	os.WriteFile(filepath.Join(filepath.Dir(name), "2.jsonl"), []byte(content), 0o666)
	_, err = open(t, dir).Find(context.Background(), model("c", 2), chat(`{}`))
	if err == nil || errors.Is(err, system.ErrMissed) {
		t.Errorf("got %v", err)
	}
}

func TestNothingEscapes(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	s := open(t, dir)
	for _, id := range []string{"../../x", "/etc/passwd", "NUL", "con.json", "a:b", ".", "..", "é", strings.Repeat("x", 256), "😀", " trailing. "} {
		save(t, s, model(id, 1), chat(`{}`), answer(`"`+fmt.Sprint(len(id))+`"`))
		if got := string(find(t, s, model(id, 1), chat(`{}`)).Response.Body); got != `"`+fmt.Sprint(len(id))+`"` {
			t.Errorf("%q: %s", id, got)
		}
	}
	for _, bad := range []recording.Key{{}, {Provider: "../x", CaseID: "c", Sample: 1}, {Service: "a/b"}, {Service: "s", Provider: "p"}, {Provider: "p", Sample: 1}, {Provider: "p", CaseID: "c"}} {
		if err := s.Save(context.Background(), bad, provider.Exchange{Request: chat(`{}`), Response: answer(`1`)}); err == nil {
			t.Errorf("saved under %+v", bad)
		}
		if _, err := s.Find(context.Background(), bad, chat(`{}`)); err == nil || errors.Is(err, system.ErrMissed) {
			t.Errorf("looked for under %+v: %v", bad, err)
		}
	}
	s.Close()
	if err := os.Symlink(outside, filepath.Join(dir, "recordings", "linked")); err != nil {
		t.Log(err) // some systems give links to administrators only
		return
	}
	linked := open(t, dir)
	if err := linked.Save(context.Background(), recording.Key{Service: "linked"}, provider.Exchange{Request: chat(`{}`), Response: answer(`1`)}); err == nil {
		t.Error("wrote through a link")
	}
	if left := files(t, outside); len(left) > 0 {
		t.Errorf("escaped: %v", left)
	}
}
