package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"docket/engine/canonical"
)

// A Rekeying is what renaming the recordings of a suite would do. Nothing is
// written before Apply.
type Rekeying struct {
	// Moves are the recordings that get another key, or other rules: those of
	// services first, and of these the ones that keep their names.
	Moves []Move
	// Left says, a sentence each, what could not be planned.
	Left []string

	store *Store
	steps []step // as Moves
}

// A Move gives one recording another key.
type Move struct {
	File string // as messages name it
	Line int    // of a file of calls; 0 for a service's
	// NewFile is the name that a service's recording gets. A file of calls
	// keeps its name.
	NewFile string
	// Merged says that NewFile is there with the same answer, and this one
	// only goes.
	Merged bool
	// OldRules and NewRules are set where the rules changed.
	OldRules, NewRules string
	// Redacted says that what looks like a secret is taken out.
	Redacted bool
	// Differences are those of the request, bounded; More counts the rest.
	Differences []Difference
	More        int

	pointers []string
}

type step struct {
	name, newName string
	line          int
	before        string // hash of the file when it was planned
	record        *record
}

// PlanRekey compares the recordings of a suite with what would be asked for
// now: under the rules of the options, and, where misses is not empty, by the
// requests of an earlier run that found no recording (see
// [Store.AppendMisses]; name is for messages). It writes nothing.
//
// A request that changed moves the recording nearest to it. That it does not
// matter how they differ is for a person to say, who sees the differences.
func PlanRekey(root *os.Root, o Options, name string, misses []byte) (*Rekeying, error) {
	requests, err := parseMisses(name, misses)
	if err != nil {
		return nil, err
	}
	p := planner{Rekeying: &Rekeying{store: Open(root, o)}, wanted: map[string][]wanted{}, targets: map[string]*record{}}
	for _, w := range requests {
		at := place(w.key, w.nearest)
		p.wanted[at] = append(p.wanted[at], w)
	}
	if err := p.plan(); err != nil {
		return nil, err
	}
	return p.Rekeying, nil
}

// order is 0 for a step that leaves a file's name, and is to come first.
func (st step) order() int {
	if st.name == st.newName {
		return 0
	}
	return 1
}

type planner struct {
	*Rekeying
	wanted  map[string][]wanted // by the recording that is nearest
	targets map[string]*record  // of services, by name: what stands there, or will
}

func (p *planner) plan() error {
	services, calls, err := p.store.list()
	if err != nil {
		return err
	}
	var moves []moving
	for _, name := range services {
		data, _, err := p.store.read(name)
		if err != nil {
			return err
		}
		r, err := parseFile(p.store.shown(name), data)
		if err != nil {
			return err
		}
		next, err := p.next(r, p.store.shown(name))
		if err != nil {
			return err
		}
		if next == nil {
			p.targets[name] = r
			continue
		}
		target := path.Join(Folder, serviceFile(next.asked, &next.rules, next.hash))
		moves = append(moves, moving{r, step{name: name, newName: target, before: canonical.HashBytes(data), record: next}})
	}
	// What keeps its name comes first, so that nothing is moved onto it.
	slices.SortStableFunc(moves, func(a, b moving) int { return cmp.Compare(a.order(), b.order()) })
	for _, m := range moves {
		p.planService(m)
	}
	for _, name := range calls {
		if err := p.planCalls(name); err != nil {
			return err
		}
	}
	return nil
}

// A moving is the recording of a service that gets another key, or other rules.
type moving struct {
	old *record
	step
}

func (p *planner) planService(m moving) {
	move := describeMove(m.old, m.record)
	move.File, move.NewFile = p.store.shown(m.name), p.store.shown(m.newName)
	switch there := p.targets[m.newName]; {
	case there == nil:
		p.targets[m.newName] = m.record
	case there.answer != m.record.answer:
		p.Left = append(p.Left, fmt.Sprintf("%s would become %s, which has another answer: remove the one that is not meant", move.File, move.NewFile))
		return
	default:
		move.Merged = true
	}
	p.add(move, m.step)
}

func (p *planner) planCalls(name string) error {
	data, _, err := p.store.read(name)
	if err != nil {
		return err
	}
	records, err := parseCalls(p.store.shown(name), data)
	if err != nil {
		return err
	}
	for i, r := range records {
		next, err := p.next(r, fmt.Sprintf("%s:%d", p.store.shown(name), i+1))
		if err != nil {
			return err
		}
		if next == nil {
			continue
		}
		move := describeMove(r, next)
		move.File, move.NewFile, move.Line = p.store.shown(name), p.store.shown(name), i+1
		p.add(move, step{name: name, newName: name, line: i + 1, before: canonical.HashBytes(data), record: next})
	}
	return nil
}

func (p *planner) add(m Move, s step) {
	p.Moves = append(p.Moves, m)
	p.steps = append(p.steps, s)
}

// next returns what becomes of a recording, nil where it stays as it is.
func (p *planner) next(r *record, shown string) (*record, error) {
	at := place(r.key, r.hash)
	requests := p.wanted[at]
	now := r.asked
	switch len(requests) {
	case 0:
	case 1:
		now = requests[0].asked
	default:
		p.Left = append(p.Left, fmt.Sprintf("%s is the nearest to %d different requests, and can become one of them only: record the others", shown, len(requests)))
	}
	request := now.request()
	a, err := ask(r.asked.upstream, &request, p.store.secrets)
	if err != nil {
		return nil, err
	}
	response, err := p.store.secrets.response(r.response)
	if err != nil {
		return nil, err
	}
	next := newRecord(r.key, p.store.options.Rules[a.upstream], a, response, r.recorded, r.latency)
	if next.hash == r.hash && next.rules.same(&r.rules) && next.seal() == r.seal() {
		return nil, nil
	}
	return next, nil
}

func describeMove(old, next *record) Move {
	// What the rules leave out is no difference to decide on.
	c := differences(any(old.asked.compared(&next.rules)), any(next.asked.compared(&next.rules)))
	m := Move{Differences: c.found, More: c.count - len(c.found), pointers: c.pointers}
	held := newRecord(old.key, old.rules, next.asked, next.response, old.recorded, old.latency)
	m.Redacted = next.answer != old.answer || len(c.found) == 0 && held.seal() != old.seal()
	if !old.rules.same(&next.rules) {
		m.OldRules, m.NewRules = old.rules.describe(), next.rules.describe()
	}
	return m
}

// Only keeps the moves whose requests differ in nothing but what lies at or
// below the given JSON pointers, and returns how many it dropped.
func (r *Rekeying) Only(pointers []string) (dropped int) {
	within := func(p string) bool {
		return slices.ContainsFunc(pointers, func(q string) bool { return p == q || strings.HasPrefix(p, strings.TrimSuffix(q, "/")+"/") })
	}
	var moves []Move
	var steps []step
	for i, m := range r.Moves {
		if slices.ContainsFunc(m.pointers, func(p string) bool { return !within(p) }) || m.More > 0 && len(m.pointers) >= maxCounted {
			dropped++
			continue
		}
		moves, steps = append(moves, m), append(steps, r.steps[i])
	}
	r.Moves, r.steps = moves, steps
	return dropped
}

// Apply does what was planned. Each file is written whole before the old one
// goes, so that a crash leaves nothing lost, and planning again goes on from
// there. A file that changed since it was planned is an error, and nothing is
// then written of it or after it.
func (r *Rekeying) Apply() error {
	if len(r.steps) == 0 {
		return nil
	}
	s := r.store
	if err := s.acquire(); err != nil {
		return fmt.Errorf("rekey: %w", err)
	}
	defer s.Close()
	for first := 0; first < len(r.steps); {
		name, last := r.steps[first].name, first+1
		for last < len(r.steps) && r.steps[last].name == name {
			last++
		}
		steps := r.steps[first:last]
		first = last
		data, there, err := s.read(name)
		if err != nil {
			return err
		}
		if !there || canonical.HashBytes(data) != steps[0].before {
			return fmt.Errorf("%s changed since it was looked at: run docket rekey again", s.shown(name))
		}
		if steps[0].line > 0 {
			err = s.rewriteCalls(name, data, steps)
		} else {
			err = s.renameService(steps[0])
		}
		if err != nil {
			return fmt.Errorf("rekey %s: %w", s.shown(name), err)
		}
	}
	return nil
}

func (s *Store) rewriteCalls(name string, data []byte, steps []step) error {
	calls, err := parseCalls(s.shown(name), data)
	if err != nil {
		return err
	}
	for _, st := range steps {
		calls[st.line-1] = st.record
	}
	return s.write(name, appendCalls(nil, calls))
}

func (s *Store) renameService(st step) error {
	old, err := s.readService(st.newName)
	switch {
	case err != nil:
		return err
	case st.newName == st.name, old == nil:
		if err := s.write(st.newName, st.record.appendFile(nil)); err != nil {
			return err
		}
	case old.hash != st.record.hash || old.answer != st.record.answer:
		return fmt.Errorf("%s is there with another answer: run docket rekey again", s.shown(st.newName))
	case old.recorded.Before(st.record.recorded): // of two alike the newer one stays
		if err := s.write(st.newName, st.record.appendFile(nil)); err != nil {
			return err
		}
	}
	if st.newName == st.name {
		return nil
	}
	if err := s.fsys.Remove(st.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.fsys.SyncDir(path.Dir(st.name))
}

// list returns the files of services and of models, sorted. Whatever else lies
// there is for [Lint] to tell.
func (s *Store) list() (services, calls []string, err error) {
	err = fs.WalkDir(s.root.FS(), Folder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == Folder:
			return nil
		case err != nil:
			return err
		case strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular():
			return nil
		}
		switch levels := strings.Count(name, "/"); {
		case levels == 2 && path.Ext(name) == ".json":
			services = append(services, name)
		case levels == 3 && path.Ext(name) == ".jsonl":
			calls = append(calls, name)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("the recordings cannot be listed: %w", err)
	}
	slices.Sort(services)
	slices.Sort(calls)
	return services, calls, nil
}
