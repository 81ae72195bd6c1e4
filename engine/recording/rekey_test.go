package recording_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/provider"
	"docket/engine/recording"
)

func withRules(t testing.TB, ignore ...string) func(*recording.Options) {
	t.Helper()
	rules, err := recording.NewRules(ignore, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(o *recording.Options) {
		o.Rules = map[string]recording.Rules{"search": rules, "openai": rules}
	}
}

func plan(t testing.TB, dir string, misses []byte, change ...func(*recording.Options)) *recording.Rekeying {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	o := recording.Options{Shown: "cases/support"}
	for _, c := range change {
		c(&o)
	}
	r, err := recording.PlanRekey(root, o, "misses.jsonl", misses)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func get(query string) provider.Request {
	return provider.Request{Method: "GET", Path: "/find", Query: query}
}

// TestRekeyRules: new rules rename what they touch, after which it is found,
// and a second plan has nothing to do.
func TestRekeyRules(t *testing.T) {
	dir := t.TempDir()
	key := recording.Key{Service: "search", CaseID: "c"}
	s := open(t, dir)
	save(t, s, key, get("q=a&trace=1"), answer(`"a"`))
	save(t, s, key, get("q=a&trace=2"), answer(`"a"`)) // becomes the same request
	save(t, s, key, get("q=b"), answer(`"b"`))         // keeps its name
	save(t, s, key, get("q=b&trace=3"), answer(`"b"`)) // moves onto it
	save(t, s, key, get("q=c&trace=4"), answer(`"c"`))
	save(t, s, key, get("q=c&trace=5"), answer(`"another c"`))
	save(t, s, model("c", 1), chat(`{"trace":1,"n":1}`), answer(`"m"`))
	s.Close()
	before := files(t, dir)

	rules := withRules(t, "trace")
	r := plan(t, dir, nil, rules)
	if diff := files(t, dir); fmt.Sprint(diff) != fmt.Sprint(before) {
		t.Error("planning wrote something")
	}
	if len(r.Moves) != 6 || len(r.Left) != 1 || !strings.Contains(r.Left[0], "which has another answer") {
		t.Fatalf("moves %+v\nleft %v", r.Moves, r.Left)
	}
	if m := r.Moves[0]; m.NewRules != `ignore ["trace"]` || m.OldRules != "no rules" || m.File != m.NewFile {
		t.Errorf("first move %+v", m)
	}
	if err := r.Apply(); err != nil {
		t.Fatal(err)
	}
	replay := open(t, dir, rules)
	for q, want := range map[string]string{"q=a&trace=9": `"a"`, "q=b": `"b"`, "trace=7&q=b": `"b"`} {
		if got := string(find(t, replay, key, get(q)).Response.Body); got != want {
			t.Errorf("%s: %s", q, got)
		}
	}
	if got := string(find(t, replay, model("c", 1), chat(`{"n":1,"trace":2}`)).Response.Body); got != `"m"` {
		t.Errorf("the model's call: %s", got)
	}
	if after := files(t, dir); len(after) != len(before)-2 {
		t.Errorf("%d files became %d", len(before), len(after))
	}
	again := plan(t, dir, nil, rules)
	if len(again.Moves) != 0 || len(again.Left) != 1 {
		t.Errorf("a second plan: %+v %v", again.Moves, again.Left)
	}
}

// TestRekeyRequests: requests that missed move the recordings nearest to them,
// and only the ones that nothing else used.
func TestRekeyRequests(t *testing.T) {
	dir := t.TempDir()
	key := recording.Key{Service: "search", CaseID: "c", Sample: 1}
	rules := withRules(t, "trace")
	s := open(t, dir, rules)
	save(t, s, key, get("q=a&trace=1"), answer(`"a"`))
	save(t, s, key, get("q=kept"), answer(`"kept"`))
	save(t, s, model("c", 1), chat(`{"model":"m","messages":[1]}`), answer(`"one"`))
	save(t, s, model("c", 1), chat(`{"model":"m","messages":[1,2,3]}`), answer(`"two"`))
	s.Close()

	miss := func(s *recording.Store, key recording.Key, r provider.Request) {
		t.Helper()
		if _, err := s.Find(context.Background(), key, r); err == nil {
			t.Fatal("found")
		}
	}
	replay := open(t, dir, rules)
	find(t, replay, key, get("q=kept"))
	miss(replay, key, get("q=a&lang=en&trace=2"))
	miss(replay, model("c", 1), chat(`{"model":"m","messages":[1],"user":"u-1"}`))
	miss(replay, key, get("q=kept&lang=en"))
	misses := replay.AppendMisses(nil)
	if n := strings.Count(string(misses), "\n"); n != 2 {
		t.Fatalf("%d misses:\n%s", n, misses)
	}

	r := plan(t, dir, misses, rules)
	var told []string
	for _, m := range r.Moves {
		told = append(told, fmt.Sprint(m.Differences))
	}
	if got := strings.Join(told, "; "); got != `[/query/lang (new: "en")]; [/body/user (new: "u-1")]` {
		t.Errorf("the differences: %s", got)
	}
	if dropped := plan(t, dir, misses, rules).Only([]string{"/body"}); dropped != 1 {
		t.Errorf("%d dropped", dropped)
	}
	if err := r.Apply(); err != nil {
		t.Fatal(err)
	}
	after := open(t, dir, rules)
	if got := string(find(t, after, key, get("q=a&lang=en&trace=3")).Response.Body); got != `"a"` {
		t.Errorf("got %s", got)
	}
	if got := string(find(t, after, model("c", 1), chat(`{"user":"u-1","model":"m","messages":[1]}`)).Response.Body); got != `"one"` {
		t.Errorf("got %s", got)
	}
	find(t, after, model("c", 1), chat(`{"model":"m","messages":[1,2,3]}`))
	if x := find(t, after, key, get("q=kept")); !x.Recorded.Equal(day) {
		t.Errorf("the date changed: %v", x.Recorded)
	}
}

func TestRekeyRefuses(t *testing.T) {
	dir := t.TempDir()
	key := recording.Key{Service: "search", CaseID: "c"}
	s := open(t, dir)
	save(t, s, key, get("q=a&trace=1"), answer(`"a"`))
	s.Close()
	r := plan(t, dir, nil, withRules(t, "trace"))
	name, content := one(t, dir, ".json")
	os.WriteFile(name, []byte(strings.Replace(content, "\n", "\n ", 1)), 0o666)
	if err := r.Apply(); err == nil || !strings.Contains(err.Error(), "run docket rekey again") {
		t.Errorf("applied to a file that changed: %v", err)
	}
	os.WriteFile(name, []byte("{}"), 0o666)
	root, _ := os.OpenRoot(dir)
	defer root.Close()
	if _, err := recording.PlanRekey(root, recording.Options{}, "", nil); err == nil {
		t.Error("planned over a damaged file")
	}
	if _, err := recording.PlanRekey(root, recording.Options{}, "m.jsonl", []byte("{\"format\":9}\n")); err == nil || !strings.Contains(err.Error(), "m.jsonl:1:") {
		t.Errorf("misses of another format: %v", err)
	}
}

func TestLint(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	service := recording.Key{Service: "search"}
	save(t, s, service, get("q=1"), answer(`1`))
	save(t, s, service, get("q=2"), answer(`2`))
	save(t, s, service, get("q=3"), answer(`{"note":"company-secret-77"}`))
	save(t, s, recording.Key{Service: "gone"}, get("q=1"), answer(`1`))
	save(t, s, model("kept", 1), chat(`{}`), answer(`1`))
	save(t, s, model("deleted", 1), chat(`{}`), answer(`1`))
	s.Close()
	lint := func(change ...func(*recording.LintOptions)) string {
		t.Helper()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		o := recording.LintOptions{
			Options: recording.Options{Shown: "cases/support"}, Cases: []string{"kept", "deleted"},
			Services: []string{"search", "gone"}, Providers: []string{"openai"}, Expires: map[string]int{"search": 90}, Today: day,
		}
		for _, c := range change {
			c(&o)
		}
		problems, err := recording.Lint(root, o)
		if err != nil {
			t.Fatal(err)
		}
		return problems.Error()
	}
	if got := lint(); got != "" {
		t.Errorf("findings where nothing is wrong:\n%s", got)
	}
	for want, change := range map[string]func(*recording.LintOptions){
		`holds recordings of case "deleted"`:                                     func(o *recording.LintOptions) { o.Cases = o.Cases[:1] },
		`recordings/gone: no service and no provider`:                            func(o *recording.LintOptions) { o.Services = o.Services[:1] },
		`holds what is 91 days old, and recordings of search expire after 90; 2`: func(o *recording.LintOptions) { o.Today = day.AddDate(0, 0, 91) },
		`looks like a secret`:                                                    func(o *recording.LintOptions) { o.Secrets = []string{"company-secret-77"} },
		"differs in its rules from those of search now; 2 more are like it":      func(o *recording.LintOptions) { withRules(t, "trace")(&o.Options) },
	} {
		if got := lint(change); !strings.Contains(got, want) || strings.Contains(got, "\n") && !strings.Contains(want, "rules") {
			t.Errorf("want one finding with %s, got:\n%s", want, got)
		}
	}
	// What a secret is found in, rekey mends.
	secret := func(o *recording.Options) { o.Secrets = []string{"company-secret-77"} }
	r := plan(t, dir, nil, secret)
	if len(r.Moves) != 1 || !r.Moves[0].Redacted {
		t.Fatalf("moves %+v", r.Moves)
	}
	if err := r.Apply(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(files(t, dir)); strings.Contains(got, "company-secret-77") {
		t.Error("the secret is still there")
	}

	folder := filepath.Join(dir, "recordings", "search")
	entries, _ := os.ReadDir(folder)
	first := filepath.Join(folder, entries[0].Name())
	content, _ := os.ReadFile(first)
	os.WriteFile(filepath.Join(folder, "copy-0123456789abcdef.json"), content, 0o666)
	os.WriteFile(first, content[:len(content)/2], 0o666)
	os.WriteFile(filepath.Join(folder, "notes.txt"), nil, 0o666)
	os.WriteFile(filepath.Join(folder, ".x.json.AB.docket-tmp"), nil, 0o666)
	got := lint()
	for _, want := range []string{"is named like another recording", entries[0].Name() + ":", "notes.txt: no recording has this name", "a write that was killed left this behind"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not found in:\n%s", want, got)
		}
	}
}

// TestDeterministicBytes: files are checked in, so nothing in them may vary.
func TestDeterministicBytes(t *testing.T) {
	sum := func() string {
		dir := t.TempDir()
		s := open(t, dir)
		save(t, s, recording.Key{Service: "search"}, get("b=1&a=2"), answer(`{"z":1,"a":[2]}`))
		save(t, s, model("c", 1), chat(`{"b":1,"a":2}`), answer(`1`))
		s.Close()
		return canonical.Hash(files(t, dir))
	}
	if a, b := sum(), sum(); a != b {
		t.Error("the same exchanges have other bytes")
	}
}
