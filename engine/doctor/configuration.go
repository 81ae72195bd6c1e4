package doctor

import (
	"context"
	"fmt"
	"strings"

	"docket/engine/phrase"
)

func lookAtConfiguration(_ context.Context, s *Surroundings) (found, mend string) {
	c := s.Project.Config
	if c == nil {
		return firstLine(s.Project.Unread), "docket lint lists all that is wrong; docket init writes a configuration where there is none"
	}
	for _, suite := range c.Suites {
		if err := s.Project.Opens(suite.Name); err != nil {
			mend = fmt.Sprintf("suite %s does not load: docket lint %s says what is wrong", suite.Name, suite.Name)
			break
		}
	}
	return fmt.Sprintf("%s: %s, %s, %s", c.File, phrase.Count(len(c.Suites), "suite", "suites"), phrase.Count(len(c.Systems), "system", "systems"), phrase.Count(len(c.Judges), "judge", "judges")), mend
}

// firstLine is the first of several problems.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
