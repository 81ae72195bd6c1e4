// Command literals prints what package syntax reads of Python files, for oracle.py
// to hold against Python's own ast: one JSON object a line, for each file named
// on standard input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"docket/engine/legacy/python/syntax"
)

type read struct {
	File     string   `json:"file"`
	Defs     [][]any  `json:"defs"`    // name, line
	Strings  [][]any  `json:"strings"` // line, value; a null value is one marked as not had
	Inner    []any    `json:"inner"`   // the texts within f-strings
	Asserts  []int    `json:"asserts"`
	Calls    int      `json:"calls"`
	Problems []string `json:"problems"`
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encode := json.NewEncoder(out)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		data, err := os.ReadFile(in.Text())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		t := syntax.Parse(string(data))
		r := read{File: in.Text()}
		var visit func(within bool) func(syntax.Node) bool
		var parts func(list []syntax.FormatPart)
		parts = func(list []syntax.FormatPart) {
			for _, p := range list {
				if p.X == nil {
					r.Inner = append(r.Inner, value(p.Text, p.Why))
					continue
				}
				syntax.Walk([]syntax.Stmt{&syntax.ExprStmt{X: p.X}}, visit(true))
				parts(p.Format)
			}
		}
		visit = func(within bool) func(syntax.Node) bool {
			return func(n syntax.Node) bool {
				switch n := n.(type) {
				case *syntax.Def:
					r.Defs = append(r.Defs, []any{n.Name, t.Line(n.NameAt)})
				case *syntax.Assert:
					r.Asserts = append(r.Asserts, t.Line(n.Start))
				case *syntax.Call:
					r.Calls++
				case *syntax.String:
					if n.Bytes {
						break
					}
					if within {
						r.Inner = append(r.Inner, value(n.Value, n.Why))
						break
					}
					r.Strings = append(r.Strings, []any{t.Line(n.Start), value(n.Value, n.Why)})
				case *syntax.Format:
					parts(n.Parts)
					return false
				}
				return true
			}
		}
		syntax.Walk(t.Body, visit(false))
		for _, p := range t.Problems {
			r.Problems = append(r.Problems, fmt.Sprintf("%d: %s", t.Line(p.At), p.Message))
		}
		if err := encode.Encode(r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func value(text, why string) any {
	if why != "" {
		return nil
	}
	return text
}
