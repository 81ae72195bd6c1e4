package plot

import (
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func spell(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// parse fails unless a chart is well-formed, and returns its elements by name,
// with their attributes.
func parse(t interface{ Fatalf(string, ...any) }, chart template.HTML) map[string][]map[string]string {
	elements := map[string][]map[string]string{}
	d := xml.NewDecoder(strings.NewReader(string(chart)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		if err != nil {
			t.Fatalf("the chart is not well-formed: %v\n%s", err, chart)
		}
		if start, ok := token.(xml.StartElement); ok {
			attributes := map[string]string{}
			for _, a := range start.Attr {
				attributes[a.Name.Local] = a.Value
			}
			elements[start.Name.Local] = append(elements[start.Name.Local], attributes)
		}
	}
}

func TestTraceBreaksAtGaps(t *testing.T) {
	chart := Trace("score", []Value{{"mon", 0.5}, {"tue", math.NaN()}, {"wed", 0.9}, {"thu", 0.7}}, spell)
	elements := parse(t, chart)
	if n := len(elements["circle"]); n != 3 {
		t.Errorf("%d marks, want one for each value that is known", n)
	}
	for _, p := range elements["path"] {
		if p["class"] == "trace" && (strings.Count(p["d"], "M") != 2 || strings.Count(p["d"], "L") != 1) {
			t.Errorf("the line is %q: want it broken at the gap", p["d"])
		}
	}
	if label := elements["svg"][0]["aria-label"]; label != "score: mon 0.50, tue unknown, wed 0.90, thu 0.70" {
		t.Errorf("the chart reads %q", label)
	}
}

func TestBarsStandOnZero(t *testing.T) {
	elements := parse(t, Bars("changed", []Value{{"a", 2}, {"b", 4}, {"c", 0}}, spell))
	tall := func(i int) float64 {
		h, err := strconv.ParseFloat(elements["rect"][i]["height"], 64)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	if tall(1) != 2*tall(0) || tall(2) != 0 {
		t.Errorf("bars of 2, 4 and 0 are %v, %v and %v high", tall(0), tall(1), tall(2))
	}
}

// TestInsideAndWellFormed draws anything and expects marks inside the chart and
// labels that are no markup.
func TestInsideAndWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Just(math.NaN()), rapid.Just(0.0))
		label := rapid.StringOf(rapid.RuneFrom([]rune(`<>&"'/ab é漢`)))
		var values []Value
		var points []Point
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			values = append(values, Value{label.Draw(t, "label"), number.Draw(t, "y")})
			points = append(points, Point{label.Draw(t, "label"), number.Draw(t, "x"), number.Draw(t, "y"), math.NaN(), math.NaN()})
		}
		axis := Axis{"cost", spell}
		for _, chart := range []template.HTML{Trace(label.Draw(t, "name"), values, spell), Bars("b", values, spell), Cloud("c", points, axis, axis)} {
			elements := parse(t, chart)
			for name := range elements {
				if !strings.Contains(" svg path text circle title rect ", " "+name+" ") {
					t.Fatalf("a label became an element %s: %s", name, chart)
				}
			}
			for _, c := range elements["circle"] {
				cx, _ := strconv.ParseFloat(c["cx"], 64)
				cy, _ := strconv.ParseFloat(c["cy"], 64)
				if cx < left || cx > width || cy < 0 || cy > height {
					t.Fatalf("a mark at %v, %v lies outside: %s", cx, cy, chart)
				}
			}
		}
	})
}
