package interchange_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/engine/interchange"
)

// real reads a file of another tool where it is at hand.
func real(t *testing.T, options interchange.Options, path ...string) *interchange.File {
	t.Helper()
	file, err := interchange.ReadWith(t.Context(), filepath.Join(path...), openReal(t, path...), options)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func openReal(t *testing.T, path ...string) *os.File {
	t.Helper()
	shared := filepath.Join("..", "..", "..", "shared", "data", "formats")
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the folder shared/data/formats beside the repository is absent: real files are not read")
	}
	f, err := os.Open(filepath.Join(append([]string{shared}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// spell writes a row in one line: its id, its sample, its answer, its checks.
func spell(r interchange.Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s#%d", r.ID, r.Sample)
	if r.Error != "" {
		fmt.Fprintf(&b, " error %q", r.Error)
	} else {
		fmt.Fprintf(&b, " %q", r.Output.Text)
	}
	for _, c := range r.Output.ToolCalls {
		fmt.Fprintf(&b, " %s(%s)", c.Name, c.Arguments)
	}
	for _, c := range r.Checks {
		b.WriteString(" " + spellCheck(c))
	}
	return b.String()
}

func spellCheck(c interchange.Check) string {
	s := c.Name + "="
	switch {
	case c.Pass == nil:
		s += "?"
	case *c.Pass:
		s += "pass"
	default:
		s += "fail"
	}
	if c.Score != nil {
		s += fmt.Sprintf("(%.3g)", *c.Score)
	}
	return s
}

func spellAll(file *interchange.File) []string {
	var all []string
	for _, r := range file.Rows {
		all = append(all, spell(r))
	}
	return all
}

// refuse reads a text and holds that it is refused with a sentence.
func refuse(t *testing.T, options interchange.Options, text string, want ...string) {
	t.Helper()
	_, err := interchange.ReadWith(t.Context(), "f", strings.NewReader(text), options)
	if err == nil {
		t.Errorf("it is read, want an error with %q", want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("Read says\n\t%s\nwant\n\t%s", err, w)
		}
	}
}

// cutDocument holds that no beginning of a document is taken for the whole.
func cutDocument(t *testing.T, text string) {
	t.Helper()
	text = strings.TrimSpace(text)
	step := max(1, len(text)/400)
	for n := 1; n < len(text); n += step {
		if file, err := interchange.Read(t.Context(), "f", strings.NewReader(text[:n])); err == nil {
			t.Errorf("cut after %d bytes it is read as %d rows of %s", n, len(file.Rows), file.Format)
		}
	}
}

// answers are the rows of a file without their samples' numbers, sorted: what
// swapping rows must leave alone.
func answers(t *testing.T, text string) []string {
	t.Helper()
	file, err := interchange.Read(t.Context(), "f", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range file.Rows {
		r.Sample = 0
		all = append(all, spell(r))
	}
	slices.Sort(all)
	return all
}
