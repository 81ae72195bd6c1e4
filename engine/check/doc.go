// Package check judges one output of one case: it compiles what a case expects
// into named checks, each of which gives a pass, a score from 0 to 1 and a
// message for people.
//
// Compile reads the expectation and reports all that is wrong in it, with
// positions. A family of checks is one file and one line in the table.
//
// The package refuses to compare with anything but the case: it knows no
// baseline, no other sample and no other output, and cannot tell who answered.
// It calls no model, opens no network connection, and runs a program only where
// a case's `command` names one.
package check
