package style_test

import (
	"reflect"
	"strings"
	"testing"

	"docket/tui/cells"
	"docket/tui/style"
)

func TestWithoutColourThereIsNoAttribute(t *testing.T) {
	theme := style.New(false, false)
	for role := style.Plain; role <= style.Cursor; role++ {
		if got := theme.Render(role, "paid"); got != "paid" {
			t.Errorf("role %d renders %q without colour", role, got)
		}
	}
}

func TestColoursAreOfTheSixteen(t *testing.T) {
	theme := style.New(true, false)
	for role := style.Plain; role <= style.Cursor; role++ {
		got := theme.Render(role, "paid")
		if strings.Contains(got, "38;") || strings.Contains(got, "48;") || strings.Contains(got, "[4") && !strings.Contains(got, "[4;") {
			t.Errorf("role %d renders %q: no palette beyond 16 colours, and no background", role, got)
		}
		var b strings.Builder
		theme.Write(&b, role, "paid")
		if b.String() != got {
			t.Errorf("role %d: Write gives %q, Render %q", role, b.String(), got)
		}
	}
}

func TestEveryGlyphIsOneColumn(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		glyphs := reflect.ValueOf(style.New(false, ascii).Glyphs)
		for i := range glyphs.NumField() {
			name, glyph := glyphs.Type().Field(i).Name, glyphs.Field(i).String()
			if w := cells.Width(glyph); w != 1 && name != "Arrow" {
				t.Errorf("ascii %v: %s %q is %d columns wide", ascii, name, glyph, w)
			}
			for _, r := range glyph {
				if ascii && r > 0x7e {
					t.Errorf("%s %q is not ASCII", name, glyph)
				}
			}
		}
	}
}
