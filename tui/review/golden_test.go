package review_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/tui"
	"docket/tui/tuitest"
)

var update = flag.Bool("update", false, "write what the screen draws into testdata")

// TestGoldens compares whole frames with what was looked at and found good.
func TestGoldens(t *testing.T) {
	all := [][2]int{{60, 20}, {80, 24}, {120, 36}, {200, 60}}
	scenes := []struct {
		name  string
		keys  []string
		sizes [][2]int
	}{
		{"first", nil, all},
		{"deciding", []string{"r", "s", "o", "enter", "n", "A", "o", "k", "enter", "tab", "y", "g", "j", "j", "j", "tab", "x", "a", "enter"}, all},
		{"output", []string{"2"}, all},
		{"sample", []string{"n", "2", ">"}, [][2]int{{120, 36}}},
		{"history", []string{"3"}, [][2]int{{80, 24}, {120, 36}}},
		{"case", []string{"4"}, [][2]int{{80, 24}, {120, 36}}},
		{"check", []string{"v"}, [][2]int{{120, 36}}},
		{"flat", []string{"v", "v"}, [][2]int{{80, 24}}},
		{"bulk", []string{"A", "o", "k", "enter"}, [][2]int{{80, 24}}},
		{"edited", []string{"/", "s", "t", "a", "t", "u", "s", ":", "r", "e", "d", "enter"}, [][2]int{{120, 36}}},
		{"unstable", []string{"/", "l", "o", "a", "n", "s", "-", "0", "0", "0", "8", "enter", "="}, [][2]int{{120, 36}}},
		{"gone", []string{"/", "s", "t", "a", "t", "u", "s", ":", "g", "o", "enter", "2"}, [][2]int{{80, 24}}},
	}
	looks := []struct {
		name string
		o    tui.Options
	}{{"plain", tui.Options{}}, {"colour", tui.Options{Colour: true}}, {"ascii", tui.Options{ASCII: true}}}
	for _, scene := range scenes {
		for _, size := range scene.sizes {
			for _, look := range looks {
				if look.name == "ascii" && size != [2]int{80, 24} {
					continue
				}
				name := fmt.Sprintf("%s-%dx%d-%s", scene.name, size[0], size[1], look.name)
				t.Run(name, func(t *testing.T) {
					o := look.o
					o.Width, o.Height = size[0], size[1]
					d := tuitest.Drive(t, newLibrary().screen(t), o)
					d.Press(scene.keys...)
					if fault := tuitest.Faults(d.View(), size[0], size[1]); fault != "" {
						t.Error(fault)
					}
					compare(t, name+".golden", d.View()+"\n")
				})
			}
		}
	}
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
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
		t.Errorf("the frame changed (-looked at, +drawn now); go test ./tui/review -run 'TestGoldens|TestPicture' -update takes it over:\n%s", diff)
	}
}
