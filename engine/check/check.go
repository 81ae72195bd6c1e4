package check

import (
	"context"

	"docket/engine/output"
)

// A Check judges one output of one case. It is compiled once for a case and
// must be safe for concurrent use.
type Check interface {
	// Name is the check's name in files and on screens.
	Name() string
	// Judge judges one output. An error says that the judgement itself could
	// not be made (a program that crashed, say): the case is then an error,
	// neither a pass nor a failure.
	Judge(ctx context.Context, subject *Subject) (Verdict, error)
}

// A Verdict is what a check says of one output.
type Verdict struct {
	Pass    bool
	Score   float64 // 0..1; 1 for a pass unless the family says otherwise
	Message string  // for people, one line; may quote the output, so untrusted
	// Unscored says why a judge gave no verdict: neither a pass nor a failure, and
	// in no mean. "" for every verdict there is.
	Unscored string
}

// A Panel asks judges. It is where the rubrics of a suite go when they are
// judged; what a judge is, and who answers for it, is not known here.
type Panel interface {
	// Rule returns what a judge says. An error says that it should have been
	// able to say something.
	Rule(ctx context.Context, q Question) (Verdict, error)
}

// A Question is one output to be judged by one rubric.
type Question struct {
	Judge, Rubric string
	ID            string // of the case
	Sample        int
	Input         map[string]any
	Output        *output.Output
}

// A Subject is what a check may look at: the case's id and input, one sample's
// output. It never sees who answered. It keeps the forms of the text that
// checks share, so it is for one goroutine at a time and its fields must not
// change once a check has seen it.
type Subject struct {
	ID     string
	Sample int
	Input  map[string]any // JSON model of package canonical
	Output *output.Output
	// Document is the JSON in the output's text, see output.Document; nil and
	// false in HasDocument where there is none.
	Document    any
	HasDocument bool
	// Panel asks judges; nil where none sit, so that rubrics stay unscored.
	Panel Panel

	normalized, folded, patternText lazyText
}

// A lazyText is a form of a text that is made when it is first asked for.
type lazyText struct {
	text string
	made bool
}

func (l *lazyText) get(make func() string) string {
	if !l.made {
		l.text, l.made = make(), true
	}
	return l.text
}
