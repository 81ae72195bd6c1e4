package review

import (
	"strings"

	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/provenance"
	"docket/engine/suite"
	"docket/tui/pair"
	"docket/tui/style"
	"docket/tui/telling"
)

// origin tells why a case exists and how it came to be what it is.
func origin(story *provenance.Story) pair.Rows {
	rows := pair.Rows{{Kind: pair.Wide, Name: "added", Old: style.Of(style.Plain, story.Origin())}}
	for _, r := range story.References() {
		if r.Address != "" && r.Address != r.Text {
			rows = append(rows, pair.Row{Kind: pair.Wide, Name: "see", Old: style.Of(style.Plain, r.Text+"  "+r.Address)})
		}
	}
	return telling.Section(rows, &story.Sections()[0])
}

// caught adds what a case has caught.
func caught(rows pair.Rows, story *provenance.Story) pair.Rows {
	sections := story.Sections()
	return telling.Section(rows, &sections[len(sections)-1])
}

// confirm is what to see before a regression of a case that stems from an
// incident is taken for right: the incident, since it would be free to happen
// again.
func (s *Screen) confirm(id, of, verdict string) []string {
	if verdict == string(decision.Reject) {
		return nil
	}
	for i := range s.Diff.Cases {
		c := &s.Diff.Cases[i]
		if c.ID != id {
			continue
		}
		about := s.abouts.at(i)
		if c.Status != diff.Regressed || of != "" && !loses(c, of) || !stemsFromIncident(about.Provenance, about.Tags) {
			return nil
		}
		name := "an incident"
		if names := provenance.Incidents(about.Provenance, nil); len(names) > 0 {
			name = strings.Join(names, ", ")
		}
		told := []string{"This case stems from " + name + ", and what it checks is lost: " + strings.Join(lostChecks(c), ", ") + ".", "Why it exists: " + about.Provenance}
		if len(about.Links) > 0 {
			told = append(told, strings.Join(about.Links, "  "))
		}
		return told
	}
	return nil
}

func stemsFromIncident(said string, tags []string) bool {
	return provenance.StemsFromIncident(&suite.Case{Provenance: said, Tags: tags})
}

// loses reports whether a part of a case is a check that became worse.
func loses(c *diff.Case, of string) bool {
	for i := range c.Changes {
		if change := &c.Changes[i]; change.Kind == diff.OfCheck && part(c, change) == of {
			return true
		}
	}
	return false
}

// lostChecks names the checks of a regressed case that changed; its score where
// none did.
func lostChecks(c *diff.Case) []string {
	var names []string
	for i := range c.Changes {
		if c.Changes[i].Kind == diff.OfCheck && c.Changes[i].Effect == diff.Lost {
			names = append(names, c.Changes[i].Of)
		}
	}
	if len(names) == 0 {
		return []string{"score"}
	}
	return names
}
