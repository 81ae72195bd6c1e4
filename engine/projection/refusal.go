package projection

import "docket/engine/prose"

// refusal is whether the output declines to do what it was asked, true or
// false. A JSON document refuses where one of its strings does.
type refusal struct{}

func (refusal) Name() string { return "refusal" }

func (refusal) Project(s *Subject) (any, bool) {
	if text := s.prose(); text != "" && prose.Refusal(text) {
		return true, true
	}
	if s.HasDocument {
		for text := range documentTexts(s.Document) {
			if len(text) >= minRefusal && prose.Refusal(text) {
				return true, true
			}
		}
	}
	return false, true
}

// minRefusal is shorter, in bytes, than any sentence that declines something.
const minRefusal = 6
