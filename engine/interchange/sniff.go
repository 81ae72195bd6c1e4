package interchange

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// bom is the byte-order mark that Windows tools put before UTF-8.
const bom = "\xef\xbb\xbf"

func hasBOM(b []byte) bool { return bytes.HasPrefix(b, []byte(bom)) }

// leadingSpace returns the number of bytes of white space at the start of b.
func leadingSpace(b []byte) int {
	return len(b) - len(bytes.TrimLeft(b, " \t\r\n"))
}

// A signature is how a kind of file that cannot be read as text begins, and
// the sentence for it.
type signature struct {
	prefix   string
	sentence string
}

// signatures lists what people hand over by mistake. The sentence goes on
// from the name of the file.
func signatures() []signature {
	return []signature{
		{"\x1f\x8b", "it is compressed with gzip; unpack it first (gunzip)"},
		{"\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it first (unzstd)"},
		{"\xfd7zXZ\x00", "it is compressed with xz; unpack it first (unxz)"},
		{"BZh", "it is compressed with bzip2; unpack it first (bunzip2)"},
		{"SQLite format 3\x00", "it is an SQLite database, not a file of outputs"},
		{"PAR1", "it is a Parquet file; write it as JSON Lines first"},
		{"\xff\xfe", "it is UTF-16 text; save it as UTF-8"},
		{"\xfe\xff", "it is UTF-16 text; save it as UTF-8"},
		{"version https://git-lfs.github.com/spec/", "it is a Git LFS pointer and not the file itself; fetch it first (git lfs pull)"},
	}
}

// unreadable says what a file is that no reader could take, from its first
// bytes, as the end of a sentence that begins with the file's name.
func unreadable(head []byte) (sentence string, foreign bool) {
	rest := head[leadingSpace(head):]
	if len(rest) == 0 {
		return "it is empty; expected at least one output, such as {\"id\": \"…\", \"text\": \"…\"}", true
	}
	if isZip(head) {
		return "", false
	}
	for _, s := range signatures() {
		if bytes.HasPrefix(head, []byte(s.prefix)) {
			return s.sentence, true
		}
	}
	if i := bytes.IndexByte(head, 0); i >= 0 {
		return fmt.Sprintf("it is binary, there is a NUL byte at offset %d; expected UTF-8 text", i), true
	}
	if rest[0] == '<' {
		lower := bytes.ToLower(rest[:min(len(rest), 256)])
		switch {
		case bytes.HasPrefix(rest, []byte("<<<<<<< ")):
			return "it has git's conflict markers on its first line; resolve the conflict first", true
		case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")):
			return "it is an HTML page, perhaps a login or error page saved in place of the file; download it again", true
		default:
			if isJUnit(rest) {
				return "", false
			}
			return "it is XML or HTML; expected JSON Lines, or a JUnit report", true
		}
	}
	return "", false
}

// glimpse quotes the first characters of a text, for a message.
func glimpse(b []byte) string {
	const most = 20
	rest := b[leadingSpace(b):]
	n := 0
	for i := 0; i < most && n < len(rest) && rest[n] != '\n' && rest[n] != '\r'; i++ {
		_, size := utf8.DecodeRune(rest[n:])
		n += size
	}
	return fmt.Sprintf("%q", rest[:n])
}

// isZip reports whether a file begins as a zip archive does.
func isZip(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// isJUnit reports whether an XML text begins as a report in JUnit's form.
func isJUnit(head []byte) bool {
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte("<testsuite"))
}
