// Package baseline holds the checked-in golden master of a suite: a header
// line with the configuration it was captured under, and one line for each
// case with what its output looked like, in one file for each mode.
//
// The package refuses to write over a file that is not the one that was read,
// to repair a damaged file, to drop a line or a key that nobody asked it to
// drop, and to write anything about an output's prose but its hash. It judges
// and compares nothing.
//
// Files are read lazily: Parse splits a file, finds each line's id and checks
// what is cheap to check. A line's content is checked when the line is parsed,
// by File.Line for one and File.Lint for all.
package baseline
