package interchange

import "strings"

// table reads the descriptions of tests from the table that version 2 has
// beside its results.
func (p *promptfoo) table(s *stream) error {
	if c, err := s.next(); err != nil || c != '{' {
		return s.skip()
	}
	var names []any
	return s.object(func(key string) error {
		switch key {
		case "head":
			v, err := s.value()
			names = listAt(v, "vars")
			return err
		case "body":
			return s.list(func(int) error {
				v, err := s.value()
				if err != nil {
					return err
				}
				values := listAt(v, "vars")
				vars := make(map[string]any, len(names))
				for i, name := range names {
					if name, ok := name.(string); ok && i < len(values) {
						vars[name] = values[i]
					}
				}
				text := strings.TrimSpace(textAt(v, "description"))
				if text == "" {
					text = strings.TrimSpace(textAt(v, "test", "description"))
				}
				spelling := tableKey(vars)
				if before, seen := p.descriptions[spelling]; seen && before != text {
					text = ""
				}
				p.descriptions[spelling] = text
				return nil
			})
		default:
			return s.skip()
		}
	})
}

// tableKey spells variables as promptfoo's table does, which holds strings.
func tableKey(vars map[string]any) string {
	words := make(map[string]any, len(vars))
	for name, v := range vars {
		words[name] = spelled(v)
	}
	return digest("table", words)
}

// describe gives rows that are known by their variables the description that
// the table has for these, where it is one test's alone.
func (p *promptfoo) describe() {
	users := map[string]int{}
	for _, spelling := range p.nameless {
		users[p.descriptions[spelling]]++
	}
	for i := range p.rows {
		id := p.rows[i].ID
		if text := p.descriptions[p.nameless[id]]; text != "" && users[text] == 1 && badID(shortID(text)) == "" {
			p.rows[i].ID = shortID(text)
		}
	}
}
