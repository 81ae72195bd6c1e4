package recording

// A Scrubber takes secrets of this machine's environment out of texts that are
// no recordings: what a system said, and why it failed. Unlike the redaction of
// recordings it knows values alone, and neither names nor shapes, so that nothing
// else in an output is touched.
type Scrubber struct{ secrets *redactor }

// NewScrubber returns what takes these values out, see [Secrets]; nil where there
// are none.
func NewScrubber(secrets []string) *Scrubber {
	r := newRedactor(secrets)
	if r.known == nil {
		return nil
	}
	return &Scrubber{r}
}

// Text returns a text in which every secret reads [redacted], in whatever
// spelling it stands.
func (s *Scrubber) Text(text string) string { return s.secrets.known.Replace(text) }
