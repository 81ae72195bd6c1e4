package tuitest

import (
	"context"
	"strings"
	"testing"

	"docket/tui"
)

// brittle is a screen that panics on two keys.
type brittle struct{ tui.Screen }

// Brittle adds two actions to a screen: ( panics in the loop that draws, ) in a
// command outside it.
func Brittle(s tui.Screen) tui.Screen { return brittle{s} }

// Spec implements tui.Screen.
func (b brittle) Spec() tui.Spec {
	spec := b.Screen.Spec()
	spec.Actions = append(spec.Actions,
		tui.Action{Key: "(", Word: "crack", Name: "panic at once", Do: func(tui.At) tui.Effect { panic("a crack") }},
		tui.Action{Key: ")", Word: "crash", Name: "panic in a command", Do: func(tui.At) tui.Effect {
			return tui.Effect{Work: func(context.Context) tui.Effect { panic("a crack") }}
		}})
	return spec
}

// Panics has a Brittle screen panic behind a decision: the terminal is restored,
// the sentence behind the screen can be read and holds no trace, and the decision
// is there the next time. Start opens the screen with more in its environment,
// each time on the same subject; decide makes the first decision.
func Panics(t *testing.T, start func(env ...string) *Terminal, ready string, decide func(*Terminal)) {
	t.Helper()
	temp := "TMPDIR=" + t.TempDir() // the trace goes there
	for i, key := range []string{"(", ")"} {
		term := start(temp)
		term.Shows(ready)
		if i == 0 {
			decide(term)
		} else {
			term.Shows("resumed: 1 decision from before")
		}
		term.Press(key)
		out := term.Ends()
		term.Restored()
		after := out[max(strings.LastIndex(out, "\x1b[?1049l"), 0):]
		if !strings.Contains(after, "docket stopped on an error of its own: a crack") || strings.Contains(out, "goroutine") {
			t.Errorf("after %s it says %q", key, after)
		}
	}
	term := start(temp)
	term.Shows("resumed: 1 decision from before")
	term.Press("q")
	term.Ends()
}
