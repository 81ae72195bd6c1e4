package review

import (
	"context"
	"strings"
	"sync"
	"time"

	"docket/engine"
	"docket/engine/agreement"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/provenance"
	"docket/engine/report"
	"docket/engine/results"
	"docket/engine/run"
	"docket/tui"
	"docket/tui/highlight"
	"docket/tui/list"
	"docket/tui/style"
)

// Evidence is what there is to know of a case besides its changes;
// *engine.Review has it. About, Past, Rejected and Claimed answer at once, and
// several goroutines may ask them; the others may read files.
type Evidence interface {
	About(id string) (engine.About, bool)
	Past(id string) []decision.Past
	Rejected(c *diff.Case) (decision.Past, bool)
	CaseFile(id string) (path string, ok bool)
	Claimed(c *diff.Case) []agreement.Sentence

	CaseText(id string) (path, text string, err error)
	Outputs(ctx context.Context, id string) (engine.Outputs, error)
	Results(ctx context.Context, id string) ([]results.Entry, error)
	Agreement(ctx context.Context, c *diff.Case) ([]agreement.Sentence, error)
	// Why tells why a case exists; nil where nothing can know.
	Why(ctx context.Context, id string) (*provenance.Story, error)
}

// Options are what a screen is made of.
type Options struct {
	Diff     *diff.Diff
	Evidence Evidence
	Session  tui.Session
	Command  string       // what opens the screen again
	Notice   string       // said on the first frame
	ReadOnly string       // why nothing can be decided here
	Files    string       // the two files that are reviewed without a suite, "old → new"; else ""
	Sources  []run.Source // who answered in the run
	Now      time.Time    // what the age of their recordings is counted to
	Across   bool         // sides that are not comparable are compared all the same
	// More takes further samples of cases and returns what a screen over them is
	// made of; nil where nobody can be asked.
	More func(ctx context.Context, ids []string) (Options, error)
}

// Screen implements tui.Screen over a diff.
type Screen struct {
	Options
	cases    []entry // as in the diff
	order    []int   // cases in the order of reading
	head     tui.Head
	answers  *answers
	abouts   *abouts
	json     highlight.Language
	yaml     highlight.Language
	sample   int                      // which sample the tab of outputs shows, counted from 0
	sampleOf string                   // the case that it was chosen for
	raw      bool                     // outputs show as they came
	called   func(name string) string // how the help spells a key; nil in plain mode
}

// entry is what the list knows of a case.
type entry struct {
	signature string
	kind      string // what the signature begins with, such as "label"
	rejected  *decision.Past
}

// New makes the screen. It looks at every case once, which for a hundred
// thousand of them takes a while.
func New(o Options) *Screen {
	s := &Screen{json: highlight.JSON(), yaml: highlight.YAML()}
	s.show(o)
	return s
}

// show makes the screen one over these options.
func (s *Screen) show(o Options) {
	s.Options = o
	s.answers = newAnswers(o.Evidence)
	s.cases = make([]entry, len(o.Diff.Cases))
	s.abouts = newAbouts(o.Evidence, o.Diff.Cases)
	var head sync.WaitGroup
	head.Go(func() { s.order, s.head = inOrder(o.Diff.Cases), s.makeHead() })
	inChunks(len(s.cases), func(i int) { s.look(&o.Diff.Cases[i], &s.cases[i]) })
	head.Wait()
}

// look fills in what the list knows of a case.
func (s *Screen) look(c *diff.Case, e *entry) {
	e.signature = c.Signature()
	e.kind = kind(c, e.signature)
	if len(s.Evidence.Past(c.ID)) == 0 {
		return
	}
	if past, ok := s.Evidence.Rejected(c); ok {
		e.rejected = &past
	}
}

// Spec implements tui.Screen.
func (s *Screen) Spec() tui.Spec {
	return tui.Spec{
		Title: "changes", One: "case", Many: "cases", Command: s.Command,
		Groupings: []string{"signature", "check", "nothing"},
		Verdicts: []tui.Verdict{
			{ID: string(decision.Accept), Key: "a", Bulk: "A", Name: "accept", Done: "accepted", Glyph: "✓", ASCII: "y", Role: style.Good, Ask: "reason"},
			{ID: string(decision.Reject), Key: "r", Bulk: "R", Name: "reject", Done: "rejected", Glyph: "✗", ASCII: "x", Role: style.Bad, Ask: "reason"},
			{ID: string(decision.Allow), Key: "l", Rare: true, Name: "allow", Long: "allow what it does now as well as what it did before", Done: "allowed as well", Glyph: "+", ASCII: "+", Role: style.Good, Ask: "reason", Refuse: s.unallowable},
		},
		Actions: s.actions(), Session: s.Session, Parts: true,
		Notice: s.Notice, ReadOnly: s.ReadOnly,
		Terms: []string{"of", "status", "is", "tag"}, Term: s.term, Text: s.termFound, Before: s.before, Caution: s.caution, Confirm: s.confirm,
	}
}

// unallowable says why nothing of a case can be allowed beside what was.
func (s *Screen) unallowable(id, part string) error {
	for i := range s.Diff.Cases {
		if c := &s.Diff.Cases[i]; c.ID == id {
			return engine.Unallowable(c, part)
		}
	}
	return nil
}

// before is the reason with which the same change of a case was rejected in the
// past; there is none to accept what was rejected.
func (s *Screen) before(id, verdict string) string {
	if verdict != string(decision.Reject) {
		return ""
	}
	for i := range s.Diff.Cases {
		if s.Diff.Cases[i].ID == id && s.cases[i].rejected != nil {
			return s.cases[i].rejected.Reason
		}
	}
	return ""
}

// Head implements tui.Screen.
func (s *Screen) Head() tui.Head { return s.head }

func (s *Screen) actions() []tui.Action {
	step := func(by int) func(tui.At) tui.Effect {
		return func(at tui.At) tui.Effect {
			if at.Row == nil {
				return tui.Effect{}
			}
			return s.stepSample(at.Row.ID, by)
		}
	}
	return []tui.Action{
		{Key: "s", Word: "more", Name: "take more samples: of the case, of the marked, or on a group of all that are unsettled", Do: s.takeMore},
		{Key: ">", Word: "next-sample", Name: "next sample of the outputs", Tab: outputTab, Do: step(1)},
		{Key: "<", Word: "previous-sample", Name: "previous sample of the outputs", Tab: outputTab, Do: step(-1)},
		{Key: "o", Word: "raw", Name: "outputs as they came, or laid out to read", Tab: outputTab, Do: func(tui.At) tui.Effect {
			s.raw = !s.raw
			return tui.Effect{Reload: true}
		}},
		{Key: "e", Word: "edit", Name: "open the case in $EDITOR", Do: s.edit},
	}
}

func (s *Screen) edit(at tui.At) tui.Effect {
	if at.Row == nil {
		return tui.Effect{Notice: "put the cursor on a case to edit its file"}
	}
	if path, ok := s.Evidence.CaseFile(at.Row.ID); ok {
		return tui.Effect{Edit: path}
	}
	return tui.Effect{Notice: "this case has no file to edit", Failed: true}
}

// of returns the case of a row.
func (s *Screen) of(row *list.Row) (*diff.Case, *entry) {
	return &s.Diff.Cases[row.Index], &s.cases[row.Index]
}

// subject says what is reviewed: the suite, what was real, which systems.
func (s *Screen) subject() []string {
	d := s.Diff
	if s.Files != "" {
		return []string{report.Reality(""), s.Files}
	}
	subject := []string{d.Suite, report.Answered(d.Mode, s.Sources, s.Now)}
	if d.Old.Ruler != d.New.Ruler && d.Old.Ruler != "" {
		subject = append(subject, "judged by another ruler")
	}
	switch before, after := d.Old.System, d.New.System; {
	case before == after && after != "":
		subject = append(subject, after)
	case before != after:
		subject = append(subject, known(before)+" → "+known(after))
	}
	if untold := d.Untold(); len(untold) > 0 { // nobody can say that these are the same
		subject = append(subject, "unknown: "+strings.Join(untold, ", "))
	}
	return subject
}

func known(system string) string {
	if system == "" {
		return "unknown"
	}
	return system
}
