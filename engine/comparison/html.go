package comparison

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"

	"docket/engine/phrase"
	"docket/engine/plot"
	"docket/engine/safetext"
	"docket/engine/webpage"
)

//go:embed comparison.html
var body string

func writeHTML(w io.Writer, c *Comparison) error {
	page, err := webpage.Parse(body)
	if err != nil {
		return err
	}
	data := struct {
		Title, Mixed string
		Names        []string
		Facts        []struct {
			Name   string
			Values []string
		}
		Pairs []htmlPair
		Plot  template.HTML
	}{Title: title(c), Mixed: mixed(c)}
	for _, s := range c.Systems {
		data.Names = append(data.Names, safetext.Line(s.Name))
	}
	for _, f := range facts(c) {
		data.Facts = append(data.Facts, struct {
			Name   string
			Values []string
		}{f.name, f.values})
	}
	for i := range c.Pairs {
		data.Pairs = append(data.Pairs, pairOf(&c.Pairs[i]))
	}
	data.Plot = cloud(c)
	return page.Write(w, "docket: "+data.Title, data)
}

type htmlPair struct {
	Name, Passing, Score string
	Lists                []htmlList
}

type htmlList struct {
	Name string
	IDs  []string
}

func pairOf(p *Pair) htmlPair {
	h := htmlPair{Name: safetext.Line(p.Second + " against " + p.First), Passing: p.Passing.String(), Score: p.Score.String()}
	for _, l := range lists(p) {
		list := htmlList{Name: safetext.Line(l.Name) + ": " + phrase.Count(len(l.IDs), "case", "cases")}
		for _, id := range l.IDs {
			list.IDs = append(list.IDs, safetext.Line(id))
		}
		h.Lists = append(h.Lists, list)
	}
	return h
}

// cloud draws cost against quality; nothing where fewer than two systems have
// both.
func cloud(c *Comparison) template.HTML {
	var points []plot.Point
	placed := 0
	for i := range c.Systems {
		s := &c.Systems[i]
		p := plot.Point{Label: safetext.Line(s.Name), X: s.Per1000, Y: s.Passing.Value, Low: s.Passing.Interval.Low, High: s.Passing.Interval.High}
		if !math.IsNaN(p.X) && !math.IsNaN(p.Y) {
			placed++
		}
		points = append(points, p)
	}
	if placed < 2 {
		return ""
	}
	return plot.Cloud("cost against quality", points,
		plot.Axis{Name: "US dollars for 1,000 cases", Spell: func(f float64) string { return "$" + money(f) }},
		plot.Axis{Name: "passing", Spell: func(f float64) string { return fmt.Sprintf("%.0f%%", 100*f) }})
}
