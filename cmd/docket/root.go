package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/source"
	"docket/engine/suite"
)

// newRoot builds the command tree.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "docket",
		Short:         "triage eval diffs: see what changed in structure, decide, write the baseline",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				a.welcome(cmd)
			case args[0] == "help":
				return helpOn(cmd, args[1:])
			case args[0] == "version" && len(args) == 1:
				fmt.Fprintln(a.out, "docket "+cmd.Version)
			default:
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
	}
	root.SetVersionTemplate("docket {{.Version}}\n")
	root.PersistentFlags().StringVar(&a.configFile, "config", "", "the configuration `file` (default: .docket.yaml here or above)")
	root.PersistentFlags().BoolVar(&a.noColor, "no-color", false, "no colours (also: NO_COLOR)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w: %ssee `%s --help`", err, nearestFlag(cmd, err), cmd.CommandPath())
	})
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true})
	cobra.EnableCommandSorting = false // help lists them in the order of the table
	root.SetHelpCommandGroupID("around")
	for _, g := range a.groups() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	a.completes(root)
	return root
}

// helpOn is `docket help COMMAND`, which people type who come from other tools:
// `docket COMMAND --help`.
func helpOn(root *cobra.Command, path []string) error {
	cmd, _, err := root.Find(path)
	if err != nil || cmd == root && len(path) > 0 {
		return unknownCommand(root, path[0])
	}
	return cmd.Help()
}

// nearestFlag names the flag that an unknown one may have been meant for; "" for
// any other error, and where none is near.
func nearestFlag(cmd *cobra.Command, err error) string {
	typed, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return ""
	}
	// The lines of the help leave out what is hidden, and begin with the names.
	var known []string
	for line := range strings.Lines(cmd.LocalFlags().FlagUsages() + cmd.InheritedFlags().FlagUsages()) {
		if _, flag, ok := strings.Cut(line, "--"); ok {
			known = append(known, strings.Fields(flag)[0])
		}
	}
	near := source.Nearest(typed, known)
	if near == "" {
		return ""
	}
	return "did you mean --" + near + "? "
}

// unknownCommand names the nearest command to what was typed.
func unknownCommand(cmd *cobra.Command, typed string) error {
	mend := "see `docket --help`"
	if near := cmd.SuggestionsFor(typed); len(near) > 0 {
		mend = fmt.Sprintf("did you mean `docket %s`?", strings.Join(near, "` or `docket "))
	}
	return fmt.Errorf("unknown command %q: %s", typed, mend)
}

// welcome prints a short help and what to do next in this folder.
func (a *app) welcome(cmd *cobra.Command) {
	fmt.Fprint(a.out, `docket shows which cases of an eval suite changed in structure, and lets you
accept or reject each change before the new baseline is written.

`)
	a.listCommands(cmd)
	fmt.Fprintf(a.out, "next: %s\n", a.whatNext())
}

// whatNext looks at the folder and names the one command to go on with.
func (a *app) whatNext() string {
	dir, err := os.Getwd()
	if err != nil {
		return "docket --help"
	}
	file, err := suite.Find(dir)
	if err != nil {
		return "docket init, or docket diff OLD NEW on two files of outputs"
	}
	config, err := suite.LoadConfig(file)
	if err != nil {
		return "docket lint, since the configuration has errors"
	}
	for _, s := range config.Suites {
		pattern := filepath.Join(filepath.Dir(file), "baselines", s.Name, "*.jsonl")
		if found, _ := filepath.Glob(pattern); len(found) == 0 {
			command, remark := engine.FirstBaseline(config, s)
			if remark != "" {
				remark = "; " + remark
			}
			return command + ", which writes a first baseline" + remark
		}
	}
	return "docket review"
}

// version is the module's version and the commit it was built from, as the Go
// tool recorded them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ", modified"
		}
	}
	if commit == "" {
		return info.Main.Version
	}
	return info.Main.Version + " (" + commit + dirty + ")"
}

// exactly refuses a command line with another number of arguments, in a
// sentence.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return fmt.Errorf("%s takes %s, and %d were given: see `%s --help`", cmd.CommandPath(), strings.Join(names, " and "), len(args), cmd.CommandPath())
	}
}

// atMost refuses more than n arguments.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return fmt.Errorf("%s takes %s, and %d arguments were given: see `%s --help`", cmd.CommandPath(), what, len(args), cmd.CommandPath())
	}
}

var errNoReason = errors.New("a decision needs a reason, on every road: add --reason TEXT")
