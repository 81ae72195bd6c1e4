package suite

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"docket/engine/source"
)

// FuzzSettings fuzzes what a configuration spells in small languages of their
// own: an expiry, a budget's time, the pattern and the target of a link. What is
// taken lies within its bounds, and what is not has a place.
func FuzzSettings(f *testing.F) {
	f.Add("90d", "10m", `INC-(\d+)`, "https://incidents.example/$1")
	f.Add("never", "-1s", "(", "javascript:x")
	f.Add("99999999999999999999d", "1e9h", "(a*)*$", "https://x/$2\x00")
	f.Fuzz(func(t *testing.T, expires, time, pattern, target string) {
		q := strconv.QuoteToASCII
		text := fmt.Sprintf("version: 1\nsuites:\n  s: {cases: c, system: x, expires: %s, budget: {time: %s}}\nsystems:\n  x: {kind: canned}\nlinks: {%s: %s}\n", q(expires), q(time), q(pattern), q(target))
		root, problems := source.Parse("c.yaml", []byte(text))
		if len(problems) > 0 {
			return
		}
		c := &Config{Dir: ".", File: "c.yaml"}
		problems = c.read(root)
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Fatalf("a problem without a place: %v", p)
			}
		}
		if len(problems) > 0 {
			return
		}
		s := c.Suites[0]
		if s.Expires.Days < 0 || s.Expires.Days > 36500 || s.Budget.Time < 0 {
			t.Fatalf("took %+v", s)
		}
		for _, link := range c.Links {
			if !regexp.MustCompile(`^https?://`).MatchString(link.Target) {
				t.Fatalf("took the link %q", link.Target)
			}
		}
	})
}
