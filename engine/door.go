package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/budget"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/run"
	"docket/engine/system"
)

// answers says who answers for the models and the services of a suite.
type answers struct {
	models   provider.Who
	services provider.Who
	judges   provider.Who
}

// recorded reports whether answers are recorded.
func (a answers) recorded() bool {
	return a.models == provider.Record || a.services == provider.Record || a.judges == provider.Record
}

// modeOf settles who answers for models, and the mode that is, which names the
// baseline: a run that records is a live one. A system of which only one answer
// is possible refuses another.
func modeOf(declared *system.Declared, asked string) (mode string, models provider.Who, err error) {
	fixed := declared.Mode
	switch {
	case asked == "" && fixed == "":
		asked = "mock"
	case asked == "":
		asked = fixed
	case fixed == "live" && asked == "record" && len(declared.Needs.Services) > 0:
		return "", "", fmt.Errorf("system %s calls its models without docket, so that only its services can be recorded: say --services record", declared.Name)
	case fixed != "" && asked != fixed:
		return "", "", fmt.Errorf("system %s (kind %s) is always %s: leave out --mode %s", declared.Name, declared.Kind, fixed, asked)
	}
	switch asked {
	case "mock", "replay", "live":
		return asked, provider.Who(asked), nil
	case "record":
		return "live", provider.Record, nil
	}
	return "", "", fmt.Errorf("unknown mode %q: say mock, replay, live or record", asked)
}

// AnswerServices settles who answers for services: replay, live or record; ""
// leaves it to the mode, see provider.ServicesFor. A run of s that was opened
// to record models is one that records, whatever its services do.
func (s *Suite) AnswerServices(who string) error {
	switch provider.Who(who) {
	case "":
		s.answers.services = provider.ServicesFor(s.answers.models)
		return nil
	case provider.Replay, provider.Live, provider.Record:
	default:
		return fmt.Errorf("services cannot be answered by %q: say replay, live or record", who)
	}
	if len(s.System.Needs.Services) == 0 {
		return fmt.Errorf("system %s is given no service (such as env: {SEARCH_URL: '{{service \"search\"}}'}): leave out --services %s", s.System.Name, who)
	}
	s.answers.services = provider.Who(who)
	return nil
}

// Records reports whether a run of the suite writes recordings.
func (s *Suite) Records() bool { return s.answers.recorded() }

// servicesAnswer is who answers for services, as a run says it: "" where the
// system is given none, and for a live run over recordings replay where there
// are any.
func (s *Suite) servicesAnswer() string {
	who := s.answers.services
	switch {
	case len(s.System.Needs.Services) == 0:
		return ""
	case who != provider.Pinned:
		return string(who)
	}
	for _, name := range s.System.Needs.Services {
		folder := filepath.Join(s.Project.Dir, filepath.FromSlash(s.Config.Cases), recording.Folder, name)
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			return string(provider.Replay)
		}
	}
	return string(provider.Live)
}

// reaching is a system with the door that it reaches everything by.
type reaching struct {
	system.System
	door   *provider.Door
	tape   *recording.Store
	root   *os.Root // of the recordings
	budget budget.Budget
}

// Answer implements system.System; it counts the samples that were taken.
func (b *reaching) Answer(ctx context.Context, r system.Request) (output.Output, error) {
	failed := true // also where it breaks down: else who waits for the first would wait for ever
	defer func() { b.budget.Answered(r.ID, failed) }()
	out, err := b.System.Answer(ctx, r)
	failed = err != nil
	return out, err
}

// reached returns the part of a system that has a door; nil for one without.
func reached(sys system.System) *reaching {
	switch sys := sys.(type) {
	case *reaching:
		return sys
	case replaying:
		return sys.reaching
	}
	return nil
}

// Close ends the system, the door and the recordings.
func (b *reaching) Close() error {
	var errs []error
	if c, ok := b.System.(io.Closer); ok {
		errs = append(errs, c.Close())
	}
	return errors.Join(append(errs, b.door.Close(), b.tape.Close(), b.root.Close())...)
}

// replaying is a system behind a door that answers from recordings. It has the
// samples that were recorded.
type replaying struct{ *reaching }

// Samples returns the numbers of the samples of a case. What is wrong with the
// recordings is told by the call that needs them.
func (r replaying) Samples(id string) []int {
	numbers, err := r.tape.Samples(id)
	if err != nil {
		return nil
	}
	return numbers
}

// openBehind opens the suite's system with a door.
func (s *Suite) openBehind(ctx context.Context, around system.Surroundings) (system.System, error) {
	root, options, err := s.Project.recordings(s.Config)
	if err != nil {
		return nil, err
	}
	b := &reaching{root: root, tape: recording.Open(root, options)}
	needs := s.System.Needs
	services, _ := s.Project.services() // Open has told its problems
	urls := map[string]string{}
	for _, name := range needs.Services {
		urls[name] = services[name].url
	}
	config := provider.Config{
		Models: s.answers.models, Services: s.answers.services,
		Canned: s.canned, Tape: b.tape, ServiceURLs: urls, Remote: needs.Remote,
		Prices: needs.Prices, Timeout: needs.Timeout, KeyHosts: s.KeyHosts,
	}
	if needs.BaseURL != "" {
		config.BaseURLs = map[string]string{needs.Providers[0]: needs.BaseURL}
	}
	if b.door, err = provider.Open(config); err != nil {
		root.Close()
		return nil, fmt.Errorf("system %q: %w", s.System.Name, err)
	}
	around.Door = b.door
	if b.System, err = s.System.Open(ctx, around); err != nil {
		b.door.Close()
		root.Close()
		return nil, err
	}
	if s.answers.models == provider.Replay {
		return replaying{b}, nil
	}
	return b, nil
}

// canned returns what a case answers for its model calls.
func (s *Suite) canned(id string) ([]output.Output, error) {
	v := s.mock(id)
	if v.IsZero() {
		return nil, errors.New("this case has no canned answer; write one under mock")
	}
	answers, problems := system.CompileMock(v)
	return answers, problems.Err()
}

// conclude notes in a run what its door knows: the recordings that it rests
// on. A whole recording leaves no sample of an earlier one that took more. It
// returns what a person should be told: what goes wrong here costs no run that
// was paid for.
func (s *Suite) conclude(sys system.System, r *run.Run) []string {
	b := reached(sys)
	if b == nil {
		return nil
	}
	r.Config.Recordings = b.tape.Hash()
	var notes []string
	for _, used := range b.tape.Used() {
		from := run.Source{Name: used.Name, Model: used.Model, Answered: run.Replayed, Oldest: used.Oldest}
		who := s.answers.services
		if used.Model {
			who = s.answers.models
		}
		if who == provider.Record {
			from.Answered = run.Recorded
			notes = append(notes, fmt.Sprintf("%s recorded, %s", used.Name, phrase.Count(used.Calls, "call", "calls")))
		} // the title of a report says what was replayed
		r.AddSources([]run.Source{from})
	}
	if s.answers.services != provider.Record {
		for _, name := range b.door.Visited() {
			r.AddSources([]run.Source{{Name: name, Answered: run.Live}})
		}
	}
	if unsteady := b.tape.Unsteady(); len(unsteady) > 0 {
		notes = append(notes, "answered one request in two ways, and replays the first: "+strings.Join(unsteady, ", "))
	}
	notes = append(notes, s.idle(b.tape, r)...)
	if err := s.Project.misses(s.Name).Keep(b.tape); err != nil {
		notes = append(notes, fmt.Sprintf("what found no recording could not be kept for docket rekey: %v", err))
	}
	if s.answers.models != provider.Record || r.Interrupted {
		return notes
	}
	for i := range r.Results {
		if r.Results[i].Outcome != run.Measured {
			continue
		}
		for _, name := range s.System.Needs.Providers {
			if err := b.tape.Trim(name, r.Results[i].ID, r.Config.Samples); err != nil {
				return append(notes, fmt.Sprintf("samples of an earlier recording are left beside these, and a replay has them too: %v", err))
			}
		}
	}
	return notes
}

// ofJudge reports whether a recording is of what a judge said, by its path: the
// system's replay has no use for it.
func ofJudge(name string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(name), "/"), func(part string) bool { return strings.HasPrefix(part, "judge-") })
}

// idle tells of recordings that nothing asked for in a replay of the whole
// suite that measured every case.
func (s *Suite) idle(tape *recording.Store, r *run.Run) []string {
	if !r.Whole || s.answers.models != provider.Replay || s.answers.services != provider.Replay {
		return nil
	}
	for i := range r.Results {
		if r.Results[i].Outcome != run.Measured {
			return nil // what it would have asked for is not known
		}
	}
	unused, err := tape.Unused()
	if err != nil {
		return nil // lint says what is damaged
	}
	unused = slices.DeleteFunc(unused, ofJudge)
	if len(unused) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("nothing asked for %s: %s", phrase.Count(len(unused), "recording", "recordings"), phrase.Few(phrase.Quoted(unused), 5))}
}
