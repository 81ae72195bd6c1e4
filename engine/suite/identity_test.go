package suite_test

import (
	"regexp"
	"strings"
	"testing"

	"docket/engine/suite"
	"pgregory.net/rapid"
)

func TestFileName(t *testing.T) {
	for id, want := range map[string]string{
		"inv-0031":                "inv-0031-",
		"Refund/Window: [EU] | 2": "refund-window-eu-2-",
		"../../etc/passwd":        "etc-passwd-",
		"日本語":                     "case-",
		"CON":                     "con-",
		strings.Repeat("a", 256):  strings.Repeat("a", 40) + "-",
	} {
		got := suite.FileName(id)
		if rest, ok := strings.CutPrefix(got, want); !ok || len(rest) != 16 {
			t.Errorf("FileName(%q) = %s, want %s and 16 hex digits", id, got, want)
		}
	}
	if suite.FileName("a") == suite.FileName("A") || strings.EqualFold(suite.FileName("a"), suite.FileName("A")) {
		t.Error("ids that differ in case share a file")
	}
	safe := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*-[0-9a-f]{16}$`)
	seen := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.String().Draw(t, "id")
		name := suite.FileName(id)
		if !safe.MatchString(name) || len(name) > 57 {
			t.Fatalf("FileName(%q) = %q", id, name)
		}
		if other, ok := seen[name]; ok && other != id {
			t.Fatalf("%q and %q share %s", id, other, name)
		}
		seen[name] = id
	})
}

func TestCheckID(t *testing.T) {
	for _, id := range []string{"a", "inv-0031", "[x] | y: z/w", "日本語", " spaced ", strings.Repeat("x", 256), "*?", "👩‍👩‍👧"} {
		if err := suite.CheckID(id); err != nil {
			t.Errorf("CheckID(%q): %v", id, err)
		}
	}
	for _, id := range []string{"", "  ", "\u00a0", "a\nb", "a\x00", "\x1b[2J", "\u0085x", "a\u2028b", "\xff", strings.Repeat("x", 257)} {
		if suite.CheckID(id) == nil {
			t.Errorf("CheckID(%q) lets it pass", id)
		}
	}
}
