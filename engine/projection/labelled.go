package projection

import (
	"docket/engine/label"
	"docket/engine/source"
)

// labelled is the label that the output chose, as package label finds it.
type labelled struct{ finder *label.Finder }

// compileLabel takes the finder as it is: Labels has read the path already.
func compileLabel(setting source.Value, labels *label.Finder) (compiled, source.Problems) {
	var problems source.Problems
	if isMap(setting) {
		problems = source.Known(setting, "label", "path")
	}
	if !labels.Measures() {
		return compiled{}, problems
	}
	return compiled{projection: labelled{labels}, rule: whole{}, settings: labels.Settings()}, problems
}

func (labelled) Name() string { return "label" }

func (l labelled) Project(s *Subject) (any, bool) {
	return l.finder.Find(s.Output, s.Document, s.HasDocument), true
}
