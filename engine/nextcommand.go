package engine

import (
	"slices"

	"docket/engine/provider"
	"docket/engine/run"
	"docket/engine/safetext"
	"docket/engine/suite"
)

// Flags spells the flags by which another command means this suite as it was
// opened: the system and the mode, where a command without them would take
// another. It begins with a space, unless it is "".
func (s *Suite) Flags() string { return s.flags(s.System.Name, s.Mode) }

// Command spells a command of docket that goes on with this suite as it was
// opened: docket review invoices --mode live.
func (s *Suite) Command(verb string) string {
	return "docket " + verb + " " + safetext.Word(s.Name) + s.Flags()
}

// DiffCommand spells the command that shows, against a baseline of this mode
// that was just captured, what the suite's own system does; with the system of
// the capture where the own one answers in another mode.
func (s *Suite) DiffCommand() string {
	return "docket diff " + safetext.Word(s.Name) + s.inMode(s.System.Name, s.Mode)
}

// inMode spells the flags by which a mode is meant with the suite's own system,
// or else with the one that is named.
func (s *Suite) inMode(system, mode string) string {
	if s.Config.System != "" && s.unasked(s.Config.System) == mode {
		return ""
	}
	return s.flags(system, mode)
}

// reviewCommand spells the command that reviews the baseline of a suite and a
// mode, where no suite is open: cases may not be readable, in the midst of a
// merge. The system is that of the baseline where the suite's own answers in
// another mode.
func (p *Project) reviewCommand(config suite.SuiteConfig, mode, system string) string {
	command := "docket review " + safetext.Word(config.Name)
	own, problems, err := p.system(config, "")
	if err != nil || len(problems) > 0 {
		return command + " --mode " + safetext.Word(mode)
	}
	s := &Suite{Project: p, Name: config.Name, Config: config, Mode: mode, System: own}
	name := own.Name // also where what made the baseline is not there any more, or is another
	if declared, problems, err := p.system(config, system); err == nil && len(problems) == 0 && (declared.Mode == "" || declared.Mode == mode) {
		name = declared.Name
	}
	return command + s.inMode(name, mode)
}

// FirstBaseline is the command that makes the first baseline of the suite for
// its mode, and what a person should know before it; see FirstBaseline of a
// configuration. After a recording it is the one that replays it, since what
// records is never written.
func (s *Suite) FirstBaseline() (command, remark string) {
	if s.answers.models == provider.Record {
		return "docket calibrate " + safetext.Word(s.Name) + s.flags(s.System.Name, string(provider.Replay)), ""
	}
	if s.Mode != s.unasked(s.System.Name) {
		return s.Command("calibrate"), ""
	}
	return FirstBaseline(s.Project.Config, s.Config)
}

// Older is the system whose outputs a first baseline should rather hold than
// those of the suite's own, where nobody named one; "" where none is known.
func (s *Suite) Older() string {
	if s.named {
		return ""
	}
	return s.Project.Config.InProduction(s.Config)
}

// AgainCommand spells the command that runs the suite on what a run recorded,
// which is itself never written to a baseline.
func (s *Suite) AgainCommand(r *run.Run) string {
	of := func(from run.Source) bool { return from.Model && from.Answered == run.Recorded }
	if slices.ContainsFunc(r.Sources, of) {
		return "docket run " + safetext.Word(s.Name) + s.flags(s.System.Name, string(provider.Replay))
	}
	return s.Command("run")
}

// flags spells the flags by which a system of the suite and a mode are meant.
func (s *Suite) flags(system, mode string) string {
	flags := ""
	if system != s.Config.System || s.named && system == s.System.Name {
		flags = " --system " + safetext.Word(system)
	}
	if mode != s.unasked(system) {
		flags += " --mode " + safetext.Word(mode)
	}
	return flags
}

// unasked is the mode that a command takes with a system where nobody says
// which; "" for a system that is not configured any more.
func (s *Suite) unasked(name string) string {
	declared := s.System
	if name != declared.Name {
		other, problems, err := s.Project.system(s.Config, name)
		if err != nil || len(problems) > 0 {
			return ""
		}
		declared = other
	}
	mode, _, err := modeOf(declared, "")
	if err != nil {
		return ""
	}
	return mode
}

// FirstBaseline is the command that makes the first baseline of a suite, and
// what a person should know before it: "" where the command says it all.
func FirstBaseline(c *suite.Config, s suite.SuiteConfig) (command, remark string) {
	command = "docket calibrate " + s.Name
	if name := c.InProduction(s); name != "" {
		return command + " --system " + name, ""
	}
	return command, "the system that is measured should be the one in production"
}
