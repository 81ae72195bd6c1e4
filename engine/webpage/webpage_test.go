package webpage

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

// TestPolicyMatchesThePage computes the hashes again from what was written: a
// browser would refuse style or script else.
func TestPolicyMatchesThePage(t *testing.T) {
	page, err := Parse(`<h1>{{.}}</h1>`)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := page.Write(&b, "a </title><script>x</script>", `<img src=x onerror=alert(1)>`); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if policy == nil {
		t.Fatal("the page has no policy")
	}
	allowed := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
	for _, element := range []string{"style", "script"} {
		found := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(text, -1)
		if len(found) != 1 {
			t.Fatalf("%d elements %s, want one", len(found), element)
		}
		sum := sha256.Sum256([]byte(found[0][1]))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(allowed, element+"-src "+want) {
			t.Errorf("the policy %q does not let the page's own %s work (%s)", allowed, element, want)
		}
	}
	if !strings.HasPrefix(allowed, "default-src 'none'") {
		t.Errorf("the policy %q lets something load", allowed)
	}
	if strings.Contains(text, "<img") || strings.Contains(text, "<script>x") {
		t.Error("a value was written as markup")
	}
}

func TestParseRefusesWhatThePolicyBlocks(t *testing.T) {
	for _, body := range []string{`<p style="color: red">`, `<a onclick="x()">`} {
		if _, err := Parse(body); err == nil {
			t.Errorf("took %s, which would not work", body)
		}
	}
}
