package review

import (
	"fmt"
	"strings"

	"docket/engine/decision"
	"docket/engine/diff"
	"docket/tui/list"
)

// term compiles a term of the filter. What is typed so far is a beginning, so
// that the list narrows with every letter.
func (s *Screen) term(key, value string) (func(*list.Row) bool, error) {
	value = strings.ToLower(value)
	switch strings.ToLower(key) {
	case "of":
		if value == "" {
			return nil, fmt.Errorf("of: needs the name of a check or projection, such as of:label")
		}
		return func(row *list.Row) bool {
			c, _ := s.of(row)
			for _, change := range c.Changes {
				if begins(change.Of, value) {
					return true
				}
			}
			return false
		}, nil
	case "status":
		for _, status := range diff.InReadingOrder() {
			if value != "" && status.Listed() && strings.HasPrefix(string(status), value) {
				return func(row *list.Row) bool {
					c, _ := s.of(row)
					return strings.HasPrefix(string(c.Status), value)
				}, nil
			}
		}
		if value == "" {
			return nil, fmt.Errorf("status: is one of %s", strings.Join(s.present(), ", "))
		}
		if _, err := s.state(value); err == nil {
			return nil, fmt.Errorf("%s is told beside the status of a case: type is:%s", value, value)
		}
		return nil, fmt.Errorf("no status %s; there is %s", value, strings.Join(s.present(), ", "))
	case "is":
		holds, err := s.state(value)
		if err != nil {
			return nil, err
		}
		return func(row *list.Row) bool {
			c, _ := s.of(row)
			return holds(c)
		}, nil
	default:
		if value == "" {
			return nil, fmt.Errorf("tag: needs a tag of a case, such as tag:billing")
		}
		return func(row *list.Row) bool {
			for _, tag := range s.abouts.at(row.Index).Tags {
				if begins(tag, value) {
					return true
				}
			}
			return false
		}, nil
	}
}

// termFound is what finds adds to the rows that a term holds for.
func (s *Screen) termFound(key, value string) string {
	switch key = strings.ToLower(key); key {
	case "of", "status", "tag":
		return termMark + key + ":" + strings.ToLower(value)
	}
	return ""
}

// termMark tells a value of a term from the same word in a text: nobody can type
// the character.
const termMark = "\x01"

// begins reports whether a name begins with what is typed, in whatever case.
// It is asked for every case at every letter.
func begins(name, typed string) bool {
	return len(name) >= len(typed) && strings.EqualFold(name[:len(typed)], typed)
}

// state returns what tells whether a case is in the state that a word begins:
// what a case can be besides its status.
func (s *Screen) state(begun string) (func(*diff.Case) bool, error) {
	states := []struct {
		name  string
		holds func(*diff.Case) bool
	}{
		{"unstable", (*diff.Case).Unstable},
		{"expired", func(c *diff.Case) bool { return s.Diff.ExpiredLine(c, s.Now) }},
		{"edited", func(c *diff.Case) bool { return c.Edited }},
	}
	for _, state := range states {
		if begun != "" && strings.HasPrefix(state.name, begun) {
			return state.holds, nil
		}
	}
	return nil, fmt.Errorf("is: takes unstable, expired or edited, such as is:unstable")
}

// present are the statuses that cases on the screen have, in the order of
// reading.
func (s *Screen) present() []string {
	var names []string
	for _, status := range diff.InReadingOrder() {
		if status.Listed() && s.Diff.Summary.Statuses[status] > 0 {
			names = append(names, string(status))
		}
	}
	return names
}

// caution says what to think of before a verdict falls on several cases.
func (s *Screen) caution(ids []string, verdict string) []string {
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	var regressed, incidents, gone, rejected, edited int
	for i := range s.Diff.Cases {
		c, e := &s.Diff.Cases[i], &s.cases[i]
		if !wanted[c.ID] {
			continue
		}
		for _, count := range []struct {
			holds bool
			n     *int
		}{
			{c.Status == diff.Regressed, &regressed},
			{stemsFromIncident(s.abouts.at(i).Provenance, s.abouts.at(i).Tags), &incidents},
			{c.Status == diff.Gone, &gone},
			{e.rejected != nil, &rejected},
			{c.Edited, &edited},
		} {
			if count.holds {
				*count.n++
			}
		}
	}
	var told []string
	say := func(n int, one, many string) {
		switch {
		case n == 1:
			told = append(told, "1 of them "+one+".")
		case n > 1:
			told = append(told, fmt.Sprintf("%d of them %s.", n, many))
		}
	}
	if verdict == string(decision.Accept) {
		say(regressed, "regressed: a check is lost for good", "regressed: checks are lost for good")
		say(gone, "is gone: its line is removed", "are gone: their lines are removed")
		say(rejected, "was rejected before, with the same change", "were rejected before, with the same change")
	}
	say(incidents, "comes from an incident", "come from incidents")
	say(edited, "was edited as a case, too", "were edited as cases, too")
	return told
}
