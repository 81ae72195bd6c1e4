package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A partition is one file of a model's calls: those of one sample of one case
// with one provider. Nothing is shared between partitions, so cases that run
// at once cannot take each other's answers.
type partition struct {
	mu     sync.Mutex
	read   bool
	err    error // of reading: the same for every call
	there  bool  // the file exists
	saving bool  // this session writes it
	calls  []call
}

type call struct {
	*record
	sent time.Time // finer than what is written
	used bool
}

func (s *Store) partition(key Key) *partition {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := attempt{key.CaseID, key.Sample}
	if s.attempts[at] == nil {
		s.attempts[at] = map[string]*partition{}
	}
	p := s.attempts[at][key.Provider]
	if p == nil {
		p = &partition{}
		s.attempts[at][key.Provider] = p
		s.visited[callsName(key)] = true
	}
	return p
}

// load reads the file of a partition once. The caller holds p.mu.
func (s *Store) load(p *partition, key Key) error {
	if p.read {
		return p.err
	}
	p.read = true
	name := callsName(key)
	data, there, err := s.read(name)
	if err != nil || !there {
		p.err = err
		return err
	}
	p.there = true
	records, err := parseCalls(s.shown(name), data)
	if err != nil {
		p.err = err
		return err
	}
	for i, r := range records {
		if r.key != key {
			p.err = fmt.Errorf("%s:%d: the call is of sample %d of case %q with %s, and stands in another's file; move it back, or record again",
				s.shown(name), i+1, r.key.Sample, r.key.CaseID, r.key.Provider)
			return p.err
		}
		p.calls = append(p.calls, call{record: r, sent: r.recorded})
	}
	return nil
}

func (s *Store) findCall(key Key, a *asked) (*record, error) {
	key.Service = ""
	p := s.partition(key)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := s.load(p, key); err != nil {
		return nil, err
	}
	rules := s.options.Rules[key.Provider]
	hash := a.key(&rules)
	recorded := 0
	for i := range p.calls {
		c := &p.calls[i]
		if c.hash != hash {
			continue
		}
		recorded++
		if !c.used {
			c.used = true
			return c.record, nil
		}
	}
	switch {
	case recorded > 0:
		return nil, s.miss(key, a, &Miss{Reason: UsedUp, Recorded: recorded})
	case !p.there && !p.saving:
		return nil, s.miss(key, a, &Miss{Reason: NoSample})
	}
	return nil, s.miss(key, a, &Miss{Reason: NotRecorded})
}

func (s *Store) saveCall(r *record, sent time.Time) error {
	p := s.partition(r.key)
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.calls
	if !p.saving {
		if err := s.load(p, r.key); err != nil {
			return err // a damaged file stays as it is
		}
		calls = nil
	}
	// Behind all calls that were sent before or at the same time.
	at := len(calls)
	for at > 0 && calls[at-1].sent.After(sent) {
		at--
	}
	calls = slices.Insert(slices.Clone(calls), at, call{record: r, sent: sent})
	records := make([]*record, len(calls))
	for i, c := range calls {
		records[i] = c.record
	}
	if err := s.write(callsName(r.key), appendCalls(nil, records)); err != nil {
		return err
	}
	p.calls, p.saving, p.there = calls, true, true
	return nil
}

// Begin says that a sample of a case is tried, or tried anew: recorded answers
// are all to be had again, and what is saved begins the sample's file anew.
// Without it the first call of a sample begins it.
func (s *Store) Begin(caseID string, sample int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.attempts, attempt{caseID, sample})
}

// End says that a sample of a case is done. It lets go of the memory that the
// sample took, and notes the recordings that nothing asked for.
func (s *Store) End(caseID string, sample int) {
	s.mu.Lock()
	parts := s.attempts[attempt{caseID, sample}]
	delete(s.attempts, attempt{caseID, sample})
	s.mu.Unlock()
	for _, provider := range slices.Sorted(maps.Keys(parts)) {
		left := s.unusedCalls(Key{Provider: provider, CaseID: caseID, Sample: sample}, parts[provider])
		s.mu.Lock()
		s.leftover = append(s.leftover, left...)
		s.mu.Unlock()
	}
}

func (s *Store) unusedCalls(key Key, p *partition) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.saving {
		return nil
	}
	var left []string
	for i, c := range p.calls {
		if !c.used {
			left = append(left, fmt.Sprintf("%s:%d", s.shown(callsName(key)), i+1))
		}
	}
	return left
}

// Samples returns the numbers of the samples that were recorded of a case, with
// whatever provider, sorted.
func (s *Store) Samples(caseID string) ([]int, error) {
	entries, err := s.fsys.ReadDir(Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.shown(Folder), err)
	}
	found := map[int]bool{}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		samples, err := s.samplesOf(folderOf(e.Name(), caseID))
		if err != nil {
			return nil, err
		}
		for _, n := range samples {
			found[n] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// samplesOf lists the samples in one folder of a case.
func (s *Store) samplesOf(folder string) ([]int, error) {
	entries, err := s.fsys.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.shown(folder), err)
	}
	var samples []int
	for _, e := range entries {
		if n, ok := sampleNumber(e.Name()); ok {
			samples = append(samples, n)
		}
	}
	slices.Sort(samples)
	return samples, nil
}

// sampleNumber reads the name of a file of calls.
func sampleNumber(name string) (int, bool) {
	number, ok := strings.CutSuffix(name, ".jsonl")
	n, err := strconv.Atoi(number)
	return n, ok && err == nil && n >= 1 && strconv.Itoa(n) == number
}

// Trim removes the samples of a case above a number, of one provider: those of
// an earlier recording that took more, which a replay would mix with the new.
func (s *Store) Trim(provider, caseID string, samples int) error {
	if err := checkKey(Key{Provider: provider, CaseID: caseID, Sample: 1}); err != nil {
		return err
	}
	folder := folderOf(provider, caseID)
	found, err := s.samplesOf(folder)
	if err != nil {
		return err
	}
	removed := false
	for _, n := range found {
		if n <= samples {
			continue
		}
		if err := s.acquire(); err != nil {
			return fmt.Errorf("trim recordings: %w", err)
		}
		if err := s.fsys.Remove(path.Join(folder, strconv.Itoa(n)+".jsonl")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("trim recordings: %w", err)
		}
		removed = true
	}
	if !removed {
		return nil
	}
	return s.fsys.SyncDir(folder)
}
