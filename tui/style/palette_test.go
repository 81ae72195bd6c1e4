package style_test

import (
	"math"
	"testing"

	"docket/tui/style"
)

// rgb is one of the 240 fixed colours of a terminal, in linear light.
func rgb(n int) [3]float64 {
	var c [3]float64
	if n >= 232 {
		grey := float64(8 + 10*(n-232))
		c = [3]float64{grey, grey, grey}
	} else {
		steps := []float64{0, 95, 135, 175, 215, 255}
		n -= 16
		c = [3]float64{steps[n/36], steps[n/6%6], steps[n%6]}
	}
	for i, v := range c {
		c[i] = math.Pow((v/255+0.055)/1.055, 2.4)
		if v/255 <= 0.04045 {
			c[i] = v / 255 / 12.92
		}
	}
	return c
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// lab is a colour in CIE L*a*b* under D65.
func lab(c [3]float64) [3]float64 {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(luminance(c))
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// eyes are how a colour looks to eyes without one kind of cone: the matrices of
// Machado, Oliveira and Fernandes (2009) at full severity, on linear light.
func eyes() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"without red":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"without green": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"without blue":  {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
}

func seen(c [3]float64, eye [3][3]float64) [3]float64 {
	var out [3]float64
	for i, row := range eye {
		out[i] = min(max(row[0]*c[0]+row[1]*c[1]+row[2]*c[2], 0), 1)
	}
	return out
}

// TestPalettesAreToldApart: what is good and bad, new and old, differs by far
// more than can just be seen (a distance of 2.3 in L*a*b*), for the eyes that a
// palette is for and for all others.
func TestPalettesAreToldApart(t *testing.T) {
	for palette, of := range map[string][]string{style.BlueOrange: {"without red", "without green"}, style.RedTeal: {"without blue"}} {
		p, ok := style.Named(palette)
		if !ok {
			t.Fatal(palette)
		}
		for _, eye := range of {
			for _, pair := range [][2]style.Role{{style.Good, style.Bad}, {style.NewMark, style.OldMark}} {
				a, _ := p.Colour(pair[0])
				b, _ := p.Colour(pair[1])
				x, y := lab(seen(rgb(a), eyes()[eye])), lab(seen(rgb(b), eyes()[eye]))
				if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < 35 {
					t.Errorf("%s %s: colours %d and %d are %.0f apart", palette, eye, a, b, d)
				}
			}
		}
	}
}

// TestPalettesReadOnBlackAndWhite holds each fixed colour to the contrast that
// WCAG asks of bold text and of signs, on black and on white.
func TestPalettesReadOnBlackAndWhite(t *testing.T) {
	for _, p := range style.Palettes() {
		for name, role := range style.Roles() {
			n, ok := p.Colour(role)
			if !ok || n < 16 {
				continue
			}
			l := luminance(rgb(n))
			if dark, light := contrast(l, 0), contrast(l, 1); dark < 3 || light < 3 {
				t.Errorf("%s, %s: colour %d has %.1f on black and %.1f on white", p.Name, name, n, dark, light)
			}
		}
	}
}

func TestAColourOfOnesOwn(t *testing.T) {
	p, _ := style.Named(style.BlueOrange)
	changed := p.With(style.Bad, 208)
	if n, _ := changed.Colour(style.Bad); n != 208 {
		t.Errorf("bad is %d", n)
	}
	if n, _ := p.Colour(style.Bad); n == 208 {
		t.Error("the palette that it was made from changed, too")
	}
	if got := changed.Theme(style.Terminal{Colour: true}).Render(style.Bad, "x"); got != "\x1b[1;38;5;208mx\x1b[0m" {
		t.Errorf("drawn as %q", got)
	}
	if got := changed.Theme(style.Terminal{Colour: true, Sixteen: true}).Render(style.Bad, "x"); len(got) > len("\x1b[1;97mx\x1b[0m") {
		t.Errorf("on a terminal of sixteen colours drawn as %q", got)
	}
	if got := changed.Theme(style.Terminal{}).Render(style.Bad, "x"); got != "x" {
		t.Errorf("without colour drawn as %q", got)
	}
}
