// Package migrate is the screen on which old tests are decided on: the source
// with its assertions, the case that a test would become, where it came from,
// and one key for each pile. It is the frame of package tui with panes of its
// own.
//
// The package refuses to make a case whose reason nobody confirmed. It reads no
// old test, translates nothing and writes no case: an engine's migration does.
package migrate
