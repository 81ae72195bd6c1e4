package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/engine/canonical"
)

// A ledger notes which recordings a run used, found and saved alike. The zero
// ledger is empty.
type ledger struct {
	mu     sync.Mutex
	byName map[upstream]*Used
	facts  map[string]map[string]bool // by case: what was asked and what came back
	files  map[string]bool            // hashes of requests to services
}

type upstream struct {
	model bool
	name  string
}

// Used says what a run used of one service's or provider's recordings.
type Used struct {
	Name           string
	Model          bool // of a provider of models, not of a service
	Calls          int
	Oldest, Newest time.Time
}

// Age is how old a recording is, in words: "recorded today", "recorded 12 days
// ago".
func Age(recorded, now time.Time) string {
	switch days := Days(recorded, now); days {
	case 0:
		return "recorded today"
	case 1:
		return "recorded yesterday"
	default:
		return fmt.Sprintf("recorded %d days ago", days)
	}
}

// Days counts the dates from then to now, in UTC; 0 where then lies ahead.
func Days(then, now time.Time) int {
	const day = 24 * time.Hour
	return max(0, int(now.UTC().Truncate(day).Sub(then.UTC().Truncate(day))/day))
}

func (l *ledger) add(key Key, r *record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byName == nil {
		l.byName, l.facts, l.files = map[upstream]*Used{}, map[string]map[string]bool{}, map[string]bool{}
	}
	at := upstream{key.Service == "", upstreamOf(key)}
	u := l.byName[at]
	if u == nil {
		u = &Used{Name: at.name, Model: at.model, Oldest: r.recorded, Newest: r.recorded}
		l.byName[at] = u
	}
	u.Calls++
	if r.recorded.Before(u.Oldest) {
		u.Oldest = r.recorded
	}
	if r.recorded.After(u.Newest) {
		u.Newest = r.recorded
	}
	fact := factOf(key, r.hash) + r.answer
	if key.Service != "" {
		l.files[r.hash] = true
	}
	if l.facts[key.CaseID] == nil {
		l.facts[key.CaseID] = map[string]bool{}
	}
	l.facts[key.CaseID][fact] = true
}

// factOf begins the fact that a request was answered.
func factOf(key Key, hash string) string {
	if key.Service != "" {
		return fmt.Sprintf("service %s %s ", key.Service, hash)
	}
	return fmt.Sprintf("model %s %d %s ", key.Provider, key.Sample, hash)
}

// has reports whether a recording was used.
func (l *ledger) has(key Key, hash string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key.Service != "" {
		return l.files[hash]
	}
	for fact := range l.facts[key.CaseID] {
		if strings.HasPrefix(fact, factOf(key, hash)) {
			return true
		}
	}
	return false
}

// Used returns what was used so far, services first, each sorted by name.
func (s *Store) Used() []Used {
	s.usage.mu.Lock()
	defer s.usage.mu.Unlock()
	var list []Used
	for _, u := range s.usage.byName {
		list = append(list, *u)
	}
	slices.SortFunc(list, func(a, b Used) int {
		if a.Model != b.Model {
			if b.Model {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return list
}

// Hash is the hash over the recordings that were used so far, for the header
// of a baseline: over what was asked and what came back, and not over when. It
// is "" where none was used. Recording again with the same answers does not
// change it.
func (s *Store) Hash() string {
	s.usage.mu.Lock()
	defer s.usage.mu.Unlock()
	all := map[string]bool{}
	for id, facts := range s.usage.facts {
		for f := range facts {
			if strings.HasPrefix(f, "model ") {
				f += fmt.Sprintf(" %q", id) // cases share services only
			}
			all[f] = true
		}
	}
	return hashFacts(all)
}

func hashFacts(facts map[string]bool) string {
	if len(facts) == 0 {
		return ""
	}
	return canonical.Hash(slices.Sorted(maps.Keys(facts)))
}

// Unsteady returns the recordings of services that answered one request in two
// ways within this session, sorted: a replay gives the first answer every
// time. Where [Store.Kept] is asked first that happens only to answers with a
// secret in them, and to requests that were made at the same time.
func (s *Store) Unsteady() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.unsteady))
}

// Unused returns the recordings that nothing has asked for, sorted: files of
// services and of models, and as file:line the calls in files of which others
// were used. After a whole run that replayed everything they are of no use;
// after part of one that means nothing.
func (s *Store) Unused() ([]string, error) {
	s.mu.Lock()
	visited := maps.Clone(s.visited)
	unused := slices.Clone(s.leftover)
	open := maps.Clone(s.attempts)
	s.mu.Unlock()
	for at, parts := range open {
		for provider, p := range parts {
			unused = append(unused, s.unusedCalls(Key{Provider: provider, CaseID: at.caseID, Sample: at.sample}, p)...)
		}
	}
	s.usage.mu.Lock()
	files := maps.Clone(s.usage.files)
	s.usage.mu.Unlock()
	used := map[string]bool{}
	for hash := range files {
		used[digits(hash)] = true
	}
	err := fs.WalkDir(s.root.FS(), Folder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == Folder:
			return nil
		case err != nil:
			return err
		case e.IsDir() || strings.HasPrefix(e.Name(), "."):
			return nil
		case path.Ext(name) == ".json" && !used[nameDigits(name)], path.Ext(name) == ".jsonl" && !visited[name]:
			unused = append(unused, s.shown(name))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the recordings cannot be listed: %w", err)
	}
	slices.Sort(unused)
	return slices.Compact(unused), nil
}

// nameDigits are the digits of the key in the name of a service's file.
func nameDigits(name string) string {
	name = strings.TrimSuffix(path.Base(name), ".json")
	return name[max(0, len(name)-hashDigits):]
}
