package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"

	"docket/engine"
	"docket/engine/safetext"
	"docket/engine/suite"
)

// An app is what every command shares: the streams, the environment and the
// flags that hold everywhere.
type app struct {
	in       io.Reader
	out, err io.Writer
	screen   io.Writer // out as it was given, for what draws on a terminal
	getenv   func(string) string

	configFile string
	noColor    bool

	dir string // of the configuration that was loaded, absolute; "" for none
}

// colored reports whether stdout is a terminal that wants colours.
func (a *app) colored() bool {
	if a.noColor || a.getenv("NO_COLOR") != "" || a.getenv("TERM") == "dumb" {
		return false
	}
	return isTerminal(a.screen)
}

// counted remembers that a write failed, so that half of a report does not
// pass for one.
type counted struct {
	io.Writer
	failed error
}

// Write implements io.Writer.
func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	if err != nil && c.failed == nil {
		c.failed = err
	}
	return n, err
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// ci reports whether a continuous integration runs docket: the variable CI is
// there and is not "", 0 or false.
func (a *app) ci() bool {
	switch a.getenv("CI") {
	case "", "0", "false":
		return false
	default:
		return true
	}
}

// load reads the configuration: the file that --config names, else the nearest
// .docket.yaml at or above the working directory.
func (a *app) load() (*engine.Project, error) {
	file := a.configFile
	if file == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("the working directory cannot be read: %w", err)
		}
		if file, err = suite.Find(dir); err != nil {
			return nil, err
		}
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, suite.ConfigFile)
	}
	project, err := engine.Load(a.shorten(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there: name a configuration with --config, or write one with `docket init`", file)
	}
	if err != nil {
		return nil, err
	}
	if len(project.Names()) == 0 {
		_, _, err := project.Choose("")
		return nil, err
	}
	a.dir = project.Dir
	notes, err := project.Settle()
	for _, note := range notes {
		fmt.Fprintln(a.err, "docket: "+safetext.Line(a.plain(note)))
	}
	return project, err
}

// plain spells the files of the project in a message as people type them here,
// where the engine knows them by absolute paths.
func (a *app) plain(message string) string {
	here, err := os.Getwd()
	if a.dir == "" || err != nil {
		return message
	}
	below, err := filepath.Rel(here, a.dir)
	if err != nil {
		return message
	}
	short := ""
	if below != "." {
		short = below + string(filepath.Separator)
	}
	return strings.ReplaceAll(message, a.dir+string(filepath.Separator), short)
}

// shorten spells a path relative to the working directory where that is
// shorter, since positions in messages are spelled from it.
func (a *app) shorten(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsAbs(file) && len(rel) < len(file) {
		return rel
	}
	return file
}

// refuseInCI refuses a command that writes what a person decided where a
// machine runs it, unless it is told that this is meant.
func (a *app) refuseInCI(inCI bool, command string) error {
	if a.ci() && !inCI {
		return fmt.Errorf("CI is set (%q), and docket %s records what a person decided: run it at a terminal, or say --in-ci if this is meant", a.getenv("CI"), command)
	}
	return nil
}
