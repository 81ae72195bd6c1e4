// Package tables reads tests that people keep in a table: a row for each, with
// columns for what goes in and what is expected.
//
// A column is known by its head alone. The package refuses a table in which no
// column says what is expected, and a column that it does not know is an input.
package tables

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"docket/engine/legacy"
)

// Knows reports whether a file is a table, by its name.
func Knows(name string, _ []byte) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".csv" || ext == ".tsv"
}

// A column is what the cells below a head are.
type column struct {
	name   string
	op     legacy.Op // of a claim; "" for an input
	not    bool
	title  bool
	ignore bool
}

// columns knows heads as people write them.
func columns(head []string) []column {
	list := make([]column, len(head))
	for i, name := range head {
		key := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
		c := column{name: strings.TrimSpace(name)}
		switch key {
		case "id", "name", "test", "test_name", "test_id", "case", "case_id", "title", "description":
			c.title = true
		case "expected", "expected_output", "expected_answer", "answer", "ideal", "label", "expected_label", "target", "reference", "ground_truth", "output", "should_equal", "equals":
			c.op = legacy.Equals
		case "contains", "must_contain", "expected_contains", "should_contain", "includes", "must_include", "should_include":
			c.op = legacy.Contains
		case "not_contains", "must_not_contain", "should_not_contain", "excludes", "forbidden":
			c.op, c.not = legacy.Contains, true
		case "regex", "pattern", "must_match", "matches":
			c.op = legacy.Matches
		case "starts_with", "prefix":
			c.op = legacy.StartsWith
		case "comment", "comments", "notes", "note", "owner", "created", "date", "author":
			c.ignore = true
		}
		list[i] = c
	}
	return list
}

// Read reads a table, a Test for each row. An error means that nothing was read.
func Read(name string, data []byte, _ func(string) ([]byte, error)) (*legacy.File, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%q: not UTF-8 text: convert it first", name)
	}
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	rows.FieldsPerRecord = -1
	if strings.EqualFold(path.Ext(name), ".tsv") {
		rows.Comma = '\t'
	}
	head, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%q: the table is empty", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%q: %w", name, err)
	}
	known := columns(head)
	if !slices.ContainsFunc(known, func(c column) bool { return c.op != "" }) {
		return nil, fmt.Errorf("%q: no column says what is expected: name one expected, contains, must_not_contain or regex", name)
	}
	lines := strings.Split(string(data), "\n")
	f := &legacy.File{Name: name, Language: "csv", Lines: len(lines)}
	if lines[len(lines)-1] == "" {
		f.Lines--
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			var at *csv.ParseError
			if errors.As(err, &at) {
				f.Problems = append(f.Problems, legacy.Problem{Line: at.Line, Message: fmt.Sprintf("%v: the rows from here on were not read", at.Err)})
			}
			return f, nil
		}
		f.Tests = append(f.Tests, test(rows, known, row, lines, len(f.Tests)+1, f))
	}
}

func test(rows *csv.Reader, known []column, row, lines []string, n int, f *legacy.File) legacy.Test {
	line, _ := rows.FieldPos(0)
	last, _ := rows.FieldPos(len(row) - 1)
	end := min(last+strings.Count(row[len(row)-1], "\n"), len(lines))
	t := legacy.Test{Name: fmt.Sprintf("row %d", n), Line: line, End: end, Source: strings.Join(lines[line-1:end], "\n")}
	for i, cell := range row {
		if i >= len(known) {
			f.Problems = append(f.Problems, legacy.Problem{Line: line, Message: "the row has more cells than the head"})
			break
		}
		at, _ := rows.FieldPos(i)
		switch c := known[i]; {
		case c.ignore:
			if cell != "" {
				t.Comments = append(t.Comments, cell)
			}
		case c.title:
			if cell != "" && t.Doc == "" {
				t.Name, t.Doc = cell, cell
			}
		case c.op != "" && strings.TrimSpace(cell) != "":
			t.Claims = append(t.Claims, legacy.Claim{Line: at, End: min(at+strings.Count(cell, "\n"), len(lines)), Text: cell, Subject: legacy.Answer, Op: c.op, Not: c.not, Values: []any{cell}})
		case c.op == "":
			t.Inputs = append(t.Inputs, legacy.Input{Name: c.name, Value: cell})
		}
	}
	return t
}
