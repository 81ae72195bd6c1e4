package secret

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// memberPattern says what nextMember looks for.
var memberPattern = regexp.MustCompile(`(\\*)"([A-Za-z][A-Za-z0-9_. -]{2,63})(\\*)"\s*:\s*\[?\s*(\\*)"`)

// TestMembers finds members where the pattern finds them.
func TestMembers(t *testing.T) {
	pieces := []string{`"`, `\`, `\\"`, ":", "[", " ", "\n", "\t", "\v", "a", "key", "api-key", "9", "é", "{", ",", strings.Repeat("n", 63), strings.Repeat("n", 64), strings.Repeat("n", 65)}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
		for at := 0; ; {
			got, ok := nextMember(text, at)
			m := memberPattern.FindStringSubmatchIndex(text[at:])
			if ok != (m != nil) {
				t.Fatalf("%q from %d: found %v, the pattern %v", text, at, ok, m)
			}
			if !ok {
				return
			}
			want := member{text[at+m[4] : at+m[5]], m[7] - m[6], m[9] - m[8], at + m[1]}
			if got != want {
				t.Fatalf("%q from %d: %+v, the pattern %+v", text, at, got, want)
			}
			at = want.start - 1
		}
	})
}
