// Package plot draws small charts as SVG, for pages that load nothing: a trace of
// a measure over time, bars of counts, and a cloud of points with intervals.
//
// A chart carries its numbers as text, too, so that one who cannot see it can
// read it. Labels may be anything and are escaped here. The package chooses no
// colours: the page that shows a chart has the classes axis, trace, mark, bar
// and range. It computes no statistic.
package plot

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// The size of a chart in its own units, and what is kept free for labels.
const (
	width, height = 420, 150
	left, right   = 44, 12
	top, bottom   = 10, 24
)

// A Value is one measure at one place of a chart. A NaN is a gap.
type Value struct {
	Label string // under the axis, such as a day
	Y     float64
}

// Trace draws values in their order, joined by a line that breaks at gaps. name
// says what is drawn; spell writes a value for people.
func Trace(name string, values []Value, spell func(float64) string) template.HTML {
	s := newSVG(name, values, spell)
	low, high := bounds(values, false)
	s.axes(low, high, spell)
	var path strings.Builder
	joined := false
	for i, v := range values {
		if math.IsNaN(v.Y) {
			joined = false
			continue
		}
		command := "M"
		if joined {
			command = "L"
		}
		fmt.Fprintf(&path, "%s%s %s", command, coordinate(x(i, len(values))), coordinate(y(v.Y, low, high)))
		joined = true
	}
	s.element(`<path class="trace" d="%s"/>`, path.String())
	for i, v := range values {
		if !math.IsNaN(v.Y) {
			s.element(`<circle class="mark" cx="%s" cy="%s" r="2.5"><title>%s</title></circle>`,
				coordinate(x(i, len(values))), coordinate(y(v.Y, low, high)), html.EscapeString(v.Label+": "+spell(v.Y)))
		}
	}
	s.ends(values)
	return s.done()
}

// Bars draws values in their order as bars from zero.
func Bars(name string, values []Value, spell func(float64) string) template.HTML {
	s := newSVG(name, values, spell)
	_, high := bounds(values, true)
	s.axes(0, high, spell)
	wide := min(24, float64(width-left-right)/float64(max(1, len(values)))*0.7)
	for i, v := range values {
		if math.IsNaN(v.Y) {
			continue
		}
		up := y(v.Y, 0, high)
		s.element(`<rect class="bar" x="%s" y="%s" width="%s" height="%s"><title>%s</title></rect>`,
			coordinate(x(i, len(values))-wide/2), coordinate(up), coordinate(wide), coordinate(y(0, 0, high)-up), html.EscapeString(v.Label+": "+spell(v.Y)))
	}
	s.ends(values)
	return s.done()
}

// bounds are the least and the greatest value, apart, so that a flat line has a
// place.
func bounds(values []Value, zero bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v.Y) {
			low, high = min(low, v.Y), max(high, v.Y)
		}
	}
	return apart(low, high, zero)
}

func apart(low, high float64, zero bool) (float64, float64) {
	switch {
	case low > high: // no value at all
		return 0, 1
	case zero:
		low = 0
	}
	if low == high {
		room := max(math.Abs(low)*0.1, 1e-9)
		if zero {
			return 0, max(high, 1)
		}
		return low - room, high + room
	}
	return low, high
}

func x(i, of int) float64 {
	return left + (float64(i)+0.5)*float64(width-left-right)/float64(max(1, of))
}

func y(value, low, high float64) float64 {
	return float64(height-bottom) - (value-low)/(high-low)*float64(height-top-bottom)
}

// coordinate spells a number with one decimal, so that the same chart is the
// same bytes.
func coordinate(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// An svg is a chart while it is drawn.
type svg struct{ strings.Builder }

func newSVG(name string, values []Value, spell func(float64) string) *svg {
	var said []string
	for _, v := range values {
		text := "unknown"
		if !math.IsNaN(v.Y) {
			text = spell(v.Y)
		}
		said = append(said, v.Label+" "+text)
	}
	return begin(name + ": " + strings.Join(said, ", "))
}

func begin(description string) *svg {
	s := new(svg)
	s.element(`<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, width, height, html.EscapeString(description))
	return s
}

func (s *svg) element(format string, args ...any) { fmt.Fprintf(s, format, args...) }

func (s *svg) axes(low, high float64, spell func(float64) string) {
	s.element(`<path class="axis" d="M%d %dV%dH%d"/>`, left, top, height-bottom, width-right)
	s.element(`<text x="%d" y="%d" text-anchor="end">%s</text>`, left-5, top+8, html.EscapeString(spell(high)))
	s.element(`<text x="%d" y="%d" text-anchor="end">%s</text>`, left-5, height-bottom, html.EscapeString(spell(low)))
}

// ends labels the first and the last value.
func (s *svg) ends(values []Value) {
	if len(values) == 0 {
		return
	}
	first, last := values[0], values[len(values)-1]
	s.element(`<text x="%d" y="%d">%s</text>`, left, height-8, html.EscapeString(first.Label))
	if len(values) > 1 {
		s.element(`<text x="%d" y="%d" text-anchor="end">%s</text>`, width-right, height-8, html.EscapeString(last.Label))
	}
}

func (s *svg) done() template.HTML {
	s.WriteString("</svg>")
	return template.HTML(s.String())
}
