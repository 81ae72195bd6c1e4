package tui_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"docket/tui"
	"docket/tui/tuitest"

	_ "docket/tui/startup"
)

// toyProgram makes the test binary a program that shows the toy screen, for
// the tests that need a terminal, and for looking at it.
const toyProgram = "DOCKET_TOY_SCREEN"

func TestMain(m *testing.M) {
	if os.Getenv(toyProgram) != "" {
		os.Exit(runToy())
	}
	os.Exit(m.Run())
}

func runToy() int {
	f := market()
	if os.Getenv(toyProgram) == "many" {
		f = many(100_000)
	}
	if path := os.Getenv("DOCKET_TOY_JOURNAL"); path != "" {
		f.session.onDisk = func(line string) {
			file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			defer file.Close()
			fmt.Fprintln(file, line)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // as the command has it
	defer stop()
	result, err := tui.Run(ctx, tuitest.Ready(f), tui.Options{ASCII: os.Getenv("DOCKET_TOY_ASCII") != ""})
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	fmt.Println("ended by", result.Signal+".")
	return 0
}

// drive opens the toy screen in a window, plain unless it is told otherwise.
func drive(t testing.TB, s tui.Screen, width, height int, set ...func(*tui.Options)) *tuitest.Driver {
	t.Helper()
	o := tui.Options{Width: width, Height: height}
	for _, f := range set {
		f(&o)
	}
	return tuitest.Drive(t, tuitest.Ready(s), o)
}

func colour(o *tui.Options) { o.Colour = true }

// at is the row under the cursor.
func at(d *tuitest.Driver) string { return tui.Selected(d.Model()) }
