// Package webpage is the frame of docket's reports in HTML: one file that needs
// no network and no script to be read, on a screen, light or dark, or on paper.
//
// What a page shows may have been written by a model or by anyone: bodies are
// templates that escape every value, and the content security policy that each
// page carries lets nothing run or load but the style and the script below, by
// their hashes. The package refuses bodies with style attributes and handlers,
// which that policy would block. It knows nothing of what a page is about.
package webpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
)

var (
	//go:embed page.html
	frame string
	//go:embed page.css
	style string
	// script filters the rows of a page. It shows what it needs, so that without
	// it nothing is offered that does not work.
	//go:embed filter.js
	script string
)

// A Page is a page whose body is a template.
type Page struct{ template *template.Template }

// blocked matches what the policy of a page would not let work.
var blocked = regexp.MustCompile(`(?i)<[a-z][^>]*\s(style|on[a-z]+)\s*=`)

// Parse makes a page of the text of its body, a template over the data that
// Write is given.
func Parse(body string) (*Page, error) {
	if found := blocked.FindString(body); found != "" {
		return nil, fmt.Errorf("the page's policy would block %q: write it as a class", found)
	}
	t, err := template.New("page").Parse(frame)
	if err != nil {
		return nil, fmt.Errorf("the frame of the page: %w", err)
	}
	if _, err := t.New("body").Parse(body); err != nil {
		return nil, fmt.Errorf("the body of the page: %w", err)
	}
	return &Page{t}, nil
}

// Write writes the page. The same data gives the same bytes.
func (p *Page) Write(w io.Writer, title string, data any) error {
	return p.template.Execute(w, map[string]any{
		"Title":  title,
		"Style":  template.CSS(style),
		"Script": template.JS(script),
		"Policy": policy(),
		"Data":   data,
	})
}

// policy lets a page use its own style and script and nothing else.
func policy() string {
	return strings.Join([]string{
		"default-src 'none'", "style-src " + hash(style), "script-src " + hash(script), "base-uri 'none'", "form-action 'none'",
	}, "; ")
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
