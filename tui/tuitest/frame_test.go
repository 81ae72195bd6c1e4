package tuitest_test

import (
	"strings"
	"testing"

	"docket/tui/tuitest"
)

// TestFaults and what a terminal shows: frames that are wrong are found out.
func TestFaults(t *testing.T) {
	for frame, want := range map[string]string{
		"ab\ncd":                   "",
		"\x1b[1mab\x1b[0m\n返":      "",
		"ab":                       "1 rows, want 2",
		"abc\ncd":                  "3 wide",
		"ab\n\xff":                 "invalid UTF-8",
		"ab\nc\r":                  "a control character",
		"ab\n\u202ec":              "a control character",
		"ab\n\x1b[2Jc":             "a control character",
		"a\u009bb\nc":              "a control character",
		"ab\n\x1b]8;;http://x\x07": "a control character",
	} {
		if got := tuitest.Faults(frame, 2, 2); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", frame, got, want)
		}
	}
	for frame, shown := range map[string]bool{"ab\ncd": true, "\x1b[1mab\x1b[0m\n返": true, "abc\nd": false, "ab\n\x1b[1;1Hc": false, "a\rb\ncd": false} {
		if fault := tuitest.Shown(frame, 2, 2); (fault == "") != shown {
			t.Errorf("%q: %q", frame, fault)
		}
	}
}
