package tuitest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/tui"
	"docket/tui/style"
)

var update = flag.Bool("update", false, "write what the screens draw into testdata")

// Size is that of a window: columns and rows.
type Size struct{ Width, Height int }

// The sizes that screens are looked at in: the least that takes decisions with
// some room, the old terminal, a window on a laptop, a large one.
var (
	Tiny   = Size{60, 20}
	Small  = Size{80, 24}
	Middle = Size{120, 36}
	Large  = Size{200, 60}
)

// Sizes are all of them.
func Sizes() []Size { return []Size{Tiny, Small, Middle, Large} }

// Scene is a screen after some keys, in windows of some sizes.
type Scene struct {
	Name  string
	Open  func(t testing.TB) tui.Opener
	Keys  []string
	Sizes []Size // all where it is nil
	// Palettes has the scene drawn at Small in each palette that is not the
	// terminal's own colours, too.
	Palettes bool
}

// look is one way to draw a scene; only is the one size of it, the zero Size for
// all that the scene has.
type look struct {
	name string
	o    tui.Options
	only Size
}

// looks are the ways to draw a scene: plain, which is NO_COLOR, in colour, in
// ASCII, and in the palettes where that is asked for.
func (s Scene) looks() []look {
	looks := []look{{"plain", tui.Options{}, Size{}}, {"colour", tui.Options{Colour: true}, Size{}}, {"ascii", tui.Options{ASCII: true}, Small}}
	for _, p := range style.Palettes() {
		if s.Palettes && p.Name != style.Default {
			looks = append(looks, look{p.Name, tui.Options{Colour: true, Palette: p}, Small})
		}
	}
	return looks
}

// Goldens compares each scene with testdata/NAME-WIDTHxHEIGHT-LOOK.golden, in
// each of its looks, and holds it to the rules of Faults and to what Shown finds.
// With -update the files are written; what changed in them is then looked at,
// and not merely committed.
func Goldens(t *testing.T, scenes []Scene) {
	t.Helper()
	for _, scene := range scenes {
		sizes := scene.Sizes
		if sizes == nil {
			sizes = Sizes()
		}
		for _, size := range sizes {
			for _, look := range scene.looks() {
				if look.only != (Size{}) && size != look.only {
					continue
				}
				name := fmt.Sprintf("%s-%dx%d-%s", scene.Name, size.Width, size.Height, look.name)
				t.Run(name, func(t *testing.T) {
					o := look.o
					o.Width, o.Height = size.Width, size.Height
					d := Drive(t, scene.Open(t), o)
					d.Press(scene.Keys...)
					if fault := Faults(d.View(), size.Width, size.Height); fault != "" {
						t.Error(fault)
					}
					if fault := Shown(d.View(), size.Width, size.Height); fault != "" {
						t.Error(fault)
					}
					Golden(t, name+".golden", d.View()+"\n")
				})
			}
		}
	}
}

// Golden compares a text with a file of testdata, or writes it with -update.
func Golden(t *testing.T, name, got string) {
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
		t.Errorf("the frame changed (-looked at, +drawn now); go test with -update takes it over:\n%s", diff)
	}
}
