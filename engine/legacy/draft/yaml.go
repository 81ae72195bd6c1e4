package draft

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"docket/engine/canonical"
)

// A Case is a draft of a case's file.
type Case struct {
	ID, Added, Provenance string
	Input                 map[string]any
	Expect                map[string]any // nil where nothing is asked
	Family                string         // cases that were one test
	Tags                  []string
	// Notes are what a person should read before the case is trusted, such as a
	// claim that could not be translated. They become comments.
	Notes []string
}

// YAML writes the file.
func (c *Case) YAML() []byte {
	var w writer
	w.comments(c.Notes)
	w.entry(0, "id", c.ID)
	if c.Added != "" {
		w.line(0, "added: "+c.Added)
	}
	w.entry(0, "provenance", c.Provenance)
	if c.Family != "" {
		w.entry(0, "family", c.Family)
	}
	if len(c.Tags) > 0 {
		w.entry(0, "tags", list(c.Tags))
	}
	if len(c.Input) == 0 {
		w.line(0, "input: {}")
	} else {
		w.entry(0, "input", c.Input)
	}
	if len(c.Expect) > 0 {
		w.expect(c.Expect)
	}
	return w.bytes()
}

// A Contract is what the format of every answer is held to, whatever the case.
type Contract struct {
	Expect map[string]any
	Notes  []string
}

// YAML writes the file.
func (c *Contract) YAML() []byte {
	var w writer
	w.comments(c.Notes)
	w.line(0, "version: 1")
	w.expect(c.Expect)
	return w.bytes()
}

// writer writes values of the JSON model as YAML that package source reads
// back, in the layout that people write.
type writer struct{ b strings.Builder }

func (w *writer) bytes() []byte { return []byte(w.b.String()) }

func (w *writer) line(depth int, text string) {
	for range depth {
		w.b.WriteString("  ")
	}
	w.b.WriteString(text + "\n")
}

func (w *writer) comments(notes []string) {
	for _, note := range notes {
		w.line(0, "# "+oneLine(note))
	}
}

// expect writes an expectation in the order in which checks are documented.
func (w *writer) expect(values map[string]any) {
	w.line(0, "expect:")
	left := clone(values)
	for _, key := range order() {
		if v, ok := left[key]; ok {
			w.entry(1, key, v)
			delete(left, key)
		}
	}
	for _, key := range sorted(left) {
		w.entry(1, key, left[key])
	}
}

func order() []string {
	return []string{
		"must_contain_fact", "must_not_contain", "must_match", "must_not_match", "min_words", "max_words", "max_chars",
		"max_sentences", "structure", "label", "fields", "json_schema", "tool_calls",
	}
}

// entry writes a key and its value: short ones on the line, long ones below.
func (w *writer) entry(depth int, key string, value any) {
	head := scalar(key) + ":"
	if flat := flow(value); 2*depth+len(head)+len(flat) < 100 && !nested(value) {
		w.line(depth, head+" "+flat)
		return
	}
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		w.line(depth, head)
		for _, k := range keys(v) {
			w.entry(depth+1, k, v[k])
		}
		return
	case []any:
		if len(v) == 0 {
			break
		}
		w.line(depth, head)
		for _, item := range v {
			w.item(depth+1, item)
		}
		return
	}
	w.line(depth, head+" "+flow(value))
}

// item writes one item of a list.
func (w *writer) item(depth int, value any) {
	m, ok := value.(map[string]any)
	if flat := flow(value); !ok || len(m) == 0 || 2*depth+len(flat) < 60 && !strings.Contains(flat, "value:") {
		w.line(depth, "- "+flat)
		return
	}
	for i, k := range keys(m) {
		var inner writer
		inner.entry(0, k, m[k])
		lead := "  "
		if i == 0 {
			lead = "- "
		}
		for line := range strings.Lines(inner.b.String()) {
			w.line(depth, lead+strings.TrimSuffix(line, "\n"))
			lead = "  "
		}
	}
}

// nested reports values that people write over several lines.
func nested(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			if nested(inner) {
				return true
			}
			if m, ok := inner.(map[string]any); ok && len(m) > 2 {
				return true
			}
		}
		return len(v) > 3
	case []any:
		for _, inner := range v {
			if m, ok := inner.(map[string]any); ok && len(m) > 0 {
				return true
			}
		}
	}
	return false
}

// keys are sorted, but for what names a fact, which comes first.
func keys(m map[string]any) []string {
	all := sorted(m)
	for i, k := range all {
		if k == "key" {
			copy(all[1:i+1], all[:i])
			all[0] = k
		}
	}
	return all
}

// flow writes a value on one line.
func flow(value any) string {
	switch v := value.(type) {
	case string:
		return scalar(v)
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, k := range keys(v) {
			parts = append(parts, scalar(k)+": "+flow(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = flow(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case json.Number:
		return string(canonical.AppendNumber(nil, v))
	}
	return string(canonical.Marshal(value))
}

// bare matches text that YAML reads as itself without quotes, wherever it
// stands.
var bare = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+;—-]+)*$`)

// word matches what YAML, in some version, takes for something else.
var word = regexp.MustCompile(`(?i)^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$`)

func scalar(s string) string {
	if bare.MatchString(s) && !word.MatchString(s) {
		return s
	}
	if strings.ContainsRune(s, '\\') && !strings.ContainsAny(s, "'") && printable(s) {
		return "'" + s + "'" // a pattern reads as it is
	}
	quoted := string(canonical.AppendString(nil, s))
	return strings.NewReplacer("\ufeff", `\ufeff`, "\ufffe", `\ufffe`, "\uffff", `\uffff`).Replace(quoted)
}

// printable reports text that may stand between single quotes on one line.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r >= 0xfffe && r <= 0xffff {
			return false
		}
	}
	return strings.TrimSpace(s) == s
}
