// Package prune is the screen on which cases that are proposed for deletion are
// gone through: why each exists, what it has caught, what would be lost with
// it, and only then a verdict. It is the frame of package tui with panes of
// its own.
//
// The package refuses to decide on several cases at once, and to retire a case
// of which more would be lost by now than was on the screen.
package prune
