// Package panel seats the judges of a suite for the time of a run: it opens the
// door that each is asked through, keeps what was recorded of them, and tells
// afterwards what their verdicts rest on and what they cost.
//
// It refuses to judge: what is asked and what an answer means is package judge's.
package panel

import (
	"context"
	"errors"
	"fmt"
	"os"

	"docket/engine/judge"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/run"
)

// A Panel is the judges of a suite while it is measured. The zero panel asks
// nobody.
type Panel struct {
	bench  *judge.Bench
	judges []*judge.Judge
	who    provider.Who // that answers for them
	tapes  []*recording.Store
	roots  []*os.Root
}

// Config says who sits, and who answers for them.
type Config struct {
	Judges   []*judge.Judge
	Who      provider.Who
	KeyHosts []string // hosts that a person allowed to be sent API keys
	// Recordings opens the folder of recordings; it is asked once for each judge,
	// and the panel closes what it gives.
	Recordings func() (*os.Root, recording.Options, error)
	// Canned gives what stands in a case for what a judge answers.
	Canned func(name string) ([]output.Output, error)
}

// Sit opens the judges. The caller closes the panel.
func Sit(ctx context.Context, c Config) (*Panel, error) {
	p := &Panel{judges: c.Judges, who: c.Who}
	if len(c.Judges) == 0 {
		return p, nil
	}
	bench, err := judge.Sit(ctx, c.Judges, func(j *judge.Judge) (*provider.Door, error) {
		root, options, err := c.Recordings()
		if err != nil {
			return nil, err
		}
		tape := recording.Open(root, options)
		p.roots, p.tapes = append(p.roots, root), append(p.tapes, tape)
		return Door(j, provider.Config{Models: c.Who, Canned: c.Canned, Tape: tape, KeyHosts: c.KeyHosts})
	})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.bench = bench
	return p, nil
}

// Door opens the door that a judge is asked through, with what the judge's
// declaration says of prices, patience and address.
func Door(j *judge.Judge, c provider.Config) (*provider.Door, error) {
	needs := j.Needs()
	c.Prices, c.Timeout = needs.Prices, needs.Timeout
	if needs.BaseURL != "" {
		c.BaseURLs = map[string]string{needs.Providers[0]: needs.BaseURL}
	}
	return provider.Open(c)
}

// Join lets an instrument ask the panel.
func (p *Panel) Join(in *measure.Instrument) {
	if p.bench != nil {
		in.Panel = p.bench
	}
}

// Close lets the judges go, and their recordings.
func (p *Panel) Close() error {
	var errs []error
	if p.bench != nil {
		errs = append(errs, p.bench.Close())
	}
	for i := range p.tapes {
		errs = append(errs, p.tapes[i].Close(), p.roots[i].Close())
	}
	return errors.Join(errs...)
}

// Spent is what the judges have cost so far, as far as they are live.
func (p *Panel) Spent() provider.Spent {
	if p.bench == nil {
		return provider.Spent{}
	}
	return p.bench.Tally().Spent
}

// Conclude notes in a run who answered for its judges, and returns what a person
// should know of it, a line each; none where no judge was asked. A whole
// recording leaves no verdict on a sample of an earlier one that took more.
func (p *Panel) Conclude(r *run.Run) []string {
	if p.bench == nil {
		return nil
	}
	t := p.bench.Tally()
	if t.Asked == 0 {
		return nil
	}
	text := phrase.Count(t.Asked, "verdict", "verdicts") + " asked of judges"
	if t.Retried > 0 {
		text += fmt.Sprintf(", %d asked again since the first answer could not be read", t.Retried)
	}
	if t.Unscored > 0 {
		text += fmt.Sprintf(", %d not given: these count neither as passed nor as failed", t.Unscored)
	}
	if t.Spent.USD > 0 {
		text += fmt.Sprintf(", $%.4f", t.Spent.USD)
	}
	notes := []string{text}
	for i, j := range p.judges {
		from := run.Source{Name: Source(j.Name), Calls: p.bench.Spent(j.Name).Calls, USD: p.bench.Spent(j.Name).USD}
		switch p.who {
		case provider.Replay:
			from.Answered = run.Replayed
			for _, used := range p.tapes[i].Used() {
				from.Oldest = used.Oldest
			}
		case provider.Record:
			from.Answered = run.Recorded
			notes = append(notes, p.trim(i, r)...)
		case provider.Live:
			from.Answered = run.Live
		default:
			continue // canned verdicts are nobody's
		}
		r.AddSources([]run.Source{from})
	}
	return notes
}

// Source is the name of a judge among those who answered in a run.
func Source(name string) string { return "judge " + name }

// trim removes what an earlier recording has of samples that a whole one did not
// take.
func (p *Panel) trim(at int, r *run.Run) []string {
	if r.Interrupted {
		return nil
	}
	for i := range r.Results {
		if r.Results[i].Outcome != run.Measured {
			continue
		}
		for _, name := range p.judges[at].Needs().Providers {
			for _, id := range judge.Recorded(p.judges[at].Name, r.Results[i].ID) {
				if err := p.tapes[at].Trim(name, id, r.Config.Samples); err != nil {
					return []string{fmt.Sprintf("verdicts of an earlier recording are left beside these: %v", err)}
				}
			}
		}
	}
	return nil
}
