package promptfoo

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"docket/engine/legacy"
	"docket/engine/source"
)

// isTable reports whether the head of a table has a column __expected.
func isTable(data []byte) bool {
	head, _, _ := bytes.Cut(data, []byte("\n"))
	return bytes.Contains(head, []byte("__expected"))
}

// table reads a table: a test in each row, its vars in the columns without two
// underscores. Line is where another file names it, 0 for the file itself.
func (r *reader) table(name string, data []byte, line int) error {
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	rows.FieldsPerRecord = -1
	head, err := rows.Read()
	if err != nil {
		return fmt.Errorf("%q: %w", name, headError(err))
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			var at *csv.ParseError
			if errors.As(err, &at) {
				r.problem(at.Line, "%v: the rows from here on were not read", at.Err)
			}
			return nil
		}
		first, _ := rows.FieldPos(0)
		after := 1 + bytes.Count(data[:min(int(rows.InputOffset()), len(data))], []byte("\n"))
		r.row(head, row, first, max(first, after-1))
	}
}

func headError(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the table is empty")
	}
	return err
}

func (r *reader) row(head, row []string, first, last int) {
	t := legacy.Test{Name: fmt.Sprintf("row %d", len(r.file.Tests)+1), Line: first, End: last}
	if r.inner {
		t.Line, t.End = r.at, r.at
	} else {
		t.End = min(last, len(r.lines))
		t.Source = r.span(t.Line, t.End)
	}
	var expected []string
	var vars []variable
	for i, cell := range row {
		if i >= len(head) {
			r.problem(first, "the row has more cells than the head")
			break
		}
		switch name := strings.TrimSpace(head[i]); {
		case name == "__description":
			if cell != "" {
				t.Name, t.Doc = cell, cell
			}
		case strings.HasPrefix(name, "__expected"):
			if strings.TrimSpace(cell) != "" {
				expected = append(expected, cell)
			}
		case strings.HasPrefix(name, "__"):
		default:
			x := variable{name: name, value: cell}
			if strings.HasPrefix(cell, "file://") {
				x = r.fileVar(name, cell)
			}
			vars = append(vars, x)
		}
	}
	for _, x := range vars {
		t.Inputs = append(t.Inputs, legacy.Input{Name: x.name, Value: x.value, Why: x.why, From: x.from})
		if x.why != "" {
			t.Unresolved = append(t.Unresolved, legacy.Problem{Line: t.Line, Message: x.why})
		}
	}
	for _, cell := range expected {
		claims := short(cell)
		for i := range claims {
			claims[i].Text = cell
		}
		before := len(t.Claims)
		r.place(&t, claims, t.Line, source.Value{}, vars)
		for i := range t.Claims[before:] {
			t.Claims[before+i].Text, t.Claims[before+i].End = cell, t.End
		}
	}
	r.add(t)
}

var spelled = regexp.MustCompile(`(?s)^((?:not-)?[a-z][a-z0-9-]*)(?:\(([0-9.]+)\))?(?::\s*(.*))?$`)

// short reads an assertion in one cell: "contains: x", "similar(0.8): x", a
// text that has to be equal.
func short(cell string) []legacy.Claim {
	cell = strings.TrimSpace(cell)
	for _, script := range []string{"fn:", "eval:", "javascript:", "python:", "file://"} {
		if strings.HasPrefix(cell, script) {
			return claim("javascript", nil, "")
		}
	}
	if rubric, ok := strings.CutPrefix(cell, "grade:"); ok {
		return claim("llm-rubric", strings.TrimSpace(rubric), "")
	}
	m := spelled.FindStringSubmatch(cell)
	if m == nil || !typed(m[1]) || m[3] == "" && m[2] == "" && !strings.HasSuffix(m[1], "json") && !strings.HasSuffix(m[1], "refusal") {
		return claim("equals", cell, "")
	}
	var value any
	if m[3] != "" {
		value = m[3]
	}
	return claim(m[1], value, json.Number(m[2]))
}

// typed reports whether a word is a type of assertion, so that "note: x" is a
// text.
func typed(kind string) bool {
	return !strings.HasPrefix(claim(kind, "", "")[0].Why, "a type of assertion that docket does not know")
}
