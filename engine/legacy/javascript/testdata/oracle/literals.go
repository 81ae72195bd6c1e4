// Command oracle prints the literals that docket reads in source files, for
// compare.js beside it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"docket/engine/legacy/javascript/syntax"
)

type lit struct {
	S, E int
	K, V string
}

func main() {
	w := json.NewEncoder(os.Stdout)
	w.SetEscapeHTML(false)
	for _, f := range os.Args[1:] {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		d := syntax.JavaScript
		if strings.HasSuffix(f, ".tsx") {
			d = syntax.TypeScriptJSX
		} else if strings.HasSuffix(f, "ts") {
			d = syntax.TypeScript
		}
		at := time.Now()
		t := syntax.Parse(b, d)
		took := time.Since(at)
		var lits []lit
		for _, n := range t.Body {
			syntax.Walk(n, func(n *syntax.Node) bool {
				switch n.Kind {
				case syntax.String:
					if !n.Lossy {
						lits = append(lits, lit{n.Start, n.End, "s", n.Text})
					}
				case syntax.Regexp:
					lits = append(lits, lit{n.Start, n.End, "r", "/" + n.Text + "/" + n.Op})
				}
				return true
			})
		}
		var ps []string
		for _, p := range t.Problems {
			ps = append(ps, fmt.Sprintf("%d: %s", t.Line(p.Offset), p.Message))
		}
		w.Encode(map[string]any{"file": f, "lits": lits, "problems": ps, "ms": took.Milliseconds()})
	}
}
