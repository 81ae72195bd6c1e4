package recording

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Bounds of the search for the nearest recording, which is made for each miss
// and never for a find.
const (
	maxCandidates = 200      // files that are read
	maxSearched   = 64 << 20 // bytes that are read
)

// miss fills in what a miss says of its request and its neighbours.
func (s *Store) miss(key Key, a *asked, m *Miss) error {
	m.Key, m.asked, m.rules = key, a, s.options.Rules[a.upstream]
	m.Request = a.line(&m.rules)
	if m.Reason == NoSample {
		m.Samples, _ = s.samplesOf(folderOf(key.Provider, key.CaseID)) // only for the message
	}
	if m.Reason == UsedUp {
		return m
	}
	search := search{store: s, asked: a, now: a.compared(&m.rules), rules: &m.rules, left: maxSearched}
	if key.Service != "" {
		search.services(path.Join(Folder, key.Service))
	} else {
		search.calls(key)
	}
	best := search.best
	if best == nil {
		return m
	}
	m.Nearest = &Near{File: best.file, Line: best.line, Differences: best.found, More: best.count - len(best.found), key: best.key, hash: best.hash}
	if best.count == 0 && !best.rules.same(&m.rules) {
		m.Reason = OtherRules
	}
	s.note(m)
	return m
}

// A search looks for the recording that is nearest to a request. Files that
// are damaged are passed over: they are errors where they are asked for.
type search struct {
	store *Store
	asked *asked
	now   map[string]any // the request, laid out
	rules *Rules
	best  *candidate
	left  int64 // bytes still to be read
}

func (s *search) consider(r *record, file string, line int) {
	c := differences(any(r.asked.compared(s.rules)), any(s.now))
	next := &candidate{record: r, file: file, line: line, comparison: c, far: distance(r.asked, s.asked, c)}
	s.best = closest(s.best, next)
}

// services looks through the folder of a service, files with the most alike
// names first.
func (s *search) services(folder string) {
	names := s.list(folder, ".json")
	want := slug(s.asked.method + " " + s.asked.path)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(common(path.Base(b), want), common(path.Base(a), want))
	})
	for _, name := range names[:min(len(names), maxCandidates)] {
		if data := s.read(name); data != nil {
			if r, err := parseFile(name, data); err == nil {
				s.consider(r, s.store.shown(name), 0)
			}
		}
	}
}

// calls looks through the samples of the case, the one that was asked for
// first, and where it has none through those of other cases.
func (s *search) calls(key Key) {
	s.samples(folderOf(key.Provider, key.CaseID), key.Sample)
	if s.best != nil {
		return
	}
	provider := path.Join(Folder, key.Provider)
	entries, err := s.store.fsys.ReadDir(provider)
	if err != nil {
		return
	}
	for i, e := range entries {
		if i == maxCandidates {
			return
		}
		if e.IsDir() {
			s.samples(path.Join(provider, e.Name()), key.Sample)
		}
	}
}

func (s *search) samples(folder string, first int) {
	names := s.list(folder, ".jsonl")
	wanted := path.Join(folder, strconv.Itoa(first)+".jsonl")
	slices.SortStableFunc(names, func(a, b string) int {
		switch wanted {
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
	for _, name := range names[:min(len(names), maxCandidates)] {
		data := s.read(name)
		if data == nil {
			continue
		}
		calls, err := parseCalls(name, data)
		if err != nil {
			continue
		}
		for i, r := range calls {
			s.consider(r, s.store.shown(name), i+1)
		}
		if name == wanted {
			return // other samples are no nearer in meaning
		}
	}
}

func (s *search) list(folder, ext string) []string {
	entries, err := s.store.fsys.ReadDir(folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.Type()&fs.ModeType == 0 && path.Ext(e.Name()) == ext && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, path.Join(folder, e.Name()))
		}
	}
	return names
}

// read returns a file's content, nil where it cannot or must not be read.
func (s *search) read(name string) []byte {
	info, err := s.store.fsys.Lstat(name)
	if err != nil || info.Size() > s.left {
		return nil
	}
	data, there, err := s.store.read(name)
	if err != nil || !there {
		return nil
	}
	s.left -= int64(len(data))
	return data
}

// common counts the bytes with which two names begin alike.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
