package system

import (
	"strings"
	"sync"
	"unicode"
)

// tailSize is how much of a program's stderr is kept, in bytes.
const tailSize = 600

// A tail keeps the last bytes that were written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool // something was dropped
}

// Write implements io.Writer; it never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if len(b) > tailSize {
		b, t.cut = b[len(b)-tailSize:], true
	}
	if over := len(t.kept) + len(b) - tailSize; over > 0 {
		t.kept, t.cut = append(t.kept[:0], t.kept[over:]...), true
	}
	t.kept = append(t.kept, b...)
	return n, nil
}

// last returns what was kept, from the start of a line where the beginning was
// dropped, or else of a word, without space around it: the end of a key would not
// be known for one. It may be any bytes that are UTF-8.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.ToValidUTF8(string(t.kept), "\ufffd")
	if t.cut {
		if _, whole, ok := strings.Cut(text, "\n"); ok && strings.TrimSpace(whole) != "" {
			text = whole
		} else if word := strings.IndexFunc(text, unicode.IsSpace); word >= 0 {
			text = text[word:]
		} else {
			text = ""
		}
	}
	return strings.TrimSpace(text)
}
