// Package syntax turns Python source into a tree: a lexer that knows brackets,
// indentation, line joining and the nested quotes of PEP 701, and a parser of the
// statements and expressions that tests are written in, through Python 3.14.
//
// A file with errors is parsed as far as it goes: a statement that cannot be
// read becomes a Bad one with a problem, and what follows is read again, also
// after a bracket that was never closed. The package refuses to be a compiler:
// it accepts some source that Python would not, checks no scopes, and runs
// nothing. It holds deep nesting to a limit, so that no source exhausts the
// stack.
package syntax
