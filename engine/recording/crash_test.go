//go:build unix

package recording_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/provider"
	"docket/engine/recording"
)

// session is what the tests of crashes record: two calls of a model, of which
// the second writes the file of the first anew, and two of a service, of which
// the second takes the place of one that failed.
func session(s *recording.Store) (saved int, err error) {
	for _, e := range exchanges() {
		if err := s.Save(context.Background(), e.key, provider.Exchange{Request: e.request, Response: e.response, Recorded: day}); err != nil {
			return saved, err
		}
		saved++
	}
	return saved, nil
}

type exchange struct {
	key      recording.Key
	request  provider.Request
	response provider.Response
}

func exchanges() []exchange {
	service := recording.Key{Service: "search", CaseID: "c", Sample: 1}
	get := provider.Request{Method: "GET", Path: "/find", Query: "q=a"}
	busy := answer(`{"busy":true}`)
	busy.Status = 503
	return []exchange{
		{model("c", 1), chat(`{"n":1}`), answer(`{"text":"one"}`)},
		{service, get, busy},
		{model("c", 1), chat(`{"n":2}`), answer(`{"text":"two"}`)},
		{service, get, answer(`{"found":1}`)},
	}
}

// inspect looks at what is on the disk by a new store: everything that was saved
// is there, what was being saved is there whole or not at all, and nothing is
// damaged or in the way of recording again.
func inspect(t *testing.T, dir string, saved int) {
	t.Helper()
	s := open(t, dir)
	all := exchanges()
	for i, e := range all[:min(saved+1, len(all))] {
		found, err := s.Find(context.Background(), e.key, e.request)
		if i == saved && errors.Is(err, provider.ErrMissed) {
			continue
		}
		if err != nil {
			t.Errorf("exchange %d of %d that were saved: %v", i+1, saved, err)
			continue
		}
		want := string(e.response.Body)
		got := string(found.Response.Body)
		if got != want && !(e.key.Service != "" && saved > 2 && got == string(all[3].response.Body)) && !(i == 3 && i == saved && got == string(all[1].response.Body)) {
			t.Errorf("exchange %d of %d that were saved is answered with %s", i+1, saved, got)
		}
	}
	s.Close()
	again := open(t, dir)
	if n, err := session(again); err != nil {
		t.Errorf("recording again fails at %d: %v", n+1, err)
	}
	again.Close()
	if _, err := open(t, dir).Unused(); err != nil {
		t.Error(err)
	}
}

// TestCrashBetweenAnyTwoCalls ends a session at each system call that it makes,
// and lets each fail for want of room.
func TestCrashBetweenAnyTwoCalls(t *testing.T) {
	calls := 0
	count := &disktest.Faults{}
	s := open(t, t.TempDir())
	s.Through(func(below disk.FS) disk.FS { count.FS = below; return count })
	if _, err := session(s); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if calls = len(count.Calls()); calls < 20 {
		t.Fatalf("a session is %d system calls", calls)
	}
	for _, fault := range []disktest.Fault{{Crash: true}, {Err: errors.New("no space left on the device")}, {Err: errors.New("input/output error"), After: true}} {
		for n := 1; n <= calls; n++ {
			dir := t.TempDir()
			s := open(t, dir)
			s.Through(func(below disk.FS) disk.FS { return &disktest.Faults{FS: below, Plan: disktest.At(n, fault)} })
			saved, err := session(s)
			s.Close()
			if err == nil && saved != len(exchanges()) {
				t.Fatalf("call %d: %d saved", n, saved)
			}
			inspect(t, dir, saved)
			if t.Failed() {
				t.Fatalf("at system call %d of %d: %+v", n, calls, fault)
			}
		}
	}
}

// TestCrash lets recording, and the renaming of recordings, fail at each system
// call as disktest.Path.Attack says, and logs what was found afterwards.
func TestCrash(t *testing.T) {
	key := recording.Key{Service: "search", CaseID: "c"}
	template := t.TempDir()
	{
		s := open(t, template)
		save(t, s, key, get("q=a&trace=1"), answer(`"the first"`))
		save(t, s, key, get("q=a&trace=2"), answer(`"the first"`)) // becomes the same request
		save(t, s, key, get("q=b"), answer(`"the second"`))        // keeps its name
		save(t, s, key, get("q=c&trace=4"), answer(`"the third"`))
		save(t, s, model("c", 1), chat(`{"trace":1,"n":1}`), answer(`"the model's"`))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	prepared := func(t *testing.T) string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	through := func(dir string, fsys disk.FS) func(disk.FS) disk.FS {
		return func(disk.FS) disk.FS { return disktest.Below(fsys, dir) }
	}
	state := func(t *testing.T, dir string) map[string]string {
		s := open(t, dir)
		if _, err := s.Unused(); err != nil {
			t.Fatal(err)
		}
		parts := files(t, dir)
		maps.DeleteFunc(parts, func(name, _ string) bool {
			return strings.HasSuffix(name, disk.TempSuffix) || strings.HasSuffix(name, disk.LockSuffix)
		})
		return parts
	}
	var tallies []disktest.Tally
	for _, path := range []disktest.Path{
		{
			Name: "record", State: state, Fresh: func(t *testing.T) string { return t.TempDir() },
			Act: func(t *testing.T, dir string, fsys disk.FS) error {
				s := open(t, dir)
				s.Through(through(dir, fsys))
				_, err := session(s)
				return errors.Join(err, s.Close())
			},
			// The calls of one sample are appended to, and a good answer takes the place of
			// one that calls for a retry.
			Between: func(_, got string) bool {
				return strings.Contains(got, `\"one\"`) || strings.Contains(got, `"one"`) || strings.Contains(got, "busy")
			},
		},
		{
			Name: "rekey", State: state, Fresh: prepared,
			Act: func(t *testing.T, dir string, fsys disk.FS) error {
				r := plan(t, dir, nil, withRules(t, "trace"))
				r.Through(through(dir, fsys))
				return r.Apply()
			},
			Rule: func(_, _, got map[string]string) string {
				all := strings.Join(slices.Collect(maps.Values(got)), "\n")
				for _, said := range []string{"the first", "the second", "the third", "the model's"} {
					if !strings.Contains(all, said) {
						return "the answer " + said + " is lost"
					}
				}
				return ""
			},
		},
	} {
		tallies = append(tallies, path.Attack(t))
	}
	t.Log("\n" + disktest.Table(tallies))
}

// TestKilledWhileRecording kills a process at system calls of its own choosing,
// as SIGKILL does, in the middle of a write too.
func TestKilledWhileRecording(t *testing.T) {
	for n := 1; ; n++ {
		dir := t.TempDir()
		saved, ended := recordAndDie(t, dir, n)
		inspect(t, dir, saved)
		if t.Failed() {
			t.Fatalf("killed at system call %d after %d were saved", n, saved)
		}
		if ended {
			if n < 20 {
				t.Errorf("a session is %d system calls", n)
			}
			return
		}
	}
}

// dying is what the process of TestKilledWhileRecording does.
func dying(dir string, n int) int {
	root, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s := recording.Open(root, recording.Options{Shown: "cases/support"})
	s.Through(func(below disk.FS) disk.FS {
		return &disktest.Faults{FS: below, Plan: disktest.At(n, disktest.Fault{Kill: true})}
	})
	for _, e := range exchanges() {
		if err := s.Save(context.Background(), e.key, provider.Exchange{Request: e.request, Response: e.response, Recorded: day}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println("saved")
	}
	return 0
}
