package source

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// explain turns an error of the YAML reader into a problem with a position and
// a mend. The reader gives a line at best, and often that of the construct in
// which it noticed, so the position is found by reading shorter and shorter
// texts: the fault lies where a text first shows it.
func explain(file string, text []byte, err error) Problem {
	var second errSecond
	if errors.As(err, &second) {
		return Position{file, second.line, second.column}.Problemf("a second document begins here; a file holds one, so give it a file of its own")
	}
	message, line := yamlMessage(err)
	offset := fault(text, message, line)
	line, column := lineColumn(text, offset)
	return Position{file, line, column}.Problemf("%s", plainWords(message, text, offset))
}

// yamlMessage splits an error of yaml.v3 into its message and its line, 0 where
// it names none.
func yamlMessage(err error) (message string, line int) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, after, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			return after, n
		}
	}
	return message, 0
}

// fault returns the byte offset at which text first shows the error message,
// which the YAML reader placed on line.
func fault(text []byte, message string, line int) int {
	// Enough for a look at every line of a file of usual size, and at a few
	// of the largest: half a second at most, or as long as reading it twice.
	s := search{text: text, message: message, left: 1_000_000 + 2*len(text)}
	end := len(text)
	// Mostly the reader notices within a line of the fault.
	if near := lineStart(text, line+2); line > 0 && near < end && s.shows(near) {
		end = near
	}
	// Backwards by lines, since a quote that is closed later is no fault.
	start := end
	for start > 0 && s.shows(start) {
		end = start
		start = bytes.LastIndexByte(text[:end-1], '\n') + 1
	}
	if s.left < 0 {
		if strings.HasPrefix(message, "did not find expected") { // of these the reader counts lines from 0
			line++
		}
		return firstInk(text, lineStart(text, line))
	}
	switch {
	case strings.HasPrefix(message, "did not find expected key"),
		strings.HasPrefix(message, "did not find expected '-'"),
		strings.HasPrefix(message, "did not find expected <document"):
		return firstInk(text, start) // the line is in the wrong place as a whole
	}
	// Then by characters within the line, of which one is the first to show it.
	var ends []int
	for i := start; i < end; {
		_, size := utf8.DecodeRune(text[i:])
		i += size
		ends = append(ends, i)
	}
	i := sort.Search(len(ends)-1, func(i int) bool { return s.shows(ends[i]) })
	at := start
	if i > 0 {
		at = ends[i-1]
	}
	if name, ok := unknownAnchor(message); ok { // noticed at the end of its name
		if star := bytes.LastIndex(text[:min(at+1, len(text))], []byte("*"+name)); star >= start {
			return star
		}
	}
	for _, bracket := range []string{"[]", "{}"} { // what is not closed is shown, not where it might have been
		if strings.HasSuffix(message, "'"+bracket[1:]+"'") {
			if open := bytes.LastIndexByte(text[start:at], bracket[0]); open >= 0 {
				return start + open
			}
		}
	}
	if s.left < 0 || at >= len(text) || text[at] == '\n' || text[at] == '\r' {
		return firstInk(text, start)
	}
	return at
}

// A search looks for the shortest text that shows an error. What it may read is
// bounded: past that it has found nothing.
type search struct {
	text    []byte
	message string
	left    int // bytes
}

// shows reports whether the text up to end has the error.
func (s *search) shows(end int) bool {
	const overhead = 1000
	if s.left -= end + overhead; s.left < 0 {
		return false
	}
	_, err := decode(s.text[:end])
	if err == nil {
		return false
	}
	message, _ := yamlMessage(err)
	return message == s.message
}

// lineStart returns the offset at which a line begins, the length of text where
// it has fewer lines.
func lineStart(text []byte, line int) int {
	offset := 0
	for ; line > 1; line-- {
		next := bytes.IndexByte(text[offset:], '\n')
		if next < 0 {
			return len(text)
		}
		offset += next + 1
	}
	return offset
}

// firstInk returns the offset of the first character that is no blank in the
// line that begins at offset, or offset where there is none.
func firstInk(text []byte, offset int) int {
	for i := offset; i < len(text) && text[i] != '\n' && text[i] != '\r'; i++ {
		if text[i] != ' ' && text[i] != '\t' {
			return i
		}
	}
	return offset
}

// plainWords says what an error of yaml.v3 means for the person who wrote the
// text. What it does not know it passes on.
func plainWords(message string, text []byte, offset int) string {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	if indent := text[start:firstInk(text, start)]; bytes.IndexByte(indent, '\t') >= 0 {
		return "this line is indented with a tab; YAML takes spaces only"
	}
	for _, t := range translations() {
		if strings.HasPrefix(message, t.message) {
			return t.plain
		}
	}
	if name, ok := unknownAnchor(message); ok {
		return fmt.Sprintf("the alias *%[1]s stands for nothing: no anchor &%[1]s comes before it; put the text in quotes if it is no alias", printable(name))
	}
	return "this is not YAML: " + strings.Trim(strconv.Quote(message), `"`)
}

// unknownAnchor takes the name out of the error for an alias without an anchor.
func unknownAnchor(message string) (name string, ok bool) {
	if name, ok = strings.CutPrefix(message, "unknown anchor '"); ok {
		name, ok = strings.CutSuffix(name, "' referenced")
	}
	return name, ok
}

// A translation says what a message of yaml.v3, or its beginning, means.
type translation struct{ message, plain string }

func translations() []translation {
	return []translation{
		{"mapping values are not allowed", `a key cannot stand here; put the text in quotes if the colon belongs to it, else correct the indentation`},
		{"did not find expected key", `expected a key here; check the indentation of this line, and that a quote inside a quoted text is doubled`},
		{"did not find expected '-' indicator", `expected an item of the list ("- ") here; check the indentation of this line`},
		{"did not find expected ',' or ']'", `this list is not closed; expected "," or "]"`},
		{"did not find expected ',' or '}'", `this mapping is not closed; expected "," or "}"`},
		{"did not find expected node content", `expected a value here`},
		{"did not find expected <document start>", `this line does not belong to what stands above it; check its indentation`},
		{"found unexpected end of stream", `this quote is never closed`},
		{"found unexpected document indicator", `a line of --- or ... stands inside a quoted text`},
		{"found character that cannot start any token", `a text cannot begin with this character; put it in quotes`},
		{"could not find expected ':'", `expected "key: value"; the colon is missing, or the indentation is wrong`},
		{"found unknown escape character", `a backslash must not stand before this character in double quotes; double it, or use single quotes`},
		{"did not find expected hexdecimal number", `the escape needs hexadecimal digits`},
		{"found invalid Unicode character escape code", `the escape stands for no character`},
		{"block sequence entries are not allowed", `a list cannot begin here; put its first "- " on a line of its own, or the text in quotes`},
		{"mapping keys are not allowed", `a key cannot begin here; put the text in quotes`},
		{"found undefined tag handle", `a tag (!…) means nothing here; put the text in quotes`},
		{"found a tab character", `this line is indented with a tab; YAML takes spaces only`},
		{"did not find expected comment or line break", `only a comment may follow here; the text of a block begins on the next line`},
		{"did not find expected alphabetic or numeric character", `an anchor or alias needs a name of letters and digits; put the text in quotes if it is none`},
		{"found an indentation indicator equal to 0", `the indentation of a block cannot be 0`},
		{"exceeded max depth", `lists and mappings nest too deep`},
	}
}
