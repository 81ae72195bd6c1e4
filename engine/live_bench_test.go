package engine_test

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/engine"
)

// liveCases is how many cases BenchmarkLive has. 10,000 take 8 seconds at best.
var liveCases = flag.Int("live", 1_500, "cases of BenchmarkLive")

// BenchmarkLive runs a suite live, to the stored results, with 64 jobs against a
// model that takes 50 ms, and tells what share of the throughput it reaches that
// the model alone would allow, and what share of that of a client that does
// nothing but ask the same model as often. On a machine that is busy the second
// says more.
func BenchmarkLive(b *testing.B) {
	const jobs, takes = 64, 50 * time.Millisecond
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(takes)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"model":"m-1-2026","choices":[{"message":{"content":"Invoice 4711 over 128.40 EUR is overdue. Reply within 30 days."},"finish_reason":"stop"}],"usage":{"prompt_tokens":40,"completion_tokens":15}}`)
	}))
	defer model.Close()
	cases, _ := bigSuite(*liveCases, 0)
	w := newWorkspace(b, cases, bigSettings, nil)
	w.write("prompts/p.md", []byte("Read this: {{.ticket}}"))
	w.write(".docket.yaml", fmt.Appendf(nil, `version: 1
suites:
  s: {cases: cases, expires: never, system: prod, %s}
systems:
  prod: {kind: openai, model: m-1, prompt: prompts/p.md, url: "%s/v1", price: {input: 1, output: 2}}
`, bigSettings, model.URL))
	var took time.Duration
	for b.Loop() {
		p, err := engine.Load(filepath.Join(w.dir, ".docket.yaml"))
		if err != nil {
			b.Fatal(err)
		}
		s, err := p.Open("", "", "live")
		if err != nil {
			b.Fatal(err)
		}
		started := time.Now()
		made, err := s.Run(b.Context(), engine.RunOptions{Jobs: jobs})
		if err != nil || !made.Run.Whole || made.Spent.Calls != len(cases) {
			b.Fatal(err)
		}
		took += time.Since(started)
	}
	b.StopTimer()
	straight := askStraight(b, model.URL, jobs, len(cases))
	b.ReportMetric(100*straight.Seconds()*float64(b.N)/took.Seconds(), "%-of-straight")
	ideal := time.Duration((len(cases)+jobs-1)/jobs) * takes
	b.ReportMetric(100*ideal.Seconds()*float64(b.N)/took.Seconds(), "%-of-ideal")
}

// askStraight asks a model n times, jobs at once, and returns what that took.
func askStraight(b *testing.B, url string, jobs, n int) time.Duration {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: jobs}}
	defer client.CloseIdleConnections()
	var left atomic.Int64
	left.Store(int64(n))
	started := time.Now()
	var all sync.WaitGroup
	for range jobs {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				r, err := client.Post(url, "application/json", strings.NewReader("{}"))
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
			}
		})
	}
	all.Wait()
	return time.Since(started)
}
