// Command docket triages eval diffs: it runs an eval suite, shows which cases
// changed in structure, and writes the new baseline once a person has decided
// on each change.
//
// Data goes to stdout, everything else to stderr. The exit codes are listed in
// exit.go.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	// Keeps the terminal library from querying the terminal; its import path
	// must sort before the library's.
	_ "docket/tui/startup"

	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/secret"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks docket to keep what has finished and end; a second
	// one ends it as it would any program.
	context.AfterFunc(ctx, stop)
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv}
	os.Exit(a.execute(ctx, os.Args[1:]))
}

// mostSaid is how many characters of an error are printed: the faults of a large
// suite, and not an argument of a megabyte.
const mostSaid = 100_000

// execute runs one command line and returns its exit code.
func (a *app) execute(ctx context.Context, args []string) int {
	printed := &counted{Writer: a.out}
	a.screen, a.out = a.out, printed
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if printed.failed != nil {
		err = fmt.Errorf("what docket prints cannot be written, and is not whole: %w", printed.failed)
	}
	if err == nil {
		return codeOK
	}
	code, message := exitOf(err)
	if message != "" {
		// Whatever an error repeats, it never holds a key.
		message = secret.New(secret.Environment(os.Environ())).Text(message)
		fmt.Fprintln(a.err, "docket: "+safetext.Block(phrase.Abridge(a.plain(message), mostSaid)))
	}
	return code
}
