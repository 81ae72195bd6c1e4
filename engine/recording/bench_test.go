package recording_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"docket/engine/recording"
)

// BenchmarkFindCall is one replayed model call with a prompt of 2 kB: the
// sample begun, its file read, the request hashed, the sample ended. The door
// is to replay 1,000 calls a second on one core, so this has to stay far under
// a millisecond.
func BenchmarkFindCall(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	body := fmt.Sprintf(`{"model":"m-1","messages":[{"role":"system","content":%q},{"role":"user","content":"hi"}]}`, strings.Repeat("Refunds take 30 days. ", 90))
	save(b, s, model("c", 1), chat(body), answer(`{"choices":[{"message":{"content":"hello"}}]}`))
	b.ReportAllocs()
	for b.Loop() {
		s.Begin("c", 1)
		if _, err := s.Find(context.Background(), model("c", 1), chat(body)); err != nil {
			b.Fatal(err)
		}
		s.End("c", 1)
	}
}

// BenchmarkFindService is one replayed call to a service with an answer of 10
// kB.
func BenchmarkFindService(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	key := recording.Key{Service: "search", CaseID: "c", Sample: 1}
	save(b, s, key, get("q=a"), answer(fmt.Sprintf(`{"hits":[%q]}`, strings.Repeat("Refunds take 30 days. ", 450))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Find(context.Background(), key, get("q=a")); err != nil {
			b.Fatal(err)
		}
	}
}
