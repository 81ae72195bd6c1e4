package interchange

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"docket/engine/source"
)

// junitRule is how the tests of a JUnit report pair.
const junitRule = "a case's id is its test's class name and name, or for promptfoo the description in the name (--id name takes the name alone)"

func isJUnitReport(s *sight) bool { return s.first == '<' && isJUnit(s.head) }

// readJUnit reads a report in JUnit's form. It says of each test only whether
// it passed, which becomes the check "junit:passed": the rows have no outputs. An
// <error> is an error, and a skipped test is left out and counted.
//
// Of promptfoo's reports ("test 3: DESCRIPTION") the number is a position and
// no part of the id, and the class names the variant.
func readJUnit(ctx context.Context, in *input) (*collector, error) {
	j := &junit{collector: newCollector(in)}
	j.places = []string{}
	if in.options.ID == "" {
		j.tally.rule = junitRule
	} else if in.options.ID != "name" && in.options.ID != "classname" {
		return nil, wholeFile(in.name, "a JUnit report has tests with a name and a classname; --id %q is neither", in.options.ID)
	}
	d := xml.NewDecoder(in)
	d.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("it is written in %q; save it as UTF-8", charset)
	}
	depth := 0
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line, column := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, j.broken(d, err)
		}
		start, ok := token.(xml.StartElement)
		if _, end := token.(xml.EndElement); end {
			depth--
		}
		if !ok {
			continue
		}
		if depth++; depth > maxDepth {
			return nil, source.Position{File: in.name, Line: line, Column: column}.Problemf("elements are nested more than %d deep", maxDepth)
		}
		if start.Name.Local == "testsuite" || start.Name.Local == "testsuites" {
			continue
		}
		if start.Name.Local != "testcase" {
			if err := d.Skip(); err != nil {
				return nil, j.broken(d, err)
			}
			depth--
			continue
		}
		var test junitTest
		if err := d.DecodeElement(&test, &start); err != nil {
			return nil, j.broken(d, err)
		}
		depth--
		j.test(text{file: in.name, line: line, indent: column - 1}, &test)
		if j.enough() {
			break
		}
	}
	j.tally.note("a JUnit report holds verdicts and no outputs")
	if j.skipped > 0 {
		j.tally.note("%d tests were skipped and are left out", j.skipped)
	}
	return j.collector, nil
}

type junit struct {
	*collector
	skipped int
}

type junitTest struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failures  []junitResult `xml:"failure"`
	Errors    []junitResult `xml:"error"`
	Skipped   *struct{}     `xml:"skipped"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// said returns the text of a result: promptfoo and others repeat a general
// sentence in the message and tell the reason in the text.
func (r junitResult) said() string {
	if text := strings.TrimSpace(r.Text); text != "" {
		return text
	}
	return r.Message
}

func (j *junit) broken(d *xml.Decoder, err error) error {
	line, column := d.InputPos()
	at := source.Position{File: j.name, Line: line, Column: column}
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		return at.Problemf("the file is cut short: it ends before its elements do; copy it again")
	case errors.As(err, &syntax):
		return at.Problemf("this is not XML: %s", strings.ToValidUTF8(syntax.Msg, "?"))
	case strings.Contains(err.Error(), "save it as UTF-8"):
		return at.Problemf("%s", strings.ToValidUTF8(strings.TrimPrefix(err.Error(), "xml: "), "?"))
	}
	return unread(j.name, err)
}

func (j *junit) test(t text, test *junitTest) {
	e := entry{text: t, row: Row{ID: test.Name}}
	if number, description, ok := strings.Cut(strings.TrimPrefix(test.Name, "test "), ": "); ok && strings.HasPrefix(test.Name, "test ") && isNumber(number) {
		e.row.ID = description
		e.variant = variant{name: test.ClassName}
	} else if test.ClassName != "" {
		e.row.ID = test.ClassName + "::" + test.Name
	}
	switch j.options.ID {
	case "name":
		e.row.ID = test.Name
	case "classname":
		e.row.ID = test.ClassName
	}
	if strings.TrimSpace(test.Name) == "" {
		j.problem(t, "", "expected a test with a name")
		return
	}
	e.row.ID = shortID(e.row.ID)
	pass := len(test.Failures) == 0
	switch {
	case test.Skipped != nil:
		j.skipped++
		return
	case len(test.Errors) > 0:
		if e.row.Error = test.Errors[0].said(); e.row.Error == "" {
			e.row.Error = "an error without a message"
		}
	default:
		message := ""
		if !pass {
			message = test.Failures[0].said()
		}
		all := newChecks("junit")
		all.add("passed", &pass, oneOrZero(&pass), message)
		e.row.Checks = all.all
	}
	j.entry(e)
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
