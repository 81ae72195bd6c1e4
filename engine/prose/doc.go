// Package prose measures a text: how many words, sentences and characters it
// has, how it is laid out, which language it is in, whether it refuses. Checks
// and projections share these measures, so that a limit in a case and a band in
// a baseline count alike.
//
// Every measure is a pure function of the text: the same bytes give the same
// answer on every machine, in every run. The package refuses to understand: it
// calls no model, compares no two texts, and where it cannot tell it says so
// ("unknown") instead of guessing.
//
// All functions take untrusted text of any length, invalid UTF-8 included, and
// take time linear in its length. What they return as strings are parts of the
// text, so they are untrusted too.
package prose
