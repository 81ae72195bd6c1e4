package review

import (
	"context"
	"sync"

	"docket/engine"
	"docket/engine/run"
	"docket/tui/pair"
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
	old, new     []*page
	noOld, noNew string
	messages     map[string]string     // of failing checks of the new side, by check; see noVerdict
	shown        map[view]pair.Content // what was laid out side by side
}

// view is which sample of each side is shown, counted from 0, and how.
type view struct {
	at  int
	raw bool
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

// shown returns what was laid out of a case; false where that is still to do.
func (a *answers) shown(id string, v view) (pair.Content, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.kept[id]
	if p == nil {
		return pair.Content{}, false
	}
	c, ok := p.shown[v]
	return c, ok
}

// show keeps what was laid out of a case.
func (a *answers) show(p *prose, v view, c pair.Content) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p.shown[v] = c
}

// load reads the answers of a case.
func (a *answers) load(ctx context.Context, id string) error {
	if a.has(id) {
		return nil
	}
	found, err := a.evidence.Outputs(ctx, id)
	if err != nil {
		return err
	}
	p := &prose{old: pages(found.Old), new: pages(found.New), noOld: found.NoOld, noNew: found.NoNew, messages: messagesOf(found), shown: map[view]pair.Content{}}
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

func pages(samples []run.Sample) []*page {
	pages := make([]*page, len(samples))
	for i := range samples {
		pages[i] = &page{sample: &samples[i]}
	}
	return pages
}

// messagesOf gathers what the checks said that failed, and why others have no
// verdict.
func messagesOf(o engine.Outputs) map[string]string {
	texts := map[string][]string{}
	for i := range o.New {
		for _, v := range o.New[i].Checks {
			switch {
			case v.Unscored != "":
				texts[noVerdict(v.Check)] = append(texts[noVerdict(v.Check)], v.Unscored)
			case !v.Pass && v.Message != "":
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
