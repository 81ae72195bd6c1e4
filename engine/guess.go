package engine

import (
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/source"
)

// guessed compiles the projections for two files that no suite stands behind:
// all that apply, and the label and the numbers that the outputs of both show.
func guessed(files ...*file) (*projection.Set, projection.Guess, error) {
	var answers []projection.Answer
	for _, f := range files {
		for _, id := range f.ids {
			for i := range f.side.samples[id] {
				s := &f.side.samples[id][i]
				if s.Error != "" {
					continue
				}
				document, has := output.Document(s.Output.Text)
				answers = append(answers, projection.Answer{Text: s.Output.Text, Document: document, HasDocument: has})
				break // one sample tells where things stand
			}
		}
	}
	guess := projection.GuessFrom(answers)
	config, problems := source.Parse("guess", guess.Config())
	labels, more := projection.Labels(guess.Labels, config, source.Position{File: "guess"})
	set, wrong := projection.Compile(config, labels)
	problems = append(append(problems, more...), wrong...)
	return set, guess, problems.Err()
}
