package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/doctor"
	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/tui"
	"docket/tui/settings"
)

func newDoctor(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "look at what is around docket: terminal, git, configuration, store, keys",
		Long: `Doctor looks at what docket needs around it and says what it found: the
terminal and what it can draw, git, the editor, the configuration, the store of
runs, and which API keys are set (never what they are). It changes nothing,
starts no program but git, and asks no model.

Exit codes: 0 nothing to mend; 1 something is to be mended.`,
		Example: `  docket doctor`,
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			around, err := a.surroundings()
			if err != nil {
				return err
			}
			return a.printFindings(doctor.Examine(cmd.Context(), around))
		},
	}
}

func (a *app) printFindings(findings []doctor.Finding) error {
	wrong := 0
	for _, f := range findings {
		mark := "✓"
		if f.Mend != "" {
			mark = "!"
			wrong++
		}
		fmt.Fprintf(a.out, "%s %-14s %s\n", mark, f.Name, safetext.Line(f.Text))
		if f.Mend != "" {
			fmt.Fprintf(a.out, "  %-14s %s\n", "", safetext.Line(f.Mend))
		}
	}
	if wrong > 0 {
		fmt.Fprintf(a.out, "\n%s to mend\n", phrase.Count(wrong, "thing", "things"))
		return exit{codeChange}
	}
	return nil
}

// surroundings is all around docket that its doctor looks at.
func (a *app) surroundings() (*doctor.Surroundings, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("the working directory cannot be read, so go to another folder: %w", err)
	}
	s := &doctor.Surroundings{Version: version(), Dir: here, Getenv: a.getenv, CI: a.ci(), Settings: a.wantedSettings()}
	s.Terminal = doctor.Terminal{
		None: !isTerminal(a.screen), Colours: a.colored(), ASCII: tui.ASCIILocale(a.getenv), LeastColumns: tui.LeastWidth, LeastRows: tui.LeastHeight,
	}
	s.Terminal.Columns, s.Terminal.Rows, s.Terminal.Unsized = tui.Size(a.screen)
	s.State, s.NoState = engine.StateFolder(runtime.GOOS, a.getenv)
	p, err := a.load()
	if err != nil {
		s.Project.Unread = err
		return s, nil
	}
	s.Project = doctor.Project{
		Config: p.Config,
		Opens: func(suite string) error {
			_, err := p.Open(suite, "", "")
			return err
		},
		Store: a.shorten(filepath.Join(p.Dir, filepath.FromSlash(p.Config.Results))),
		Open:  p.Store,
	}
	return s, nil
}

// wantedSettings is what doctor is told of the user's settings.
func (a *app) wantedSettings() doctor.Settings {
	s, err := a.settings()
	return doctor.Settings{
		File: a.shorten(s.File), Found: s.Found, Theme: s.Palette.Name, Variable: settings.ThemeVariable, Colours: s.Colours, Keys: len(s.Keys), Wrong: err, Hint: a.hints(),
	}
}
