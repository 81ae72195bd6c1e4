package journal

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

func TestDamage(t *testing.T) {
	const (
		first = `{"op":"open","format":1,"subject":"sha256:one","at":"2026-08-11T10:00:01Z"}` + "\n"
		one   = `{"seq":1,"op":"decide","at":"2026-08-11T10:00:02Z","verdict":"accept","reason":"r","rows":[{"row":"a"}]}` + "\n"
		two   = `{"seq":2,"op":"decide","at":"2026-08-11T10:00:03Z","verdict":"accept","reason":"r","rows":[{"row":"b"}]}` + "\n"
	)
	tests := []struct{ name, text, want, note, err string }{
		{name: "whole", text: first + one + two, want: "a=accept b=accept"},
		{name: "the last cut short", text: first + one + two[:30], want: "a=accept", note: "was cut short by a crash before it was saved, and is left out (30 bytes)"},
		{name: "the last without its line end", text: first + one + two[:len(two)-1], want: "a=accept", note: "cut short"},
		{name: "zeros at the end", text: first + one + strings.Repeat("\x00", 50), want: "a=accept", note: "(50 bytes)"},
		{name: "zeros in the last", text: first + one + strings.Repeat("\x00", 50) + "\n", want: "a=accept", note: "(51 bytes)"},
		{name: "empty", text: ""},
		{name: "damage in the middle", text: first + one[:30] + "\n" + two, err: "live.jsonl:2:29: the line ends inside a string; the journal is damaged"},
		{name: "a missing step", text: first + two, err: "live.jsonl:2: step 2 follows step 0; a step is missing or stands twice"},
		{name: "a step twice", text: first + one + one, err: "live.jsonl:3: step 1 follows step 1"},
		{name: "no first line", text: one, err: "live.jsonl:1: the first line of a journal must open it"},
		{name: "the first line cut short", text: first[:20], err: "live.jsonl:1:14: "},
		{name: "something else", text: "#!/bin/sh\n", err: "live.jsonl:1:1: the line must be an object"},
		{name: "a newer format", text: strings.Replace(first, ":1,", ":2,", 1), err: "live.jsonl:1: the journal has format 2 and this docket knows up to 1; install a newer docket"},
		{name: "an undo of nothing", text: first + `{"seq":1,"op":"undo","at":"2026-08-11T10:00:02Z","group":1}` + "\n", err: "live.jsonl:2: step 1 undoes step 1, which is not the last that stands"},
		{name: "an unknown step", text: first + `{"seq":1,"op":"dance","at":"2026-08-11T10:00:02Z"}` + "\n", err: `live.jsonl:2: step 1 is of the unknown kind "dance"`},
		{name: "a key twice", text: first + `{"seq":1,"seq":1}` + "\n" + two, err: `live.jsonl:2:10: the key "seq" comes twice`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := disktest.NewMemory("/r/.docket/journal/s")
			c := config(m, "/r")
			path := filepath.Join("/r", c.Name)
			if err := disk.Write(m, path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := Open(c)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				if data, _ := disk.Read(m, path, MaxSize); string(data) != test.text {
					t.Error("the damaged journal was changed")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := stands(j); got != test.want {
				t.Errorf("%q stands, want %q", got, test.want)
			}
			if notes := strings.Join(j.Notes(), "\n"); !strings.Contains(notes, test.note) || (notes == "") != (test.note == "") {
				t.Errorf("it notes %q, want %q", notes, test.note)
			}
			decide(t, j, "reject", "z")
			if got, want := stands(reopen(t, j, c)), strings.TrimSpace(test.want+" z=reject"); got != want {
				t.Errorf("after one more decision %q stands, want %q", got, want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	c := config(disktest.NewMemory("/r"), "/r")
	j := open(f, c)
	decide(f, j, "accept", "a", "b/x")
	decide(f, j, "reject", "a")
	if _, _, err := j.Undo(); err != nil {
		f.Fatal(err)
	}
	data, err := disk.Read(c.FS, j.Path(), MaxSize)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-10])
	f.Add([]byte("{}\n"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := disktest.NewMemory("/r/.docket/journal/s")
		c := config(m, "/r")
		if err := disk.Write(m, filepath.Join("/r", c.Name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := Open(c)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without a sentence")
			}
			return
		}
		before := j.Decisions()
		j = reopen(t, j, c)
		if diff := cmp.Diff(before, j.Decisions()); diff != "" {
			t.Fatal(diff)
		}
	})
}
