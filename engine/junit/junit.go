// Package junit writes test results in JUnit's form, as far as CI systems read
// it.
//
// It knows no case and no verdict of docket's: what is a failure, whoever calls
// it says. It makes no text safe either; what is handed over is written as XML
// escapes it.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Suites is the element that a file begins with.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suite    Suite
}

// A Suite is its tests. Add counts them.
type Suite struct {
	XMLName    xml.Name   `xml:"testsuite"`
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Properties []Property `xml:"properties>property"`
	Cases      []Case     `xml:"testcase"`
}

// A Property is a fact about a suite.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A Case is one test. It passed where none of its outcomes is set, and one at
// most is.
type Case struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Failure *Outcome `xml:"failure"`
	Error   *Outcome `xml:"error"`
	Skipped *Outcome `xml:"skipped"`
}

// An Outcome is why a test did not pass.
type Outcome struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Add counts a test and puts it in.
func (s *Suite) Add(c Case) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// Write writes a suite as a file of that name.
func Write(w io.Writer, name string, s Suite) error {
	text, err := xml.MarshalIndent(Suites{
		Name: name, Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: s.Skipped, Suite: s,
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JUnit's XML: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
