package report

import (
	"strings"
	"time"

	"docket/engine/recording"
	"docket/engine/run"
)

// Answered says who answered in a run of a mode, and how old by now the
// recordings are that it rests on: "model replayed, recorded 12 days ago · search
// replayed, recorded today". Where the run knows nothing of its sources, it is
// what the mode stands for.
func Answered(mode string, sources []run.Source, now time.Time) string {
	model := Reality(mode)
	var oldest time.Time
	var services []string
	for _, s := range sources {
		switch {
		case !s.Model && s.Answered == run.Replayed:
			services = append(services, s.Name+" replayed, "+recording.Age(s.Oldest, now))
		case !s.Model:
			services = append(services, s.Name+" "+string(s.Answered))
		case s.Answered == run.Replayed && (oldest.IsZero() || s.Oldest.Before(oldest)):
			oldest = s.Oldest
		}
	}
	if !oldest.IsZero() {
		model = "model replayed, " + recording.Age(oldest, now)
	}
	return strings.Join(append([]string{model}, services...), " · ")
}
