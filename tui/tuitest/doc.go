// Package tuitest is how the screens of docket are tested: a Driver sends keys
// to a screen without a terminal, as Bubble Tea would, with a clock of its own;
// Goldens compares whole frames at the sizes and in the looks that the design
// names; Storm presses keys and changes sizes at random and holds each frame to
// the three rules of Faults; and a Terminal runs the test's own binary on a
// pseudo-terminal, read through an emulator, where a signal, a kill or what is
// left switched on at the end is the point.
//
// All but the Terminal wait for nothing. The package is for tests alone.
package tuitest
