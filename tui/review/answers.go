package review

import (
	"context"
	"sync"

	"docket/engine"
	"docket/engine/run"
	"docket/tui/style"
)

// keptAnswers bounds how many cases' answers are kept.
const keptAnswers = 64

// answers keeps what was read of outputs, laid out to be drawn. It is filled
// outside the loop that draws and asked from inside it.
type answers struct {
	evidence Evidence
	mu       sync.Mutex
	kept     map[string]*prose
	oldest   []string
}

// prose is the answers of one case on both sides.
type prose struct {
	old, new     []page
	noOld, noNew string
	messages     map[string]string // of failing checks of the new side, by check
}

// page is one sample: its lines laid out to be read, and as they came.
type page struct {
	number    int
	read, raw []style.Line
}

func newAnswers(e Evidence) *answers { return &answers{evidence: e, kept: map[string]*prose{}} }

func (a *answers) get(id string) *prose {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept[id]
}

func (a *answers) has(id string) bool { return a.get(id) != nil }

// messages are what failing checks said of a case, as far as its answers have
// been read.
func (a *answers) messages(id string) map[string]string {
	if p := a.get(id); p != nil {
		return p.messages
	}
	return nil
}

// load reads the answers of a case and lays them out.
func (a *answers) load(ctx context.Context, s *Screen, id string) error {
	if a.has(id) {
		return nil
	}
	found, err := a.evidence.Outputs(ctx, id)
	if err != nil {
		return err
	}
	p := &prose{old: s.pages(found.Old), new: s.pages(found.New), noOld: found.NoOld, noNew: found.NoNew, messages: messagesOf(found)}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.kept[id]; !ok {
		a.oldest = append(a.oldest, id)
	}
	a.kept[id] = p
	for len(a.oldest) > keptAnswers {
		delete(a.kept, a.oldest[0])
		a.oldest = a.oldest[1:]
	}
	return nil
}

func (s *Screen) pages(samples []run.Sample) []page {
	pages := make([]page, len(samples))
	for i := range samples {
		pages[i] = page{samples[i].Number, s.layOut(&samples[i], false), s.layOut(&samples[i], true)}
	}
	return pages
}

// messagesOf gathers what the checks said that failed.
func messagesOf(o engine.Outputs) map[string]string {
	texts := map[string][]string{}
	for i := range o.New {
		for _, v := range o.New[i].Checks {
			if !v.Pass && v.Message != "" {
				texts[v.Check] = append(texts[v.Check], v.Message)
			}
		}
	}
	messages := make(map[string]string, len(texts))
	for check, said := range texts {
		messages[check] = message(said, len(o.New))
	}
	return messages
}
