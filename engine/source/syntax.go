package source

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
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

// fault returns the byte offset at which text first shows the error message.
func fault(text []byte, message string, line int) int {
	shows := func(end int) bool {
		_, err := decode(text[:end])
		if err == nil {
			return false
		}
		m, _ := yamlMessage(err)
		return m == message
	}
	// Whole lines first, from the end, since a quote that is closed later is
	// no fault. The work is bounded: past that, the reader's own line serves.
	const most = 8 * MaxBytes
	end, work := len(text), 0
	for end > 0 {
		previous := bytes.LastIndexByte(text[:end-1], '\n') + 1
		if work += previous + 1000; work > most {
			return lineStart(text, line)
		}
		if !shows(previous) {
			end = previous
			break
		}
		end = previous
	}
	// Then within the line that is left.
	low, high := end, len(text)
	if next := bytes.IndexByte(text[end:], '\n'); next >= 0 {
		high = end + next + 1
	}
	for low+1 < high {
		middle := (low + high) / 2
		if shows(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	// The character before high is the first that shows the fault.
	if low >= len(text) || text[low] == '\n' || text[low] == '\r' {
		return firstInk(text, end)
	}
	if strings.HasPrefix(message, "did not find expected key") || strings.HasPrefix(message, "did not find expected '-'") ||
		strings.HasPrefix(message, "did not find expected <document") {
		return firstInk(text, end)
	}
	for low > 0 && text[low]&0xc0 == 0x80 { // into the middle of a character
		low--
	}
	return low
}

// lineStart returns the offset of the first character of a line.
func lineStart(text []byte, line int) int {
	offset := 0
	for ; line > 1; line-- {
		next := bytes.IndexByte(text[offset:], '\n')
		if next < 0 {
			break
		}
		offset += next + 1
	}
	return firstInk(text, offset)
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
	if m := regexp.MustCompile(`^unknown anchor '(.*)' referenced$`).FindStringSubmatch(message); m != nil {
		return "the alias *" + printable(m[1]) + " stands for nothing: no anchor &" + printable(m[1]) + " comes before it; put the text in quotes if it is no alias"
	}
	return "this is not YAML: " + strings.Trim(strconv.Quote(message), `"`)
}

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
