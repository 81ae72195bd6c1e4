package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxIDBytes is the length of the longest id.
const MaxIDBytes = 256

// CheckID returns an error where id cannot be the id of a case. Ids are free
// text of 1 to [MaxIDBytes] bytes, not blank, without control characters and
// line separators.
func CheckID(id string) error {
	switch {
	case strings.TrimSpace(id) == "":
		return errors.New("an id must not be blank")
	case len(id) > MaxIDBytes:
		return fmt.Errorf("an id has at most %d bytes, and this one has %d: shorten it", MaxIDBytes, len(id))
	case !utf8.ValidString(id):
		return errors.New("an id must be UTF-8")
	}
	for _, r := range id {
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) {
			return fmt.Errorf("an id must not hold control characters, this one holds %U", r)
		}
	}
	return nil
}

// FileName returns the name, without an extension, of a file that belongs to a
// case: what is legible of its id, and a hash of it. It is safe in any folder
// on any system, at most 57 bytes long, and two ids share one only if 64 bits of
// their SHA-256 collide.
func FileName(id string) string {
	const longest = 40
	slug := make([]byte, 0, longest+1+16)
	for i := 0; i < len(id) && len(slug) < longest; i++ {
		c := id[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			slug = append(slug, c)
		case c >= 'A' && c <= 'Z': // some file systems take a and A for the same
			slug = append(slug, c-'A'+'a')
		case len(slug) > 0 && slug[len(slug)-1] != '-':
			slug = append(slug, '-')
		}
	}
	if len(slug) == 0 {
		slug = append(slug, "case"...)
	}
	if slug[len(slug)-1] != '-' {
		slug = append(slug, '-')
	}
	sum := sha256.Sum256([]byte(id))
	return string(hex.AppendEncode(slug, sum[:8]))
}
