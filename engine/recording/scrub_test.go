package recording_test

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"docket/engine/recording"
)

// TestScrubberKnowsValuesAlone takes a secret out in each spelling, and leaves
// what is merely named like one.
func TestScrubberKnowsValuesAlone(t *testing.T) {
	secret := `sk-"canary"/0123+x`
	s := recording.NewScrubber(recording.Secrets([]string{"OPENAI_API_KEY=" + secret, "HOME=/home/ada-with-a-long-name"}))
	for _, text := range []string{secret, url.QueryEscape(secret), `sk-\"canary\"/0123+x`, base64.StdEncoding.EncodeToString([]byte("user:" + secret + "!!"))} {
		if got := s.Text("so: " + text + "."); strings.Contains(got, text) || !strings.HasPrefix(got, "so: ") || !strings.Contains(got, "[redacted]") {
			t.Errorf("%q reads %q", text, got)
		}
	}
	for _, text := range []string{"", `{"api_key":"of somebody else"}`, "Bearer of-good-news-1234567890", "/home/ada-with-a-long-name"} {
		if got := s.Text(text); got != text {
			t.Errorf("%q reads %q", text, got)
		}
	}
	if recording.NewScrubber(recording.Secrets([]string{"API_KEY=short"})) != nil {
		t.Error("an environment without secrets needs a scrubber")
	}
}
