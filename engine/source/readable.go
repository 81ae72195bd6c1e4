package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"docket/engine/phrase"
)

// TooLarge returns the problem of a file of size bytes, nil where [Parse] reads
// it. Callers ask before they read a file into memory.
func TooLarge(file string, size int64) *Problem {
	if size <= MaxBytes {
		return nil
	}
	return &Problem{
		Position{File: file},
		fmt.Sprintf("the file is %.1f MB large; docket reads at most %d MB here", float64(size)/1e6, MaxBytes/1_000_000),
	}
}

// readable returns data without its byte-order mark, or the first reason why it
// is not the text of a YAML file.
func readable(file string, data []byte) ([]byte, *Problem) {
	if p := TooLarge(file, int64(len(data))); p != nil {
		return nil, p
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, &Problem{Position{file, 1, 1}, "the file is UTF-16; save it as UTF-8"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := bytes.IndexByte(data, 0); i >= 0 { // before what it looks like as text
		return nil, problemAt(file, data, i, controlMessage(0))
	}
	bol := true // at the beginning of a line
	for i := 0; i < len(data); {
		c := data[i]
		if bol && (c == '<' || c == '>') && conflictMarker(data[i:]) {
			return nil, problemAt(file, data, i, "git left a conflict here; choose a side and delete the markers")
		}
		bol = c == '\n' || c == '\r'
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && !bol || c == 0x7f {
				return nil, problemAt(file, data, i, controlMessage(rune(c)))
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return nil, problemAt(file, data, i, fmt.Sprintf("the byte 0x%02x is not UTF-8; save the file as UTF-8", c))
		case r == '\ufeff':
			return nil, problemAt(file, data, i, "a byte-order mark in the middle of the file; delete it")
		case r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff:
			return nil, problemAt(file, data, i, controlMessage(r))
		}
		i += size
	}
	return data, nil
}

func controlMessage(r rune) string {
	if r == 0 {
		return "a NUL byte; this is not a text file"
	}
	return fmt.Sprintf(`the control character U+%04X; write it as "\u%04x", in double quotes`, r, r)
}

// conflictMarker reports whether the line at the start of text opens or closes
// a conflict as git writes it. The row of equals signs between them does not
// count: alone it is the underline of a heading.
func conflictMarker(text []byte) bool {
	const width = 7
	if len(text) < width {
		return false
	}
	for _, c := range text[:width] {
		if c != text[0] {
			return false
		}
	}
	return len(text) == width || text[width] == ' ' || text[width] == '\n' || text[width] == '\r'
}

func problemAt(file string, data []byte, offset int, message string) *Problem {
	line, column := lineColumn(data, offset)
	return &Problem{Position{file, line, column}, message}
}

// lineColumn counts lines as editors do: after \n, \r\n, or a \r alone.
func lineColumn(data []byte, offset int) (line, column int) {
	line, start := 1, 0
	for i, c := range data[:offset] {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			line++
			start = i + 1
		}
	}
	return line, 1 + utf8.RuneCount(data[start:offset])
}

// printable makes text from a file fit for the middle of a sentence.
func printable(s string) string {
	return strings.Trim(strconv.Quote(phrase.Abridge(s, mostShown)), `"`)
}
