package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/git"
	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/results"
	"docket/engine/safetext"
	"docket/tui"
)

// A finding is what doctor says of one thing around docket.
type finding struct {
	name string
	text string
	mend string // what to do about it; "" where all is well
}

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
			wrong := 0
			for _, look := range a.examinations() {
				f := look(cmd.Context())
				mark := "✓"
				if f.mend != "" {
					mark = "!"
					wrong++
				}
				fmt.Fprintf(a.out, "%s %-14s %s\n", mark, f.name, safetext.Line(f.text))
				if f.mend != "" {
					fmt.Fprintf(a.out, "  %-14s %s\n", "", safetext.Line(f.mend))
				}
			}
			if wrong > 0 {
				fmt.Fprintf(a.out, "\n%s to mend\n", phrase.Count(wrong, "thing", "things"))
				return exit{codeChange}
			}
			return nil
		},
	}
}

// examinations is the table of what doctor looks at, in the order in which it
// tells.
func (a *app) examinations() []func(context.Context) finding {
	return []func(context.Context) finding{
		a.lookAtDocket, a.lookAtTerminal, a.lookAtSettings, a.lookAtEditor, a.lookAtGit, a.lookAtConfiguration, a.lookAtStore, a.lookAtKeys, a.lookAtState,
	}
}

func (a *app) lookAtDocket(context.Context) finding {
	return finding{name: "docket", text: fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)}
}

func (a *app) lookAtTerminal(context.Context) finding {
	f := finding{name: "terminal"}
	if !isTerminal(a.screen) {
		f.text = "none: the output goes elsewhere, so screens are not drawn; --plain works through pipes"
		return f
	}
	width, height, err := tui.Size(a.screen)
	colours := "colours"
	if !a.colored() {
		colours = "no colours (NO_COLOR, --no-color or TERM)"
	}
	signs := "UTF-8"
	if tui.ASCIILocale(a.getenv) {
		signs = "ASCII alone, as the locale says"
	}
	f.text = fmt.Sprintf("%s, %d×%d, %s, %s", orNone(a.getenv("TERM")), width, height, colours, signs)
	switch {
	case err != nil:
		f.mend = "its size cannot be read; screens may be drawn wrong"
	case a.getenv("TERM") == "" || a.getenv("TERM") == "dumb":
		f.mend = "TERM says that it cannot move its cursor, so docket asks one line at a time; set TERM, such as xterm-256color"
	case width < tui.LeastWidth || height < tui.LeastHeight:
		f.mend = fmt.Sprintf("screens take no decision under %d×%d; make the window larger", tui.LeastWidth, tui.LeastHeight)
	}
	return f
}

func (a *app) lookAtEditor(context.Context) finding {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		words := strings.Fields(a.getenv(name))
		if len(words) == 0 {
			continue
		}
		f := finding{name: "editor", text: fmt.Sprintf("%s is %s", name, strings.Join(words, " "))}
		if _, err := exec.LookPath(words[0]); err != nil {
			f.mend = "it is not found: set " + name + " to a program that is there"
		}
		return f
	}
	return finding{name: "editor", text: "none is set, so that e opens vi", mend: "set EDITOR, such as EDITOR=nano"}
}

func (a *app) lookAtGit(ctx context.Context) finding {
	f := finding{name: "git"}
	path, err := exec.LookPath("git")
	if err != nil {
		f.text, f.mend = "not found", "install git: without it docket cannot tell who added a case, or resolve a conflict"
		return f
	}
	here, err := os.Getwd()
	if err != nil {
		f.text, f.mend = "the working directory cannot be read", "go to another folder"
		return f
	}
	switch repo, err := git.Open(ctx, here); {
	case errors.Is(err, git.ErrNone):
		f.text, f.mend = path+", and this folder is in no repository", "git init: a baseline is committed with the edit that it belongs to"
	case err != nil:
		f.text, f.mend = path, err.Error()
	case repo.Shallow():
		f.text, f.mend = path+", a shallow clone", "git fetch --unshallow: the history of cases ends where the clone does"
	default:
		f.text = path + ", in a repository"
		// The folder is taken for this person's own memory.
		if tracked, err := git.Ask(ctx, here, "ls-files", "-z", "--", ".docket"); err == nil && len(tracked) > 0 {
			f.mend = "git rm -r --cached .docket: runs and decisions that came with the repository are somebody else's"
		}
	}
	return f
}

func (a *app) lookAtConfiguration(context.Context) finding {
	f := finding{name: "configuration"}
	p, err := a.load()
	if err != nil {
		f.text = firstLine(err)
		f.mend = "docket lint lists all that is wrong; docket init writes a configuration where there is none"
		return f
	}
	c := p.Config
	f.text = fmt.Sprintf("%s: %s, %s, %s", c.File, phrase.Count(len(c.Suites), "suite", "suites"), phrase.Count(len(c.Systems), "system", "systems"), phrase.Count(len(c.Judges), "judge", "judges"))
	for _, name := range p.Names() {
		if _, err := p.Open(name, "", ""); err != nil {
			f.mend = fmt.Sprintf("suite %s does not load: docket lint %s says what is wrong", name, name)
			break
		}
	}
	return f
}

func (a *app) lookAtStore(ctx context.Context) finding {
	f := finding{name: "store"}
	p, err := a.load()
	if err != nil {
		f.text = "none, since there is no configuration that names it"
		return f
	}
	path := filepath.Join(p.Dir, filepath.FromSlash(p.Config.Results))
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.text = a.shorten(path) + " is not there yet: the first run makes it"
		return f
	case err != nil:
		f.text, f.mend = a.shorten(path)+" cannot be read", "see its permissions"
		return f
	}
	store, err := p.Store(ctx)
	if err != nil {
		f.text, f.mend = a.shorten(path), err.Error()
		return f
	}
	defer store.Close()
	runs, err := store.Runs(ctx, results.Filter{})
	if err != nil {
		f.text, f.mend = a.shorten(path), err.Error()
		return f
	}
	f.text = fmt.Sprintf("%s, %s, %s", a.shorten(path), bytesOf(info.Size()), phrase.Count(len(runs), "run", "runs"))
	for _, r := range runs {
		if r.Finished.IsZero() && time.Since(r.Started) > 24*time.Hour {
			f.mend = fmt.Sprintf("run %s began more than a day ago and did not end: docket run --resume goes on with the last one", r.ID)
			break
		}
	}
	return f
}

func (a *app) lookAtKeys(context.Context) finding {
	var set, unset []string
	for _, name := range provider.Providers() {
		key := provider.KeyVariable(name)
		if a.getenv(key) != "" {
			set = append(set, key)
		} else {
			unset = append(unset, key)
		}
	}
	f := finding{name: "keys", text: "none is set; mock and replay need none"}
	switch {
	case len(unset) == 0:
		f.text = phrase.Series(set, "and") + " are set"
	case len(set) > 0:
		f.text = phrase.Series(set, "and") + " is set, " + phrase.Series(unset, "and") + " is not"
	}
	return f
}

func (a *app) lookAtState(context.Context) finding {
	dir, err := engine.StateFolder(runtime.GOOS, a.getenv)
	if err != nil {
		return finding{name: "state folder", text: "none", mend: err.Error()}
	}
	f := finding{name: "state folder", text: dir + ", for decisions on two files"}
	if a.ci() {
		f.text += "; CI is set, so that nothing is decided or recorded without --in-ci"
	}
	return f
}

// firstLine is the first of several problems.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func orNone(s string) string {
	if s == "" {
		return "TERM is not set"
	}
	return s
}
