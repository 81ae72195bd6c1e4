package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"docket/engine"
	"docket/tui"
	"docket/tui/migrate"
	"docket/tui/prune"
	"docket/tui/review"
	"docket/tui/settings"
)

// screens is the table of what has keys that a user may choose.
func screens() []settings.Screen {
	return []settings.Screen{
		{Name: "review", Keys: tui.Bindings((&review.Screen{}).Spec())},
		{Name: "prune", Keys: tui.Bindings((&prune.Screen{}).Spec())},
		{Name: "migrate", Keys: tui.Bindings((&migrate.Screen{}).Spec())},
	}
}

// settings reads how the user wants the screens. They are the user's own and
// never the repository's.
func (a *app) settings() (settings.Settings, error) {
	return settings.Load(runtime.GOOS, a.getenv, screens())
}

// onScreen completes the options of a screen with the streams, the environment
// and what the user wants.
func (a *app) onScreen(wanted settings.Settings, o tui.Options) tui.Options {
	o.In, o.Out, o.Getenv, o.NoColour = a.in, a.screen, a.getenv, a.noColor
	o.ASCII = o.ASCII || wanted.ASCII
	o.Palette, o.Keys = wanted.Palette, wanted.Keys
	if !o.Plain && a.firstScreen() {
		o.Hint = func(called func(name string) string) string {
			return fmt.Sprintf("new here? %s lists every key, %s quits; decisions are kept, only %s writes", called("help"), called("quit"), called("write"))
		}
	}
	return o
}

// firstScreen reports whether this user opens a screen for the first time, and
// leaves a mark in the state folder so that the next is not. Where that cannot
// be kept nothing is said, rather than every time.
func (a *app) firstScreen() bool {
	if a.ci() || !isTerminal(a.screen) || a.getenv(hintsVariable) == "off" {
		return false
	}
	greeted, err := a.greeted()
	if err != nil {
		return false
	}
	if err := os.MkdirAll(filepath.Dir(greeted), 0o700); err != nil {
		return false
	}
	mark, err := os.OpenFile(greeted, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	return err == nil && mark.Close() == nil
}

// hintsVariable is the environment's word on the hint of a first screen: off
// leaves it out.
const hintsVariable = "DOCKET_HINTS"

// greeted is the mark of who has opened a screen before.
func (a *app) greeted() (string, error) {
	state, err := engine.StateFolder(runtime.GOOS, a.getenv)
	return filepath.Join(state, "greeted"), err
}

// hints says what becomes of the hint of a first screen.
func (a *app) hints() string {
	if a.getenv(hintsVariable) == "off" {
		return "no hint on a first screen (" + hintsVariable + "=off)"
	}
	greeted, err := a.greeted()
	if err != nil {
		return "no hint on a first screen, since it could not be marked as said"
	}
	if _, err := os.Lstat(greeted); err != nil {
		return "the first screen says where help is"
	}
	return "the hint of a first screen was shown"
}
