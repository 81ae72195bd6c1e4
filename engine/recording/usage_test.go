package recording_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"docket/engine/provider"
	"docket/engine/recording"
)

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	record := func(date time.Time, text string) {
		s := open(t, dir)
		defer s.Close()
		for _, x := range []struct {
			key recording.Key
			r   provider.Request
		}{
			{model("a", 1), chat(`{}`)},
			{model("b", 1), chat(`{}`)},
			{recording.Key{Service: "search"}, provider.Request{Method: "GET", Path: "/1"}},
			{recording.Key{Service: "search"}, provider.Request{Method: "GET", Path: "/2"}},
		} {
			if err := s.Save(context.Background(), x.key, provider.Exchange{Request: x.r, Response: answer(`"` + text + x.r.Path + `"`), Recorded: date}); err != nil {
				t.Fatal(err)
			}
		}
	}
	replay := func(paths ...string) *recording.Store {
		s := open(t, dir)
		find(t, s, model("a", 1), chat(`{}`))
		for _, p := range paths {
			find(t, s, recording.Key{Service: "search", CaseID: "a", Sample: 1}, provider.Request{Method: "GET", Path: p})
		}
		s.End("a", 1)
		return s
	}
	record(day, "x")
	s := replay("/1", "/2", "/1")
	used := s.Used()
	if len(used) != 2 || used[0].Name != "search" || used[0].Model || used[0].Calls != 3 || used[1].Name != "openai" || !used[1].Model {
		t.Errorf("used %+v", used)
	}
	for days, want := range map[int]string{0: "recorded today", 1: "recorded yesterday", 12: "recorded 12 days ago"} {
		if got := recording.Age(used[0].Oldest, day.AddDate(0, 0, days)); got != want {
			t.Errorf("after %d days: %s", days, got)
		}
	}
	unused, err := s.Unused()
	if err != nil || len(unused) != 1 || !strings.HasPrefix(unused[0], "cases/support/recordings/openai/b-") {
		t.Errorf("unused %v, %v", unused, err)
	}
	hash := s.Hash()
	if replay("/2", "/1").Hash() != hash {
		t.Error("the hash depends on the order, or on how often")
	}
	if replay("/1").Hash() == hash {
		t.Error("the hash does not say what was used")
	}
	record(day.AddDate(0, 1, 0), "x")
	if replay("/1", "/2").Hash() != hash {
		t.Error("the same answers, recorded again, have another hash")
	}
	record(day, "y")
	if replay("/1", "/2").Hash() == hash {
		t.Error("other answers have the same hash")
	}
	if open(t, dir).Hash() != "" {
		t.Error("nothing used has a hash")
	}
}
