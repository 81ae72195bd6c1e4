// Package tui is the frame that docket's screens share: a list of rows, a
// detail of old beside new, one key per verdict, a reason for each decision,
// undo, a closing step, and the same without a screen, one line at a time.
//
// The frame knows rows and verdicts and not what they are about. A screen
// implements Screen and hands over a Session, which keeps decisions on disk;
// the frame draws a decision only once the session has it. It never writes a
// file, compares nothing and judges nothing.
//
// Text from a screen may be anything that a model or a user wrote. The frame
// makes it safe to show; screens hand over text and roles, never escape
// sequences.
package tui
