package pair

import (
	"fmt"

	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/source"
)

// guessed compiles the projections for two files that no suite stands behind:
// all that apply, and the label and the numbers that the outputs of both show,
// or that the old ones showed when a baseline was made of them.
func guessed(before, after *file) (*projection.Set, projection.Guess, error) {
	guess, kept, err := keptGuess(&before.side.header)
	if err != nil {
		return nil, guess, fmt.Errorf("%s: %w", before.side.Path, err)
	}
	if !kept {
		guess = projection.GuessFrom(answersOf(before, after))
	}
	set, err := compileGuess(guess)
	return set, guess, err
}

// answersOf are what a guess looks at.
func answersOf(files ...*file) []projection.Answer {
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
	return answers
}

// compileGuess compiles all projections, with what was guessed.
func compileGuess(guess projection.Guess) (*projection.Set, error) {
	config, problems := source.Parse("guess", guess.Config())
	labels, more := projection.Labels(guess.Labels, config, source.Position{File: "guess"})
	set, wrong := projection.Compile(config, labels)
	problems = append(append(problems, more...), wrong...)
	return set, problems.Err()
}
