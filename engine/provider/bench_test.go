package provider_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/provider"
)

// answering is a fake that answers at once.
func answering(t testing.TB) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, wholeAnswer)
	}))
	t.Cleanup(s.Close)
	return s
}

func call(t testing.TB, client *http.Client, address string, body []byte) {
	r, err := client.Post(address, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != http.StatusOK {
		t.Fatalf("status %d", r.StatusCode)
	}
	io.Copy(io.Discard, r.Body)
	r.Body.Close()
}

// BenchmarkCall measures one call of a model to a fake on loopback: straight,
// and through the door, live, recorded, replayed and canned. The metric
// p50-µs/op is the median; what the door adds is the difference to straight.
func BenchmarkCall(b *testing.B) {
	server := answering(b)
	tape := &memory{}
	canned := cannedTexts(map[string][]string{"a": {"at last"}})
	request := []byte(`{"model":"m-1","messages":[{"role":"user","content":"` + strings.Repeat("hello ", 300) + `"}]}`)
	for _, who := range []provider.Who{"straight", provider.Live, provider.Record, provider.Replay, provider.Mock} {
		b.Run(string(who), func(b *testing.B) {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			address := server.URL + "/v1/chat/completions"
			var line *provider.Line
			if who != "straight" {
				d := open(b, provider.Config{Models: who, Tape: tape, Canned: canned, BaseURLs: map[string]string{"openai": server.URL + "/v1"}})
				line = d.Line()
				defer line.Close()
				address = providerAt(b, line, "openai") + "/chat/completions"
				line.Begin("a", 1)
			}
			call(b, client, address, request)
			took := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for range b.N {
				if line != nil {
					line.Begin("a", 1)
				}
				begun := time.Now()
				call(b, client, address, request)
				took = append(took, time.Since(begun))
				if line != nil {
					line.End()
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "p50-µs/op")
		})
	}
}

// TestMemoryIsFlat makes ten thousand calls, each of a sample of its own.
func TestMemoryIsFlat(t *testing.T) {
	d := open(t, provider.Config{Models: provider.Mock, Canned: cannedTexts(map[string][]string{"a": {strings.Repeat("long ", 1000)}})})
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for n := range 10_000 {
		if n == 1000 {
			before = live()
		}
		l := d.Line()
		l.Begin("a", n)
		address, _ := l.Provider("openai")
		call(t, client, address+"/chat/completions", []byte(ask))
		if _, err := l.End(); err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	if after := live(); after > before+1<<20 {
		t.Errorf("the heap grew from %d KB to %d KB over 9,000 calls", before>>10, after>>10)
	}
}
