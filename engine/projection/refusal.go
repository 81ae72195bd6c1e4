package projection

import "docket/engine/prose"

// refusal is whether the output declines to do what it was asked, true or
// false. A JSON document refuses where one of its strings does.
type refusal struct{}

func (refusal) Name() string { return "refusal" }

func (refusal) Project(s *Subject) (any, bool) {
	if prose.Refusal(s.Output.Text) {
		return true, true
	}
	if s.HasDocument {
		for text := range documentTexts(s.Document) {
			if prose.Refusal(text) {
				return true, true
			}
		}
	}
	return false, true
}
