// Package startup keeps every docket command from querying the terminal.
//
// Importing bubbletea v1 makes a program ask the terminal for its background
// colour before main runs, and wait up to five seconds for the answer
// (charmbracelet/bubbletea#1071): a command that draws nothing would print
// escape bytes and start late. The question is skipped once lipgloss has been
// told the answer. docket uses the terminal's own 16 colours, so the answer
// does not matter to it.
//
// Go initialises packages that are ready in the order of their import paths,
// so this package must import lipgloss and nothing else, and its path must
// sort before github.com/charmbracelet/bubbletea. Import it first in main, for
// its effect alone. It offers nothing to call.
package startup

import "github.com/charmbracelet/lipgloss"

// This is the one init function in docket: only code that runs before
// bubbletea's own init can keep it from asking.
func init() { lipgloss.SetHasDarkBackground(true) }
