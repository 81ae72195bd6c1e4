package provenance

import (
	"docket/engine/source"
	"docket/engine/suite"
)

// Lint finds provenances that tell nothing and references that point to nothing.
// A tracker for which there are rules for others and none for it is told once.
func Lint(cases []*suite.Case, rules []suite.Link, known Known) source.Problems {
	var problems source.Problems
	told := map[string]bool{}
	for _, c := range cases {
		at := c.ProvenanceAt
		if why := Boilerplate(c, rules); why != "" {
			problems = append(problems, at.Problemf("the provenance of case %q %s: say why the case exists, such as an incident, a ticket or a commit", c.ID, why))
			continue
		}
		for _, d := range Dangles(c.Provenance, rules, known) {
			problems = append(problems, at.Problemf("the provenance of case %q refers to %q, and %s: say what has become of it, or take it out", c.ID, d.Text, d.Why))
		}
		for _, r := range Unruled(c.Provenance, rules) {
			if tracker := Tracker(r.Text); !told[tracker] {
				told[tracker] = true
				problems = append(problems, at.Problemf("%q is no link, since links: in the configuration has rules for other references and none for it: add '%s-(\\d+)', or spell it as the others", r.Text, tracker))
			}
		}
	}
	return problems
}
