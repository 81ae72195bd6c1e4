package run

import "time"

// A Source is somebody who answered in a run: a provider of models, or a
// service.
type Source struct {
	Name     string    `json:"name"`
	Model    bool      `json:"model,omitzero"` // a provider of models, not a service
	Answered Answered  `json:"answered"`
	Oldest   time.Time `json:"oldest,omitzero"` // of the recordings that were used: when it was made; zero where there were none
	// Calls and USD are how often a judge was asked live, and what that cost, as
	// far as its price is known. What a system's calls cost stands in its samples.
	Calls int     `json:"calls,omitzero"`
	USD   float64 `json:"usd,omitzero"`
}

// Answered says how real an answer was.
type Answered string

// What answers can be besides canned, which are nobody's.
const (
	Replayed Answered = "replayed" // it was read from a recording
	Recorded Answered = "recorded" // it was real, and is a recording now
	Live     Answered = "live"     // it was real
)

// AddSources notes who answered for a part of the run. The older recording
// counts of those that one source gave.
func (r *Run) AddSources(sources []Source) {
next:
	for _, s := range sources {
		for i := range r.Sources {
			have := &r.Sources[i]
			if have.Name != s.Name || have.Model != s.Model || have.Answered != s.Answered {
				continue
			}
			have.Calls, have.USD = have.Calls+s.Calls, have.USD+s.USD
			if have.Oldest.IsZero() || !s.Oldest.IsZero() && s.Oldest.Before(have.Oldest) {
				have.Oldest = s.Oldest
			}
			continue next
		}
		r.Sources = append(r.Sources, s)
	}
}
