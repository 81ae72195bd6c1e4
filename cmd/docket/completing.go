package main

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/suite"
)

// completes lets the shell ask every command for what may stand in its place:
// suites, case ids, systems, modes. It reads the configuration, and the cases
// where ids are asked for; it runs and repairs nothing, and is silent where
// something is wrong.
func (a *app) completes(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.completes(sub)
	}
	values := func(of func() []string) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return of(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	of := map[string]func() []string{"suite": a.suiteNames, "system": a.systemNames}
	for _, name := range []string{"format", "mode", "services", "judges", "header"} {
		if flag := cmd.Flags().Lookup(name); flag != nil {
			of[name] = func() []string { return choices(flag.Usage) }
		}
	}
	for name, of := range of {
		if cmd.Flags().Lookup(name) != nil {
			// It fails only for a flag that has one already, which is then the better.
			_ = cmd.RegisterFlagCompletionFunc(name, values(of))
		}
	}
	if cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0 {
		return
	}
	_, takes, _ := strings.Cut(cmd.Use, " ")
	switch {
	case strings.HasPrefix(takes, "ID") || strings.HasPrefix(takes, "[ID") || strings.HasPrefix(takes, "CASE"):
		cmd.ValidArgsFunction = values(a.caseIDs)
	case strings.HasPrefix(takes, "[SUITE |"): // or files
		cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.suiteNames(), cobra.ShellCompDirectiveDefault
		}
	case strings.HasPrefix(takes, "[SUITE"):
		cmd.ValidArgsFunction = values(a.suiteNames)
	case strings.HasPrefix(takes, "SYSTEM"):
		cmd.ValidArgsFunction = values(a.systemNames)
	case takes == "SHELL":
		cmd.ValidArgsFunction = values(func() []string { return []string{"bash", "zsh", "fish", "powershell"} })
	}
}

var (
	inBrackets = regexp.MustCompile(`\([^)]*\)`)
	betweenTwo = regexp.MustCompile(`\s*(?:, or |,| or )\s*`)
)

// choices are the values that the help of a flag lists, such as "whose header
// to keep: ours or theirs": help and completion cannot differ.
func choices(usage string) []string {
	usage = inBrackets.ReplaceAllString(usage, "")
	if _, list, found := strings.Cut(usage, ": "); found {
		usage = list
	}
	list, _, _ := strings.Cut(usage, ";")
	return betweenTwo.Split(strings.TrimSpace(list), -1)
}

// glance reads the configuration for a shell that asks, without settling what a
// killed command left; nil where there is none that loads.
func (a *app) glance() *engine.Project {
	file := a.configFile
	if file == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil
		}
		if file, err = suite.Find(dir); err != nil {
			return nil
		}
	}
	p, err := engine.Load(file)
	if err != nil {
		return nil
	}
	return p
}

func (a *app) suiteNames() []string {
	if p := a.glance(); p != nil {
		return p.Names()
	}
	return nil
}

func (a *app) systemNames() []string {
	p := a.glance()
	if p == nil {
		return nil
	}
	var names []string
	for _, s := range p.Config.Systems {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// caseIDs are the ids of all suites. Those that hold what a shell or its lines
// would take apart are left out.
func (a *app) caseIDs() []string {
	p := a.glance()
	if p == nil {
		return nil
	}
	var ids []string
	for _, name := range p.Names() {
		s, err := p.Open(name, "", "")
		if err != nil {
			continue
		}
		for _, c := range s.Cases() {
			if !strings.ContainsFunc(c.ID, func(r rune) bool {
				return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || strings.ContainsRune("\"'`$\\;&|<>()*?", r)
			}) {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}
