// Package review is the screen that docket is known by: the cases that changed,
// in groups that changed alike, each beside why it exists, what it said before
// and what was decided on it; a key and a reason accept or reject.
//
// It turns a diff into rows and texts for the frame (package tui) and the
// frame's decisions into verdicts of the engine. It compares nothing, judges
// nothing and writes no file: what it shows stands in the diff, and each
// decision is the engine's to keep. Texts are handed on as they came; the frame
// makes them safe to show.
package review
