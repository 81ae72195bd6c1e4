package tui

import (
	"context"
	"fmt"
	"testing"
)

func contextOf() context.Context { return context.Background() }

func TestLook(t *testing.T) {
	for _, s := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		d := drive(t, market(), s[0], s[1])
		d.press("a")
		d.typed("in season")
		d.press("enter", "r")
		d.typed("too dear")
		d.press("enter", "n")
		fmt.Println(d.m.View())
		d.press("A")
		fmt.Println(d.m.View())
		d.press("enter")
		fmt.Println(d.m.View())
	}
}
