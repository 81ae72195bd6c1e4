package plot

import (
	"html"
	"html/template"
	"math"
	"strings"
)

// A Point is one thing in a plane, with the interval of its height.
type Point struct {
	Label     string
	X, Y      float64
	Low, High float64 // of Y; NaN where not known
}

// An Axis says what a direction of a cloud is and spells its values.
type Axis struct {
	Name  string
	Spell func(float64) string
}

// Cloud draws points in a plane, each with its label and the interval of its
// height. The axis across begins at zero, since half the cost has to look like
// it. Points without a place are left out of the drawing and named in its
// text.
func Cloud(name string, points []Point, across, up Axis) template.HTML {
	var said []string
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	placed := points[:0:0]
	for _, p := range points {
		if math.IsNaN(p.X) || math.IsNaN(p.Y) {
			said = append(said, p.Label+" has no place")
			continue
		}
		said = append(said, p.Label+" "+across.Name+" "+across.Spell(p.X)+", "+up.Name+" "+up.Spell(p.Y))
		lowX, highX = min(lowX, p.X), max(highX, p.X)
		for _, v := range []float64{p.Y, p.Low, p.High} {
			if !math.IsNaN(v) {
				lowY, highY = min(lowY, v), max(highY, v)
			}
		}
		placed = append(placed, p)
	}
	lowX, highX = apart(min(lowX, 0), highX, lowX >= 0)
	lowY, highY = apart(lowY, highY, false)
	s := begin(name + ": " + strings.Join(said, "; "))
	s.axes(lowY, highY, up.Spell)
	s.element(`<text x="%d" y="%d">%s</text>`, left, height-8, html.EscapeString(across.Spell(lowX)))
	s.element(`<text x="%d" y="%d" text-anchor="end">%s</text>`, width-right, height-8, html.EscapeString(across.Spell(highX)))
	s.element(`<text x="%d" y="%d" text-anchor="middle">%s</text>`, (left+width-right)/2, height-8, html.EscapeString(across.Name))
	for _, p := range placed {
		const inset = 14 // keeps points off the axis
		px := coordinate(left + inset + (p.X-lowX)/(highX-lowX)*float64(width-left-right-2*inset))
		py := y(p.Y, lowY, highY)
		if !math.IsNaN(p.Low) && !math.IsNaN(p.High) {
			s.element(`<path class="range" d="M%s %sV%s"/>`, px, coordinate(y(p.Low, lowY, highY)), coordinate(y(p.High, lowY, highY)))
		}
		s.element(`<circle class="mark" cx="%s" cy="%s" r="4"><title>%s</title></circle>`, px, coordinate(py), html.EscapeString(p.Label))
		anchor, shift := "start", 7.0
		if (p.X-lowX)/(highX-lowX) > 0.6 {
			anchor, shift = "end", -7
		}
		s.element(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, coordinate(left+inset+(p.X-lowX)/(highX-lowX)*float64(width-left-right-2*inset)+shift), coordinate(py-5), anchor, html.EscapeString(p.Label))
	}
	return s.done()
}
