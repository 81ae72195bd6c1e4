package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the screens draw into testdata")

// TestGoldens compares whole frames with what was looked at and found good.
func TestGoldens(t *testing.T) {
	scenes := []struct {
		name  string
		keys  []string
		sizes [][2]int
	}{
		{"first", nil, [][2]int{{60, 20}, {80, 24}, {120, 36}, {200, 60}}},
		{"deciding", []string{"d", "a", "r", "i", "p", "e", "enter", "r", "s", "o", "f", "t", "enter", "tab", "j", "x", "r", "enter", "esc", " "}, [][2]int{{60, 20}, {80, 24}, {120, 36}, {200, 60}}},
		{"texts", []string{"2"}, [][2]int{{80, 24}, {120, 36}}},
		{"reason", []string{"a", "r", "i", "p", "e"}, [][2]int{{80, 24}}},
		{"bulk", []string{"A", "x", "enter"}, [][2]int{{80, 24}, {120, 36}}},
		{"filter", []string{"/", "p", "e", "a"}, [][2]int{{80, 24}}},
		{"group", []string{"g"}, [][2]int{{120, 36}}},
		{"help", []string{"?"}, [][2]int{{80, 24}, {120, 36}}},
		{"closing", []string{"d", "ctrl+s"}, [][2]int{{80, 24}}},
		{"small", nil, [][2]int{{50, 12}}},
	}
	looks := []struct {
		name string
		set  []func(*Options)
	}{{"plain", nil}, {"colour", []func(*Options){colour}}, {"ascii", []func(*Options){ascii}}}
	for _, scene := range scenes {
		for _, size := range scene.sizes {
			for _, look := range looks {
				if look.name == "ascii" && size != [2]int{80, 24} {
					continue
				}
				name := fmt.Sprintf("%s-%dx%d-%s", scene.name, size[0], size[1], look.name)
				t.Run(name, func(t *testing.T) {
					d := drive(t, market(), size[0], size[1], look.set...)
					d.press(scene.keys...)
					compare(t, name, d.m.View()+"\n")
				})
			}
		}
	}
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the frame changed (-looked at, +drawn now); go test ./tui -run TestGoldens -update takes it over:\n%s", diff)
	}
}
