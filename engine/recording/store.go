package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"docket/engine/disk"
	"docket/engine/provider"
	"docket/engine/suite"
)

// maxFile is the size in bytes of the largest file that is read.
const maxFile = 256 << 20

// Options say how recordings are read and written. The zero Options are usable.
type Options struct {
	// Rules by the name of the service or provider they hold for.
	Rules map[string]Rules
	// Secrets are values that are never written: see the function [Secrets].
	// The placeholder that docket gives to programs is always one, so that the
	// request with it is the request with a key.
	Secrets []string
	// Shown is the suite's folder as messages name it, such as cases/support.
	Shown string
	// Now is the clock for exchanges that do not say when they took place; nil
	// is time.Now.
	Now func() time.Time
}

// A Store holds the recordings of one suite for the time of one run. Its
// methods may be called from several goroutines.
type Store struct {
	root    *os.Root
	fsys    disk.FS // the root, as package disk sees it
	options Options
	secrets *redactor

	saving sync.Mutex // one file of a service is written at a time
	usage  ledger

	mu       sync.Mutex
	attempts map[attempt]map[string]*partition // by provider
	lock     disk.Lock                         // held from the first write on
	saved    map[string]*record                // this session's, by file of a service
	visited  map[string]bool                   // files of models that were read or written
	leftover []string                          // calls that ended attempts did not use
	unsteady map[string]bool                   // files of services that answered in two ways
	missed   map[string]*Miss                  // by key and hash of the request
}

type attempt struct {
	caseID string
	sample int
}

// Open returns the recordings in the folder [Folder] of a suite's folder. It
// reads nothing yet, and the folder need not be there. The root stays the
// caller's, and open for as long as the store is used.
func Open(root *os.Root, o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{
		root: root, fsys: rootFS{root}, options: o, secrets: newRedactor(append(slices.Clone(o.Secrets), provider.Placeholder)),
		attempts: map[attempt]map[string]*partition{}, saved: map[string]*record{},
		visited: map[string]bool{}, unsteady: map[string]bool{}, missed: map[string]*Miss{},
	}
}

// Close lets other processes record again. What was saved is on disk before.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil
	}
	err := s.lock.Release()
	s.lock = nil
	return err
}

// Find returns what was recorded for a request. Where there is nothing the
// error is a [*Miss], which wraps provider.ErrMissed. Any other error says that
// there is a recording and that it is damaged, edited by hand or in conflict:
// it must not be taken for a missing one.
//
// The request in the exchange is the recorded one, redacted.
func (s *Store) Find(ctx context.Context, key Key, r provider.Request) (provider.Exchange, error) {
	if err := ctx.Err(); err != nil {
		return provider.Exchange{}, err
	}
	if err := checkKey(key); err != nil {
		return provider.Exchange{}, err
	}
	a, err := ask(upstreamOf(key), &r, s.secrets)
	if err != nil {
		return provider.Exchange{}, err
	}
	var found *record
	if key.Service != "" {
		found, err = s.findService(key, a)
	} else {
		found, err = s.findCall(key, a)
	}
	if err != nil {
		return provider.Exchange{}, err
	}
	s.usage.add(key, found)
	return found.exchange(), nil
}

// exchange is what was recorded, for who asked.
func (r *record) exchange() provider.Exchange {
	return provider.Exchange{
		Request: r.asked.request(), Response: copied(r.response),
		Recorded: r.recorded, Latency: r.latency,
	}
}

// Save keeps an exchange, without its secrets. It is on disk when Save
// returns.
//
// The first call that is saved for a sample of a case begins its file anew.
// The calls stand in it in the order in which they were sent. Of equal requests
// to a service the first good answer of a session is kept (see [Store.Unsteady]),
// and an answer that calls for a retry (408, 429, 5xx) never takes the place of
// a good one.
func (s *Store) Save(ctx context.Context, key Key, e provider.Exchange) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkKey(key); err != nil {
		return err
	}
	a, err := ask(upstreamOf(key), &e.Request, s.secrets)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	response, err := s.secrets.response(&e.Response)
	if err != nil {
		return fmt.Errorf("record %s: %w", a.line(&Rules{}), err)
	}
	if response.Status < 100 || response.Status > 599 {
		return fmt.Errorf("record %s: %d is not an HTTP status", a.line(&Rules{}), response.Status)
	}
	if e.Recorded.IsZero() {
		e.Recorded = s.options.Now()
	}
	r := newRecord(key, s.options.Rules[upstreamOf(key)], a, response, e.Recorded, max(e.Latency, 0))
	r.verbatim = bytes.Equal(response.Body, e.Response.Body)
	if err := s.acquire(); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if key.Service != "" {
		r, err = s.saveService(r)
	} else {
		err = s.saveCall(r, e.Recorded)
	}
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	s.usage.add(key, r)
	return nil
}

// Kept returns the answer of a service that this session saved for an equal
// request. There is false for none, for one that calls for a retry, and for one
// of which the body was not kept to the byte: a token that was redacted is of no
// use to the system that asked for it.
func (s *Store) Kept(_ context.Context, key Key, r provider.Request) (provider.Exchange, bool) {
	if key.Service == "" || checkKey(key) != nil {
		return provider.Exchange{}, false
	}
	a, err := ask(upstreamOf(key), &r, s.secrets)
	if err != nil {
		return provider.Exchange{}, false
	}
	name, hash := s.serviceName(a)
	s.mu.Lock()
	kept := s.saved[name]
	s.mu.Unlock()
	if kept == nil || kept.hash != hash || !kept.verbatim || passing(kept) {
		return provider.Exchange{}, false
	}
	return kept.exchange(), true
}

// acquire makes the folder and keeps other processes from recording in it.
func (s *Store) acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock != nil {
		return nil
	}
	if err := disk.MakeFolders(s.fsys, ".", Folder, 0o777); err != nil {
		return err
	}
	lock, err := s.fsys.Lock(path.Join(Folder, disk.LockSuffix))
	if err != nil {
		return err
	}
	s.lock = lock
	return nil
}

// write puts a file of the folder of recordings in place.
func (s *Store) write(name string, data []byte) error {
	if err := disk.MakeFolders(s.fsys, ".", path.Dir(name), 0o777); err != nil {
		return err
	}
	return disk.Write(s.fsys, name, data, 0o666)
}

// read returns a file; there is false where it is missing.
func (s *Store) read(name string) (data []byte, there bool, err error) {
	data, err = disk.Read(s.fsys, name, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("%s: %w", s.shown(name), err)
	}
	return data, true, nil
}

// shown names a file in messages.
func (s *Store) shown(name string) string { return path.Join(s.options.Shown, name) }

// serviceName is the file of a service's recording of a request.
func (s *Store) serviceName(a *asked) (name, key string) {
	rules := s.options.Rules[a.upstream]
	key = a.key(&rules)
	return path.Join(Folder, serviceFile(a, &rules, key)), key
}

func (s *Store) findService(key Key, a *asked) (*record, error) {
	name, hash := s.serviceName(a)
	r, err := s.readService(name)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, s.miss(key, a, &Miss{Reason: NotRecorded})
	case r.hash != hash:
		return nil, collision(s.shown(name), r, a)
	}
	return r, nil
}

// collision is the error for a file whose name fits a request and whose
// content does not.
func collision(name string, r *record, a *asked) error {
	return fmt.Errorf("%s: by its name this is the recording of %q, and it holds one of %q: it was renamed or copied by hand, or two requests share 64 bits of their hash; %s",
		name, a.line(&r.rules), r.asked.line(&r.rules), mend)
}

// readService reads a service's file, nil where there is none.
func (s *Store) readService(name string) (*record, error) {
	data, there, err := s.read(name)
	if err != nil || !there {
		return nil, err
	}
	r, err := parseFile(s.shown(name), data)
	if err != nil {
		return nil, err
	}
	if service := path.Base(path.Dir(name)); r.key.Service != service {
		return nil, fmt.Errorf("%s: the recording is of the service %q and stands in the folder of %q; move it back", s.shown(name), r.key.Service, service)
	}
	return r, nil
}

// saveService writes a service's recording, and returns the one that stands
// now.
func (s *Store) saveService(r *record) (*record, error) {
	s.saving.Lock()
	defer s.saving.Unlock()
	name, _ := s.serviceName(r.asked)
	old, err := s.readService(name) // also keeps a damaged file from being written over
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	mine := s.saved[name] != nil
	s.mu.Unlock()
	switch {
	case old == nil:
	case old.hash != r.hash:
		return nil, collision(s.shown(name), old, r.asked)
	case passing(r) && !passing(old):
		return old, nil
	case mine && passing(r) == passing(old):
		if old.answer != r.answer {
			s.mu.Lock()
			s.unsteady[s.shown(name)] = true
			s.mu.Unlock()
		}
		return old, nil
	}
	if err := s.write(name, r.appendFile(nil)); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.saved[name] = r
	s.mu.Unlock()
	return r, nil
}

// passing reports whether an answer may be another one at the next try.
func passing(r *record) bool {
	status := r.response.Status
	return status == 408 || status == 429 || status >= 500
}

// folderOf is where a case's calls of a provider are kept.
func folderOf(provider, caseID string) string {
	return path.Join(Folder, provider, suite.FileName(caseID))
}

func callsName(key Key) string {
	return path.Join(folderOf(key.Provider, key.CaseID), fmt.Sprintf("%d.jsonl", key.Sample))
}

func copied(r *provider.Response) provider.Response {
	return provider.Response{Status: r.Status, Header: r.Header.Clone(), Body: append([]byte(nil), r.Body...)}
}
